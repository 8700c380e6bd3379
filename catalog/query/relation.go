package query

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// surroundings describes one catalog to expressions.
type surroundings struct {
	certname, environment string
	relations             []relations // by the index of the resource; nil unless asked for
}

// relations are the references of one resource to others, as text.
type relations struct {
	containers                                 []string // innermost first
	requires, requiredBy, notifies, notifiedBy []string // sorted
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

// link is an edge of a graph.
type link struct {
	kind         linkKind
	first, later catalog.Ref
}

type linkKind uint8

const (
	contains linkKind = iota
	precedes
	notifies // and precedes
)

// graph collects the resources of one catalog with their relations.
type graph struct {
	resources []catalog.Ref
	titles    map[catalog.Ref]int // by canonical reference
	names     map[catalog.Ref]int // by canonical reference with an alias or a name
	links     []link
}

func newGraph() *graph {
	return &graph{titles: map[catalog.Ref]int{}, names: map[catalog.Ref]int{}}
}

// resource adds a resource with its names and the relations in its parameters.
func (g *graph) resource(r *catalog.Resource) error {
	ref, i := r.Ref(), len(g.resources)
	g.resources = append(g.resources, ref)
	g.titles[canonical(ref)] = i
	parameters, err := r.RawParameters()
	if err != nil {
		return err
	}
	for k := range parameters {
		p := &parameters[k]
		switch p.Key {
		case "require", "subscribe", "before", "notify", "alias", "name", "path":
		default:
			continue
		}
		v, err := p.Value()
		if err != nil {
			return err
		}
		for _, text := range flat(v, nil) {
			g.parameter(ref, i, p.Key, text)
		}
	}
	return nil
}

// parameter adds one value of a parameter of the resource with index i.
func (g *graph) parameter(ref catalog.Ref, i int, name, text string) {
	if name == "alias" || name == "name" || name == "path" && ref.Type == "File" {
		if ref.Type != "Class" {
			g.names[canonical(catalog.Ref{Type: ref.Type, Title: text})] = i
		}
		return
	}
	other, ok := catalog.ParseRef(text)
	if !ok {
		return
	}
	switch name {
	case "require":
		g.links = append(g.links, link{precedes, other, ref})
	case "subscribe":
		g.links = append(g.links, link{notifies, other, ref})
	case "before":
		g.links = append(g.links, link{precedes, ref, other})
	case "notify":
		g.links = append(g.links, link{notifies, ref, other})
	}
}

// edge adds an edge. Those of PuppetDB have the kind of the relation.
func (g *graph) edge(e *catalog.Edge) {
	l := link{contains, e.Source(), e.Target()}
	switch e.Relationship() {
	case "before", "required-by":
		l.kind = precedes
	case "notifies", "subscription-of":
		l.kind = notifies
	}
	g.links = append(g.links, l)
}

// find returns the index of the resource that a reference names, or -1.
func (g *graph) find(ref catalog.Ref) int {
	ref = canonical(ref)
	if i, ok := g.titles[ref]; ok {
		return i
	}
	if i, ok := g.names[ref]; ok {
		return i
	}
	return -1
}

// relations returns the relations of all resources.
func (g *graph) relations(display func(catalog.Ref) catalog.Ref) []relations {
	texts := make([]string, len(g.resources))
	for i, ref := range g.resources {
		texts[i] = display(ref).String()
	}
	all := make([]relations, len(g.resources))
	containers := make([]int, len(g.resources))
	for i := range containers {
		containers[i] = -1
	}
	for _, l := range g.links {
		first, later := g.find(l.first), g.find(l.later)
		text := func(i int, ref catalog.Ref) string {
			if i >= 0 {
				return texts[i]
			}
			return display(ref).String()
		}
		if l.kind == contains {
			if later >= 0 {
				containers[later] = first
			}
			continue
		}
		if first >= 0 {
			all[first].requiredBy = append(all[first].requiredBy, text(later, l.later))
			if l.kind == notifies {
				all[first].notifies = append(all[first].notifies, text(later, l.later))
			}
		}
		if later >= 0 {
			all[later].requires = append(all[later].requires, text(first, l.first))
			if l.kind == notifies {
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
		seen := map[int]bool{i: true} // a broken catalog may have cycles
		for c := containers[i]; c >= 0 && !seen[c]; c = containers[c] {
			seen[c] = true
			r.containers = append(r.containers, texts[c])
		}
	}
	return all
}

// canonical returns a reference in the spelling that identifies its resource: types
// and the names of classes ignore case, and paths may end with a slash.
func canonical(ref catalog.Ref) catalog.Ref {
	ref.Type = strings.TrimPrefix(strings.ToLower(ref.Type), "::")
	switch {
	case ref.Type == "class":
		ref.Title = strings.TrimPrefix(strings.ToLower(ref.Title), "::")
	case ref.Type == "file" && len(ref.Title) > 1:
		ref.Title = strings.TrimRight(ref.Title, "/")
	}
	return ref
}

// flat appends the strings of v, which may be nested in arrays, to list.
func flat(v pcore.Value, list []string) []string {
	switch v := v.(type) {
	case pcore.String:
		list = append(list, string(v))
	case *pcore.Array:
		for e := range v.Values() {
			list = flat(e, list)
		}
	default:
	}
	return list
}
