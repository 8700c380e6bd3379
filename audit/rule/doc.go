// Package rule describes the findings of an audit: the rules, with their
// meaning, severity and remedy, wrong and right Puppet code, and samples that
// test them.
//
//	Rule      one kind of finding
//	Registry  all rules by identifier
//	Default   the built-in rules
package rule
