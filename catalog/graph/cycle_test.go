package graph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
)

// large returns a catalog of many resources and edges. Relations lead forwards,
// except for the given share.
func large(t testing.TB, resources, relations int, backwards float64) *catalog.Catalog {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	befores := make([][]string, resources)
	for range relations {
		a, b := random.IntN(resources), random.IntN(resources)
		if (a > b) != (random.Float64() < backwards) {
			a, b = b, a
		}
		if a != b {
			befores[a] = append(befores[a], fmt.Sprintf(`"Notify[n%d]"`, b))
		}
	}
	var j strings.Builder
	j.WriteString(`{"name":"n","catalog_format":2,"resources":[{"type":"Stage","title":"main","kind":"compilable_type"},{"type":"Class","title":"main","kind":"class"}`)
	for i, list := range befores {
		fmt.Fprintf(&j, `,{"type":"Notify","title":"n%d","file":"/x.pp","line":%d,"kind":"compilable_type","parameters":{"before":[%s]}}`, i, i, strings.Join(list, ","))
	}
	j.WriteString(`],"edges":[{"source":"Stage[main]","target":"Class[main]"}`)
	for i := range resources {
		fmt.Fprintf(&j, `,{"source":"Class[main]","target":"Notify[n%d]"}`, i)
	}
	j.WriteString(`]}`)
	return catalogtest.Only(t, catalogtest.JSON(j.String())())
}

// A tangle of thousands of resources takes no longer than the bound on the work
// allows.
func TestTangle(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	c := large(t, 4000, 15000, 0.5)
	g, err := graph.New(c)
	if err != nil {
		t.Fatal(err)
	}
	cycles := g.Cycles()
	if len(cycles) != 1 || len(cycles[0].Members) < 3000 || len(cycles[0].Path) == 0 {
		t.Fatalf("%d cycles", len(cycles))
	}
}

// Many small cycles, and a long one, are found in a time that grows with the
// catalog.
func TestManyCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	const n = 20000
	for _, tt := range []struct {
		name   string
		before func(i int) int
		cycles int
	}{
		{"pairs", func(i int) int { return i ^ 1 }, n / 2},
		{"a ring", func(i int) int { return (i + 1) % n }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var j strings.Builder
			j.WriteString(`{"name":"n","resources":[{"type":"Class","title":"main","kind":"class"}`)
			for i := range n {
				fmt.Fprintf(&j, `,{"type":"Notify","title":"n%d","kind":"compilable_type","parameters":{"before":"Notify[n%d]"}}`, i, tt.before(i))
			}
			j.WriteString(`],"edges":[]}`)
			g := catalogtest.Graph(t, catalogtest.JSON(j.String())())
			cycles := g.Cycles()
			if len(cycles) != tt.cycles || len(cycles[0].Path) != n/tt.cycles {
				t.Errorf("%d cycles", len(cycles))
			}
		})
	}
}

func TestPath(t *testing.T) {
	for _, tt := range truths(t) {
		if len(tt.Cycles) == 0 {
			continue
		}
		t.Run(tt.Graph, func(t *testing.T) {
			g := load(t, tt.Graph)
			for _, c := range g.Cycles() {
				for i, s := range c.Path {
					if next := c.Path[(i+1)%len(c.Path)]; s.To != next.From {
						t.Errorf("step %d leads to %v, the next begins at %v", i, s.To, next.From)
					}
					if !s.Inside && s.Arrow.Kind != graph.Contains && (s.Arrow.From != s.From.Node || s.Arrow.To != s.To.Node) {
						t.Errorf("step %d has the arrow %v", i, s.Arrow)
					}
				}
				if len(c.Cuts) == 0 {
					t.Error("there is no cut")
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	c := large(b, 4000, 15000, 0)
	for b.Loop() {
		g, err := graph.New(c)
		if err != nil {
			b.Fatal(err)
		}
		if cycles := g.Cycles(); len(cycles) > 0 {
			b.Fatal("cycles")
		}
	}
}

func BenchmarkTangle(b *testing.B) {
	g, err := graph.New(large(b, 4000, 15000, 0.5))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Cycles()
	}
}
