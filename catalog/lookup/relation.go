package lookup

import (
	"cmp"
	"iter"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Kind is the kind of a [Relation], as seen from the resource that was found.
type Kind string

// The kinds of relations, in the order of [Found.Relations].
const (
	Requires   Kind = "requires"    // the other resource is applied first
	NotifiedBy Kind = "notified by" // the other is applied first, and a change of it refreshes this one
	RequiredBy Kind = "required by" // the other resource is applied later
	Notifies   Kind = "notifies"    // the other is applied later, and is refreshed by a change of this one
)

// kinds lists the kinds in order.
var kinds = []Kind{Requires, NotifiedBy, RequiredBy, Notifies}

// metaparameters have references to other resources.
var metaparameters = []struct {
	name    string
	own     Kind // for the resource with the parameter
	reverse Kind // for the resource that the parameter names
}{
	{"require", Requires, RequiredBy},
	{"subscribe", NotifiedBy, Notifies},
	{"before", RequiredBy, Requires},
	{"notify", Notifies, NotifiedBy},
}

// Relation is a relation to another resource that the catalog states: by a parameter of
// either resource, or by an edge of PuppetDB. Relations that follow from others, such as
// those of a container, are not included.
type Relation struct {
	Kind Kind
	// Ref is the other resource, with the title that it has in the catalog. If it is
	// Absent from the catalog, Ref is the reference as written.
	Ref    catalog.Ref
	Absent bool
	// By are the parameters that state the relation, of either resource. There are
	// none for an edge.
	By []catalog.Location
}

// Contains is the name that PuppetDB has for containment; catalogs have only such edges.
const contains = "contains"

func isContainment(e *catalog.Edge) bool {
	kind := e.Relationship()
	return kind == "" || kind == contains
}

// relate does the second pass: it fills in containers, contents and relations.
func relate(parts Parts, all []*Catalog) error {
	if len(all) == 0 {
		return nil
	}
	n := newNeighbours(all[0])
	for p, err := range parts() {
		if err != nil {
			return err
		}
		switch {
		case p.Kind == catalog.PartResource:
			n.resource(p.Resource)
		case p.Kind == catalog.PartEdge:
			n.edge(p.Edge)
		case p.Catalog:
			n.end()
			if all = all[1:]; len(all) == 0 {
				return nil // the document has no more catalogs
			}
			n = newNeighbours(all[0])
		}
	}
	return nil
}

// neighbours is the second pass through one catalog.
type neighbours struct {
	*Catalog
	byKey  map[string][]*Found    // with all their names
	titles map[string]title       // of resources that parameters of Found refer to
	types  map[string]bool        // their types
	parent map[string]catalog.Ref // by the key of a container or Found
	stated map[*Found][]*Relation // in order
}

// title is the title that a reference resolves to.
type title struct {
	ref     catalog.Ref
	quality match
}

func newNeighbours(c *Catalog) *neighbours {
	n := &neighbours{
		Catalog: c,
		byKey:   map[string][]*Found{},
		titles:  map[string]title{},
		types:   map[string]bool{},
		parent:  map[string]catalog.Ref{},
		stated:  map[*Found][]*Relation{},
	}
	for _, f := range c.Found {
		r := f.Resource
		n.byKey[keyOf(r.Ref())] = append(n.byKey[keyOf(r.Ref())], f)
		for name := range names(r) {
			if key := keyOf(catalog.Ref{Type: r.Type(), Title: name}); !slices.Contains(n.byKey[key], f) {
				n.byKey[key] = append(n.byKey[key], f)
			}
		}
		for _, p := range metaparameters {
			for ref := range references(r, p.name) {
				n.titles[keyOf(ref)] = title{quality: noMatch}
				n.types[typeName(ref.Type)] = true
				n.state(f, p.own, ref, r.Ref().Parameter(p.name))
			}
		}
	}
	return n
}

// references returns an iterator over the references in a parameter.
func references(r *catalog.Resource, parameter string) iter.Seq[catalog.Ref] {
	return func(yield func(catalog.Ref) bool) {
		for text := range texts(r, parameter) {
			if ref, ok := catalog.ParseRef(text); ok && !yield(ref) {
				return
			}
		}
	}
}

// single returns an iterator over the Strings of a value.
func single(v pcore.Value) iter.Seq[string] {
	return func(yield func(string) bool) { flat(v, yield) }
}

// state adds a relation of f, once for each other resource.
func (n *neighbours) state(f *Found, kind Kind, ref catalog.Ref, by ...catalog.Location) {
	key := keyOf(ref)
	for _, known := range n.stated[f] {
		if known.Kind == kind && keyOf(known.Ref) == key {
			known.By = append(known.By, by...)
			return
		}
	}
	n.stated[f] = append(n.stated[f], &Relation{Kind: kind, Ref: ref, By: by})
}

func (n *neighbours) resource(r *catalog.Resource) {
	if len(n.Found) == 0 {
		return
	}
	ref := r.Ref()
	if n.types[typeName(ref.Type)] {
		n.resolve(ref, ref.Title, byTitle)
		for name := range names(r) {
			n.resolve(ref, name, byName)
		}
	}
	for _, p := range metaparameters {
		for to := range references(r, p.name) {
			for _, f := range n.byKey[keyOf(to)] {
				n.state(f, p.reverse, ref, ref.Parameter(p.name))
			}
		}
	}
}

// resolve records the resource that a reference with the given name means.
func (n *neighbours) resolve(ref catalog.Ref, name string, m match) {
	key := keyOf(catalog.Ref{Type: ref.Type, Title: name})
	if known, ok := n.titles[key]; ok && known.quality > m {
		n.titles[key] = title{ref, m}
	}
}

func (n *neighbours) edge(e *catalog.Edge) {
	if len(n.Found) == 0 {
		return
	}
	source, target := e.Source(), e.Target()
	from, to := keyOf(source), keyOf(target)
	if isContainment(e) {
		if n.containers[target.Type] || n.byKey[to] != nil {
			// A class that another one contains is in a stage, too.
			if known, ok := n.parent[to]; !ok || known.Type == "Stage" {
				n.parent[to] = source
			}
		}
		for _, f := range n.byKey[from] {
			f.Contents = append(f.Contents, target)
		}
		return
	}
	// PuppetDB names the resource that is applied first as the source.
	first, later := RequiredBy, Requires
	if kind := e.Relationship(); kind == "notifies" || kind == "subscription-of" {
		first, later = Notifies, NotifiedBy
	}
	for _, f := range n.byKey[from] {
		n.state(f, first, target)
	}
	for _, f := range n.byKey[to] {
		n.state(f, later, source)
	}
}

// end completes the results of the catalog.
func (n *neighbours) end() {
	for _, f := range n.Found {
		f.Containers = n.containersOf(f.Resource.Ref())
		f.Relations = n.relationsOf(f)
	}
}

// containersOf returns the containers of a resource, the innermost first. A catalog
// with containers that contain themselves is invalid; the list ends there.
func (n *neighbours) containersOf(ref catalog.Ref) []catalog.Ref {
	var chain []catalog.Ref
	seen := map[string]bool{keyOf(ref): true}
	for {
		parent, ok := n.parent[keyOf(ref)]
		if !ok || seen[keyOf(parent)] {
			return chain
		}
		chain = append(chain, parent)
		seen[keyOf(parent)] = true
		ref = parent
	}
}

// relationsOf returns the relations of f by kind, each resource once and under its
// title.
func (n *neighbours) relationsOf(f *Found) []Relation {
	var all []Relation
	for _, r := range n.stated[f] {
		if t, ok := n.titles[keyOf(r.Ref)]; ok {
			if r.Absent = t.quality == noMatch; !r.Absent {
				r.Ref = t.ref
			}
		}
		same := func(other Relation) bool { return other.Kind == r.Kind && other.Ref == r.Ref }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].By = append(all[i].By, r.By...)
			continue
		}
		all = append(all, *r)
	}
	slices.SortStableFunc(all, func(a, b Relation) int {
		return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind))
	})
	return all
}
