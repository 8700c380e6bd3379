package audit

import (
	"slices"

	"github.com/pcatdev/pcat/audit/rule"
)

// Report is what a run found.
type Report struct {
	// Findings are in the order of the inputs, and in that of each document.
	Findings []Finding
	// Catalogs is the number of catalogs in the inputs, of which one may hold
	// several, or none. Failures are the inputs that could not be audited, or not
	// to their end: each counts as one catalog.
	Catalogs int
	Failures []Failure
	// Unfollowed is the number of Sensitive values that are too short or too
	// common to be looked for.
	Unfollowed int
	// Omitted is the number of findings that [Report.Limit] left out.
	Omitted int
	// Accepted is the number of findings that decisions of users took out.
	Accepted int

	// Keyed reports whether the fingerprints were made with a key; see
	// [Finding.Fingerprint].
	Keyed bool
	// Rules are those that the findings name.
	Rules *rule.Registry
	// Notes are the places that were looked at in part only.
	Notes []Note
	// Passed are values under names for secrets that are none, with what speaks
	// against them: no more than a thousand of each document.
	Passed []Note

	masker *masker
}

// Note tells about a place that was not looked at to the end: something encoded
// was too large, or a rule could not be asked.
type Note struct {
	Catalog string
	// Pointer is the RFC 6901 pointer, secrets in it masked.
	Pointer string
	Message string
	// Cut tells that secrets may stand there that were not found.
	Cut bool
}

// note adds the notes about each input.
func (r *Report) note(notes [][]note) {
	for _, list := range notes {
		for _, n := range list {
			pointer, _ := pointer(n.at.base, n.at.path, r.masker.mask)
			told := Note{Catalog: r.masker.mask(n.at.catalog.Name), Pointer: pointer, Message: r.masker.mask(n.text), Cut: n.cut}
			if n.passed {
				r.Passed = append(r.Passed, told)
				continue
			}
			r.Notes = append(r.Notes, told)
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

// Limit leaves out all but n findings: the gravest stay, of the same severity
// those that come first. 0 leaves out none.
func (r *Report) Limit(n int) {
	if n <= 0 || len(r.Findings) <= n {
		return
	}
	var counts [rule.Critical + 1]int
	for i := range r.Findings {
		counts[r.Findings[i].Severity]++
	}
	for s, left := rule.Critical, n; ; s-- {
		counts[s] = min(counts[s], left)
		left -= counts[s]
		if s == rule.Info {
			break
		}
	}
	r.Omitted += len(r.Findings) - n
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		counts[f.Severity]--
		return counts[f.Severity] < 0
	})
}
