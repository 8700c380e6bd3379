package faults

import "github.com/pcatdev/pcat/catalog"

// Catalog returns the findings of a catalog in memory, as [Catalogs] does for each one of a document.
func Catalog(c *catalog.Catalog, mask catalog.Mask, o Options) ([]Finding, error) {
	if mask == nil {
		return nil, errNoMask
	}
	all := newContents()
	for _, r := range c.Resources() {
		if err := all.add(r.Fresh()); err != nil {
			return nil, err
		}
	}
	for _, e := range c.Edges() {
		all.graph.AddEdge(e)
	}
	return all.check(mask, o), nil
}
