package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A number of a measurement has one of two sources. It cites a cell of a table of another page,
//
//	<!--of performance; audit, 4 MB; gitleaks; times pcat-->7.1<!--/-->
//
// which names the page, the beginnings of the first cells of the row, and the column, or its section
// says on which day it was measured. README.md and docs/comparison.md only cite. The table of
// docs/performance.md is written by `make bench`, which also runs TestNumbers with -update.
var (
	citation = regexp.MustCompile(`(<!--of ([^;>]+); ([^>]+)-->)(.*?)(<!--/-->)`)
	day      = regexp.MustCompile(`\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d\b|\b20\d\d-\d\d-\d\d\b`)
	claim    = regexp.MustCompile(`(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)) times (?:as|the (?:CPU|time|memory|speed)|longer|faster|slower|less|more)\b` +
		`|\d ?[x×](?:[ .,;)]|$)` +
		`|\d [KMG]B/s` +
		`|\d %` +
		`|(?:^|[^\w.])\.\d\d` +
		`|\b(?:took|takes?|needs?|needed|costs?) (?:\S+ ){0,4}?[\d.]+ (?:ns|µs|ms|s|seconds?|minutes?|MB|GB)\b` +
		`|\d (?:catalogs|nodes) a second`)
	// shortClaim is a claim of a page that only cites.
	shortClaim = regexp.MustCompile(claim.String() + `|\d (?:ns|µs|ms|s|seconds?|minutes?)\b`)
)

// TestNumbers checks the source of each measured number of the pages. With -update, it replaces the
// numbers that differ from the cells they cite.
func TestNumbers(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "COMPATIBILITY.md", "CONTRIBUTING.md", "SECURITY.md"} {
		pages = append(pages, filepath.Join(root, name))
	}
	load := func(name string) (string, error) {
		if name == "vectors" {
			return vectorTable(root)
		}
		text, err := os.ReadFile(filepath.Join(root, "docs", name+".md"))
		return string(text), err
	}
	citations := 0
	for _, page := range pages {
		text := read(t, page)
		if updating(t) {
			text = withCells(text, load)
			if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		citations += len(citation.FindAllString(text, -1))
		name := strings.TrimPrefix(filepath.ToSlash(page), "../../")
		for _, fault := range unsourced(text, name == "README.md" || name == "docs/comparison.md", load) {
			t.Errorf("%s: %s", name, fault)
		}
	}
	if citations < 15 {
		t.Errorf("only %d citations are found", citations)
	}
}

// vectorTable returns a table with the number of questions of the vectors, which `make vectors` asks.
func vectorTable(root string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "testdata", "vectors", "*.jsonl"))
	questions := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		questions += strings.Count(string(text), "\n")
	}
	return fmt.Sprintf("| | number |\n|---|---|\n| questions | %d |\n", questions), err
}

// unsourced returns the faults of the numbers of a page.
func unsourced(page string, onlyCites bool, load func(string) (string, error)) []string {
	var faults []string
	for _, c := range citation.FindAllStringSubmatch(page, -1) {
		cell, err := citedCell(c[2], c[3], load)
		if err == nil {
			_, _, _, err = parts(c[4])
		}
		if err == nil && !agree(c[4], cell) {
			err = fmt.Errorf("the table has %q (go test ./cmd/pcat -run TestNumbers -update writes it)", cell)
		}
		if err != nil {
			faults = append(faults, fmt.Sprintf("%q cites %s; %s: %v", c[4], c[2], c[3], err))
		}
	}
	pattern := claim
	if onlyCites {
		pattern = shortClaim
	}
	sections := strings.Split("\n"+withoutCode(page), "\n## ")
	if !onlyCites && day.MatchString(sections[0]) {
		return faults
	}
	for _, section := range sections {
		if !onlyCites && day.MatchString(section) {
			continue
		}
		for line := range strings.Lines(link.ReplaceAllString(citation.ReplaceAllString(section, ""), "")) {
			if found := pattern.FindString(line); found != "" {
				faults = append(faults, fmt.Sprintf("%q has no source in %q: cite a table, or say on which day it was measured (see numbers_test.go)",
					strings.TrimSpace(found), strings.TrimSpace(line)))
			}
		}
	}
	return faults
}

