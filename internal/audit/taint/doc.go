// Package taint follows secrets: what is declared Sensitive in one place is
// looked for in every other, in all its spellings.
//
//	Collector  gathers the secrets of all catalogs of a run
//	Index      finds them in text
//	Source     one secret, with the places that declare it
//
// The secrets are held behind closures: printing what this package returns
// tells nothing about them.
package taint
