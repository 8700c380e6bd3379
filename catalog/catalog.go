package catalog

import "github.com/pcatdev/pcat/pcore"

// Catalog is a whole catalog in memory: its [Header], resources and edges. It
// is safe for concurrent use.
type Catalog struct {
	*Header
	parts []Part
}

// New returns a catalog of the given members, resources and edges, as Puppet
// orders them: first the members but for `classes`, `metadata` and
// `recursive_metadata`, which come last.
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
	var resources []*Resource
	for i := range c.parts {
		if c.parts[i].Kind == PartResource {
			resources = append(resources, c.parts[i].Resource)
		}
	}
	return resources
}

// Edges returns the edges, in order.
func (c *Catalog) Edges() []*Edge {
	var edges []*Edge
	for i := range c.parts {
		if c.parts[i].Kind == PartEdge {
			edges = append(edges, c.parts[i].Edge)
		}
	}
	return edges
}

// Value returns the whole catalog as a Hash. Its resources are those of
// [Resource.Value], which hides listed secrets; [Catalog.RevealValue] shows them.
func (c *Catalog) Value() (*pcore.Hash, error) { return c.valueOf((*Resource).Value) }

// RevealValue returns the whole catalog as a Hash, its resources as
// [Resource.RevealValue] returns them: do not print it.
func (c *Catalog) RevealValue() (*pcore.Hash, error) { return c.valueOf((*Resource).RevealValue) }

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

// Equal reports whether two catalogs hold the same data, in whatever form it
// was read: the same members, resources and edges, resources and edges in the
// same order. Values are the same when they are [pcore.Identical], so that
// secrets count and the order of keys does not.
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
