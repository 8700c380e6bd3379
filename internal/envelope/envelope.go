// Package envelope has the members with which each JSON document of pcat begins.
//
// The members that all documents have belong here; the ones of a report do not.
package envelope

import "cmp"

// Envelope is embedded at the beginning of a document.
type Envelope struct {
	Tool          string `json:"tool"`
	Version       string `json:"version"`        // of the tool, "devel" if it was not released
	FormatVersion string `json:"format_version"` // of the document
}

// New returns the beginning of a document. version is that of pcat, empty if it is unknown. A new
// member of the document changes the second number of format, and another meaning the first.
func New(version, format string) Envelope {
	return Envelope{"pcat", cmp.Or(version, "devel"), format}
}
