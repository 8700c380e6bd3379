package deferred_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/serialization/formats"
)

// many returns a catalog of n resources; every third contains no Deferred.
func many(n int) string {
	var b strings.Builder
	b.WriteString(`{"name":"web01","resources":[`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		calls := `"plain"`
		switch i % 3 {
		case 1:
			calls = fmt.Sprintf(`[{"__ptype":"Deferred","name":"net","arguments":[%d]},{"__ptype":"Deferred","name":"missing"},{"__ptype":"Deferred","name":"inline_epp","arguments":["<%% notice('n%d') %%>%d"]}]`, i, i, i)
		case 2:
			calls = fmt.Sprintf(`{"__ptype":"Deferred","name":"net","arguments":[{"__ptype":"Sensitive","__pvalue":%d}]},"more":{"__ptype":"Deferred","name":"upcase","arguments":["a"]}`, i)
		}
		fmt.Fprintf(&b, `{"type":"Notify","title":"n%d","parameters":{"message":%s}}`, i, calls)
	}
	b.WriteString(`],"edges":[]}`)
	return b.String()
}

func reader(t *testing.T, document string) *catalog.Reader {
	t.Helper()
	format := formats.RichJSON()
	return catalog.NewReaderBytes([]byte(document), format, options())
}

// standard returns the functions of Puppet and stdlib.
func standard(t *testing.T) *function.Registry {
	t.Helper()
	registry, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// withNet returns a resolver whose function net has an effect and calls f.
func withNet(t *testing.T, f func(c *function.Call, args []pcore.Value) (pcore.Value, error)) *deferred.Resolver {
	t.Helper()
	registry := standard(t)
	err := registry.Add(function.Function{
		Name: "net", Effects: function.UsesNetwork, Dispatches: []function.Dispatch{{Text: "Any args*", Call: f}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &deferred.Resolver{Functions: registry, Policy: deferred.Policy{Effects: function.UsesNetwork}}
}

// start begins to resolve resources. The function that it returns reports the failures.
type start func(r *deferred.Resolver, resources iter.Seq2[*catalog.Resource, error]) (catalog.Transform, func() error)

// resolved returns all observable output of a run. The run has a copy of the settings,
// because goroutines of an earlier one may still read theirs.
func resolved(t *testing.T, settings *deferred.Resolver, document string, begin start) string {
	t.Helper()
	var b strings.Builder
	r := new(*settings)
	r.World.Log = func(level function.Level, text string) { fmt.Fprintln(&b, level, text) }
	r.Trace = func(e deferred.Event) {
		e.Duration = 0
		fmt.Fprintln(&b, e)
	}
	transform, failed := begin(r, reader(t, document).Resources())
	for res, err := range reader(t, document).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		to, err := transform.Resource(t.Context(), res)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(&b, to.Ref(), to.SensitiveParameters())
		for _, name := range to.ParameterNames() {
			v, _, err := to.Parameter(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, " %s=%s", name, encode(t, v))
		}
		b.WriteString("\n")
	}
	fmt.Fprintln(&b, failed())
	return b.String()
}

// TestParallel checks that the output does not depend on the number of goroutines.
func TestParallel(t *testing.T) {
	document := many(100)
	for _, most := range []int{0, 1, 50, 100_000} {
		settings := withNet(t, func(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return pcore.NewArray(args...), nil })
		settings.MaxCalls = most
		want := resolved(t, settings, document, func(r *deferred.Resolver, _ iter.Seq2[*catalog.Resource, error]) (catalog.Transform, func() error) {
			run := r.Run()
			return run, run.Err
		})
		for _, n := range []int{0, 1, 3, 16} {
			got := resolved(t, settings, document, func(r *deferred.Resolver, resources iter.Seq2[*catalog.Resource, error]) (catalog.Transform, func() error) {
				a := r.Parallel(t.Context(), n, resources)
				t.Cleanup(a.Close)
				return a, a.Err
			})
			if got != want {
				t.Errorf("%d goroutines, %d calls at most: this is seen\n%.3000s\nwant\n%.3000s", n, most, got, want)
			}
		}
	}
}

// TestParallelTogether checks that calls are concurrent: each waits for another
// one.
func TestParallelTogether(t *testing.T) {
	meet := make(chan struct{})
	r := withNet(t, func(c *function.Call, _ []pcore.Value) (pcore.Value, error) {
		select {
		case meet <- struct{}{}:
		case <-meet:
		case <-c.Context().Done():
			return nil, context.Cause(c.Context())
		}
		return pcore.Boolean(true), nil
	})
	const document = `{"name":"x","resources":[
{"type":"Notify","title":"a","parameters":{"message":{"__ptype":"Deferred","name":"net"}}},
{"type":"Notify","title":"b","parameters":{"message":{"__ptype":"Deferred","name":"net"}}}]}`
	a := r.Parallel(t.Context(), 2, reader(t, document).Resources())
	defer a.Close()
	for res, err := range reader(t, document).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Resource(t.Context(), res); err != nil {
			t.Fatal(err)
		}
	}
	if a.Err() != nil || a.Calls() != 2 {
		t.Errorf("%d calls, %v", a.Calls(), a.Err())
	}
}

// TestParallelIsBounded checks that few calls are made beyond the limit.
func TestParallelIsBounded(t *testing.T) {
	var calls atomic.Int64
	r := withNet(t, func(*function.Call, []pcore.Value) (pcore.Value, error) {
		calls.Add(1)
		return pcore.Undef{}, nil
	})
	r.MaxCalls = 3
	a := r.Parallel(t.Context(), 2, reader(t, many(3000)).Resources())
	defer a.Close()
	for res, err := range reader(t, many(3000)).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Resource(t.Context(), res); err != nil {
			t.Fatal(err)
		}
	}
	if n := calls.Load(); n < 1 || n > 100 {
		t.Errorf("%d calls were made", n)
	}
	if !errors.Is(a.Err(), deferred.ErrTooManyCalls) {
		t.Error(a.Err())
	}
}

func TestParallelEnds(t *testing.T) {
	started := make(chan struct{}, 1000)
	r := withNet(t, func(c *function.Call, _ []pcore.Value) (pcore.Value, error) {
		started <- struct{}{}
		<-c.Context().Done()
		return nil, context.Cause(c.Context())
	})
	first := func() *catalog.Resource {
		for res, err := range reader(t, many(2)).Resources() {
			if err == nil && res.Ref().Title == "n1" {
				return res
			}
		}
		return nil
	}()
	gone := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(t.Context())
	a := r.Parallel(ctx, 2, reader(t, many(100)).Resources())
	<-started
	cancel(gone)
	if _, err := a.Resource(ctx, first); !errors.Is(err, gone) {
		t.Errorf("the context has ended: %v", err)
	}
	a.Close()

	a = r.Parallel(t.Context(), 2, reader(t, many(100)).Resources()) // closed before any resource passes
	<-started
	a.Close()

	a = r.Parallel(t.Context(), 2, reader(t, `{"name":"x","resources":[]}`).Resources())
	defer a.Close()
	if _, err := a.Resource(t.Context(), first); err == nil {
		t.Error("a resource passes that was not resolved")
	}
}

// TestMemo checks that equal calls are made once if only their result is
// observable.
func TestMemo(t *testing.T) {
	counts := map[string]int{}
	counting := func(name string, e function.Effects, logs bool) function.Function {
		return function.Function{Name: name, Effects: e, Dispatches: []function.Dispatch{{Text: "Any args*", Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			counts[name]++
			if logs {
				c.Say(function.Warning, "old")
			}
			return pcore.NewArray(args...), nil
		}}}}
	}
	registry := standard(t)
	if err := registry.Add(counting("pure", 0, false), counting("node", function.ReadsVariables, false),
		counting("clock", function.ReadsClock, false), counting("says", 0, true), counting("runs", function.RunsCommands, false)); err != nil {
		t.Fatal(err)
	}
	r := &deferred.Resolver{Functions: registry, Policy: deferred.Policy{Effects: function.RunsCommands}}
	call := func(name, args string) string {
		return `{"__ptype":"Deferred","name":"` + name + `","arguments":` + args + `}`
	}
	for _, tt := range []struct {
		calls []string
		name  string
		want  int
	}{
		{[]string{call("pure", `[1]`), call("pure", `[1]`), call("pure", `[2]`), call("pure", `[1.0]`)}, "pure", 3},
		{[]string{call("pure", `[{"a":1,"b":2}]`), call("pure", `[{"b":2,"a":1}]`), call("pure", `[{"a":1,"b":2}]`)}, "pure", 3},
		{[]string{call("pure", `[{"__ptype":"Sensitive","__pvalue":"x"}]`), call("pure", `["x"]`), call("pure", `[{"__ptype":"Sensitive","__pvalue":"x"}]`)}, "pure", 2},
		{[]string{call("pure", `[0.0]`), call("pure", `[-0.0]`)}, "pure", 2},
		{[]string{call("node", `[1]`), call("node", `[1]`)}, "node", 1},
		{[]string{call("clock", `[]`), call("clock", `[]`)}, "clock", 2},
		{[]string{call("says", `[]`), call("says", `[]`)}, "says", 2},
		{[]string{call("runs", `[]`), call("runs", `[]`)}, "runs", 2},
		{[]string{call("inline_epp", `["<%= runs(1) %>"]`), call("inline_epp", `["<%= runs(1) %>"]`)}, "runs", 2},
		{[]string{call("inline_epp", `["<%= pure(1) %>"]`), call("inline_epp", `["<%= pure(1) %>"]`)}, "pure", 1},
		{[]string{call("call", `["runs"]`), call("call", `["runs"]`)}, "runs", 2},
	} {
		clear(counts)
		doc := decode(t, "["+strings.Join(tt.calls, ",")+"]")
		got, err := r.Resolve(t.Context(), doc)
		if err != nil || counts[tt.name] != tt.want {
			t.Errorf("%s: %s is called %d times, %v, want %d", tt.calls, tt.name, counts[tt.name], err, tt.want)
			continue
		}
		for i, call := range tt.calls {
			alone, err := r.Resolve(t.Context(), decode(t, call))
			if err != nil || string(encode(t, alone)) != string(encode(t, got.(*pcore.Array).At(i))) {
				t.Errorf("%s gives %s, %v, and after others %s", call, encode(t, alone), err, encode(t, got.(*pcore.Array).At(i)))
			}
		}
	}
}
