package graph

// Arcs returns the number of edges that Puppet counts.
func Arcs(g *Graph) int { return len(g.arcs.to) }
