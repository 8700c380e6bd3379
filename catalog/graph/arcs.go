package graph

// arcs connect the vertices of the graph with containers taken apart. A node i
// has two vertices: 2i is the resource, or the beginning of a container; 2i+1 is
// the end of a container. The arcs from a vertex are in the order of Puppet.
type arcs struct {
	first []int32 // of each vertex; and the number of all
	to    []int32
	why   []int32 // the index of a relation; or ^index of a containment; or passes
}

// passes is the reason for the arc from the beginning of an empty container to
// its end.
const passes = int32(^uint32(0) >> 1)

// Point is a node, or one end of a container.
type Point struct {
	Node int
	End  bool // the end of a container, after all that it contains
}

func begin(node int) int32 { return int32(2 * node) }

// end returns the vertex that is reached when a node has been applied.
func (g *Graph) end(node int) int32 {
	if g.nodes[node].Container {
		return int32(2*node + 1)
	}
	return int32(2 * node)
}

func nodeOf(vertex int32) int { return int(vertex / 2) }

func pointOf(vertex int32) Point { return Point{int(vertex / 2), vertex%2 == 1} }

func (a *arcs) out(vertex int32) (low, high int32) { return a.first[vertex], a.first[vertex+1] }

// arc is an arc before the arcs are sorted.
type arc struct{ from, to, why int32 }

// connect returns the arcs: Puppet first adds the relations, and then takes one
// container after the other apart.
func (b *builder) connect() arcs {
	list := make([]arc, 0, len(b.relations)+2*len(b.contained)+8)
	touching := make(map[int][]int32) // relations by container
	for i, r := range b.relations {
		if from, to := b.nodes[r.From].Container, b.nodes[r.To].Container; !from && !to {
			list = append(list, arc{begin(r.From), begin(r.To), int32(i)})
		} else {
			if from {
				touching[r.From] = append(touching[r.From], int32(i))
			}
			if to && r.To != r.From {
				touching[r.To] = append(touching[r.To], int32(i))
			}
		}
	}
	inside := make(map[int][]int32)
	for i, c := range b.contained {
		inside[c.From] = append(inside[c.From], int32(i))
	}
	added := make(map[int32]bool)
	for x := range b.nodes {
		if !b.nodes[x].Container {
			continue
		}
		if len(inside[x]) == 0 {
			list = append(list, arc{begin(x), b.end(x), passes})
		}
		for _, i := range inside[x] {
			v := b.contained[i].To
			list = append(list, arc{begin(x), begin(v), ^i}, arc{b.end(v), b.end(x), ^i})
		}
		for _, into := range []bool{true, false} {
			for _, i := range touching[x] {
				if r := b.relations[i]; !added[i] && (r.To == x) == into {
					added[i] = true
					list = append(list, arc{b.end(r.From), begin(r.To), i})
				}
			}
		}
	}
	return sorted(list, 2*len(b.nodes))
}

// sorted sorts arcs by their first vertex and keeps their order otherwise.
func sorted(list []arc, vertices int) arcs {
	a := arcs{first: make([]int32, vertices+1), to: make([]int32, len(list)), why: make([]int32, len(list))}
	for _, e := range list {
		a.first[e.from+1]++
	}
	for v := range vertices {
		a.first[v+1] += a.first[v]
	}
	next := append([]int32(nil), a.first[:vertices]...)
	for _, e := range list {
		at := next[e.from]
		next[e.from]++
		a.to[at], a.why[at] = e.to, e.why
	}
	return a
}

// arrow returns the arrow of an arc; false for one within an empty container.
func (g *Graph) arrow(why int32) (Arrow, bool) {
	switch {
	case why == passes:
		return Arrow{}, false
	case why < 0:
		return g.contained[^why], true
	default:
		return g.relations[why], true
	}
}
