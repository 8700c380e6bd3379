package deferred_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// handlerFunc is a Handler.
type handlerFunc func(ctx context.Context, c deferred.Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, deferred.Outcome, error)

func (f handlerFunc) Handle(ctx context.Context, c deferred.Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, deferred.Outcome, error) {
	return f(ctx, c, attempt)
}

// retrying makes a call up to three times, and then uses a default, or skips the resource skip.
func retrying(ctx context.Context, c deferred.Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, deferred.Outcome, error) {
	if !c.Effects.Has(function.UsesNetwork) {
		v, err := attempt(ctx)
		return v, deferred.Outcome{}, err
	}
	var v pcore.Value
	err := errors.New("no attempt")
	n := 0
	for ; err != nil && n < 3; n++ {
		v, err = attempt(ctx)
	}
	o := deferred.Outcome{Attempts: n, Rule: 1, Reason: err}
	switch {
	case err == nil:
		return v, deferred.Outcome{Attempts: n}, nil
	case c.At.Ref.Title == "skip":
		o.Source = deferred.Skipping
		return nil, o, fmt.Errorf("%w: %w", deferred.ErrSkip, err)
	default:
		o.Source = deferred.Default
		return pcore.String("default of " + c.At.String()), o, nil
	}
}

// A handler repeats calls, replaces their values, and skips resources, with the same result for any number of
// goroutines. Values for secrets are secret.
func TestHandler(t *testing.T) {
	const document = `{"name":"n","resources":[
		{"type":"Notify","title":"works","parameters":{"message":{"__ptype":"Deferred","name":"net","arguments":["ok"]}}},
		{"type":"Notify","title":"fails","parameters":{"message":{"__ptype":"Deferred","name":"upcase","arguments":[{"__ptype":"Deferred","name":"net","arguments":["no"]}]}}},
		{"type":"Notify","title":"secret","parameters":{"message":{"__ptype":"Deferred","name":"net","arguments":["no",{"__ptype":"Sensitive","__pvalue":"s3cret"}]}}},
		{"type":"Notify","title":"inside","parameters":{"message":{"__ptype":"Deferred","name":"inline_epp","arguments":["<%= call(Deferred('net', ['no'])) %>"]}}},
		{"type":"Notify","title":"skip","parameters":{"message":[{"__ptype":"Deferred","name":"net","arguments":["no"]}]}}],"edges":[]}`
	want := []string{
		"Notify[works]/message: net(String) -> String in 0s",
		"Notify[fails]/message/arguments/0: net(String) -> String in 0s (default, after 3 attempts)",
		"Notify[fails]/message: upcase(String) -> String in 0s",
		"Notify[secret]/message: net(String, Sensitive) -> Sensitive in 0s (default, after 3 attempts)",
		"Notify[inside]/message: net(String) -> String in 0s (default, after 3 attempts)",
		"Notify[inside]/message: inline_epp(String) -> String in 0s",
		"Notify[skip]/message/0: net(String) -> error: the resource is skipped: net(): down in 0s (skipped, after 3 attempts)",
	}
	for _, n := range []int{0, 1, 4} {
		r := withNet(t, func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
			if args[0] == pcore.Value(pcore.String("ok")) {
				return pcore.String("made"), nil
			}
			return nil, errors.New("down")
		})
		r.Handler, r.KeepUnresolved = handlerFunc(retrying), true
		var trace []string
		r.Trace = func(e deferred.Event) {
			e.Duration = 0
			trace = append(trace, e.String())
		}
		resources, failures := resolveAll(t, r, n, reader(t, document).Resources())
		if diff := cmp.Diff(want, trace); diff != "" {
			t.Errorf("%d goroutines: %s", n, diff)
		}
		if len(failures) != 1 || !errors.Is(failures[0], deferred.ErrSkip) {
			t.Errorf("%d goroutines: %v", n, failures)
		}
		for i, message := range []string{"made", "DEFAULT OF NOTIFY[FAILS]/MESSAGE/ARGUMENTS/0", "default of Notify[secret]/message", "default of Notify[inside]/message"} {
			v, _, err := resources[i].RevealParameter("message")
			if err != nil || v != pcore.Value(pcore.String(message)) {
				t.Errorf("%s: got %v, %v", resources[i].Ref(), v, err)
			}
		}
		if list := resources[2].SensitiveParameters(); !slices.Equal(list, []string{"message"}) {
			t.Errorf("sensitive parameters: %v", list)
		}
	}
}

// resolveAll resolves resources with n goroutines, or by a Run if n is 0.
func resolveAll(t *testing.T, r *deferred.Resolver, n int, resources iter.Seq2[*catalog.Resource, error]) (all []*catalog.Resource, failures deferred.Failures) {
	t.Helper()
	var list []*catalog.Resource
	for res, err := range resources {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, res)
	}
	each := func(yield func(*catalog.Resource, error) bool) {
		for _, res := range list {
			if !yield(res, nil) {
				return
			}
		}
	}
	var transform interface {
		catalog.Transform
		Failures() deferred.Failures
	} = r.Run()
	if n > 0 {
		run := r.Parallel(t.Context(), n, each)
		defer run.Close()
		transform = run
	}
	for _, res := range list {
		to, err := transform.Resource(t.Context(), res)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, to)
	}
	return all, transform.Failures()
}

// A run that ends does not use what a handler has instead.
func TestHandlerEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := withNet(t, func(*function.Call, []pcore.Value) (pcore.Value, error) {
		cancel()
		return nil, errors.New("down")
	})
	r.Handler = handlerFunc(retrying)
	if v, err := r.Resolve(ctx, decode(t, `{"__ptype":"Deferred","name":"net","arguments":["x"]}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", v, err)
	}
}

// The reason of a failed attempt with a secret is withheld, and a temporary failure stays one.
func TestHandlerAndSecrets(t *testing.T) {
	r := withNet(t, func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		return nil, &function.TemporaryError{Err: fmt.Errorf("cannot use %v", args[0]), After: 1}
	})
	r.Handler = handlerFunc(func(ctx context.Context, _ deferred.Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, deferred.Outcome, error) {
		_, err := attempt(ctx)
		temporary, ok := errors.AsType[*function.TemporaryError](err)
		if !ok || temporary.After != 1 || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("got %v", err)
		}
		return nil, deferred.Outcome{}, err
	})
	_, err := r.Resolve(t.Context(), decode(t, `{"__ptype":"Deferred","name":"net","arguments":[{"__ptype":"Sensitive","__pvalue":"s3cret"}]}`))
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got %v", err)
	}
}
