package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/puppet"
)

// Cycle is a set of resources each of which has to wait for the others, directly
// or not: a strongly connected component of the graph. Puppet counts these in
// "Found 2 dependency cycles".
type Cycle struct {
	Members []int  // the nodes, in the order of the catalog
	Path    []Step // the shortest way round; the last step leads back to the first
	// Printed are the nodes of the path that Puppet prints for this cycle. It is
	// empty if it takes too long to find.
	Printed []int
	// Cuts are the arrows of Path, the best one to remove first. An arrow that
	// leaves nothing breaks the whole cycle.
	Cuts []Cut
}

// Step is a step on the way round a cycle: From is complete before To begins.
type Step struct {
	From, To Point
	// Arrow is the reason. Within a container without resources, its beginning
	// and its end are connected without an arrow, and Inside is set.
	Arrow  Arrow
	Inside bool
}

// Cut is an arrow of a cycle that can be removed.
type Cut struct {
	Arrow Arrow
	Left  int // the number of resources that still form a cycle without it
}

// Cycles returns the cycles of the graph, in the order in which Puppet prints
// them.
func (g *Graph) Cycles() []Cycle {
	t := newTarjan(g)
	for v := range int32(2 * len(g.nodes)) {
		t.from(v)
	}
	found := t.found
	if len(found) == 0 {
		return nil
	}
	order := make([][]string, len(found))
	for i, vertices := range found {
		order[i] = g.sortByName(vertices)
	}
	index := make([]int, len(found))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return slices.Compare(order[a], order[b]) })
	s := &search{Graph: g, tarjan: t, in: make([]bool, 2*len(g.nodes)), from: make([]int32, 2*len(g.nodes)), budget: maxSearch}
	cycles := make([]Cycle, len(found))
	for i, k := range index {
		cycles[i] = s.cycle(found[k])
	}
	return cycles
}

// maxSearch is the number of arcs that are followed in the search for shortest
// cycles, and also in the search for printed paths, of one graph.
const maxSearch = 20_000_000

// search examines components, one after the other, with the same memory.
type search struct {
	*Graph
	tarjan *tarjan
	in     []bool  // the vertices of the component
	from   []int32 // the arc by which a vertex was found; -1 for none
	steps  int     // of printed
	budget int     // of shortest
}

func (s *search) cycle(vertices []int32) Cycle {
	for _, v := range vertices {
		s.in[v] = true
	}
	path := s.shortest(vertices)
	c := Cycle{Members: membersOf(vertices), Path: path, Printed: s.printed(vertices), Cuts: s.cuts(path, vertices)}
	for _, v := range vertices {
		s.in[v] = false
	}
	return c
}

func membersOf(vertices []int32) []int {
	members := make([]int, 0, len(vertices))
	for _, v := range vertices {
		members = append(members, nodeOf(v))
	}
	slices.Sort(members)
	return slices.Compact(members)
}

// tarjan is Tarjan's algorithm, without recursion: it finds the strongly
// connected components that contain a cycle.
type tarjan struct {
	g          *Graph
	in         []bool               // only these vertices; nil for all
	cut        func(why int32) bool // without these arcs; nil for none
	index, low []int32              // from 1; low is 0 once the component is known
	stack      []int32
	calls      []call
	number     int32
	found      [][]int32
}

func newTarjan(g *Graph) *tarjan {
	return &tarjan{g: g, index: make([]int32, 2*len(g.nodes)), low: make([]int32, 2*len(g.nodes))}
}

// again finds the components among vertices, for which in is set, without the
// arcs that cut reports.
func (t *tarjan) again(vertices []int32, in []bool, cut func(why int32) bool) [][]int32 {
	for _, v := range vertices {
		t.index[v], t.low[v] = 0, 0
	}
	t.in, t.cut, t.number, t.found = in, cut, 0, nil
	for _, v := range vertices {
		t.from(v)
	}
	return t.found
}

