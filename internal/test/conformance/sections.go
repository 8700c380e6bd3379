package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Section is a section of the specification with the programs that check it, and their comparisons with real Puppet.
type Section struct {
	Name     string                `json:"section"`
	Programs int                   `json:"programs"`
	Sum      string                `json:"sum"`      // of the programs and their answers
	Compared map[string]Comparison `json:"compared"` // by release
}

// Comparison is a comparison of the programs of a section with a release, which gave the recorded answers, as pcat did.
type Comparison struct {
	Commit string `json:"commit"`
	Day    string `json:"day"`
}

// Sections returns the sections of testdata/sections.jsonl in their order, without comparisons. root is the folder of the repository.
func Sections(root string) ([]*Section, error) {
	lines, err := SectionPrograms(root)
	if err != nil {
		return nil, err
	}
	var all []*Section
	texts := map[string][]byte{}
	for _, line := range lines {
		var program struct{ Section string }
		if err := json.Unmarshal(line, &program); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(s *Section) bool { return s.Name == program.Section })
		if i < 0 {
			i = len(all)
			all = append(all, &Section{Name: program.Section, Compared: map[string]Comparison{}})
		}
		all[i].Programs++
		texts[program.Section] = append(append(texts[program.Section], line...), '\n')
	}
	for _, s := range all {
		const digits = 16
		s.Sum = fmt.Sprintf("%x", sha256.Sum256(texts[s.Name]))[:digits]
	}
	return all, nil
}

// SectionPrograms returns the lines of testdata/sections.jsonl.
func SectionPrograms(root string) ([][]byte, error) {
	data, err := os.ReadFile(filepath.Join(root, "internal", "test", "conformance", "testdata", "sections.jsonl"))
	if err != nil {
		return nil, err
	}
	return bytes.Split(bytes.TrimSpace(data), []byte("\n")), nil
}

func comparedPath(root string) string {
	return filepath.Join(root, "internal", "test", "conformance", "testdata", "sections-compared.json")
}

// ComparedSections returns the sections with their recorded comparisons. A comparison of other programs, or of programs with other
// answers, does not count.
func ComparedSections(root string) ([]*Section, error) {
	all, err := Sections(root)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(comparedPath(root))
	if os.IsNotExist(err) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	var recorded []*Section
	if err := json.Unmarshal(data, &recorded); err != nil {
		return nil, err
	}
	for _, s := range all {
		if i := slices.IndexFunc(recorded, func(r *Section) bool { return r.Name == s.Name && r.Sum == s.Sum }); i >= 0 {
			s.Compared = recorded[i].Compared
		}
	}
	return all, nil
}

// RecordSections writes the sections with their comparisons, a line each, and the table of docs/specification.md.
func RecordSections(root string, all []*Section) error {
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(comparedPath(root), append(data, '\n'), 0o644); err != nil { //nolint:gosec // the file is part of the repository
		return err
	}
	path := filepath.Join(root, "docs", "specification.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, err := WithSectionTable(string(text), all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(page), 0o644) //nolint:gosec // likewise
}

// WithSectionTable returns a page with the table of the comparisons.
func WithSectionTable(page string, all []*Section) (string, error) {
	const begin, end = "<!-- compared -->\n", "<!-- /compared -->\n"
	before, rest, ok := strings.Cut(page, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("the page has no %s … %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	releases := comparedReleases(all)
	var b strings.Builder
	b.WriteString("| section | programs |")
	for _, r := range releases {
		b.WriteString(" " + r + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(releases)) + "\n")
	for _, s := range all {
		fmt.Fprintf(&b, "| %s | %d |", s.Name, s.Programs)
		for _, r := range releases {
			if c, ok := s.Compared[r]; ok {
				fmt.Fprintf(&b, " `%s`, %s |", c.Commit, c.Day)
			} else {
				b.WriteString(" - |")
			}
		}
		b.WriteString("\n")
	}
	return before + begin + b.String() + end + after, nil
}

// comparedReleases returns the releases of all comparisons, sorted.
func comparedReleases(all []*Section) []string {
	var releases []string
	for _, s := range all {
		for r := range s.Compared {
			releases = append(releases, r)
		}
	}
	slices.Sort(releases)
	return slices.Compact(releases)
}
