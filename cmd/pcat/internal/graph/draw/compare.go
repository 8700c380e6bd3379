package draw

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/puppet"
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

// Compare returns the view of a new catalog, together with the nodes and arrows
// that only the old one contains. [Options.States] contains the states of the
// resources; an arrow is added or removed if the other graph does not contain
// it. The nodes of a renamed resource, in [Options.Renamed], are one. Options.Of is a node of
// new, and oldOf the one of old, or -1 if old does not contain it.
func Compare(old, new *graph.Graph, oldOf int, mask catalog.Mask, o Options) *View {
	before := &View{}
	if !o.Around || oldOf >= 0 {
		oldOptions := o
		oldOptions.Of = oldOf
		before = selectAlso(old, mask, oldOptions, nil)
	}
	find := func(i int) (node int, ok bool) {
		ref := old.Node(i).Ref
		if renamed, ok := o.Renamed[puppet.Canonical(ref)]; ok {
			ref = renamed
		}
		return new.Find(ref)
	}
	also := make(map[int]bool, len(before.Nodes)) // the nodes of new that the view of old contains
	for _, i := range before.of {
		if node, ok := find(i); ok {
			also[node] = true
		}
	}
	v := selectAlso(new, mask, o, also)
	v.Compared = true
	v.addRemoved(before, func(i int) (node int, ok bool) { return find(before.of[i]) })
	return v
}

// addRemoved adds the nodes and arrows that only the view of the old catalog
// contains. find returns the node of the new graph for a node of before.
func (v *View) addRemoved(before *View, find func(int) (node int, ok bool)) {
	drawn := make(map[int]int, len(v.Nodes)) // the nodes of v, by those of the graph
	for i, node := range v.of {
		drawn[node] = i
	}
	first := len(v.Nodes)
	index := make([]int, len(before.Nodes)) // of the nodes of before in v
	for i, n := range before.Nodes {
		node, ok := find(i)
		if ok {
			index[i], ok = drawn[node]
		}
		if !ok {
			index[i] = len(v.Nodes)
			n.Cycle = 0
			v.Nodes = append(v.Nodes, n)
		}
	}
	for i := range v.Nodes[first:] {
		if n := &v.Nodes[first+i]; n.Parent >= 0 {
			n.Parent = index[n.Parent]
		}
	}
	arrows := len(v.Arrows)
	inNew, inOld := make(map[arrowKey]bool, arrows), make(map[arrowKey]bool, len(before.Arrows))
	for i := range v.Arrows {
		inNew[keyOf(&v.Arrows[i])] = true
	}
	for _, a := range before.Arrows {
		a.From, a.To, a.State = index[a.From], index[a.To], Removed
		inOld[keyOf(&a)] = true
		if !inNew[keyOf(&a)] {
			v.Arrows = append(v.Arrows, a)
		}
	}
	for i := range v.Arrows[:arrows] {
		if a := &v.Arrows[i]; !inOld[keyOf(a)] {
			a.State = Added
		}
	}
}

// arrowKey identifies an arrow by its meaning: `before` and `require` are equal.
type arrowKey struct {
	from, to                     int
	refresh, automatic, contains bool
}

func keyOf(a *Arrow) arrowKey {
	return arrowKey{a.From, a.To, a.Refresh, a.Kind == graph.Autorequire || a.Kind == graph.Autobefore, a.Kind == graph.Contains}
}