type call struct{ vertex, next int32 }

func (t *tarjan) enter(v int32) {
	t.number++
	t.index[v], t.low[v] = t.number, t.number
	t.stack = append(t.stack, v)
	low, _ := t.g.arcs.out(v)
	t.calls = append(t.calls, call{v, low})
}

func (t *tarjan) skip(k int32) bool {
	return t.in != nil && !t.in[t.g.arcs.to[k]] || t.cut != nil && t.cut(t.g.arcs.why[k])
}

func (t *tarjan) from(root int32) {
	if t.index[root] != 0 {
		return
	}
	t.enter(root)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		v := c.vertex
		if _, high := t.g.arcs.out(v); c.next < high {
			k := c.next
			c.next++
			if t.skip(k) {
				continue
			}
			switch w := t.g.arcs.to[k]; {
			case t.index[w] == 0:
				t.enter(w)
			case t.low[w] != 0: // on the stack
				t.low[v] = min(t.low[v], t.index[w])
			}
			continue
		}
		t.calls = t.calls[:len(t.calls)-1]
		low := t.low[v]
		if low == t.index[v] {
			t.leave(v)
		}
		if n := len(t.calls); n > 0 && low != t.index[v] {
			u := t.calls[n-1].vertex
			t.low[u] = min(t.low[u], low)
		}
	}
}

// leave takes the component of v from the stack.
func (t *tarjan) leave(v int32) {
	i := len(t.stack) - 1
	for t.stack[i] != v {
		i--
	}
	component := t.stack[i:]
	t.stack = t.stack[:i]
	for _, w := range component {
		t.low[w] = 0
	}
	if len(component) > 1 || t.loops(v) {
		t.found = append(t.found, slices.Sorted(slices.Values(component)))
	}
}

// loops reports whether a vertex has an arc to itself.
func (t *tarjan) loops(v int32) bool {
	for k, high := t.g.arcs.out(v); k < high; k++ {
		if t.g.arcs.to[k] == v && !t.skip(k) {
			return true
		}
	}
	return false
}

// shortest returns the shortest cycle among vertices: it searches from each, as
// long as the budget lasts.
func (s *search) shortest(vertices []int32) []Step {
	var best []int32 // arcs
	for _, start := range vertices {
		if best != nil && (len(best) == 1 || s.budget < 0) {
			break
		}
		for _, v := range vertices {
			s.from[v] = -1
		}
		s.budget -= len(vertices)
		if path := s.around(start, len(best)); path != nil {
			best = path
		}
	}
	return s.stepsOf(best)
}

// around returns the arcs of the shortest cycle through start, or nil if there is
// none with fewer than limit arcs. A limit of 0 is none.
func (s *search) around(start int32, limit int) []int32 {
	level, next := []int32{start}, []int32(nil)
	for depth := 1; len(level) > 0 && (limit == 0 || depth < limit); depth++ {
		for _, v := range level {
			low, high := s.arcs.out(v)
			s.budget -= int(high - low)
			for k := low; k < high; k++ {
				w := s.arcs.to[k]
				if !s.in[w] || s.from[w] >= 0 {
					continue
				}
				s.from[w] = k
				if w == start {
					return s.trace(start)
				}
				next = append(next, w)
			}
		}
		level, next = next, level[:0]
	}
	return nil
}

// source returns the vertex that an arc leaves.
func (a *arcs) source(k int32) int32 {
	v, _ := slices.BinarySearch(a.first, k+1)
	return int32(v - 1)
}

// trace returns the arcs that lead from start back to it.
func (s *search) trace(start int32) []int32 {
	var path []int32
	for v := start; ; {
		k := s.from[v]
		path = append(path, k)
		if v = s.arcs.source(k); v == start {
			break
		}
	}
	slices.Reverse(path)
	return path
}