// withCells replaces the numbers of a page that differ from the cells they cite.
func withCells(page string, load func(string) (string, error)) string {
	return citation.ReplaceAllStringFunc(page, func(whole string) string {
		c := citation.FindStringSubmatch(whole)
		cell, err := citedCell(c[2], c[3], load)
		if err != nil || agree(c[4], cell) {
			return whole
		}
		if text, err := rounded(c[4], cell); err == nil {
			return c[1] + text + c[5]
		}
		return whole
	})
}

// citedCell returns a cell of a table of a page. The last of the keys is the column; the ones before
// it are the beginnings of the first cells of the row. If several tables have such a row, the first key
// is the beginning of the header of the first column. A row whose cells equal the keys is preferred.
func citedCell(page, keys string, load func(string) (string, error)) (string, error) {
	text, err := load(page)
	if err != nil {
		return "", err
	}
	path := strings.Split(keys, "; ")
	path, column := path[:len(path)-1], path[len(path)-1]
	var found, exact, header, above []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			header, above = nil, nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
			if cells[i] == "…" && i < len(above) {
				cells[i] = above[i]
			}
		}
		above = cells
		if header == nil {
			header = cells
			continue
		}
		at := slices.Index(header, column)
		begins := func(keys []string) bool {
			return len(keys) <= len(cells) && !slices.ContainsFunc(slices.Collect(indexes(keys)), func(i int) bool { return !strings.HasPrefix(cells[i], keys[i]) })
		}
		if at >= 0 && at < len(cells) && (begins(path) || len(path) > 1 && strings.HasPrefix(header[0], path[0]) && begins(path[1:])) {
			found = append(found, cells[at])
			if slices.Equal(cells[:min(len(path), len(cells))], path) {
				exact = append(exact, cells[at])
			}
		}
	}
	if len(exact) == 1 {
		return exact[0], nil
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d cells of the page have this row and column", len(found))
	}
	return found[0], nil
}

func indexes(all []string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range all {
			if !yield(i) {
				return
			}
		}
	}
}

var amount = regexp.MustCompile(`^(\d[\d,]*(?:\.\d+)?|\.\d+) ?([a-zµ%/A-Z]*)$`)

// parts returns the number, its digits after the point, and the value of its unit. The zeros at the end of
// a number with commas are rounded digits, as in 14,900.
func parts(text string) (value float64, digits int, unit float64, err error) {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, 0, fmt.Errorf("%q is not one number", text)
	}
	unit, ok := map[string]float64{
		"": 1, "%": 1, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1,
		"KB": 1e3, "MB": 1e6, "GB": 1e9, "MB/s": 1e6, "GB/s": 1e9,
	}[m[2]]
	if !ok {
		return 0, 0, 0, fmt.Errorf("%q has an unknown unit", text)
	}
	if _, fraction, ok := strings.Cut(m[1], "."); ok {
		digits = len(fraction)
	} else if strings.Contains(m[1], ",") {
		digits = len(strings.TrimRight(m[1], ",0")) - len(m[1]) + strings.Count(m[1][len(strings.TrimRight(m[1], ",0")):], ",")
	}
	value, err = strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	return value, digits, unit, err
}

// agree reports whether a number is that of a cell, rounded.
func agree(text, cell string) bool {
	value, digits, unit, err := parts(text)
	if err != nil {
		return false
	}
	want, _, of, err := parts(cell)
	return err == nil && math.Abs(want*of/unit-value) <= 0.5*math.Pow10(-digits)*(1+1e-9)
}

// rounded returns the number of a cell with the digits and the unit of a text.
func rounded(text, cell string) (string, error) {
	_, digits, unit, err := parts(text)
	if err != nil {
		return "", err
	}
	value, _, of, err := parts(cell)
	if err != nil {
		return "", err
	}
	value *= of / unit
	if scale := math.Pow10(-digits); digits < 0 {
		value = math.Round(value/scale) * scale
	}
	number := strconv.FormatFloat(value, 'f', max(0, digits), 64)
	if strings.Contains(text, ",") {
		for i := len(number) - 3; i > 0; i -= 3 {
			number = number[:i] + "," + number[i:]
		}
	}
	if strings.HasPrefix(text, ".") {
		number = strings.TrimPrefix(number, "0")
	}
	return number + strings.TrimLeft(text, "0123456789.,"), nil
}

