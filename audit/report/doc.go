// Package report writes the result of an audit.
//
//	Formats   lists the formats
//	Write     writes a report in one of them
//
// The whole output is searched for every secret of the run before it is
// written, unless the user requests secrets. If a combination of texts reads
// like a secret, they are replaced; if the output still contains a secret,
// nothing is written and the error is [audit.ErrSecret]. Equal reports have
// equal output.
package report