// stepsOf returns the steps of a cycle. It begins with a relation, if there is
// one, and otherwise as path does.
func (g *Graph) stepsOf(path []int32) []Step {
	if i := slices.IndexFunc(path, func(k int32) bool { return g.arcs.why[k] >= 0 && g.arcs.why[k] != passes }); i > 0 {
		path = slices.Concat(path[i:], path[:i])
	}
	steps := make([]Step, len(path))
	for i, k := range path {
		a, ok := g.arrow(g.arcs.why[k])
		steps[i] = Step{pointOf(g.arcs.source(k)), pointOf(g.arcs.to[k]), a, !ok}
	}
	return steps
}

// cuts returns the arrows of a path, ordered by how much of the cycle is left
// without them. Containment and autorequires come last, because they are hard
// to change.
func (s *search) cuts(path []Step, vertices []int32) []Cut {
	var cuts []Cut
	seen := make(map[Arrow]bool)
	const most = 32 // of long cycles
	for _, step := range path {
		if step.Inside || seen[step.Arrow] || len(cuts) == most {
			continue
		}
		seen[step.Arrow] = true
		cuts = append(cuts, Cut{step.Arrow, s.left(step.Arrow, vertices)})
	}
	slices.SortStableFunc(cuts, func(a, b Cut) int {
		return cmp.Or(cmp.Compare(effort(a.Arrow), effort(b.Arrow)), cmp.Compare(a.Left, b.Left))
	})
	return cuts
}

func effort(a Arrow) int {
	switch a.Kind {
	case Contains, Autorequire, Autobefore:
		return 1
	default:
		return 0
	}
}

// left returns the number of nodes in cycles without an arrow and the arrows
// that say the same.
func (s *search) left(a Arrow, vertices []int32) int {
	parts := s.tarjan.again(vertices, s.in, func(why int32) bool {
		b, ok := s.arrow(why)
		return ok && a.From == b.From && a.To == b.To && (a.Kind == Contains) == (b.Kind == Contains)
	})
	n := 0
	for _, p := range parts {
		n += len(membersOf(p))
	}
	return n
}

// nameOf returns the reference of a vertex by which Puppet sorts.
func (g *Graph) nameOf(v int32) string {
	n := &g.nodes[nodeOf(v)]
	ref := puppet.Canonical(g.names.ref(n.ref)).String()
	switch {
	case !n.container:
		return ref
	case v%2 == 0:
		return "Whit[admissible_" + ref + "]"
	default:
		return "Whit[completed_" + ref + "]"
	}
}

// sortByName sorts vertices as Puppet does, and returns their names.
func (g *Graph) sortByName(vertices []int32) []string {
	slices.SortFunc(vertices, func(a, b int32) int { return strings.Compare(g.nameOf(a), g.nameOf(b)) })
	names := make([]string, len(vertices))
	for i, v := range vertices {
		names[i] = g.nameOf(v)
	}
	return names
}

// printed returns the path that Puppet prints for a cycle: of all paths from its
// first vertex, the first one that meets a vertex again.
func (s *search) printed(vertices []int32) []int {
	type frame struct {
		vertex int32
		before int32 // the frame, or -1
	}
	const most = 1 << 16
	frames := []frame{{vertices[0], -1}}
	for i := 0; i < len(frames) && len(frames) < most && s.steps < maxSearch; i++ {
		f := frames[i]
		nodes := []int{nodeOf(f.vertex)}
		again := false
		for k := f.before; k >= 0; k = frames[k].before {
			s.steps++
			nodes = append(nodes, nodeOf(frames[k].vertex))
			again = again || frames[k].vertex == f.vertex
		}
		if again {
			slices.Reverse(nodes)
			return nodes
		}
		low, high := s.arcs.out(f.vertex)
		for k := low; k < high; k++ {
			if to := s.arcs.to[k]; s.in[to] && !slices.Contains(s.arcs.to[low:k], to) {
				frames = append(frames, frame{to, int32(i)})
			}
		}
	}
	return nil
}
