package stdlib_test

import "testing"

// TestRegistered checks that every signature can be read.
func TestRegistered(t *testing.T) {
	r := newRegistry(t)
	for _, f := range r.All() {
		if f.Doc == "" || f.Source == "" {
			t.Errorf("%s: no documentation or source", f.Name)
		}
		for _, s := range f.Signatures() {
			t.Log(f.Name + s.String())
		}
	}
}
