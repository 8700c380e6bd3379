package catalog

import (
	"iter"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// Catalog is a whole catalog in memory: its [Header], resources and edges. It
// is safe for concurrent use.
type Catalog struct {
	*Header
	pieces []piece

	once  sync.Once
	byRef map[Ref]*Resource
}

// piece is a part of a catalog other than a resource or an edge, and the ones that follow it: the
// elements of a list. There are many, so they are no parts.
type piece struct {
	Part
	resources []*Resource
	edges     []*Edge
}

// parts returns an iterator over all parts.
func (c *Catalog) parts() iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for i := range c.pieces {
			p := &c.pieces[i]
			if !yield(p.Part) {
				return
			}
			for _, r := range p.resources {
				if !yield(Part{Kind: PartResource, Resource: r}) {
					return
				}
			}
			for _, e := range p.edges {
				if !yield(Part{Kind: PartEdge, Edge: e}) {
					return
				}
			}
		}
	}
}

// appendPart appends a part to pieces.
func appendPart(pieces []piece, p Part) []piece {
	switch last := len(pieces) - 1; p.Kind {
	case PartResource:
		pieces[last].resources = append(pieces[last].resources, p.Resource)
	case PartEdge:
		pieces[last].edges = append(pieces[last].edges, p.Edge)
	case PartMap, PartArray, PartEnd, PartMember:
		pieces = append(pieces, piece{Part: p})
	}
	return pieces
}

// New returns a catalog of the given members, resources and edges in the order
// that Puppet uses: `classes`, `metadata` and `recursive_metadata` come last,
// after the resources and edges.
func New(header *Header, resources []*Resource, edges []*Edge) *Catalog {
	end := piece{Part: Part{Kind: PartEnd}}
	first, last := []piece{{Part: Part{Kind: PartMap, Count: -1}}}, []piece(nil)
	for m := range header.Members() {
		p := piece{Part: Part{Kind: PartMember, Key: m.Key, keyed: true, Member: &m}}
		switch m.Key {
		case "classes", "metadata", "recursive_metadata":
			last = append(last, p)
		default:
			first = append(first, p)
		}
	}
	lists := []piece{
		{Part: Part{Kind: PartArray, Key: "resources", Count: len(resources)}, resources: slices.Clone(resources)}, end,
		{Part: Part{Kind: PartArray, Key: "edges", Count: len(edges)}, edges: slices.Clone(edges)}, end,
	}
	return &Catalog{Header: header, pieces: slices.Concat(first, lists, last, []piece{{Part: Part{Kind: PartEnd, Catalog: true}}})}
}

// Resources returns the resources, in order.
func (c *Catalog) Resources() []*Resource {
	resources := []*Resource{}
	for i := range c.pieces {
		resources = append(resources, c.pieces[i].resources...)
	}
	return resources
}

// Resource returns the resource with the given type and title, and false if there
// is none. Types are spelled as in the catalog: `Ssh::Key`. Of several resources
// with one reference it returns the first.
func (c *Catalog) Resource(ref Ref) (*Resource, bool) {
	c.once.Do(func() {
		resources := c.Resources()
		c.byRef = make(map[Ref]*Resource, len(resources))
		for _, r := range resources {
			ref := r.Ref()
			if _, twice := c.byRef[ref]; !twice {
				c.byRef[ref] = r
			}
		}
	})
	r, ok := c.byRef[ref]
	return r, ok
}

// Edges returns the edges, in order.
func (c *Catalog) Edges() []*Edge {
	edges := []*Edge{}
	for i := range c.pieces {
		edges = append(edges, c.pieces[i].edges...)
	}
	return edges
}

// Value returns the whole catalog as a Hash. Its resources are as
// [Resource.Value] returns them, with listed secrets hidden;
// [Catalog.RevealValue] includes them.
func (c *Catalog) Value() (*pcore.Hash, error) { return c.valueOf((*Resource).Value) }

// RevealValue returns the whole catalog as a Hash, with its resources as
// [Resource.RevealValue] returns them. Do not print it.
func (c *Catalog) RevealValue() (*pcore.Hash, error) {
	return c.valueOf((*Resource).RevealValue) //nolint:forbidigo // asked for by the name of this method
}

func (c *Catalog) valueOf(resource func(*Resource) (*pcore.Hash, error)) (*pcore.Hash, error) {
	b := pcore.NewHashBuilder(len(c.members) + 2)
	for i := range c.members {
		v, err := c.members[i].Value()
		if err != nil {
			return nil, located(err, Location{Path: path(c.members[i].Key)}, -1)
		}
		b.SetString(c.members[i].Key, v)
	}
	var resources, edges []pcore.Value
	for _, r := range c.Resources() {
		v, err := resource(r)
		if err != nil {
			return nil, err
		}
		resources = append(resources, v)
	}
	for i, e := range c.Edges() {
		v, err := e.Value()
		if err != nil {
			return nil, located(err, Location{Path: path("edges", i)}, -1)
		}
		edges = append(edges, v)
	}
	b.SetString("resources", pcore.NewArray(resources...))
	b.SetString("edges", pcore.NewArray(edges...))
	return b.Hash(), nil
}

// Equal reports whether two catalogs contain the same data, regardless of the
// form they were read from: the same members, resources and edges, with
// resources and edges in the same order. Values are compared with
// [pcore.Identical], so secrets matter and the order of keys does not.
func Equal(a, b *Catalog) (bool, error) {
	left, err := a.RevealValue() //nolint:forbidigo // compared, not kept
	if err != nil {
		return false, err
	}
	right, err := b.RevealValue() //nolint:forbidigo // compared, not kept
	if err != nil {
		return false, err
	}
	return pcore.Identical(left, right), nil
}
