package reference

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/test/sample"
	"github.com/pcatdev/pcat/serialization"
)

// compiler is a Puppet process that compiles manifests.
type compiler struct{ *server }

// compile returns the catalog of a node in rich JSON. The levels of Hiera come
// from data, by name.
func (c compiler) compile(t *testing.T, node, code string, data map[string]string) []byte {
	t.Helper()
	var answer struct{ JSON, Error string }
	if err := c.ask(map[string]any{"node": node, "code": code, "data": data}, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Error != "" {
		t.Fatalf("Puppet does not compile it: %s\n%s", answer.Error, code)
	}
	return []byte(answer.JSON)
}

// TestRules compiles the code of each rule for two nodes. The audit must find
// the wrong code by the rule, and nothing in the right code that is worth a
// change.
func TestRules(t *testing.T) {
	requirePuppet(t)
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	const dir = "testdata/rules"
	c := compiler{serve(t, "testdata/compile.rb", t.TempDir(), dir)}
	types := string(read(t, filepath.Join(dir, "types.pp")))
	data := sample.Expand(string(read(t, filepath.Join(dir, "data.yaml"))))
	for r := range rules.All() {
		if r.Document {
			continue // no compiler writes reports and facts
		}
		found := func(t *testing.T, code string) map[string][]audit.Finding {
			t.Helper()
			levels := map[string]string{"code.yaml": hiera(code), "data.yaml": data}
			var catalogs [][]byte
			for _, node := range []string{"db01.example.com", "web01.example.com"} {
				catalogs = append(catalogs, c.compile(t, node, types+code, levels))
			}
			return findingsByRule(t, r.ID == "at-rest-sensitive", catalogs...)
		}
		t.Run(r.ID+"/wrong", func(t *testing.T) {
			if all := found(t, r.Wrong); len(all[r.ID]) == 0 {
				t.Errorf("not found; other findings: %v", all)
			}
		})
		t.Run(r.ID+"/right", func(t *testing.T) {
			for id, list := range found(t, r.Right) {
				if id == r.ID || list[0].Severity > rule.Info {
					t.Errorf("found: %s: %v", id, list)
				}
			}
		})
	}
}

// hiera returns the data in the comment of some code: the lines after `# In
// data/common.yaml:`, which are indented by two spaces.
func hiera(code string) string {
	_, comment, found := strings.Cut(code, "# In data/common.yaml:\n")
	if !found {
		return "{}"
	}
	var b strings.Builder
	for line := range strings.Lines(comment) {
		text, ok := strings.CutPrefix(line, "#   ")
		if !ok {
			break
		}
		b.WriteString(text)
	}
	return b.String()
}

// findingsByRule returns the findings of an audit of catalogs in rich JSON, by
// the family of their rules.
func findingsByRule(t *testing.T, atRest bool, catalogs ...[]byte) map[string][]audit.Finding {
	t.Helper()
	var inputs []audit.Input
	for i, data := range catalogs {
		inputs = append(inputs, audit.Input{Name: string(rune('a' + i)), Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes(data, format(t, "rich-json"), serialization.DecodeOptions{}), nil, nil
		}})
	}
	a, err := audit.New(audit.Options{AtRest: atRest})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Run(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Failures {
		t.Fatal(f)
	}
	found := map[string][]audit.Finding{}
	for _, f := range report.Findings {
		family, _, _ := strings.Cut(f.Rule, "/")
		found[family] = append(found[family], f)
	}
	return found
}
