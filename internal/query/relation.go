package query

import (
	"slices"
	"unique"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
)

// surroundings describes one catalog to expressions.
type surroundings struct {
	certname, environment string
	relations             []relations  // by the index of the resource; nil unless asked for
	containers            *containment // nil unless asked for
}

// relations are the references of one resource to others, as text.
type relations struct {
	requires, requiredBy, notifies, notifiedBy []string // sorted
}

// containment has the containers of all resources of a catalog, by their numbers.
type containment struct {
	of    []int32          // the number of the container, -1 for none
	texts map[int32]string // the references of the containers to display, by their numbers
}

// maxContainers is the maximum length of a list of containers. The ones of Puppet nest
// a few deep; in a broken catalog, they may be a chain of all resources, or a cycle.
const maxContainers = 100

// list returns the containers of a resource, at most a number of them, the innermost one
// first.
func (c *containment) list(resource, most int) []string {
	if c == nil {
		return nil
	}
	var texts []string
	seen := []int32{int32(resource)}
	for at := c.of[resource]; at >= 0 && !slices.Contains(seen, at) && len(texts) < most; at = c.of[at] {
		seen = append(seen, at)
		texts = append(texts, c.texts[at])
	}
	return texts
}

// survey reads the catalogs of src. Relations are collected only if related is set, and containers
// only if contained is. display returns the reference to display for a reference.
func survey(src *catalog.Reader, related, contained bool, display func(catalog.Ref) catalog.Ref) ([]*surroundings, error) {
	var all []*surroundings
	g := newGraph()
	for p, err := range src.Parts() {
		if err == nil {
			err = g.part(p, related, contained)
		}
		if err != nil {
			return nil, err
		}
		if p.Catalog {
			h := src.Header()
			s := &surroundings{certname: h.Name(), environment: h.Environment()}
			if contained {
				s.containers = g.containment(display)
			}
			if related {
				s.relations = g.relations(display)
			}
			all = append(all, s)
			g = newGraph()
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
	contained [][2]int32 // edges of containment between resources that precede them, which need less memory than links
}

func newGraph() *graph { return &graph{names: puppet.Names{}} }

// part adds a resource or an edge, as far as relations or containers are asked for.
func (g *graph) part(p catalog.Part, related, contained bool) error {
	switch {
	case p.Kind == catalog.PartResource && related:
		return g.resource(p.Resource)
	case p.Kind == catalog.PartResource && contained:
		g.add(p.Resource.Ref())
	case p.Kind == catalog.PartEdge:
		contains, notifies := puppet.EdgeKind(p.Edge.Relationship())
		if !related && !(contains && contained) {
			break
		}
		l := link{p.Edge.Source(), p.Edge.Target(), contains, notifies}
		if from, to := g.find(l.first), g.find(l.later); contains && from >= 0 && to >= 0 {
			g.contained = append(g.contained, [2]int32{int32(from), int32(to)})
			break
		}
		g.links = append(g.links, l)
	}
	return nil
}

// add adds a resource, and returns its index.
func (g *graph) add(ref catalog.Ref) int32 {
	ref.Type = unique.Make(ref.Type).Value() // many resources have one type
	i := int32(len(g.resources))
	g.resources = append(g.resources, ref)
	g.names[puppet.Canonical(ref)] = i
	return i
}

// resource adds a resource with its names and the relations in its parameters. A title
// is better than a name.
func (g *graph) resource(r *catalog.Resource) error {
	facts, err := puppet.Read(r)
	if err != nil {
		return err
	}
	own := r.Ref()
	i := g.add(own)
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

// find returns the index of the resource that a reference names, or -1.
func (g *graph) find(ref catalog.Ref) int {
	if i, ok := g.names.Find(ref); ok {
		return i
	}
	return -1
}

// containment returns the containers of all resources. A container that is not in the catalog
// becomes one of the resources.
func (g *graph) containment(display func(catalog.Ref) catalog.Ref) *containment {
	all := slices.Repeat([]int32{-1}, len(g.resources))
	node := func(ref catalog.Ref) int32 {
		if i := g.find(ref); i >= 0 {
			return int32(i)
		}
		all = append(all, -1)
		return g.add(ref)
	}
	contain := func(from, to int32) {
		if all[to] < 0 || puppet.IsOuter(g.resources[all[to]]) {
			all[to] = from
		}
	}
	for _, c := range g.contained {
		contain(c[0], c[1])
	}
	for _, l := range g.links {
		if l.contains && !l.first.IsZero() {
			contain(node(l.first), node(l.later))
		}
	}
	texts := map[int32]string{} // of the containers, which are few: g ends here
	for _, number := range all {
		if _, known := texts[number]; number >= 0 && !known {
			texts[number] = display(g.resources[number]).String()
		}
	}
	return &containment{all, texts}
}

// relations returns the relations of all resources.
func (g *graph) relations(display func(catalog.Ref) catalog.Ref) []relations {
	all := make([]relations, len(g.resources))
	texts := make([]string, len(g.resources))
	for i, ref := range g.resources {
		texts[i] = display(ref).String()
	}
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
	}
	return all
}
