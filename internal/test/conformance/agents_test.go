package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
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

// TestCalls compares the warnings about random calls with the outcomes of agents,
// recorded in testdata/calls.jsonl: an agent that applied a File with the call as its
// content wrote the text that pcat has and knows whether it is secret, or there is a
// warning, and not both. If pcat cannot make a call, the agent failed, too.
func TestCalls(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var q struct {
			Content  json.RawMessage
			Listed   bool
			Outcomes []callOutcome
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		for _, o := range q.Outcomes {
			for _, agent := range o.Agents {
				like, err := pcore.ParseReference(agent)
				if err != nil {
					t.Fatal(err)
				}
				if err := o.check(t, like, fileWith(t, q.Content, q.Listed)); err != nil {
					t.Errorf("%s, %s: %v", agent, q.Content, err)
				}
			}
		}
	}
}

type callOutcome struct {
	Agents    []string
	Failed    bool
	Content   string
	Sensitive bool
}

func (o callOutcome) check(t *testing.T, like pcore.Reference, r *catalog.Resource) error {
	t.Helper()
	var warnings []string
	resolver := agentResolver(t, like)
	resolver.Unlike = func(_ catalog.Location, reason string) { warnings = append(warnings, reason) }
	run := resolver.Run()
	r, err := run.Resource(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Err(); err != nil {
		if o.Failed {
			return nil
		}
		return fmt.Errorf("the agent does not fail: %w", err)
	}
	v, err := r.RevealParameters()
	if err != nil {
		t.Fatal(err)
	}
	content, _ := v.GetString("content")
	secret := slices.Contains(r.SensitiveParameters(), "content")
	same := !o.Failed && content == pcore.Value(pcore.String(o.Content)) && secret == o.Sensitive
	switch {
	case same && len(warnings) > 0:
		return fmt.Errorf("the agent has the same, despite the warnings %q", warnings)
	case !same && len(warnings) == 0:
		return fmt.Errorf("no warning, but the agent has %+v, and not %s, secret %v", o, content, secret)
	}
	return nil
}

// fileWith returns a File with a content, which is listed as sensitive or not.
func fileWith(t *testing.T, content []byte, listed bool) *catalog.Resource {
	t.Helper()
	text := `{"type":"File","title":"/f","parameters":{"content":` + string(content) + `}`
	if listed {
		text += `,"sensitive_parameters":["content"]`
	}
	v, err := formats.RichJSON().Decode([]byte(text+"}"), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.NewResource(v.(*pcore.Hash))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// resolveLike resolves a catalog as pcat resolve does, and returns the result and
// the warnings for each resource.
func resolveLike(t *testing.T, name string, like pcore.Reference) ([]byte, map[catalog.Ref][]string) {
	t.Helper()
	warnings := map[catalog.Ref][]string{}
	r := agentResolver(t, like)
	r.Unlike = func(at catalog.Location, reason string) {
		warnings[at.Ref] = append(warnings[at.Ref], reason)
	}
	format := formats.RichJSON()
	var out bytes.Buffer
	w := catalog.NewWriter(&out, format, catalog.WriteOptions{Secrets: serialization.PlainSecrets})
	if err := catalog.Copy(t.Context(), w, agentCatalog(t, name), r.Run()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), warnings
}

// agentResolver returns a resolver with the settings of pcat resolve, and the
// functions of testdata/agents.
func agentResolver(t *testing.T, like pcore.Reference) *deferred.Resolver {
	t.Helper()
	decode := func(file string) pcore.Value {
		data := readAgents(t, file)
		format, err := formats.Default().Detect("", data, file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := format.Decode(data, serialization.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	registry, err := stdlib.New(like)
	if err != nil {
		t.Fatal(err)
	}
	mode := eval.Lax()
	mode.Reference = like
	tree := function.Tree{ModulePath: []string{filepath.Join(AgentsFolder, "modules")}}
	modules := eval.NewLoader(tree, registry, mode)
	answers, err := deferred.ParseAnswers(decode("answers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	functions := deferred.NewTable(answers, modules)
	types := typeexpr.Like(like, modules)
	return &deferred.Resolver{
		Functions: functions,
		Policy:    deferred.Policy{Effects: function.ReadsFiles},
		Types:     types,
		Language:  eval.Like(like),
		Mode:      deferred.Like(like),
		Facts:     decode("facts.json").(*pcore.Hash),
		Agent:     &deferred.Agent{Reference: like, Functions: functions, Files: tree, Types: types},
		World:     function.Env{Files: tree, Budget: function.NewBudget(5_000_000)},
	}
}

func agentCatalog(t *testing.T, name string) *catalog.Reader {
	t.Helper()
	return catalog.NewReaderBytes(readAgents(t, name, "catalog.json"), formats.RichJSON(), serialization.DecodeOptions{})
}

func readAgents(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(slices.Concat([]string{AgentsFolder}, path)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