// withoutCode removes the code and the outputs of a page.
func withoutCode(page string) string {
	var kept []string
	fenced := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case !fenced && !strings.HasPrefix(line, "    "):
			kept = append(kept, codeSpan.ReplaceAllString(line, "code"))
		}
	}
	return strings.Join(kept, "")
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// TestUnsourced checks that TestNumbers sees a number without a source.
func TestUnsourced(t *testing.T) {
	table := "| task | who | CPU | times |\n|---|---|---|---|\n| audit, 4 MB | pcat | 130ms | 1.00 |\n| … | gitleaks, all | 927ms | 7.12 |\n" +
		"\n| task | who | questions |\n|---|---|---|\n| audit, 4 MB | other | 14929 |\n"
	load := func(name string) (string, error) {
		if name != "speed" {
			return "", os.ErrNotExist
		}
		return table, nil
	}
	for _, tt := range []struct {
		page, fault string
		onlyCites   bool
	}{
		{page: "It is <!--of speed; audit, 4 MB; gitleaks; times-->7<!--/--> times as fast.\n"},
		{page: "It takes <!--of speed; audit, 4 MB; pcat; CPU-->0.13 s<!--/-->.\n", onlyCites: true},
		{page: "<!--of speed; task; audit; gitleaks; CPU-->0.9 s<!--/-->\n", onlyCites: true},
		{page: "## Speed\n\nOn 3 May 2026, it took 5 s.\n"},
		{page: "Of 7 May 2026.\n\n## Speed\n\nIt took 5 s, 20 %.\n"},
		{page: "    $ pcat version # takes 3 ms\n\nSet `--wait 20 s`, or retry after 30 s.\n"},
		{page: "Some <!--of speed; audit, 4 MB; other; questions-->14,900<!--/--> and <!--of speed; audit, 4 MB; other; questions-->15,000<!--/-->\n"},
		{page: "<!--of speed; audit, 4 MB; other; questions-->14,800<!--/-->\n", fault: `the table has "14929"`},
		{page: "It is <!--of speed; audit, 4 MB; gitleaks; times-->8<!--/--> times as fast.\n", fault: `the table has "7.12"`},
		{page: "<!--of speed; audit, 5 MB; gitleaks; times-->7<!--/-->\n", fault: "0 cells"},
		{page: "<!--of speed; audit; times-->7<!--/-->\n", fault: "2 cells"},
		{page: "<!--of slow; audit; times-->7<!--/-->\n", fault: "file does not exist"},
		{page: "<!--of speed; audit, 4 MB; gitleaks; times-->seven<!--/-->\n", fault: "not one number"},
		{page: "It is 7 times as fast.\n", fault: "has no source"},
		{page: "It is [7 times](speed.md#all) as fast.\n", fault: "has no source"},
		{page: "It is five times as fast.\n", fault: "has no source"},
		{page: "It is 112 x faster.\n", fault: "has no source"},
		{page: "It reads 0.5 to 0.7 GB/s.\n", fault: "has no source"},
		{page: "It takes .17 of the time.\n", fault: "has no source"},
		{page: "It finds 98 % of them.\n", fault: "has no source"},
		{page: "| audit | 0.13 s |\n", fault: "has no source", onlyCites: true},
		{page: "## A\n\nOn 3 May 2026, it took 5 s.\n\n## B\n\nIt took 5 s.\n", fault: "has no source"},
		{page: "## A\n\nOn 3 May 2026, it took 5 s.\n", fault: "has no source", onlyCites: true},
	} {
		faults := strings.Join(unsourced(tt.page, tt.onlyCites, load), "\n")
		if (tt.fault == "") != (faults == "") || !strings.Contains(faults, tt.fault) {
			t.Errorf("%q: got %q, want %q", tt.page, faults, tt.fault)
		}
	}
	stale := "<!--of speed; audit, 4 MB; gitleaks; times-->8.0<!--/--> times, <!--of speed; audit, 4 MB; pcat; CPU-->0.20 s<!--/-->, <!--of speed; audit, 4 MB; other; questions-->14,800<!--/-->"
	want := "<!--of speed; audit, 4 MB; gitleaks; times-->7.1<!--/--> times, <!--of speed; audit, 4 MB; pcat; CPU-->0.13 s<!--/-->, <!--of speed; audit, 4 MB; other; questions-->14,900<!--/-->"
	if got := withCells(stale, load); got != want {
		t.Errorf("updated: got %q, want %q", got, want)
	}
}
