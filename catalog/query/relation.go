package query

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// surroundings describes one catalog to expressions.
type surroundings struct {
	certname, environment string
	relations             []relations // by the index of the resource; nil unless asked for
}

// relations are the references of one resource to others, as text.
type relations struct {
	containers                                 *containment
	number                                     int      // of the resource in containers
	requires, requiredBy, notifies, notifiedBy []string // sorted
}

// containment has the containers of all resources of a catalog, by their numbers.
type containment struct {
	of    []int    // the number of the container, -1 for none
	texts []string // the references to display
}

// maxContainers is the maximum length of a list of containers. The ones of Puppet nest
// a few deep; in a broken catalog, they may be a chain of all resources, or a cycle.
const maxContainers = 100

// list returns the containers of the resource, at most a number of them, the innermost
// one first.
func (r *relations) list(most int) []string {
	if r.containers == nil {
		return nil
	}
	var texts []string
	seen := []int{r.number}
	for c := r.containers.of[r.number]; c >= 0 && !slices.Contains(seen, c) && len(texts) < most; c = r.containers.of[c] {
		seen = append(seen, c)
		texts = append(texts, r.containers.texts[c])
	}
	return texts
}

// survey reads the catalogs of src. Relations are collected only if related is set.
// display returns the reference to display for a reference.
func survey(src *catalog.Reader, related bool, display func(catalog.Ref) catalog.Ref) ([]*surroundings, error) {
	var all []*surroundings
	g := newGraph()
	for p, err := range src.Parts() {
		switch {
		case err != nil:
			return nil, err
		case p.Catalog:
			h := src.Header()
			s := &surroundings{certname: h.Name(), environment: h.Environment()}
			if related {
				s.relations = g.relations(display)
			}
			all = append(all, s)
			g = newGraph()
		case !related:
		case p.Kind == catalog.PartResource:
			if err := g.resource(p.Resource); err != nil {
				return nil, err
			}
		case p.Kind == catalog.PartEdge:
			g.edge(p.Edge)
		}
	}
	return all, nil
}

// link is a relation, or an edge of containment.
type link struct {
	first, later       catalog.Ref
	contains, notifies bool
}

// graph collects the resources of one catalog with their relations.
type graph struct {
	resources []catalog.Ref
	names     puppet.Names
	links     []link
}

func newGraph() *graph { return &graph{names: puppet.Names{}} }

// resource adds a resource with its names and the relations in its parameters. A title
// is better than a name.
func (g *graph) resource(r *catalog.Resource) error {
	facts, err := puppet.Read(r)
	if err != nil {
		return err
	}
	own, i := r.Ref(), int32(len(g.resources))
	g.resources = append(g.resources, own)
	g.names[facts.Names[0]] = i
	for _, name := range facts.Names[1:] {
		if _, taken := g.names[name]; !taken {
			g.names[name] = i
		}
	}
	for k, meta := range puppet.Metaparameters {
		for _, other := range facts.References[k] {
			l := link{first: other, later: own, notifies: meta.Refresh}
			if meta.First {
				l.first, l.later = own, other
			}
			g.links = append(g.links, l)
		}
	}
	return nil
}

// edge adds an edge. Those of PuppetDB have the kind of the relation.
func (g *graph) edge(e *catalog.Edge) {
	contains, notifies := puppet.EdgeKind(e.Relationship())
	g.links = append(g.links, link{e.Source(), e.Target(), contains, notifies})
}

// find returns the index of the resource that a reference names, or -1.
func (g *graph) find(ref catalog.Ref) int {
	if i, ok := g.names.Find(ref); ok {
		return i
	}
	return -1
}

// containers returns the index of the container of each resource, or -1. A container
// that is not in the catalog becomes one of the resources.
func (g *graph) containers() []int {
	all := slices.Repeat([]int{-1}, len(g.resources))
	node := func(ref catalog.Ref) int {
		i := g.find(ref)
		if i < 0 {
			i = len(all)
			g.names[puppet.Canonical(ref)] = int32(i)
			g.resources, all = append(g.resources, ref), append(all, -1)
		}
		return i
	}
	for _, l := range g.links {
		if !l.contains || l.first.IsZero() {
			continue
		}
		from, to := node(l.first), node(l.later)
		if all[to] < 0 || puppet.IsOuter(g.resources[all[to]]) {
			all[to] = from
		}
	}
	return all
}

// relations returns the relations of all resources.
func (g *graph) relations(display func(catalog.Ref) catalog.Ref) []relations {
	all := make([]relations, len(g.resources))
	inside := &containment{of: g.containers()}
	texts := make([]string, len(g.resources))
	for i, ref := range g.resources {
		texts[i] = display(ref).String()
	}
	inside.texts = texts
	for _, l := range g.links {
		if l.contains {
			continue
		}
		first, later := g.find(l.first), g.find(l.later)
		text := func(i int, ref catalog.Ref) string {
			if i >= 0 {
				return texts[i]
			}
			return display(ref).String()
		}
		if first >= 0 && first < len(all) {
			all[first].requiredBy = append(all[first].requiredBy, text(later, l.later))
			if l.notifies {
				all[first].notifies = append(all[first].notifies, text(later, l.later))
			}
		}
		if later >= 0 && later < len(all) {
			all[later].requires = append(all[later].requires, text(first, l.first))
			if l.notifies {
				all[later].notifiedBy = append(all[later].notifiedBy, text(first, l.first))
			}
		}
	}
	for i := range all {
		r := &all[i]
		for _, list := range []*[]string{&r.requires, &r.requiredBy, &r.notifies, &r.notifiedBy} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		r.containers, r.number = inside, i
	}
	return all
}
