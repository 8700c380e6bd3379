package conformance

import (
	"errors"
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

// TestComparisonOfSections checks the table of the comparisons with Puppet on the page: each section has the comparison of its
// current programs with each reference.
func TestComparisonOfSections(t *testing.T) {
	all, err := ComparedSections(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, release := range slices.Sorted(maps.Keys(releases())) {
			if s.Compared[release].Commit == "" {
				t.Errorf("%s: compare its programs with %s: make sections PUPPET=DIR", s.Name, release)
			}
		}
	}
	page, err := WithSectionTable(pageOfSections(t), all)
	if err != nil {
		t.Fatal(err)
	}
	if page != pageOfSections(t) {
		t.Error("the table of the page is not the one of testdata/sections-compared.json")
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

// A comparison of other programs does not count.
func TestSectionTable(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "internal", "test", "conformance", "testdata")
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.Mkdir(filepath.Join(root, "docs"), 0o700)); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	programs, page := filepath.Join(folder, "sections.jsonl"), filepath.Join(root, "docs", "specification.md")
	write(programs, `{"section":"A","code":"1"}`+"\n"+`{"section":"B","code":"2"}`+"\n"+`{"section":"A","code":"3"}`+"\n")
	write(page, "x\n<!-- compared -->\n<!-- /compared -->\ny\n")
	all, err := ComparedSections(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		s.Compared["Puppet 7.23.0"] = Comparison{Commit: "abc", Day: "2026-11-30"}
	}
	if err := RecordSections(root, all); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(page)
	const want = "x\n<!-- compared -->\n| section | programs | Puppet 7.23.0 |\n|---|---|---|\n| A | 2 | `abc`, 2026-11-30 |\n| B | 1 | `abc`, 2026-11-30 |\n<!-- /compared -->\ny\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	write(programs, `{"section":"A","code":"1"}`+"\n"+`{"section":"B","code":"4"}`+"\n"+`{"section":"A","code":"3"}`+"\n")
	if all, err = ComparedSections(root); err != nil || len(all[0].Compared) != 1 || len(all[1].Compared) != 0 {
		t.Errorf("got %+v, %+v, %v, want a comparison of A only", all[0], all[1], err)
	}
}
