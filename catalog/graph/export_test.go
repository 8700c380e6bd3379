package graph

// Arcs returns the number of edges that Puppet counts.
func Arcs(g *Graph) int { return len(g.arcs.to) }

// Without returns a graph without some relations, each as often as it is given.
func Without(g *Graph, relations map[Arrow]int) *Graph {
	b := &builder{Graph: &Graph{nodes: g.nodes, names: g.names, contained: g.contained}}
	for _, r := range g.relations {
		a := r.arrow()
		if relations[a]--; relations[a] < 0 {
			b.relations = append(b.relations, r)
		}
	}
	b.arcs = b.connect()
	return b.Graph
}
