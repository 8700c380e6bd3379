package detect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/sample"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Each row of each table finds the secret of its sample, where it stands, and
// nothing in the text that is similar and has none.
func TestKnowledge(t *testing.T) {
	for _, known := range []struct {
		name, text string
		columns    int // without the two for samples
		// alternatives are the columns with a | between words that a sample has
		// the first of.
		alternatives int
		rule         func(columns []string) string
		// in returns the parameter that the samples of a row stand in.
		in func(columns []string) (resource, title, parameter string)
	}{
		{
			"tokens", tokenTable, 3, 0,
			func(columns []string) string { return "provider-token/" + columns[0] },
			func([]string) (string, string, string) { return "Class", "X", "x" },
		},
		{
			"programs", programTable, 2, 2,
			func([]string) string { return "secret-in-command" },
			func([]string) (string, string, string) { return "Exec", "x", "command" },
		},
		{
			"directives", directiveTable, 2, 1,
			func([]string) string { return "secret-in-content" },
			func([]string) (string, string, string) { return "File", "/etc/app.conf", "content" },
		},
	} {
		for columns := range rows(known.text, known.columns+3) {
			resource, title, parameter := known.in(columns)
			name := known.name + "/" + strings.Join(columns[:min(2, known.columns)], " ")
			if columns[known.columns] == "" || columns[known.columns+2] != "" {
				t.Errorf("%s has no sample, or more columns than it should", name)
				continue
			}
			for _, text := range variants(t, columns[known.columns], columns[:known.alternatives]) {
				t.Run(name, func(t *testing.T) { catches(t, known.rule(columns), text, resource, title, parameter) })
			}
			if other := columns[known.columns+1]; other != "" {
				t.Run(name+" other", func(t *testing.T) {
					ignores(t, other, resource, title, parameter)
				})
			}
		}
	}
}

// variants returns a sample for each of the words with a | between them in some
// columns: in place of the first, which the sample has.
func variants(t *testing.T, text string, columns []string) []string {
	list := []string{text}
	for word := range strings.FieldsSeq(strings.Join(columns, " ")) {
		words := strings.Split(strings.Trim(word, "[]"), "|")
		if word[0] == '[' || len(words) == 1 {
			continue
		}
		first := regexp.MustCompile(`(?i)(^|[ /'])` + regexp.QuoteMeta(words[0]) + `([ .]|$)`)
		if !first.MatchString(text) {
			t.Errorf("%q has no %s", text, words[0])
			continue
		}
		for _, other := range words[1:] {
			at := first.FindStringSubmatchIndex(text)
			list = append(list, text[:at[3]]+other+text[at[4]:])
		}
	}
	return list
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`)

func catches(t *testing.T, id, text, resource, title, parameter string) {
	text, secrets := sample.Marked(escapes.Replace(sample.Expand(text)))
	if len(secrets) == 0 {
		t.Fatalf("no secret is marked in %q", text)
	}
	hits := hitsIn(t, text, resource, title, parameter)
	for _, s := range secrets {
		if !slices.ContainsFunc(hits, func(h Hit) bool { return h.Rule == id && h.Start == s[0] && h.End == s[1] }) {
			t.Errorf("%q is not found in %q, but %s", text[s[0]:s[1]], text, described(text, hits))
		}
	}
	for _, h := range hits {
		if !slices.ContainsFunc(secrets, func(s [2]int) bool { return s[0] <= h.Start && h.End <= s[1] }) {
			t.Errorf("%q finds %s, which is no secret", text, described(text, []Hit{h}))
		}
	}
}

func ignores(t *testing.T, text, resource, title, parameter string) {
	text = escapes.Replace(sample.Expand(text))
	if hits := hitsIn(t, text, resource, title, parameter); len(hits) > 0 {
		t.Errorf("%q finds %s", text, described(text, hits))
	}
}

func described(text string, hits []Hit) string {
	var list []string
	for _, h := range hits {
		list = append(list, fmt.Sprintf("%s %q", h.Rule, text[h.Start:h.End]))
	}
	return strings.Join(list, ", ")
}

// hitsIn returns what is found in a parameter of a resource.
func hitsIn(t *testing.T, text, resource, title, parameter string) (hits []Hit) {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": "n", "resources": []any{
		map[string]any{"type": resource, "title": title, "parameters": map[string]any{parameter: text}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	in := New(Names{}).Scanner(func(h Hit) { hits = append(hits, h) }, (*Text).Detect)
	r := catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{})
	err = leaf.Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Kind == leaf.Value && l.Parameter() == parameter {
			in.Leaf(l)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func TestColumnsOfTables(t *testing.T) {
	const text = "# a  b\n\na  b c   -  d   # e  f\nx\ty\n"
	var got [][]string
	for columns := range rows(text, 4) {
		got = append(got, columns)
	}
	want := [][]string{{"a", "b c", "", "d"}, {"x", "y", "", ""}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShapesThatAreNone(t *testing.T) {
	for _, text := range []string{"a{hex:8", "a{hex}", "a{greek:8}", "a{hex:x}", "a{hex:1-x}"} {
		if s, err := parseShape(text, tables{}); err == nil {
			t.Errorf("%s: no error, but %v", text, s)
		}
	}
}
