package detect

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/test/sample"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestKnowledge checks that each row of each table finds the secret in its sample, at its
// position, and nothing in the similar text.
func TestKnowledge(t *testing.T) {
	for _, known := range []struct {
		name    string
		table   knowledge.Table
		columns int // without the two for samples
		// alternatives is the number of columns with words separated by |. The sample
		// contains the first word.
		alternatives int
		rule         func(columns []string) string
		at           context
		// but are the rules that may find the similar text: a token that is cut short still looks drawn.
		but []string
	}{
		{"tokens", knowledge.Tokens, 3, 0, func(columns []string) string { return "provider-token/" + columns[0] }, context{"Class", "X", "x"}, []string{UnnamedSecret}},
		{"programs", knowledge.Programs, 2, 2, always("secret-in-command"), context{"Exec", "x", "command"}, nil},
		{"directives", knowledge.Directives, 2, 1, always("secret-in-content"), context{"File", "/etc/app.conf", "content"}, nil},
		{"webhooks", knowledge.Webhooks, 1, 0, always("secret-in-content"), context{"Class", "X", "x"}, nil},
	} {
		for columns := range known.table.Rows(known.columns + 3) {
			text, other, more := columns[known.columns], columns[known.columns+1], columns[known.columns+2]
			t.Run(known.name+"/"+strings.Join(columns[:min(2, known.columns)], " "), func(t *testing.T) {
				if text == "" || more != "" {
					t.Error("there is no sample, or there are more columns than there should")
				}
				for _, text := range variants(t, text, columns[:known.alternatives]) {
					known.at.catches(t, known.rule(columns), text)
				}
				known.at.ignores(t, other, known.but...)
			})
		}
	}
}

func always(id string) func([]string) string { return func([]string) string { return id } }

// TestKnowledgeOfFiles checks the samples of files, which begin with their paths, for each
// name and each part of the path. The file has more lines than the sample, unless it is a
// secret as a whole.
func TestKnowledgeOfFiles(t *testing.T) {
	for columns := range knowledge.Files.Rows(7) {
		before, after := "# Written by Puppet\n", "\n"
		if columns[2] == "SECRET" {
			before = ""
		}
		file, text, _ := strings.Cut(columns[4], ": ")
		for _, file := range filesOf(file, strings.Split(columns[0], "|"), strings.Split(columns[1], "|")) {
			t.Run(file, func(t *testing.T) {
				at := context{"File", file, "content"}
				if columns[2] == "" {
					at.ignores(t, before+text+after)
				} else {
					at.catches(t, "secret-in-content", before+text+after)
					at.ignores(t, before+columns[5]+after)
				}
			})
		}
	}
}

// filesOf returns file with each of the names instead of its own, and with each of the
// parts instead of the first.
func filesOf(file string, names, parts []string) []string {
	list := []string{file}
	for _, name := range names[1:] {
		list = append(list, path.Join(path.Dir(file), strings.Trim(name, "*")))
	}
	for _, part := range parts[1:] {
		list = append(list, strings.Replace(file, parts[0], part, 1))
	}
	return list
}

// variants returns the sample, and a copy for each other word of an alternative.
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

// context is the parameter of a resource that contains the samples.
type context struct{ resource, title, parameter string }

// catches checks a sample with marked secrets.
func (p context) catches(t *testing.T, id, text string) {
	t.Helper()
	text, secrets := sample.Marked(escapes.Replace(sample.Expand(text)))
	if len(secrets) == 0 {
		t.Fatalf("no secret is marked in %q", text)
	}
	hits := p.hits(t, text)
	for _, s := range secrets {
		if !slices.ContainsFunc(hits, func(h Hit) bool { return h.Rule == id && h.Start == s[0] && h.End == s[1] }) {
			t.Errorf("%q is not found in %q, but %s", text[s[0]:s[1]], text, described(text, hits))
		}
	}
	for _, h := range hits {
		if h.Rule == UnnamedSecret && slices.ContainsFunc(hits, func(other Hit) bool { return other.Rule != UnnamedSecret && other.Start < h.End && h.Start < other.End }) {
			continue // the audit reports the other hit instead
		}
		if !slices.ContainsFunc(secrets, func(s [2]int) bool { return s[0] <= h.Start && h.End <= s[1] }) {
			t.Errorf("%q finds %s, which is no secret", text, described(text, []Hit{h}))
		}
	}
}

// ignores checks a text in which only the given rules may find something.
func (p context) ignores(t *testing.T, text string, but ...string) {
	t.Helper()
	text = escapes.Replace(sample.Expand(text))
	hits := slices.DeleteFunc(p.hits(t, text), func(h Hit) bool { return slices.Contains(but, h.Rule) })
	if len(hits) > 0 {
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

// hits returns the hits in a text.
func (p context) hits(t *testing.T, text string) (hits []Hit) {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": "n", "resources": []any{
		map[string]any{"type": p.resource, "title": p.title, "parameters": map[string]any{p.parameter: text}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	in := New(verdict.Names{}).Scanner()
	r := catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{})
	err = new(leaf.Walker).Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Kind == leaf.Value && l.Parameter() == p.parameter {
			hits = append(hits, hitsIn(in, l)...)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// hitsIn returns the hits in a leaf.
func hitsIn(s *Scanner, l *leaf.Leaf) (hits []Hit) {
	for t := range s.Texts(l) {
		hits = slices.AppendSeq(hits, t.Hits())
	}
	return hits
}
