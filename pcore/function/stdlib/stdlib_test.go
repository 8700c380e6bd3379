package stdlib_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// TestRegistered checks that all signatures are valid; New parses them lazily.
func TestRegistered(t *testing.T) {
	r := function.NewRegistry()
	if err := r.Add(stdlib.All()...); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.All() {
		if f.Doc == "" || f.Source == "" {
			t.Errorf("%s: no documentation or source", f.Name)
		}
		for _, s := range f.Signatures() {
			t.Log(f.Name + s.String())
		}
	}
}
