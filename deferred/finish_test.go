package deferred_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestFailuresEndACopy copies a catalog with calls that fail: the copy returns
// all failures, unless the resolver keeps unresolved calls.
func TestFailuresEndACopy(t *testing.T) {
	const doc = `{"name":"n","resources":[` +
		`{"type":"Notify","title":"a","parameters":{"message":{"__ptype":"Deferred","name":"none","arguments":[]}}},` +
		`{"type":"Notify","title":"b","parameters":{"message":{"__ptype":"Deferred","name":"upcase","arguments":["x"]}}},` +
		`{"type":"Notify","title":"c","parameters":{"message":{"__ptype":"Deferred","name":"none","arguments":[]}}}],"edges":[]}`
	type run interface {
		catalog.FinishTransform
		Failures() deferred.Failures
	}
	format := formats.RichJSON()
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(doc), format, serialization.DecodeOptions{})
	}
	for name, start := range map[string]func(*testing.T, *deferred.Resolver) run{
		"Run": func(_ *testing.T, r *deferred.Resolver) run { return r.Run() },
		"Parallel": func(t *testing.T, r *deferred.Resolver) run {
			a := r.Parallel(t.Context(), 2, open().Resources())
			t.Cleanup(a.Close)
			return a
		},
	} {
		for _, keep := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				r := resolver(t)
				r.KeepUnresolved = keep
				run := start(t, r)
				var out strings.Builder
				err := catalog.Copy(context.Background(), catalog.NewWriter(&out, format, catalog.WriteOptions{}), open(), catalog.Chain(run))
				if len(run.Failures()) != 2 {
					t.Errorf("%d failures", len(run.Failures()))
				}
				if keep {
					if want := strings.Replace(doc, `{"__ptype":"Deferred","name":"upcase","arguments":["x"]}`, `"X"`, 1); err != nil || out.String() != want {
						t.Errorf("got %v, %s", err, &out)
					}
					return
				}
				if failures, ok := errors.AsType[deferred.Failures](err); !ok || len(failures) != 2 {
					t.Errorf("got the error %v", err)
				}
				if _, ok := errors.AsType[*function.UnknownError](err); !ok {
					t.Errorf("the reason is missing in %v", err)
				}
				if strings.HasSuffix(out.String(), "}") {
					t.Errorf("the output is complete: %s", &out)
				}
			})
		}
	}
}
