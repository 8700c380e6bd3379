package graph

import "iter"

// Implied returns the relations of metaparameters without which the order would
// be the same, and a node between their ends; -1 if there is none. All of them
// can be removed at once. A relation that refreshes is never implied, and a graph
// with cycles has no order.
func (g *Graph) Implied() iter.Seq2[Arrow, int] {
	return func(yield func(Arrow, int) bool) {
		rank := g.ranks()
		if rank == nil {
			return
		}
		s := &shortcut{Graph: g, rank: rank, from: make([]int32, 2*len(g.nodes)), removed: make([]bool, len(g.relations))}
		for i := range g.relations {
			a := g.relations[i].arrow()
			if a.Kind > Notify || a.Refresh {
				continue
			}
			s.removed[i] = true
			via, ok := s.find(g.end(a.From), begin(a.To))
			if s.removed[i] = ok; ok && !yield(a, via) {
				return
			}
		}
	}
}

// ranks returns a position for each vertex, so that each arc leads to a higher
// one; nil if there are cycles.
func (g *Graph) ranks() []int32 {
	vertices := int32(2 * len(g.nodes))
	open := make([]int32, vertices) // arcs to a vertex that are not yet followed
	for _, w := range g.arcs.to {
		open[w]++
	}
	queue := make([]int32, 0, vertices)
	for v := range vertices {
		if open[v] == 0 {
			queue = append(queue, v)
		}
	}
	rank := make([]int32, vertices)
	for i := 0; i < len(queue); i++ {
		rank[queue[i]] = int32(i)
		low, high := g.arcs.out(queue[i])
		for _, w := range g.arcs.to[low:high] {
			if open[w]--; open[w] == 0 {
				queue = append(queue, w)
			}
		}
	}
	if len(queue) < int(vertices) {
		return nil
	}
	return rank
}

// shortcut searches ways between two vertices that some relations do not take.
type shortcut struct {
	*Graph
	rank    []int32
	removed []bool  // relations
	from    []int32 // the vertex before, from 1; of the vertices in queue
	queue   []int32
}

// find reports whether a way leads from a vertex to another one, and a node on it
// other than the two, or -1.
func (s *shortcut) find(from, to int32) (via int, ok bool) {
	defer func() {
		for _, v := range s.queue {
			s.from[v] = 0
		}
		s.from[to] = 0
	}()
	s.queue = append(s.queue[:0], from)
	s.from[from] = -1
	for i := 0; i < len(s.queue); i++ {
		v := s.queue[i]
		low, high := s.arcs.out(v)
		for k := low; k < high; k++ {
			w, why := s.arcs.to[k], s.arcs.why[k]
			if s.rank[w] > s.rank[to] || s.from[w] != 0 || why >= 0 && why != passes && s.removed[why] {
				continue
			}
			s.from[w] = v + 1
			if w != to {
				s.queue = append(s.queue, w)
				continue
			}
			for ; v != from; v = s.from[v] - 1 {
				if n := nodeOf(v); n != nodeOf(from) && n != nodeOf(to) {
					return n, true
				}
			}
			return -1, true
		}
	}
	return -1, false
}
