package audit

import (
	"errors"

	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// Report is what a run found.
type Report struct {
	// Findings are in the order of the inputs, and in that of each document.
	Findings []Finding
	// Catalogs is the number of inputs, Failures those that could not be
	// audited, or not to their end.
	Catalogs int
	Failures []Failure
	// Unfollowed is the number of Sensitive values that are too short or too
	// common to be looked for.
	Unfollowed int

	// Rules are those that the findings name.
	Rules *rule.Registry
	// Notes are the places that were looked at in part only.
	Notes []Note

	masker *masker
}

// Note tells about a place where something encoded was too large to be decoded
// to its end.
type Note struct {
	Catalog string
	// Pointer is the RFC 6901 pointer, secrets in it masked.
	Pointer string
	Message string
}

func (r *Report) note(notes [][]note) {
	for _, list := range notes {
		for _, n := range list {
			pointer, _ := r.masker.pointer(n.base, n.path)
			r.Notes = append(r.Notes, Note{n.catalog.Name, pointer, "what is encoded here is too large, and was looked at in part only"})
		}
	}
}

// Worst returns the highest severity of the findings, and false when there are
// none.
func (r *Report) Worst() (worst rule.Severity, found bool) {
	for _, f := range r.Findings {
		worst, found = max(worst, f.Severity), true
	}
	return worst, found
}

// ErrSecret tells that some output holds a secret.
var ErrSecret = errors.New("audit: the output holds a secret; this is a bug of pcat, and nothing is written")

// Check returns [ErrSecret] when any secret that the run knows stands in
// output, in any of its spellings.
func (r *Report) Check(output []byte) error {
	if r.masker != nil && r.masker.set.Contains(output) {
		return ErrSecret
	}
	return nil
}
