package draw

import (
	"cmp"
	"slices"

	"github.com/pcatdev/pcat/internal/puppet"
)

// chain is a resource or a container that changes refresh, with the resources of which a
// change would, and the chains that follow.
type chain struct {
	node      int
	refreshed []int // node, or the resources in it that do something when refreshed
	sources   []int // only at the beginning of a chain
	next      []*chain
	order     int // see chains.order
}

// maxNext is the number of nodes that follow in one chain.
const maxNext = 12

// chains are the refreshes of a view.
type chains struct {
	*View
	inside    map[int][]int
	targets   []int         // in the order of the arrows
	into      map[int][]int // the sources of the refreshes of a node
	from      map[int][]int
	refreshed map[int][]int // see chain
	done      map[int]bool  // the nodes in a chain
}

func newChains(v *View) *chains {
	_, inside := v.children()
	y := &chains{View: v, inside: inside, into: make(map[int][]int), from: make(map[int][]int), refreshed: make(map[int][]int), done: make(map[int]bool)}
	for i := range v.Arrows {
		a := &v.Arrows[i]
		from := &v.Nodes[a.From]
		if !a.Refresh || from.Container && !from.full || len(y.contentOf(a.To)) == 0 {
			continue
		}
		if y.into[a.To] == nil {
			y.targets = append(y.targets, a.To)
		}
		y.into[a.To] = append(y.into[a.To], a.From)
		y.from[a.From] = append(y.from[a.From], a.To)
	}
	return y
}

// all returns the chains, from configuration to service. Those of services come first.
func (y *chains) all() []*chain {
	var list []*chain
	for _, first := range []bool{true, false} { // then the rest: chains that are closed
		for _, t := range y.targets {
			if first && y.begins(t) || !first && !y.done[t] {
				list = append(list, y.chain(t))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *chain) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(y.Nodes[a.node].Ref.String(), y.Nodes[b.node].Ref.String()))
	})
	return list
}

// contentOf returns a node, or the resources in it, without those that do nothing when
// refreshed.
func (y *chains) contentOf(node int) []int {
	list, known := y.refreshed[node]
	if known {
		return list
	}
	y.walk(node, func(i int) {
		if !y.Nodes[i].Container && puppet.CanRefresh(y.Nodes[i].Ref.Type) {
			list = append(list, i)
		}
	})
	if y.Nodes[node].full && len(y.inside[node]) == 0 {
		list = []int{node} // the view does not have its content
	}
	y.refreshed[node] = list
	return list
}

// walk calls visit for a node and its content.
func (y *chains) walk(node int, visit func(int)) {
	visit(node)
	for _, k := range y.inside[node] {
		y.walk(k, visit)
	}
}

// begins reports whether a chain begins before a node: nothing refreshes one of its sources.
func (y *chains) begins(node int) bool {
	return slices.ContainsFunc(y.into[node], func(source int) bool {
		for p := source; p >= 0; p = y.Nodes[p].Parent {
			if y.into[p] != nil {
				return len(y.contentOf(source)) == 0
			}
		}
		return true
	})
}

// chain returns the chain that begins before a node.
func (y *chains) chain(node int) *chain {
	first := y.follow(node)
	first.sources = y.into[node]
	first.order = y.order(first)
	seen := map[int]bool{node: true}
	for queue := []*chain{first}; len(queue) > 0 && len(seen) <= maxNext; queue = queue[1:] {
		for _, to := range y.next(queue[0].node) {
			if !seen[to] && len(seen) <= maxNext {
				seen[to] = true
				c := y.follow(to)
				queue[0].next = append(queue[0].next, c)
				queue = append(queue, c)
			}
		}
	}
	return first
}

func (y *chains) follow(node int) *chain {
	y.done[node] = true
	return &chain{node: node, refreshed: y.contentOf(node)}
}

// next returns the nodes that a refresh of a node refreshes: by itself, its containers, and
// its content.
func (y *chains) next(node int) []int {
	var list []int
	for _, i := range y.contentOf(node) {
		for p := i; p >= 0; p = y.Nodes[p].Parent {
			for _, to := range y.from[p] {
				if !slices.Contains(list, to) {
					list = append(list, to)
				}
			}
		}
	}
	return list
}

// order returns the position of a chain by its state and the type of its resources.
func (y *chains) order(c *chain) int {
	order := 2
	switch {
	case slices.ContainsFunc(c.refreshed, func(i int) bool { return y.Nodes[i].Ref.Type == "Service" }):
		order = 0
	case slices.ContainsFunc(c.refreshed, func(i int) bool { return y.Nodes[i].Ref.Type == "Exec" }):
		order = 1
	}
	if y.Compared && !y.differs(c) {
		order += 3
	}
	return order
}

// differs reports whether a resource at the beginning of a chain has changes.
func (y *chains) differs(c *chain) bool {
	found := false
	for _, s := range append([]int{c.node}, c.sources...) {
		y.walk(s, func(i int) { found = found || y.Nodes[i].State != Same })
	}
	return found
}
