package graph

import "container/heap"

// Order returns the nodes in the order in which an agent applies them, with its
// default setting ordering=manifest: of the resources that wait for no other one,
// the first in the catalog is next. A container is where its beginning is. Nodes
// of cycles, and all that comes after them, are left out: no agent applies them.
// Resources that types generate while they are applied are not known.
func (g *Graph) Order() []int {
	open := make([]int32, 2*len(g.nodes)) // arcs to a vertex that are not yet followed
	for _, w := range g.arcs.to {
		open[w]++
	}
	var ready vertexHeap
	for i := range g.nodes {
		if open[begin(i)] == 0 {
			ready = append(ready, begin(i))
		}
		if end := g.end(i); end != begin(i) && open[end] == 0 {
			ready = append(ready, end)
		}
	}
	heap.Init(&ready)
	order := make([]int, 0, len(g.nodes))
	for ready.Len() > 0 {
		v, _ := heap.Pop(&ready).(int32)
		if node := nodeOf(v); v == begin(node) {
			order = append(order, node)
		}
		low, high := g.arcs.out(v)
		for _, w := range g.arcs.to[low:high] {
			if open[w]--; open[w] == 0 {
				heap.Push(&ready, w)
			}
		}
	}
	return order
}

// vertexHeap is a heap of vertices: of two, the one of the first resource of the catalog is next.
type vertexHeap []int32

func (h vertexHeap) Len() int           { return len(h) }
func (h vertexHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h vertexHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *vertexHeap) Push(v any)        { *h = append(*h, v.(int32)) }
func (h *vertexHeap) Pop() any {
	old := *h
	v := old[len(old)-1]
	*h = old[:len(old)-1]
	return v
}
