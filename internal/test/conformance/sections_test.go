package conformance

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// refusedPrograms are programs of the sections that need a compiler, and a part of the error.
var refusedPrograms = []struct{ section, code, message string }{
	{"Resources", "notify { 'a': }", "A Resource Statement is only available when compiling a catalog"},
	{"Resources", "file { Sensitive('/a'): }", "A Resource Statement is only available when compiling a catalog"},
	{"Resources", "File { mode => '0644' }", "A Resource Defaults Expression is only available when compiling a catalog"},
	{"Resources", "File['/a'] { mode => '0644' }", "A Resource Override is only available when compiling a catalog"},
	{"Collectors and relationships", "Notify <| |>", "A Collector is only available when compiling a catalog"},
	{"Collectors and relationships", "Notify <<| |>>", "A Collector is only available when compiling a catalog"},
	{"Collectors and relationships", "Notify['a'] -> Notify['b']", "A '->' expression is only available when compiling a catalog"},
	{"Definitions", "class a { }", "A Host Class Definition is only available when compiling a catalog"},
	{"Definitions", "define a() { }", "A 'define' expression is only available when compiling a catalog"},
	{"Definitions", "node default { }", "A Node Definition is only available when compiling a catalog"},
	{"Functions of catalogs", "include a", "Unknown function 'include'"},
	{"Functions of catalogs", "contain(a)", "Unknown function 'contain'"},
	{"Functions of catalogs", "require(a)", "Unknown function 'require'"},
	{"Functions of catalogs", "realize(File['a'])", "Unknown function 'realize'"},
	{"Functions of catalogs", "create_resources(file, {a => {}})", "Unknown function 'create_resources'"},
	{"Functions of catalogs", "tag(a)", "Unknown function 'tag'"},
	{"Functions of catalogs", "tagged(a)", "Unknown function 'tagged'"},
}

// TestSections evaluates the examples and the rules of each section of the specification of the language, as each reference. Puppet 7.23
// and 8.11, OpenVox 8.28.1 and 9.0.0-beta2 gave the same answers.
func TestSections(t *testing.T) {
	cases, err := Folder("testdata").Cases("sections")
	if err != nil {
		t.Fatal(err)
	}
	for _, reference := range pcore.References() {
		t.Run(reference.String(), func(t *testing.T) {
			l, err := newLanguage("", reference)
			if err != nil {
				t.Fatal(err)
			}
			runFamily(t, "sections", cases, l.eval, nil)
		})
	}
}

// TestRefusedSections checks that a section that needs a compiler is refused with the message that the page has.
func TestRefusedSections(t *testing.T) {
	l, err := newLanguage("", pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	page := pageOfSections(t)
	for _, r := range refusedPrograms {
		_, err := l.evaluate(&Case{}, r.code)
		if err == nil || !strings.Contains(err.Error(), r.message) {
			t.Errorf("%s: got %v, want %s", r.code, err, r.message)
		}
		if _, ok := sectionRows(page)[r.section]; !ok {
			t.Errorf("the page has no row for %s", r.section)
		}
	}
}

// TestPageOfSections checks that the page lists exactly the sections that have cases, and only tests that exist.
func TestPageOfSections(t *testing.T) {
	cases, err := Folder("testdata").Cases("sections")
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	for _, c := range cases {
		section, _ := c.Text("section")
		checked[section] = true
	}
	for _, r := range refusedPrograms {
		checked[r.section] = true
	}
	rows := sectionRows(pageOfSections(t))
	for section := range checked {
		if _, ok := rows[section]; !ok {
			t.Errorf("the page does not have the section %q", section)
		}
	}
	for _, section := range slices.Sorted(maps.Keys(rows)) {
		if !checked[section] {
			t.Errorf("no case checks the section %q", section)
		}
	}
	tests := testNames(t)
	for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(pageOfSections(t), -1) {
		if !tests[name] {
			t.Errorf("there is no test %s", name)
		}
	}
}

func pageOfSections(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "specification.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sectionRows returns the rows of the tables of the page by their first cells.
func sectionRows(page string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		const all = 5 // with the empty ones at both ends
		if len(cells) == all && !strings.HasPrefix(cells[1], "---") && strings.TrimSpace(cells[1]) != "section" {
			rows[strings.TrimSpace(cells[1])] = line
		}
	}
	return rows
}

// testNames returns the names of the tests of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
