package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/deferred/bill"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/loader"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestAgents resolves the catalogs of testdata/agents for each reference, and
// compares the result and the warnings with the recorded outcomes of its agent: the
// result must be the catalog that was applied as resolved, and an agent that gets
// the catalog as compiled must do the same with each resource for which there is no
// warning, and something else with all others. A failing call can end the run of an
// agent; then a warning must announce a failure.
func TestAgents(t *testing.T) {
	names, err := AgentCatalogs()
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		outcomes, err := ReadOutcomes(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, like := range pcore.References() {
			t.Run(name+"/"+like.String(), func(t *testing.T) {
				o := outcomes[like.String()]
				if o == nil {
					t.Fatal("no outcome is recorded")
				}
				got, warnings := resolveLike(t, name, like)
				if want := readAgents(t, name, "resolved.json"); !bytes.Equal(got, want) {
					t.Errorf("resolved as\n%s\nan agent applied\n%s", got, want)
				}
				if len(o.Resolved.Errors) > 0 {
					t.Errorf("the agent fails with the resolved catalog: %q", o.Resolved.Errors)
				}
				checkWarnings(t, name, o, warnings)
			})
		}
	}
}

func checkWarnings(t *testing.T, name string, o *Outcomes, warnings map[catalog.Ref][]string) {
	t.Helper()
	if len(o.Compiled.Errors) > 0 {
		if len(warnings) == 0 {
			t.Errorf("the run fails without a warning: %q", o.Compiled.Errors)
		}
		return
	}
	for r, err := range agentCatalog(t, name).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		compiled, resolved := o.Compiled.Of(r.Ref()), o.Resolved.Of(r.Ref())
		switch warned, same := warnings[r.Ref()], reflect.DeepEqual(compiled, resolved); {
		case same && len(warned) > 0:
			t.Errorf("%s: the agent does the same with both catalogs, despite the warnings %q", r.Ref(), warned)
		case !same && len(warned) == 0:
			t.Errorf("%s: no warning, but the agent has\n%+v\nand for the resolved catalog\n%+v", r.Ref(), compiled, resolved)
		}
	}
}

// resolveLike resolves a catalog as pcat resolve does, and returns the result and
// the warnings for each resource.
func resolveLike(t *testing.T, name string, like pcore.Reference) ([]byte, map[catalog.Ref][]string) {
	t.Helper()
	decode := func(file string) pcore.Value {
		data := readAgents(t, file)
		form, err := formats.Default().Detect("", data, file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := form.Decode(data, serialization.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	registry, err := stdlib.Like(like)
	if err != nil {
		t.Fatal(err)
	}
	mode := eval.Lax()
	mode.Reference = like
	tree := function.Tree{ModulePath: []string{filepath.Join(AgentsFolder, "modules")}}
	modules := loader.New(tree, registry, mode)
	answers, err := deferred.ParseAnswers(decode("answers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	functions := deferred.NewTable(answers, modules)
	types := typeexpr.Like(like, modules)
	warnings := map[catalog.Ref][]string{}
	r := &deferred.Resolver{
		Functions: functions,
		Policy:    deferred.Policy{Effects: function.ReadsFiles},
		Types:     types,
		Language:  eval.Like(like),
		Mode:      deferred.Like(like),
		Facts:     decode("facts.json").(*pcore.Hash),
		Agent:     &bill.Options{Reference: like, Functions: functions, Files: tree, Types: types},
		Unlike: func(at catalog.Location, reason string) {
			warnings[at.Ref] = append(warnings[at.Ref], reason)
		},
		World: function.Env{Files: tree, Budget: function.NewBudget(5_000_000)},
	}
	form, err := formats.Default().ByName("rich-json")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := catalog.NewWriter(&out, form, catalog.WriteOptions{Secrets: serialization.ClearSecrets})
	if err := catalog.Copy(t.Context(), w, agentCatalog(t, name), r.Run()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), warnings
}

func agentCatalog(t *testing.T, name string) *catalog.Reader {
	t.Helper()
	form, err := formats.Default().ByName("rich-json")
	if err != nil {
		t.Fatal(err)
	}
	return catalog.NewReaderBytes(readAgents(t, name, "catalog.json"), form, serialization.DecodeOptions{})
}

func readAgents(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(slices.Concat([]string{AgentsFolder}, path)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
