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
	if f.Name != "" {
		f.Name = replace(f.Name)
	}
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
