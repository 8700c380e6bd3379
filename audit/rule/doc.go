// Package rule says what an audit can find: the rules, with what each means,
// how bad it is, what to do about it, and samples that prove it.
//
//	Rule      one kind of finding
//	Registry  all rules by identifier
//	Default   the rules that pcat comes with
package rule
