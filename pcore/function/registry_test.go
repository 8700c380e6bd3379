package function

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// TestRegistryReadsLater checks that a function added with AddUnread is parsed
// when it is looked up, and only once.
func TestRegistryReadsLater(t *testing.T) {
	var reads atomic.Int32
	r := newRegistry(func(text string) (pcore.Type, error) {
		reads.Add(1)
		return languageType(text)
	})
	f := Function{Name: "f", Dispatches: []Dispatch{{Text: "Integer x, String y", Call: func(*Call, []pcore.Value) (pcore.Value, error) { return pcore.Undef{}, nil }}}}
	if err := r.AddUnread(f); err != nil {
		t.Fatal(err)
	}
	if n := reads.Load(); n != 0 {
		t.Errorf("%d types are read before the function is asked for", n)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			f, ok := r.Function("f")
			if !ok || len(f.Signatures()) != 1 || f.Signatures()[0].String() != "(Integer x, String y)" {
				t.Errorf("the function is not whole: %t, %v", ok, f)
			}
		})
	}
	all.Wait()
	if n := reads.Load(); n != 2 {
		t.Errorf("%d types are read, want 2", n)
	}
	if err := r.AddUnread(f); err == nil || !strings.Contains(err.Error(), "the name is taken") {
		t.Errorf("a name twice: %v", err)
	}
	if f.Dispatches[0].Signature != nil {
		t.Error("the function of the caller was changed")
	}
}
