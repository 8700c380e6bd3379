package graph

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/coretypes"
	"github.com/pcatdev/pcat/internal/refs"
)

// edge is an edge of a catalog.
type edge struct {
	source, target    catalog.Ref
	contains, refresh bool
}

// builder makes a Graph.
type builder struct {
	*Graph
	facts   []facts         // by node
	parents map[string]bool // the types of the sources of containment edges
}

// newBuilder returns a builder for some resources.
func newBuilder(resources int) *builder {
	return &builder{Graph: &Graph{
		nodes: make([]Node, resources),
		names: make(refs.Names, resources),
		pairs: make(map[pair]struct{}),
	}, parents: make(map[string]bool)}
}

// edgeOf reads an edge. Edges are read whenever they are needed, as catalogs have many.
func edgeOf(e *catalog.Edge) edge {
	contains, refresh := refs.EdgeKind(e.Relationship())
	return edge{e.Source(), e.Target(), contains, refresh}
}

// scan finds the types of containers. It reports whether all edges are of containment.
func (b *builder) scan(edges []*catalog.Edge) (all bool) {
	all = true
	for _, e := range edges {
		if contains, _ := refs.EdgeKind(e.Relationship()); contains {
			b.parents[e.Source().Type] = true
		} else {
			all = false
		}
	}
	return all
}

// facts are the parameters of a resource that matter to the graph: its aliases, its relations,
// and the ones that its type needs, see naming and autorequires. Most resources have few.
type facts []value

type value struct {
	name string
	text []string
}

func (f facts) get(name string) []string {
	for i := range f {
		if f[i].name == name {
			return f[i].text
		}
	}
	return nil
}

func (f facts) first(name string) string {
	if list := f.get(name); len(list) > 0 {
		return list[0]
	}
	return ""
}

// add reads a resource.
func (b *builder) add(i int, resource *catalog.Resource) error {
	n, r := &b.nodes[i], resource.Fresh()
	n.Ref, n.Resource = r.Ref(), resource
	typ := refs.TypeName(n.Ref.Type)
	n.Container = b.isContainer(r, typ)
	namevar, wanted := refs.Namevar(typ), coretypes.Parameters(typ)
	parameters, err := r.RawParameters()
	if err != nil {
		return err
	}
	var f facts
	secret := catalog.NamesOf(r.SensitiveParameters())
	for k := range parameters {
		p := &parameters[k]
		if secret.Has(p.Key) && typ != "Exec" {
			continue // the graph keeps names; the command of an Exec is none
		}
		general := refs.IndexOf(p.Key) >= 0 || p.Key == "alias"
		if !general && (n.Container && p.Key != namevar || !slices.Contains(wanted, p.Key)) {
			continue
		}
		v, err := r.Decode(p)
		if err != nil {
			return err
		}
		if p.Key != namevar || refs.Name(v) != "" {
			f = append(f, value{p.Key, refs.Texts(nil, v)})
		}
	}
	b.facts[i] = slices.Clip(f)
	return nil
}

// isContainer reports whether an agent treats a resource as a container. In a
// catalog without kinds, a container of an unknown type is one.
func (b *builder) isContainer(r *catalog.Resource, typ string) bool {
	return refs.IsContainer(typ, r.Kind()) || r.Kind() == "" && !coretypes.IsCore(typ) && b.parents[r.Type()]
}

// contain adds the containment edges.
func (b *builder) contain(edges []*catalog.Edge) {
	b.contained = make([]Arrow, 0, len(edges))
	for _, one := range edges {
		e := edgeOf(one)
		kind := Edge
		if e.contains {
			kind = Contains
		}
		if from, to, ok := b.ends(&e, kind); ok && kind == Contains {
			b.contained = append(b.contained, Arrow{from, to, Contains, false})
		}
	}
}

// ends returns the nodes of an edge, and records an edge without them.
func (b *builder) ends(e *edge, kind Kind) (from, to int, ok bool) {
	from, hasSource := b.names.Find(e.source)
	to, hasTarget := b.names.Find(e.target)
	switch {
	case !hasSource:
		d := Dangling{From: -1, Kind: kind, Target: spelled(e.source), Source: true, Other: e.target}
		if hasTarget {
			d.From = to
		}
		b.missing = append(b.missing, d)
	case !hasTarget:
		b.missing = append(b.missing, Dangling{From: from, Kind: kind, Target: spelled(e.target), Other: e.source})
	}
	return from, to, hasSource && hasTarget
}

func spelled(ref catalog.Ref) string {
	if ref.IsZero() {
		return ""
	}
	return ref.String()
}

// relate adds the relations that resources declare, in the order in which
// Puppet does.
func (b *builder) relate() {
	edges := b.missing
	b.missing = nil
	for i := range b.nodes {
		for kind := Require; kind <= Notify; kind++ {
			for _, text := range b.facts[i].get(refs.Metaparameters[kind].Name) {
				ref, ok := catalog.ParseRef(text)
				other := 0
				if ok {
					other, ok = b.names.Find(ref)
				}
				switch {
				case !ok && coretypes.IsDefault(ref):
				case !ok:
					b.missing = append(b.missing, Dangling{From: i, Kind: kind, Target: text, Other: b.nodes[i].Ref})
				case refs.Metaparameters[kind].First:
					b.relation(Arrow{i, other, kind, refs.Metaparameters[kind].Refresh})
				default:
					b.relation(Arrow{other, i, kind, refs.Metaparameters[kind].Refresh})
				}
			}
		}
	}
	b.missing = append(b.missing, edges...)
}

func (b *builder) relation(a Arrow) {
	b.relations = append(b.relations, a)
	b.pairs[pair{int32(a.From), int32(a.To)}] = struct{}{}
}

func (b *builder) related(from, to int) bool {
	_, ok := b.pairs[pair{int32(from), int32(to)}]
	return ok
}

// others adds the edges of PuppetDB that are no containment. Most repeat a
// parameter.
func (b *builder) others(edges []*catalog.Edge) {
	for _, one := range edges {
		e := edgeOf(one)
		if e.contains {
			continue
		}
		from, hasSource := b.names.Find(e.source)
		to, hasTarget := b.names.Find(e.target)
		if hasSource && hasTarget && !b.related(from, to) {
			b.relation(Arrow{from, to, Edge, e.refresh})
		}
	}
}
