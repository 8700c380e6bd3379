package stdlib_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// TestNamesOfModules checks which names the module defines, in the versions for Puppet 7
// and for later agents.
func TestNamesOfModules(t *testing.T) {
	for _, tt := range []struct {
		name           string
		puppet7, later bool
	}{
		{"stdlib::extname", true, true},
		{"extname", false, false},
		{"stdlib::start_with", true, true},
		{"start_with", false, false},
		{"stdlib::end_with", true, true},
		{"end_with", false, false},
		{"parsetoml", false, false},
		{"to_toml", true, true},
		{"has_key", true, false},
		{"uriescape", true, false},
		{"stdlib::merge", true, true},
		{"merge", true, true},
	} {
		for _, reference := range pcore.References() {
			r, err := stdlib.New(reference)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.later
			if reference == pcore.Puppet7 {
				want = tt.puppet7
			}
			if _, ok := r.Function(tt.name); ok != want {
				t.Errorf("%s, %s: got %t", tt.name, reference, ok)
			}
		}
	}
}
