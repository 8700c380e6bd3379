// Package taint follows secrets: it searches for copies of declared secrets, in all their
// spellings, throughout the catalogs of a run.
//
//	Collector  gathers the secrets of all catalogs of a run
//	Index      finds them in text
//	Source     one secret, with the locations that declare it
//
// The secrets are held behind closures, so printing the values of this package does not
// expose them.
package taint
