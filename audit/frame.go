package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/environment"
)

// said returns the texts of a finding that come from the catalogs, the least
// important one first.
func (f *Finding) said() []*string {
	return []*string{&f.Pointer, &f.File, &f.Title, &f.Parameter, &f.Type, &f.Node, &f.Catalog}
}

// rename replaces the text of the catalogs in generated texts.
func (f *Finding) rename(replace func(string) string) {
	f.Message = cmp.Or(f.plain, f.Message)
	if f.Name != "" {
		f.Name = replace(f.Name)
	}
}

// standIns maps texts of a catalog to replacements in a frame. Equal texts have
// equal replacements, so that grouping and counting do not change. The
// replacements consist of characters without a meaning.
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

// Frame returns the report with all text of the catalogs replaced, so that only
// text of pcat itself remains.
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
		if below, name := environment.Cut(r.Findings[i].File); name != "" { // it is grouped and linked by these
			one.File = "environments/" + stand.of(name) + "/" + stand.of(below)
		}
		one.rename(stand.of)
		one.At = catalog.Location{}
		if from := one.Source; from != nil {
			one.Source = &Source{from.Declared, stand.of(from.Ref), stand.of(from.Pointer), stand.of(from.File), from.Line, from.Others}
		}
	}
	f.Failures = slices.Clone(r.Failures)
	for i, one := range f.Failures {
		f.Failures[i] = Failure{one.Input, stand.of(one.Name), errors.New(stand.of(one.Err.Error()))}
	}
	f.Notes = slices.Clone(r.Notes)
	for i := range f.Notes {
		f.Notes[i].Catalog, f.Notes[i].Pointer = stand.of(f.Notes[i].Catalog), stand.of(f.Notes[i].Pointer)
	}
	return &f
}
