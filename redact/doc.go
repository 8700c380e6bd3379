// Package redact removes the secrets of catalogs until an audit of the output finds none.
//
//	Run      redacts inputs that belong together
//	Check    lists the locations that Run would change
//	Input    a document: how to read it and where to write its output
//	Options  the markers, the audit, the number of concurrent inputs
//	Auditor  finds undeclared secrets
//	Result   the report, and the error of each input
//	Finder   finds the secrets of documents of which a program prints parts
//
// Package sensitive redacts declared secrets, and package audit finds undeclared ones.
// The two do not depend on each other. This package combines them in rounds: it audits
// the inputs, redacts them including the findings, audits the output, and so on. Later
// rounds find secrets that appear only in the output: secrets that overlapped others, and
// the rest of very many in one location.
package redact
