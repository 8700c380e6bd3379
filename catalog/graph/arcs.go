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
	if g.nodes[node].container {
		return int32(2*node + 1)
	}
	return int32(2 * node)
}

func nodeOf(vertex int32) int { return int(vertex / 2) }

func pointOf(vertex int32) Point { return Point{int(vertex / 2), vertex%2 == 1} }

func (a *arcs) out(vertex int32) (low, high int32) { return a.first[vertex], a.first[vertex+1] }

// addArc is called for each of some arcs.
type addArc func(from, to, why int32)

// connect returns the arcs: Puppet first adds the relations, and then takes one
// container after the other apart.
func (b *builder) connect() arcs {
	touching := make(map[int32][]int32) // relations by container
	for i := range b.relations {
		r := &b.relations[i]
		if b.nodes[r.from].container {
			touching[r.from] = append(touching[r.from], int32(i))
		}
		if r.to != r.from && b.nodes[r.to].container {
			touching[r.to] = append(touching[r.to], int32(i))
		}
	}
	inside := arcsOf(len(b.nodes), func(add addArc) {
		for i, c := range b.contained {
			add(c.from, c.to, int32(i))
		}
	})
	return arcsOf(2*len(b.nodes), func(add addArc) {
		for i := range b.relations {
			if r := &b.relations[i]; !b.nodes[r.from].container && !b.nodes[r.to].container {
				add(2*r.from, 2*r.to, int32(i))
			}
		}
		added := make(map[int32]bool)
		for x := range int32(len(b.nodes)) {
			if b.nodes[x].container {
				b.takeApart(x, &inside, touching[x], added, add)
			}
		}
	})
}

// takeApart adds the arcs of a container: through it, to and from its content, and those of its
// relations that no other container has added.
func (b *builder) takeApart(x int32, inside *arcs, touching []int32, added map[int32]bool, add addArc) {
	low, high := inside.out(x)
	if low == high {
		add(2*x, 2*x+1, passes)
	}
	for k := low; k < high; k++ {
		v, why := int(inside.to[k]), ^inside.why[k]
		add(2*x, begin(v), why)
		add(b.end(v), 2*x+1, why)
	}
	for _, into := range []bool{true, false} {
		for _, i := range touching {
			if r := &b.relations[i]; !added[i] && (r.to == x) == into {
				added[i] = true
				add(b.end(int(r.from)), begin(int(r.to)), i)
			}
		}
	}
}

// arcsOf returns the arcs that each adds, sorted by their first vertex. It calls each twice, which
// must add the same arcs in the same order.
func arcsOf(vertices int, each func(addArc)) arcs {
	a := arcs{first: make([]int32, vertices+1)}
	each(func(from, _, _ int32) { a.first[from+1]++ })
	for v := range vertices {
		a.first[v+1] += a.first[v]
	}
	a.to, a.why = make([]int32, a.first[vertices]), make([]int32, a.first[vertices])
	each(func(from, to, why int32) {
		at := a.first[from]
		a.first[from]++
		a.to[at], a.why[at] = to, why
	})
	copy(a.first[1:], a.first) // each has advanced to the next one
	a.first[0] = 0
	return a
}

// arrow returns the arrow of an arc; false for one within an empty container.
func (g *Graph) arrow(why int32) (Arrow, bool) {
	switch {
	case why == passes:
		return Arrow{}, false
	case why < 0:
		return g.contained[^why].contains(), true
	default:
		return g.relations[why].arrow(), true
	}
}
