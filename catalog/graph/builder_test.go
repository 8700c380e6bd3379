package graph_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
)

// A Builder makes the graph of New without its resources, also if the edges precede them.
func TestBuilder(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		f, err := catalog.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		c := catalogtest.Only(t, f.Reader)
		want, err := graph.New(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, edgesFirst := range []bool{false, true} {
			b := graph.NewBuilder()
			edges := func() {
				for _, e := range c.Edges() {
					b.AddEdge(e)
				}
			}
			if edgesFirst {
				edges()
			}
			for _, r := range c.Resources() {
				if err := b.AddResource(r); err != nil {
					t.Fatal(err)
				}
			}
			if !edgesFirst {
				edges()
			}
			got := b.Graph()
			if diff := cmp.Diff(factsOf(want), factsOf(got)); diff != "" {
				t.Errorf("%s, edges first: %v (-new +builder)\n%s", file, edgesFirst, diff)
			}
			if got.Len() > 0 && got.Node(0).Resource != nil {
				t.Errorf("%s: a resource is kept", file)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// factsOf returns all facts about a graph but the resources.
func factsOf(g *graph.Graph) []any {
	var nodes []graph.Node
	for i := range g.Len() {
		n := g.Node(i)
		n.Resource = nil
		nodes = append(nodes, n)
	}
	return []any{
		nodes, slices.Collect(g.Relations()), slices.Collect(g.Containment()), slices.Collect(g.Omitted()),
		g.Dangling(), g.Duplicates(), g.Cycles(),
	}
}

// An alias of a class is a name only as it is spelled, which references are not.
func TestAliasOfClass(t *testing.T) {
	c := catalogtest.Only(t, catalogtest.JSON(`{"name":"n","resources":[{"type":"Class","title":"A","parameters":{"alias":"b"}}],`+
		`"edges":[{"source":"Class[A]","target":"Class[b]"}]}`)())
	g, err := graph.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(g.Dangling()); n != 1 {
		t.Errorf("%d missing resources; want 1", n)
	}
}
