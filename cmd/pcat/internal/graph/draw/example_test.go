package draw_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/sensitive"
)

func load(name string) (*graph.Graph, error) {
	file, err := catalog.Open("../../../../../testdata/graphs/" + name + ".json")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	for c, err := range file.Catalogs() {
		if err != nil {
			return nil, err
		}
		return graph.New(c)
	}
	return nil, catalog.ErrEmpty
}

func ExampleSelect() {
	g, err := load("stages")
	if err != nil {
		fmt.Println(err)
		return
	}
	around, _ := g.Find(catalog.Ref{Type: "Notify", Title: "e"})
	view := draw.Select(g, new(sensitive.Redactor), draw.Options{Of: around, Around: true, Up: true, Depth: 1})
	if err := draw.Write(os.Stdout, "mermaid", view); err != nil {
		fmt.Println(err)
	}
	// Output:
	// flowchart LR
	//   n0["Notify[e]"]
	//   style n0 stroke:red
	//   n1(["Class[Late]"])
	//   style n1 stroke:red
	//   n1 -->|require| n0
}

func ExampleWhy() {
	g, err := load("svc-name")
	if err != nil {
		fmt.Println(err)
		return
	}
	node, _ := g.Find(catalog.Ref{Type: "Service", Title: "apache2"})
	if err := draw.Why(os.Stdout, g, node, new(sensitive.Redactor), draw.WhyOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Service[web]  manifests/site.pp:1
	//   in Class[Main], in Stage[main]
	//
	// not applied after any resource
	//
	// applied before 1 resource
	//   Notify[x]  require, manifests/site.pp:2
	//
	// no change refreshes it
	//
	// a change would refresh nothing
}

// Containers that contain each other have an end.
func TestLoop(t *testing.T) {
	for _, name := range []string{"contain-loop", "contain-loop2", "self-class", "long-chord"} {
		g, err := load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range []draw.What{draw.Relations, draw.Containment, draw.Refreshes, draw.Both} {
			for _, o := range []draw.Options{{What: what}, {What: what, Around: true}, {What: what, Collapse: draw.CollapseClass}, {What: what, Collapse: draw.CollapseDefine}, {What: what, Cycles: true}} {
				v := draw.Select(g, new(sensitive.Redactor), o)
				for i, n := range v.Nodes {
					if n.Parent == i || n.Parent >= len(v.Nodes) {
						t.Errorf("%s: %+v: the parent of %d is %d", name, o, i, n.Parent)
					}
				}
				for _, format := range draw.Names() {
					if err := draw.Write(discard{}, format, v); err != nil {
						t.Error(err)
					}
				}
			}
		}
		for i := range g.Len() {
			if err := draw.Why(discard{}, g, i, new(sensitive.Redactor), draw.WhyOptions{Depth: 9}); err != nil {
				t.Error(err)
			}
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
