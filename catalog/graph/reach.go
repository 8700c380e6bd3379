package graph

import "slices"

// After returns the nodes that are applied after a node: because of relations,
// its own and the ones of its containers, or of theirs. The order is the one of
// the catalog. A container that contains the node is not among them, although it
// ends later.
func (g *Graph) After(node int) []int {
	return g.reach(&g.arcs, g.end(node), func(v int32) bool { return v == begin(nodeOf(v)) }, node)
}

// Before returns the nodes that are applied before a node, like [Graph.After].
func (g *Graph) Before(node int) []int {
	return g.reach(g.backwards(), begin(node), func(v int32) bool { return v == g.end(nodeOf(v)) }, node)
}

// reach returns the nodes of the vertices behind from that whole accepts.
func (g *Graph) reach(a *arcs, from int32, whole func(int32) bool, node int) []int {
	seen := make([]bool, 2*len(g.nodes))
	queue := []int32{from}
	var nodes []int
	for i := 0; i < len(queue); i++ {
		low, high := a.out(queue[i])
		for _, w := range a.to[low:high] {
			if seen[w] {
				continue
			}
			seen[w] = true
			queue = append(queue, w)
			if n := nodeOf(w); n != node && whole(w) {
				nodes = append(nodes, n)
			}
		}
	}
	slices.Sort(nodes)
	return nodes
}

// backwards returns the reversed arcs.
func (g *Graph) backwards() *arcs {
	g.once.Do(func() {
		vertices := 2 * len(g.nodes)
		g.back = arcsOf(vertices, func(add addArc) {
			for v := range int32(vertices) {
				low, high := g.arcs.out(v)
				for k := low; k < high; k++ {
					add(g.arcs.to[k], v, g.arcs.why[k])
				}
			}
		})
	})
	return &g.back
}
