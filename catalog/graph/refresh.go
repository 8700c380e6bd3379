package graph

import (
	"slices"

	"github.com/pcatdev/pcat/internal/puppet"
)

// Refresh is a resource that a change of others would refresh, or that would
// refresh another one if it changed.
type Refresh struct {
	Node int
	Path []Point // from a changed resource to Node, each refreshing the next
}

// Refreshes returns the resources that a change of the given nodes would
// refresh, the nearest first. Refreshes follow notify and subscribe, and enter
// and leave containers. A resource passes a refresh on if its type can be
// refreshed; a type of a module is assumed not to, unless pcat knows it. A node
// that is a container stands for a change of anything in it.
func (g *Graph) Refreshes(changed ...int) []Refresh {
	return g.RefreshesIf(func(int) bool { return true }, changed...)
}

// RefreshesIf is [Graph.Refreshes] for nodes that do something when they are refreshed: a node
// for which acts reports false is not refreshed, and does not pass the refresh on.
func (g *Graph) RefreshesIf(acts func(node int) bool, changed ...int) []Refresh {
	from := make(map[int32]int32) // the vertex before, from 1; -1 for a changed one
	var queue []int32
	for _, node := range changed {
		if v := g.end(node); from[v] == 0 {
			from[v] = -1
			queue = append(queue, v)
		}
	}
	var result []Refresh
	refreshed := make(map[int32]bool)
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		low, high := g.arcs.out(v)
		for k := low; k < high; k++ {
			w := g.arcs.to[k]
			if refreshed[w] || !g.refreshes(g.arcs.why[k], w) || !acts(nodeOf(w)) {
				continue
			}
			refreshed[w] = true
			if !g.nodes[nodeOf(w)].container {
				result = append(result, Refresh{nodeOf(w), append(g.pathTo(v, from), pointOf(w))})
			}
			if from[w] == 0 {
				from[w] = v + 1
				queue = append(queue, w)
			}
		}
	}
	return result
}

// RefreshedBy returns the resources of which a change would refresh a node, the
// nearest first. Each Path leads from the resource to the node.
func (g *Graph) RefreshedBy(node int) []Refresh {
	back := g.backwards()
	next := map[int32]int32{begin(node): -1} // the vertex behind, from 1
	queue := []int32{begin(node)}
	var result []Refresh
	for i := 0; i < len(queue); i++ {
		w := queue[i]
		low, high := back.out(w)
		for k := low; k < high; k++ {
			v := back.to[k]
			if next[v] != 0 || !g.refreshes(back.why[k], w) {
				continue
			}
			next[v] = w + 1
			queue = append(queue, v)
			if n := nodeOf(v); !g.nodes[n].container {
				path := g.pathTo(v, next)
				slices.Reverse(path)
				result = append(result, Refresh{n, path})
			}
		}
	}
	return result
}

// refreshes reports whether a refresh passes along an arc to a vertex.
func (g *Graph) refreshes(why, to int32) bool {
	a, ok := g.arrow(why)
	if !ok || !a.Refresh && a.Kind != Contains {
		return false
	}
	n := &g.nodes[nodeOf(to)]
	return n.container || puppet.CanRefresh(g.names.ref(n.ref).Type)
}

// pathTo returns the points from a changed resource to v.
func (g *Graph) pathTo(v int32, from map[int32]int32) []Point {
	var back []Point
	for {
		back = append(back, pointOf(v))
		before := from[v]
		if before <= 0 {
			break
		}
		v = before - 1
	}
	slices.Reverse(back)
	return back
}
