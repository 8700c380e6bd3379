package puppetdb

import (
	"strconv"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// Problem is a reason why PuppetDB would discard the payload of a catalog. It
// answers with success nevertheless, and writes the reason to its log only.
type Problem struct {
	// At is the location; the zero value is the whole catalog.
	At   catalog.Location
	What string
}

// tagPattern matches a tag that PuppetDB accepts.
var tagPattern = lazyregexp.New(`^[\p{L}\p{N}_][\p{L}\p{N}_:.-]*$`)

// upperCase matches letters that a tag cannot have.
var upperCase = lazyregexp.New(`\p{Lu}`)

// Problems returns the reasons why PuppetDB would discard the payload that
// [Replace] makes of a catalog: a missing name, duplicate resources, edges to
// resources that are not in the catalog, and invalid tags.
func Problems(c *catalog.Catalog) []Problem {
	var found []Problem
	add := func(ref catalog.Ref, what string) {
		found = append(found, Problem{catalog.Location{Ref: ref}, what})
	}
	if c.Name() == "" {
		add(catalog.Ref{}, "the catalog has no name, which is the certname of its node")
	}
	known := map[catalog.Ref]bool{}
	for _, r := range c.Resources() {
		if known[r.Ref()] {
			add(r.Ref(), "the resource is declared twice")
		}
		known[r.Ref()] = true
		for _, tag := range r.Tags() {
			if !tagPattern.Get().MatchString(tag) || upperCase.Get().MatchString(tag) {
				add(r.Ref(), "the tag "+strconv.Quote(tag)+" is not allowed: tags have lower-case letters, digits, and _ : . - only")
			}
		}
	}
	for _, e := range c.Edges() {
		for _, end := range []catalog.Ref{e.Source(), e.Target()} {
			if !known[end] {
				add(end, "an edge refers to this resource, which is not in the catalog")
			}
		}
	}
	return found
}
