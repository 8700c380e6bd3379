package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
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
	// Omitted is the number of findings that [Report.Limit] left out.
	Omitted int
	// Accepted is the number of findings that decisions of users took out.
	Accepted int

	// Rules are those that the findings name.
	Rules *rule.Registry
	// Notes are the places that were looked at in part only.
	Notes []Note

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

func (r *Report) note(notes [][]note) {
	for _, list := range notes {
		for _, n := range list {
			pointer, _ := r.masker.pointer(n.base, n.path)
			r.Notes = append(r.Notes, Note{r.masker.mask(n.catalog.Name), pointer, n.text, n.cut})
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

// ErrSecret tells that some output holds a secret.
var ErrSecret = errors.New("audit: the output holds a secret; this is a bug of pcat, and nothing is written")

// Check returns [ErrSecret] when any secret that the run knows stands in
// output, in any of its spellings. Some secrets are words of the report itself,
// the name of an encoding or of a rule: what stands in frame as well, the output
// for [Report.Frame], tells nothing about the catalogs. Frame is called at need
// only; nil stands for nothing.
func (r *Report) Check(output []byte, frame func() ([]byte, error)) error {
	if r.masker == nil || !r.masker.set.Contains(output) {
		return nil
	}
	own := map[string]bool{}
	if frame != nil {
		b, err := frame()
		if err != nil {
			return err
		}
		for h := range r.masker.set.Find(b) {
			own[string(b[h.Start:h.End])] = true
		}
	}
	for h := range r.masker.set.Find(output) {
		if !own[string(output[h.Start:h.End])] {
			return ErrSecret
		}
	}
	return nil
}

// standIns stand in a frame for what a catalog says: the same for the same text,
// so that what is told together and counted stays so. They are of characters
// that mean nothing.
type standIns map[string]string

func (s standIns) of(text string) string {
	if text == "" {
		return ""
	}
	known, ok := s[text]
	if !ok {
		const first, many = 0xE000, 6400 // the Private Use Area
		for n := len(s); known == "" || n > 0; n /= many {
			known += string(rune(first + n%many))
		}
		s[text] = known
	}
	return known
}

// Frame returns the report with nothing of the catalogs in it: what is left is
// what pcat says by itself.
func (r *Report) Frame() *Report {
	f := *r
	f.masker = nil
	stand := standIns{}
	f.Findings = slices.Clone(r.Findings)
	for i := range f.Findings {
		one := &f.Findings[i]
		for _, text := range []*string{&one.Catalog, &one.Node, &one.Pointer, &one.Type, &one.Title, &one.Parameter, &one.File} {
			*text = stand.of(*text)
		}
		one.At = catalog.Location{}
		one.Message = cmp.Or(one.plain, one.Message)
		if name, secret, named := cutLast(one.Masked, "=‹"); named {
			one.Masked = stand.of(name) + "=‹" + secret
		} else if !strings.HasPrefix(one.Masked, "‹") {
			one.Masked = stand.of(one.Masked)
		}
	}
	f.Failures = nil
	f.Notes = slices.Clone(r.Notes)
	for i := range f.Notes {
		f.Notes[i].Catalog, f.Notes[i].Pointer = stand.of(f.Notes[i].Catalog), stand.of(f.Notes[i].Pointer)
	}
	return &f
}

// cutLast is [strings.Cut] at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return "", s, false
}
