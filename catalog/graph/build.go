package graph

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/intern"
	"github.com/pcatdev/pcat/internal/puppet"
)

// Builder makes a [Graph] of resources and edges, added in any order. It does not keep them, so
// it needs a fraction of the memory of [New]. Use [NewBuilder]: the zero value cannot be used. A
// Builder is not safe for concurrent use.
type Builder struct{ b *builder }

// NewBuilder returns a Builder without resources.
func NewBuilder() *Builder { return &Builder{newBuilder(0)} }

// AddResource adds a resource, as the next node. The error is that of [New].
func (b *Builder) AddResource(r *catalog.Resource) error { return b.b.add(r) }

// AddEdge adds an edge.
func (b *Builder) AddEdge(e *catalog.Edge) { b.b.addEdge(e) }

// Graph returns the graph, whose nodes have no Resource. The Builder must not be used
// afterwards.
func (b *Builder) Graph() *Graph { return b.b.build() }

// edge is an edge of a catalog. Its ends are numbers in names.
type edge struct {
	source, target    int32
	contains, refresh bool
}

// builder makes a Graph.
type builder struct {
	*Graph
	facts   []int32 // by node, numbers in table
	table   intern.Table
	text    []byte // the last facts
	edges   []edge
	parents map[int32]bool // the types of the sources of containment edges
	related bool           // some edges are not containment
}

// newBuilder returns a builder with room for some resources.
func newBuilder(room int) *builder {
	return &builder{
		Graph:   &Graph{nodes: make([]node, 0, room), names: newNames(room), pairs: make(map[pair]struct{})},
		facts:   make([]int32, 0, room),
		parents: make(map[int32]bool),
	}
}

func (b *builder) addEdge(one *catalog.Edge) {
	contains, refresh := puppet.EdgeKind(one.Relationship())
	e := edge{b.names.add(one.Source()), b.names.add(one.Target()), contains, refresh}
	if contains {
		b.parents[b.names.refs[e.source].typ] = true
	} else {
		b.related = true
	}
	b.edges = append(b.edges, e)
}

// build returns the graph of what was added.
func (b *builder) build() *Graph {
	for i := range b.nodes {
		n := &b.nodes[i]
		n.container = n.container || n.maybe && b.parents[b.names.refs[n.ref].typ]
		b.register(i)
	}
	b.contain()
	b.relate()
	if b.related {
		b.others()
	}
	b.automatic()
	b.facts, b.table, b.edges = nil, intern.Table{}, nil
	b.arcs = b.connect()
	return b.Graph
}

// add reads a resource.
func (b *builder) add(r *catalog.Resource) error {
	ref := r.Ref()
	typ := puppet.TypeName(ref.Type)
	n := node{ref: b.names.add(ref)}
	n.container, n.maybe = puppet.IsContainer(typ, r.Kind())
	f, err := b.read(r, typ, n.container)
	if err != nil {
		return err
	}
	b.nodes, b.facts = append(b.nodes, n), append(b.facts, f)
	return nil
}

// factsOf returns the parameters of a resource that matter to the graph: its aliases, its
// relations, and the ones that its type needs, see naming and autorequires. Most resources have few.
func (b *builder) factsOf(i int) intern.Facts { return b.table.At(b.facts[i]) }

// read returns the number of the facts of a resource.
func (b *builder) read(r *catalog.Resource, typ string, container bool) (int32, error) {
	namevar, wanted := puppet.Namevar(typ), puppet.Parameters(typ)
	parameters, err := r.RawParameters()
	if err != nil {
		return 0, err
	}
	var few [8]int
	found := few[:0]
	secret := catalog.NamesOf(r.SensitiveParameters())
	b.table.Reset(r.Wire())
	b.table.Text(typ)
	for k := range parameters {
		p := &parameters[k]
		if secret.Has(p.Key) && typ != "Exec" {
			continue // the graph keeps names; the command of an Exec is none
		}
		general := puppet.IndexOf(p.Key) >= 0 || p.Key == "alias"
		if general || (p.Key == namevar || !container) && slices.Contains(wanted, p.Key) {
			found = append(found, k)
			b.table.Member(p)
		}
	}
	if len(found) == 0 {
		return 0, nil
	}
	if f, ok := b.table.Find(); ok {
		return f, nil
	}
	b.text = b.text[:0]
	for _, k := range found {
		p := &parameters[k]
		v, err := r.Decode(p)
		if err != nil {
			return 0, err
		}
		if p.Key != namevar || puppet.Name(v) != "" {
			b.text = intern.AppendFact(b.text, p.Key, 0, puppet.Texts(nil, v)...)
		}
	}
	return b.table.Add(b.text), nil
}

// contain adds the containment edges.
func (b *builder) contain() {
	b.contained = make([]pair, 0, len(b.edges))
	for i := range b.edges {
		e := &b.edges[i]
		if from, to, ok := b.ends(e); ok && e.contains {
			b.contained = append(b.contained, pair{int32(from), int32(to)})
		}
	}
}

// ends returns the nodes of an edge, and records an edge without them.
func (b *builder) ends(e *edge) (from, to int, ok bool) {
	from, hasSource := b.names.nodeOf(e.source)
	to, hasTarget := b.names.nodeOf(e.target)
	if hasSource && hasTarget {
		return from, to, true
	}
	source, target, kind := b.names.ref(e.source), b.names.ref(e.target), Edge
	if e.contains {
		kind = Contains
	}
	if hasSource {
		b.missing = append(b.missing, Dangling{From: from, Kind: kind, Target: spelled(target), Other: source})
		return from, to, false
	}
	d := Dangling{From: -1, Kind: kind, Target: spelled(source), Source: true, Other: target}
	if hasTarget {
		d.From = to
	}
	b.missing = append(b.missing, d)
	return from, to, false
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
			for _, text := range b.factsOf(i).Texts(puppet.Metaparameters[kind].Name) {
				ref, ok := catalog.ParseRef(text)
				other := 0
				if ok {
					other, ok = b.names.find(ref)
				}
				switch {
				case !ok && puppet.IsDefault(ref):
				case !ok:
					b.missing = append(b.missing, Dangling{From: i, Kind: kind, Target: text, Other: b.refOf(i)})
				case puppet.Metaparameters[kind].First:
					b.relation(Arrow{i, other, kind, puppet.Metaparameters[kind].Refresh})
				default:
					b.relation(Arrow{other, i, kind, puppet.Metaparameters[kind].Refresh})
				}
			}
		}
	}
	b.missing = append(b.missing, edges...)
}

func (b *builder) relation(a Arrow) {
	p := pair{int32(a.From), int32(a.To)}
	b.relations = append(b.relations, relation{p, a.Kind, a.Refresh})
	b.pairs[p] = struct{}{}
}

func (b *builder) areRelated(from, to int) bool {
	_, ok := b.pairs[pair{int32(from), int32(to)}]
	return ok
}

// others adds the edges of PuppetDB that are no containment. Most repeat a
// parameter.
func (b *builder) others() {
	for i := range b.edges {
		e := &b.edges[i]
		if e.contains {
			continue
		}
		from, hasSource := b.names.nodeOf(e.source)
		to, hasTarget := b.names.nodeOf(e.target)
		if hasSource && hasTarget && !b.areRelated(from, to) {
			b.relation(Arrow{from, to, Edge, e.refresh})
		}
	}
}
