package stdlib_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// TestRegistered checks that all signatures are valid; New parses them lazily.
func TestRegistered(t *testing.T) {
	r := function.NewRegistry(func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) })
	if err := r.Add(stdlib.Functions()...); err != nil {
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
