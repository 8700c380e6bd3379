// Package report writes what an audit found.
//
//	Formats   the forms there are, by name
//	Write     writes a report in one of them
//
// Before a byte is written, the whole output is searched for every secret of
// the run: a hit is [audit.ErrSecret], and nothing is written. The same report
// gives the same bytes.
package report
