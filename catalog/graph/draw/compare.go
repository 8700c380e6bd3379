package draw

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
)

// State is the state of a node or of an arrow in a comparison of two catalogs.
type State uint8

// The states. All nodes and arrows of a view of one catalog are the Same.
const (
	Same    State = iota
	Added         // only in the new catalog
	Removed       // only in the old catalog
	Changed       // a resource with changes
)

// String returns the name of the state in lower case.
func (s State) String() string { return [...]string{"same", "added", "removed", "changed"}[s] }

// Compare returns the view of a new catalog, together with the removed nodes
// and arrows of the old one. Both views were selected with the same
// [Options.States], which decide whether a node of old is drawn; an arrow is
// added or removed if the other view does not contain it. find returns the
// reference in the new catalog of a resource of the old one that is not removed,
// for resources whose references differ.
func Compare(old, new *View, find func(old catalog.Ref) catalog.Ref) *View {
	v := *new
	v.Compared = true
	v.Nodes = append([]Node(nil), new.Nodes...)
	v.Arrows = append([]Arrow(nil), new.Arrows...)
	byRef := make(map[catalog.Ref]int, len(v.Nodes))
	for i := range v.Nodes {
		byRef[v.Nodes[i].full] = i
	}
	index := make([]int, len(old.Nodes)) // in v
	for i := range old.Nodes {
		n := old.Nodes[i]
		k, ok := byRef[n.full]
		switch {
		case ok:
		case n.State == Removed:
			k = len(v.Nodes)
			n.Cycle = 0
			v.Nodes = append(v.Nodes, n)
		default:
			if k, ok = byRef[find(n.full)]; !ok {
				k = -1
			}
		}
		index[i] = k
	}
	for i, k := range index {
		if k >= len(new.Nodes) {
			v.Nodes[k].Parent = parentIn(old, i, index)
		}
	}
	inOld, inNew := make(map[arrowKey]bool, len(old.Arrows)), make(map[arrowKey]bool, len(v.Arrows))
	for i := range v.Arrows {
		inNew[keyOf(&v.Arrows[i])] = true
	}
	for _, a := range old.Arrows {
		a.From, a.To, a.State = index[a.From], index[a.To], Removed
		if a.From < 0 || a.To < 0 {
			continue
		}
		inOld[keyOf(&a)] = true
		if !inNew[keyOf(&a)] {
			v.Arrows = append(v.Arrows, a)
		}
	}
	for i := range v.Arrows[:len(new.Arrows)] {
		if a := &v.Arrows[i]; !inOld[keyOf(a)] {
			a.State = Added
		}
	}
	return &v
}

// parentIn returns the nearest container of a node of old that index contains.
func parentIn(old *View, node int, index []int) int {
	for p := old.Nodes[node].Parent; p >= 0; p = old.Nodes[p].Parent {
		if index[p] >= 0 {
			return index[p]
		}
	}
	return -1
}

// arrowKey identifies an arrow by its meaning: `before` and `require` are equal.
type arrowKey struct {
	from, to            int
	refresh, auto, part bool
}

func keyOf(a *Arrow) arrowKey {
	return arrowKey{a.From, a.To, a.Refresh, a.Kind == graph.Autorequire || a.Kind == graph.Autobefore, a.Kind == graph.Contains}
}
