// Package redact removes the secrets of catalogs, until an audit of the output finds
// none.
//
//	Run      redacts inputs that belong together
//	Input    a document: how it is read, and where its output goes
//	Options  the markers, the audit, how many inputs at the same time
//	Auditor  finds secrets that nothing declares
//	Result   the report, and the error of each input
//
// Package sensitive redacts secrets that catalogs declare, and package audit finds
// secrets that they do not declare. The two do not know each other. This package
// combines them in rounds: it audits the inputs, redacts them without the findings,
// audits the output, and so on. A later round finds secrets that only show in the
// output: those that overlapped others, and the rest of very many in one place.
package redact
