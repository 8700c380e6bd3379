package coordinate

import (
	"fmt"
	"testing"

	"github.com/pcatdev/pcat/fleet/internal/work"
)

// A new secret is searched for in extracts: a catalog without it is not audited again, and one
// with a copy is. The fleet is settled, and equal to one audit, also after a restart.
func TestNewSecret(t *testing.T) {
	const fresh = "vT5mQ8-zkW2r-Lx93Hd"
	f := newFleet(t, work.Options{})
	f.start(2)
	for i := range 20 {
		node := fmt.Sprint("node", i)
		text := "nothing"
		if i%10 == 3 {
			text = "a copy of " + fresh + ", escaped"
		}
		f.put(node, fmt.Appendf(nil, `{"name":%q,"resources":[{"type":"Notify","title":"note","parameters":{"message":%q}}],"edges":[]}`, node, text))
	}
	f.check()
	revisions := func() map[string]uint64 {
		list := map[string]uint64{}
		for i := range 20 {
			node := fmt.Sprint("node", i)
			_, revision, err := f.store.Part(t.Context(), f.store.Unit("test", node))
			if err != nil || revision == 0 {
				t.Fatal(node, revision, err)
			}
			list[node] = revision
		}
		return list
	}
	before := revisions()
	f.put("owner", fmt.Appendf(nil, `{"name":"owner","resources":[{"type":"Class","title":"Own","parameters":{"secret":%q},"sensitive_parameters":["secret"]}],"edges":[]}`, fresh))
	f.check()
	after := revisions()
	for i := range 20 {
		node := fmt.Sprint("node", i)
		if changed, want := after[node] != before[node], i%10 == 3; changed != want {
			t.Errorf("the part of %s was written again: %t, want %t", node, changed, want)
		}
	}
	f.stop()
	f.start(1)
	f.check()
	unit := f.store.Unit("test", "node1")
	if x, err := f.store.Extract(t.Context(), unit); x == nil || err != nil {
		t.Errorf("the extract of node1: %v, %v", x, err)
	}
	f.remove("node1")
	f.check()
	if x, err := f.store.Extract(t.Context(), unit); x != nil || err != nil {
		t.Errorf("the extract of a node that was removed: %v, %v", x, err)
	}
}
