package graph_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
)

// truth is what Puppet says about a graph: see testdata/generate/graphs.rb.
type truth struct {
	Graph     string
	Edges     int
	Cycles    [][]string
	Printed   []string
	Refreshes map[string][]string
	Error     string
}

func TestPuppet(t *testing.T) {
	for _, tt := range truths(t) {
		t.Run(tt.Graph, func(t *testing.T) {
			g := load(t, tt.Graph)
			if tt.Error != "" {
				if strings.Contains(tt.Error, "Resource type ") {
					return // pcat check finds it
				}
				if len(g.Dangling())+len(g.Duplicates()) == 0 {
					t.Errorf("nothing found; Puppet says %s", tt.Error)
				}
				return
			}
			for _, d := range g.Dangling() {
				t.Errorf("dangling: %+v", d)
			}
			for _, d := range g.Duplicates() {
				t.Errorf("duplicate: %+v", d)
			}
			if n := graph.Arcs(g); n != tt.Edges && tt.Graph != "edited-schedule" { // whose relations lead to resources that an agent adds
				t.Errorf("%d arcs; Puppet has %d", n, tt.Edges)
			}
			cycles, printed := [][]string{}, []string{}
			for _, c := range g.Cycles() {
				cycles = append(cycles, spelled(g, c.Members))
				printed = append(printed, line(g, c.Printed))
			}
			if diff := cmp.Diff(tt.Cycles, cycles); diff != "" {
				t.Errorf("cycles (-puppet +pcat)\n%s", diff)
			}
			if diff := cmp.Diff(tt.Printed, printed); diff != "" {
				t.Errorf("printed (-puppet +pcat)\n%s", diff)
			}
			refreshes := make(map[string][]string)
			for i := range g.Len() {
				if g.Node(i).Container {
					continue
				}
				var to []int
				for _, r := range g.Refreshes(i) {
					to = append(to, r.Node)
				}
				if list := spelled(g, to); len(list) > 0 {
					refreshes[g.Node(i).Ref.String()] = list
				}
			}
			backwards := make(map[string][]string)
			for i := range g.Len() {
				for _, r := range g.RefreshedBy(i) {
					from := puppet.Canonical(g.Node(r.Node).Ref).String()
					if !g.Node(i).Container {
						backwards[from] = append(backwards[from], g.Node(i).Ref.String())
					}
				}
			}
			for _, list := range backwards {
				slices.Sort(list)
			}
			if diff := cmp.Diff(refreshes, backwards); diff != "" {
				t.Errorf("refreshes, and backwards\n%s", diff)
			}
			if diff := cmp.Diff(tt.Refreshes, refreshes); diff != "" {
				t.Errorf("refreshes (-puppet +pcat)\n%s", diff)
			}
		})
	}
}

func truths(t *testing.T) []truth {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []truth
	for s := bufio.NewScanner(f); s.Scan(); {
		var tt truth
		if err := json.Unmarshal(s.Bytes(), &tt); err != nil {
			t.Fatal(err)
		}
		all = append(all, tt)
	}
	if len(all) < 20 {
		t.Fatalf("%d graphs", len(all))
	}
	return all
}

const folder = "../../testdata/graphs"

func load(t testing.TB, name string) *graph.Graph {
	t.Helper()
	return graphOf(t, filepath.Join(folder, name+".json"))
}

func graphOf(t testing.TB, path string) *graph.Graph {
	t.Helper()
	f, err := catalog.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return catalogtest.Graph(t, f.Reader)
}

// spelled returns the references of nodes, sorted, as Puppet spells them.
func spelled(g *graph.Graph, nodes []int) []string {
	list := make([]string, 0, len(nodes))
	for _, n := range nodes {
		list = append(list, puppet.Canonical(g.Node(n).Ref).String())
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// line returns the path of a cycle as Puppet prints it.
func line(g *graph.Graph, nodes []int) string {
	var list []string
	for _, n := range nodes {
		list = append(list, puppet.Canonical(g.Node(n).Ref).String())
	}
	return strings.Join(list, " => ")
}

// Puppet omits an autorequire if the opposite edge is there already, a declared one or an
// autorequire, and looks no further (build_autorelation_dependencies in
// relationship_graph.rb): one that closes a longer cycle is added.
func TestAutorequires(t *testing.T) {
	for _, tt := range []struct {
		graph   string
		omitted []string
		cycles  int // with an autorequire
	}{
		{"cycle-autorequire", []string{"File[/tmp/gct/p] -> File[/tmp/gct/p/c]"}, 0},
		{"auto-opposite", []string{
			"File[/opt/c] -> File[/opt/c/x]", "Group[g] -> User[u]", "File[/opt/bin/x] -> Exec[/opt/bin/x]",
		}, 0},
		{"auto-both", []string{"File[/x] -> File[/x/y]", "File[/z/y] -> File[/z]"}, 1}, // the opposite is an autorequire itself
		{"auto-trans", nil, 1},
		{"auto-class", nil, 1}, // the opposite relation is the one of the classes
		{"auto-gid", nil, 1},
		{"auto-name", nil, 1},
	} {
		t.Run(tt.graph, func(t *testing.T) {
			g := load(t, tt.graph)
			var omitted []string
			for a := range g.Omitted() {
				omitted = append(omitted, g.Node(a.From).Ref.String()+" -> "+g.Node(a.To).Ref.String())
			}
			if diff := cmp.Diff(tt.omitted, omitted); diff != "" {
				t.Errorf("omitted (-want +got)\n%s", diff)
			}
			cycles := 0
			for _, c := range g.Cycles() {
				if slices.ContainsFunc(c.Path, func(s graph.Step) bool { return s.Arrow.Kind == graph.Autorequire }) {
					cycles++
				}
			}
			if cycles != tt.cycles {
				t.Errorf("%d cycles with an autorequire; want %d", cycles, tt.cycles)
			}
		})
	}
}

// The order of all nodes remains if all implied relations are removed.
func TestImplied(t *testing.T) {
	implied := 0
	for _, tt := range truths(t) {
		if tt.Error != "" {
			continue
		}
		g := load(t, tt.Graph)
		redundant := make(map[graph.Arrow]int)
		for a := range g.Implied() {
			redundant[a]++
		}
		implied += len(redundant)
		if len(tt.Cycles) > 0 && len(redundant) > 0 {
			t.Errorf("%s: %d in a cycle", tt.Graph, len(redundant))
		}
		rest := graph.Without(g, redundant)
		for i := range g.Len() {
			if diff := cmp.Diff(g.After(i), rest.After(i)); diff != "" {
				t.Errorf("%s: after %s (-all +rest)\n%s", tt.Graph, g.Node(i).Ref, diff)
			}
		}
	}
	if implied == 0 {
		t.Error("none")
	}
}
