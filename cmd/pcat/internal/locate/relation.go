package locate

import (
	"cmp"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
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

// kindOf returns the kind for the resource that is applied first, or for the later one.
func kindOf(first, refresh bool) Kind {
	switch {
	case first && refresh:
		return Notifies
	case first:
		return RequiredBy
	case refresh:
		return NotifiedBy
	default:
		return Requires
	}
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
	byKey  map[catalog.Ref][]*Found    // with all their names
	titles map[catalog.Ref]title       // of resources that parameters of Found refer to
	parent map[catalog.Ref]catalog.Ref // by the key of a container or Found
	stated map[*Found][]*Relation      // in order
}

// title is the title that a reference resolves to.
type title struct {
	ref     catalog.Ref
	quality match
}

func newNeighbours(c *Catalog) *neighbours {
	n := &neighbours{
		Catalog: c,
		byKey:   map[catalog.Ref][]*Found{},
		titles:  map[catalog.Ref]title{},
		parent:  map[catalog.Ref]catalog.Ref{},
		stated:  map[*Found][]*Relation{},
	}
	for _, f := range c.Found {
		facts := factsOf(f.Resource)
		for _, name := range facts.Names {
			if !slices.Contains(n.byKey[name], f) {
				n.byKey[name] = append(n.byKey[name], f)
			}
		}
		for i, p := range puppet.Metaparameters {
			for _, ref := range facts.References[i] {
				exact, short := puppet.Keys(ref)
				n.titles[exact], n.titles[short] = title{quality: noMatch}, title{quality: noMatch}
				n.state(f, kindOf(p.First, p.Refresh), ref, f.Resource.Ref().Parameter(p.Name))
			}
		}
	}
	return n
}

// named returns the resources of Found that a reference names.
func (n *neighbours) named(ref catalog.Ref) []*Found {
	exact, short := puppet.Keys(ref)
	if found, ok := n.byKey[exact]; ok {
		return found
	}
	return n.byKey[short]
}

// titleOf returns the title of the resource that a reference of one of Found names. It
// reports false for a reference from an edge.
func (n *neighbours) titleOf(ref catalog.Ref) (title, bool) {
	exact, short := puppet.Keys(ref)
	t, ok := n.titles[exact]
	if ok && t.quality == noMatch {
		t = n.titles[short]
	}
	return t, ok
}

// state adds a relation of f, once for each other resource.
func (n *neighbours) state(f *Found, kind Kind, ref catalog.Ref, by ...catalog.Location) {
	for _, known := range n.stated[f] {
		if known.Kind == kind && puppet.Canonical(known.Ref) == puppet.Canonical(ref) {
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
	ref, facts := r.Ref(), factsOf(r)
	for i, name := range facts.Names {
		quality := byName
		if i == 0 {
			quality = byTitle
		}
		if known, ok := n.titles[name]; ok && known.quality > quality {
			n.titles[name] = title{ref, quality}
		}
	}
	for i, p := range puppet.Metaparameters {
		for _, to := range facts.References[i] {
			for _, f := range n.named(to) {
				n.state(f, kindOf(!p.First, p.Refresh), ref, ref.Parameter(p.Name))
			}
		}
	}
}

func (n *neighbours) edge(e *catalog.Edge) {
	if len(n.Found) == 0 {
		return
	}
	source, target := e.Source(), e.Target()
	from, to := n.named(source), n.named(target)
	contains, refresh := puppet.EdgeKind(e.Relationship())
	if !contains {
		// PuppetDB names the resource that is applied first as the source.
		for _, f := range from {
			n.state(f, kindOf(true, refresh), target)
		}
		for _, f := range to {
			n.state(f, kindOf(false, refresh), source)
		}
		return
	}
	for _, f := range from {
		f.Contents = append(f.Contents, target)
	}
	if source.IsZero() {
		return
	}
	inside := []catalog.Ref{target}
	for _, f := range to {
		inside = append(inside, f.Resource.Ref())
	}
	for _, ref := range inside {
		key := puppet.Canonical(ref)
		if known, ok := n.parent[key]; (n.containers[key.Type] || len(to) > 0) && (!ok || puppet.IsOuter(known)) {
			n.parent[key] = source
		}
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
	seen := map[catalog.Ref]bool{puppet.Canonical(ref): true}
	for {
		parent, ok := n.parent[puppet.Canonical(ref)]
		if !ok || seen[puppet.Canonical(parent)] {
			return chain
		}
		chain = append(chain, parent)
		seen[puppet.Canonical(parent)] = true
		ref = parent
	}
}

// relationsOf returns the relations of f by kind, each resource once and under its
// title.
func (n *neighbours) relationsOf(f *Found) []Relation {
	var all []Relation
	for _, r := range n.stated[f] {
		if t, ok := n.titleOf(r.Ref); ok {
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
