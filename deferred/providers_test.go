package deferred_test

import (
	"testing"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// says provides functions that return its name.
type says struct{ who, knows string }

func (s says) Function(name string) (*function.Function, bool) {
	return &function.Function{Name: name, Dispatches: []function.Dispatch{{
		Signature: &function.Signature{},
		Call:      func(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.String(s.who), nil },
	}}}, name == s.knows || name == "all"
}

func TestProviders(t *testing.T) {
	answers := []deferred.Answer{{Function: "a", Value: pcore.String("table")}}
	finder := deferred.NewTable(answers, deferred.Providers{says{"language", "b"}, says{"plugin", "a"}, says{"ruby", "c"}})
	r := &deferred.Resolver{Functions: finder}
	for name, want := range map[string]string{"a": "table", "b": "language", "c": "ruby", "all": "language"} {
		v, err := r.Resolve(t.Context(), pcore.NewDeferred(name, nil))
		if err != nil || v != pcore.Value(pcore.String(want)) {
			t.Errorf("%s is answered by %v, %v, want %s", name, v, err, want)
		}
	}
	if f, ok := (deferred.Providers)(nil).Function("a"); ok {
		t.Errorf("nobody finds %v", f)
	}
}
