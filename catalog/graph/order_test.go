package graph_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog/graph"
)

// TestOrder checks that each node comes once, after all that it waits for, and that only the
// nodes behind a cycle are missing.
func TestOrder(t *testing.T) {
	files, err := filepath.Glob("../../testdata/graphs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		g := load(t, name)
		order := g.Order()
		at := make(map[int]int, len(order))
		for i, node := range order {
			if _, twice := at[node]; twice {
				t.Errorf("%s: %s comes twice", name, g.Node(node).Ref)
			}
			at[node] = i
		}
		if cyclic := len(g.Cycles()) > 0; cyclic != (len(order) < g.Len()) {
			t.Errorf("%s: %d of %d nodes, cycles: %t", name, len(order), g.Len(), cyclic)
		}
		after := func(a graph.Arrow) {
			from, known := at[a.From]
			if to, ok := at[a.To]; ok && (!known || to < from) {
				t.Errorf("%s: %s comes before %s", name, g.Node(a.To).Ref, g.Node(a.From).Ref)
			}
		}
		for a := range g.Relations() {
			after(a)
		}
		for a := range g.Containment() {
			after(a)
		}
	}
}
