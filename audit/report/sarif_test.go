package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pcatdev/pcat/audit"
)

// schema returns the schema published by OASIS. It is read from the module of
// the linter, because its terms do not state that it may be copied.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-modfile=../../../tools/go.mod", "-m", "-f", "{{.Dir}}", "github.com/securego/gosec/v2").Output()
	if err != nil {
		t.Skipf("the linter's modules cannot be listed: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "report", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Skip("the schema of SARIF is not on this machine: the linter, once run, brings it")
	}
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const id = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if err := c.AddResource(id, text); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSARIFHelp checks that the help of a rule contains its code as Markdown,
// and that a rule without code has a text only.
func TestSARIFHelp(t *testing.T) {
	r := fleet(t)
	r.Findings = append(r.Findings, audit.Finding{Rule: "own/x"})
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID   string
						Help struct{ Text, Markdown string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", r)), &log); err != nil {
		t.Fatal(err)
	}
	for _, one := range log.Runs[0].Tool.Driver.Rules {
		known, ok := r.Rules.ByID(one.ID)
		if !ok {
			if one.Help.Markdown != "" {
				t.Errorf("%s has no code, but Markdown: %s", one.ID, one.Help.Markdown)
			}
			continue
		}
		want := known.Remedy + "\n\nWrong:\n\n```puppet\n" + known.Wrong + "```\n\nRight:\n\n```puppet\n" + known.Right + "```\n"
		if one.Help.Text != known.Remedy || one.Help.Markdown != want {
			t.Errorf("%s: %+v", one.ID, one.Help)
		}
	}
}

func TestSARIFIsValid(t *testing.T) {
	s := schema(t)
	noted := run(t, 1)
	noted.Notes = append(noted.Notes, audit.Note{Catalog: "a", Pointer: "/resources/0", Message: "looked at in part"})
	for name, r := range map[string]*audit.Report{"a run": noted, "a fleet": fleet(t), "a comparison": compared(t), "nothing": {}} {
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(write(t, "sarif", r)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(log); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(write(t, "sarif", noted), `"level": "error"`, `"level": "bad"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if s.Validate(broken) == nil {
		t.Error("the schema takes anything")
	}
}

// TestSARIFRepairs checks that a result about a line that declares several resources has the
// repairs of all of them, each once.
func TestSARIFRepairs(t *testing.T) {
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var resources []string
	for _, title := range []string{"/b", "/a", "/c"} {
		resources = append(resources, `{"type":"File","title":"`+title+`","file":"/etc/puppetlabs/code/environments/production/site/a.pp","line":3,"parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}`)
	}
	document := []byte(`{"name":"web","edges":[],"resources":[` + strings.Join(resources, ",") + `]}`)
	r, err := a.Run(t.Context(), []audit.Input{audit.Document("one", document), audit.Document("two", document)})
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct{ Properties struct{ Repairs []string } }
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", r)), &log); err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range r.Findings {
		want = append(want, r.Findings[i].Repair)
	}
	slices.Sort(want)
	want = slices.Compact(want)
	if results := log.Runs[0].Results; len(results) != 1 || len(want) != 3 || !slices.Equal(results[0].Properties.Repairs, want) {
		t.Errorf("got %+v, want %q", results, want)
	}
}
