package catalog

import (
	"sync"

	"github.com/pcatdev/pcat/pcore"
)

// Catalog is a whole catalog in memory: its [Header], resources and edges. It
// is safe for concurrent use.
type Catalog struct {
	*Header
	parts []Part

	once  sync.Once
	byRef map[Ref]*Resource
}

// New returns a catalog of the given members, resources and edges in the order
// that Puppet uses: `classes`, `metadata` and `recursive_metadata` come last,
// after the resources and edges.
func New(header *Header, resources []*Resource, edges []*Edge) *Catalog {
	c := &Catalog{Header: header}
	c.parts = append(c.parts, Part{Kind: PartMap, Count: -1})
	var last []Part
	for m := range header.Members() {
		p := Part{Kind: PartMember, Key: m.Key, keyed: true, Member: &m}
		switch m.Key {
		case "classes", "metadata", "recursive_metadata":
			last = append(last, p)
		default:
			c.parts = append(c.parts, p)
		}
	}
	c.parts = append(c.parts, Part{Kind: PartArray, Key: "resources", Count: len(resources)})
	for _, r := range resources {
		c.parts = append(c.parts, Part{Kind: PartResource, Resource: r})
	}
	c.parts = append(c.parts, Part{Kind: PartEnd}, Part{Kind: PartArray, Key: "edges", Count: len(edges)})
	for _, e := range edges {
		c.parts = append(c.parts, Part{Kind: PartEdge, Edge: e})
	}
	c.parts = append(append(c.parts, Part{Kind: PartEnd}), last...)
	c.parts = append(c.parts, Part{Kind: PartEnd, Catalog: true})
	return c
}

// Resources returns the resources, in order.
func (c *Catalog) Resources() []*Resource {
	resources := make([]*Resource, 0, c.count(PartResource))
	for i := range c.parts {
		if c.parts[i].Kind == PartResource {
			resources = append(resources, c.parts[i].Resource)
		}
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
	edges := make([]*Edge, 0, c.count(PartEdge))
	for i := range c.parts {
		if c.parts[i].Kind == PartEdge {
			edges = append(edges, c.parts[i].Edge)
		}
	}
	return edges
}

func (c *Catalog) count(kind PartKind) int {
	n := 0
	for i := range c.parts {
		if c.parts[i].Kind == kind {
			n++
		}
	}
	return n
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
