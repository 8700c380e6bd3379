package faults

import (
	"iter"

	"github.com/pcatdev/pcat/catalog"
)

// Result contains the findings of one catalog. The zero value has none.
type Result struct {
	Node     string // the name of the node, masked
	Findings []Finding
}

// Catalogs returns an iterator over the findings of each catalog of a document, the most severe first. mask
// masks their references and texts. It does not keep the catalogs in memory, and uses r, which can be read once. It ends with the
// first error: that of the Reader, a *[catalog.Error] about a parameter, or the one about a
// missing mask.
func Catalogs(r *catalog.Reader, mask catalog.Mask, o Options) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		if mask == nil {
			yield(Result{}, errNoMask)
			return
		}
		read := &reading{mask: mask, o: o, yield: yield}
		if outline := r.Outline(nil); outline != nil {
			read.outline(outline)
		} else {
			read.parts(r)
		}
	}
}

// reading is one pass through a document.
type reading struct {
	mask  catalog.Mask
	o     Options
	yield func(Result, error) bool
	open  []*contents // of the maps and lists that have not ended
}

func (d *reading) outline(o *catalog.Outline) {
	c := newContents()
	for i := range o.Parts {
		if !o.Parts[i].In {
			continue
		}
		if err := c.addPart(o.Part(i)); err != nil {
			d.yield(Result{}, err)
			return
		}
	}
	d.result(o.Name(), c)
}

func (d *reading) parts(r *catalog.Reader) {
	for p, err := range r.Parts() {
		if err == nil {
			err = d.part(p)
		}
		if err != nil {
			d.yield(Result{}, err)
			return
		}
		if p.Kind != catalog.PartEnd {
			continue
		}
		last := len(d.open) - 1
		c := d.open[last]
		d.open = d.open[:last]
		if p.Catalog && !d.result(r.Header().Name(), c) {
			return
		}
	}
}

// part reads a part other than an end. Resources and edges belong to the map around their list,
// or around its page in a response of PuppetDB.
func (d *reading) part(p catalog.Part) error {
	var c *contents
	if len(d.open) > 0 {
		c = d.open[len(d.open)-1]
	}
	switch p.Kind {
	case catalog.PartMap:
		if p.Key != "resources" && p.Key != "edges" {
			c = newContents()
		}
		d.open = append(d.open, c)
	case catalog.PartArray:
		d.open = append(d.open, c)
	case catalog.PartResource, catalog.PartEdge:
		return c.addPart(p)
	case catalog.PartEnd, catalog.PartMember:
	}
	return nil
}

func (d *reading) result(name string, c *contents) (more bool) {
	return d.yield(Result{d.mask.Text(name), c.check(d.mask, d.o)}, nil)
}

// addPart adds a resource or an edge.
func (c *contents) addPart(p catalog.Part) error {
	if p.Kind == catalog.PartResource {
		return c.add(p.Resource)
	}
	c.graph.AddEdge(p.Edge)
	return nil
}
