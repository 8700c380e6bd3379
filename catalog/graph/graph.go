package graph

import (
	"iter"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/catalog"
)

// Graph is the relationship graph of a catalog. It is immutable and safe for
// concurrent use. The zero value is a graph without resources.
type Graph struct {
	nodes     []node
	names     names
	resources []*catalog.Resource // by node; nil if they were not kept

	relations []relation // in the order in which Puppet adds them
	contained []pair     // containment
	pairs     map[pair]struct{}
	missing   []Dangling
	twice     []Duplicate
	omitted   []Arrow // autorequires

	arcs arcs
	once sync.Once
	back arcs // reversed, made by backwards
}

// node is the compact form of a [Node].
type node struct {
	ref       int32 // in names
	container bool
	maybe     bool // a container if a resource of its type contains others
}

// relation is the compact form of an [Arrow].
type relation struct {
	pair
	kind    Kind
	refresh bool
}

func (r *relation) arrow() Arrow { return Arrow{int(r.from), int(r.to), r.kind, r.refresh} }

func (p pair) contains() Arrow { return Arrow{int(p.from), int(p.to), Contains, false} }

// Node is a resource of a graph. Nodes are identified by their position in the
// catalog, from 0.
type Node struct {
	Ref       catalog.Ref
	Resource  *catalog.Resource // nil in the graph of a [Builder]
	Container bool              // a class, a defined type or a stage
}

// Kind is the reason for an [Arrow].
type Kind uint8

// The reasons for an arrow.
const (
	Require     Kind = iota // a parameter require of To
	Subscribe               // a parameter subscribe of To
	Before                  // a parameter before of From
	Notify                  // a parameter notify of From
	Edge                    // an edge of the catalog that is no containment, as PuppetDB has them
	Autorequire             // a rule of the type of To
	Autobefore              // a rule of the type of From
	Contains                // From contains To
)

// String returns the name of the metaparameter, or the name of the reason in
// lower case.
func (k Kind) String() string {
	return [...]string{"require", "subscribe", "before", "notify", "edge", "autorequire", "autobefore", "contains"}[k]
}

// Arrow connects two resources: From is applied before To. An arrow of kind
// [Contains] leads from a container to one of its resources, which is applied
// between the beginning and the end of From.
type Arrow struct {
	From, To int // nodes
	Kind     Kind
	Refresh  bool // a change of From refreshes To
}

// Declares returns the node that declares the arrow: the one with the parameter
// or, for containment and for edges, the source.
func (a Arrow) Declares() int {
	switch a.Kind {
	case Require, Subscribe, Autorequire:
		return a.To
	default:
		return a.From
	}
}

// Dangling is a reference to a resource that the catalog does not contain.
type Dangling struct {
	From   int    // the node with the reference, or -1 if both ends of an edge are missing
	Kind   Kind   // the metaparameter; Contains or Edge for an edge of the catalog
	Target string // the reference as it is spelled
	Source bool   // the missing resource is the source of an edge
	Other  catalog.Ref
}

// Duplicate is a resource whose title, alias or name belongs to another one.
type Duplicate struct {
	Node, Of int
	Name     catalog.Ref // the name that both have
	By       string      // the kind of name of Node: "title", "alias", or the parameter that names it
	Key      []string    // the parts of the name as Puppet compares them, if By is a parameter
}

type pair struct{ from, to int32 }

// New returns the relationship graph of a catalog. The error is a
// *[catalog.Error] about a parameter that cannot be decoded.
func New(c *catalog.Catalog) (*Graph, error) { return of(c.Resources(), c.Edges()) }

// of is [New] for the resources and edges of a catalog.
func of(resources []*catalog.Resource, edges []*catalog.Edge) (*Graph, error) {
	b := newBuilder(len(resources))
	b.resources = resources
	for _, r := range resources {
		if err := b.add(r.Fresh()); err != nil {
			return nil, err
		}
	}
	b.edges = make([]edge, 0, len(edges))
	for _, e := range edges {
		b.addEdge(e)
	}
	return b.build(), nil
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return len(g.nodes) }

// Node returns a node, from 0 to Len-1.
func (g *Graph) Node(i int) Node {
	n := Node{Ref: g.names.ref(g.nodes[i].ref), Container: g.nodes[i].container}
	if g.resources != nil {
		n.Resource = g.resources[i]
	}
	return n
}

// Find returns the node of a reference: by title, alias or namevar.
func (g *Graph) Find(ref catalog.Ref) (node int, ok bool) { return g.names.find(ref) }

// Relations returns the arrows other than containment: relations first, in the
// order of the catalog, then the other edges of the catalog and autorequires.
func (g *Graph) Relations() iter.Seq[Arrow] {
	return func(yield func(Arrow) bool) {
		for i := range g.relations {
			if !yield(g.relations[i].arrow()) {
				return
			}
		}
	}
}

// Containment returns the arrows of kind [Contains].
func (g *Graph) Containment() iter.Seq[Arrow] {
	return func(yield func(Arrow) bool) {
		for _, p := range g.contained {
			if !yield(p.contains()) {
				return
			}
		}
	}
}

// Omitted returns the autorequires that are not part of the graph, because
// another arrow leads from To to From.
func (g *Graph) Omitted() iter.Seq[Arrow] { return slices.Values(g.omitted) }

// Dangling returns the references to missing resources, in the order of the
// catalog; edges come last.
func (g *Graph) Dangling() []Dangling { return g.missing }

// Duplicates returns the resources with a name that belongs to another one, once
// for each two resources.
func (g *Graph) Duplicates() []Duplicate { return g.twice }
