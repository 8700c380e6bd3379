package draw

import (
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
)

// Answer has the relations of a resource for programs. Its texts are masked.
type Answer struct {
	Ref         string     `json:"ref"`
	Manifest    string     `json:"manifest,omitempty"`
	Line        int64      `json:"line,omitempty"`
	Containers  []string   `json:"containers"` // the nearest first
	Before      []Relation `json:"before"`     // applied before it, the nearest first
	After       []Relation `json:"after"`      // applied after it
	RefreshedBy []Refresh  `json:"refreshed_by"`
	Refreshes   []Refresh  `json:"refreshes"`
}

// Relation is the order of two resources: Ref is applied before or after Of, which is the
// resource of the answer, one of its containers, or the Ref of a relation before.
type Relation struct {
	Ref      string `json:"ref"`
	Of       string `json:"of"`
	Why      string `json:"why"` // such as require
	Manifest string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

// Refresh is a resource that refreshes another one or is refreshed, by way of the ones in Via.
type Refresh struct {
	Ref string   `json:"ref"`
	Via []string `json:"via"`
}

// AnswerOf returns the answer that [Why] writes as text. mask masks the references and manifests.
func AnswerOf(g *graph.Graph, node int, mask catalog.Mask, o WhyOptions) Answer {
	y := newWhy(io.Discard, g, mask, o)
	a := Answer{
		Ref: y.ref(node), Containers: y.containers(node), Before: y.relations(node, true), After: y.relations(node, false),
		RefreshedBy: y.refreshList(g.RefreshedBy(node)), Refreshes: y.refreshList(g.Refreshes(node)),
	}
	a.Manifest, a.Line = y.manifest(node)
	return a
}

// manifest returns the location of the declaration of a node.
func (y *why) manifest(node int) (path string, line int64) {
	r := y.Node(node).Resource
	return y.o.Locator.Path(y.mask.Text(r.File())), r.Line()
}

// relations returns the relations of a node and of its containers, and theirs, up to the depth of
// the options. The relations of a resource are listed once.
func (y *why) relations(node int, up bool) []Relation {
	list := []Relation{}
	seen := map[int]bool{}
	nodes := []int{node}
	for range y.o.Depth {
		var next []int
		for _, n := range nodes {
			for _, owner := range y.owners(n) {
				if seen[owner] {
					continue
				}
				seen[owner] = true
				for _, a := range y.next(owner, up) {
					other := a.To
					if up {
						other = a.From
					}
					r := Relation{Ref: y.ref(other), Of: y.ref(owner), Why: a.Kind.String()}
					if a.Kind <= graph.Notify {
						r.Manifest, r.Line = y.manifest(a.Declares())
					}
					list, next = append(list, r), append(next, other)
				}
			}
		}
		nodes = next
	}
	return list
}

func (y *why) refreshList(refreshes []graph.Refresh) []Refresh {
	list := []Refresh{}
	for _, r := range refreshes {
		one := Refresh{y.ref(r.Node), []string{}}
		for _, p := range r.Path[1 : len(r.Path)-1] {
			if name := y.ref(p.Node); len(one.Via) == 0 || one.Via[len(one.Via)-1] != name {
				one.Via = append(one.Via, name)
			}
		}
		list = append(list, one)
	}
	return list
}
