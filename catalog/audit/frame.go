package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// said returns the texts of a finding that the catalogs say, the one that is
// missed least first.
func (f *Finding) said() []*string {
	return []*string{&f.Pointer, &f.File, &f.Title, &f.Parameter, &f.Type, &f.Node, &f.Catalog}
}

// rename replaces what the catalogs say in the texts that pcat makes.
func (f *Finding) rename(replace func(string) string) {
	f.Message = cmp.Or(f.plain, f.Message)
	if name, secret, named := cutLast(f.Masked, "=‹"); named {
		f.Masked = replace(name) + "=‹" + secret
	} else if !strings.HasPrefix(f.Masked, "‹") {
		f.Masked = replace(f.Masked)
	}
}

// cutLast is [strings.Cut] at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return "", s, false
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
		if strings.Contains(text, hidden) {
			known += hidden
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
		for _, text := range one.said() {
			*text = stand.of(*text)
		}
		one.rename(stand.of)
		one.At = catalog.Location{}
	}
	f.Failures = slices.Clone(r.Failures)
	for i, one := range f.Failures {
		f.Failures[i] = Failure{stand.of(one.Name), errors.New(stand.of(one.Err.Error()))}
	}
	f.Notes = slices.Clone(r.Notes)
	for i := range f.Notes {
		f.Notes[i].Catalog, f.Notes[i].Pointer = stand.of(f.Notes[i].Catalog), stand.of(f.Notes[i].Pointer)
	}
	return &f
}

// Withhold returns the report with less of what the catalogs say in it. Each text
// in it is masked, but two side by side can read like a secret: refused tells
// whether some output of a report does. Only the findings that are refused lose
// texts, and those that people miss least before the others; where very many are
// refused, those beside them do, too. Failures and notes lose their places when
// that is not enough.
func (r *Report) Withhold(refused func(*Report) bool) *Report {
	w := *r
	w.Findings = slices.Clone(r.Findings)
	part := withholder{report: w, refuses: refused}
	part.report.Failures, part.report.Notes = nil, nil
	part.withhold(w.Findings)
	if refused(&w) {
		w.Failures, w.Notes = slices.Clone(r.Failures), slices.Clone(r.Notes)
		for i := range w.Failures {
			w.Failures[i].Name = hidden
		}
		for i := range w.Notes {
			w.Notes[i].Catalog, w.Notes[i].Pointer = hidden, hidden
		}
	}
	return &w
}

// maxAsked is how often it is asked which of the findings are refused: each time,
// a report is written and read.
const maxAsked = 1000

// withholder withholds texts of findings.
type withholder struct {
	report  Report // in which those stand that are asked about
	refuses func(*Report) bool
	asked   int
}

func (w *withholder) refused(list []Finding) bool {
	w.asked++
	w.report.Findings = list
	return w.refuses(&w.report)
}

// withhold does so for a list of findings, for each half of it by itself first.
func (w *withholder) withhold(list []Finding) {
	if len(list) == 0 || !w.refused(list) {
		return
	}
	if half := len(list) / 2; half > 0 && w.asked < maxAsked {
		w.withhold(list[:half])
		w.withhold(list[half:])
	}
	for field := range list[0].said() {
		if !w.refused(list) {
			return
		}
		for i := range list {
			*list[i].said()[field] = hidden
			list[i].Hidden = true
		}
	}
	for i := range list {
		list[i].rename(func(string) string { return hidden })
	}
}
