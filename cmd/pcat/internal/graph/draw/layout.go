package draw

import (
	"cmp"
	"math"
	"slices"
)

// The sizes of a layout, in pixels at a scale of 1. The page has the same ones.
const (
	leafHeight   = 26
	minWidth     = 56
	maxWidth     = 680
	headerHeight = 28 // of a container, for its title
	padding      = 14 // of a container
	gapRank      = 56 // between ranks, for arrows
	gapColumn    = 14 // between columns of one rank
	gapRow       = 10
	gapBlock     = 28 // between parts without arrows between them
	aspect       = 1.3
)

// rect is the position of a node: its corner relative to its container.
type rect struct{ x, y, w, h int }

// layout places the nodes of a view. Arrows lead from left to right: the rank of
// a node in its container is the longest path to it. Parts of a container
// without arrows between them are packed.
type layout struct {
	*View
	inside [][]int // the nodes in each container
	depth  []int
	rects  []rect
	links  map[int][]link // between the nodes of a container; of -1 at the top
}

// link is an arrow, raised to two nodes of the same container.
type link struct{ from, to int }

// layOut returns the positions of the nodes, and the size of the whole.
func layOut(v *View) (rects []rect, width, height int) {
	l := &layout{View: v, inside: make([][]int, len(v.Nodes)), depth: make([]int, len(v.Nodes)), rects: make([]rect, len(v.Nodes)), links: make(map[int][]link)}
	roots, inside := v.children()
	for p, nodes := range inside {
		l.inside[p] = nodes
	}
	order := slices.Clone(roots) // containers before their content
	for i := 0; i < len(order); i++ {
		for _, n := range l.inside[order[i]] {
			l.depth[n] = l.depth[order[i]] + 1
			order = append(order, n)
		}
	}
	l.raise()
	for _, n := range slices.Backward(order) {
		l.node(n)
	}
	width, height = l.place(roots, l.links[-1])
	return l.rects, width, height
}

// raise fills links.
func (l *layout) raise() {
	seen := make(map[link]bool)
	for i := range l.Arrows {
		a, b := l.Arrows[i].From, l.Arrows[i].To
		for l.depth[a] > l.depth[b] {
			a = l.Nodes[a].Parent
		}
		for l.depth[b] > l.depth[a] {
			b = l.Nodes[b].Parent
		}
		for a != b && l.Nodes[a].Parent != l.Nodes[b].Parent {
			a, b = l.Nodes[a].Parent, l.Nodes[b].Parent
		}
		if e := (link{a, b}); a != b && !seen[e] {
			seen[e] = true
			p := l.Nodes[a].Parent
			l.links[p] = append(l.links[p], e)
		}
	}
}

// node sets the size of a node, and the positions of its content.
func (l *layout) node(n int) {
	r := &l.rects[n]
	within := len(l.inside[n]) > 0
	w := min(max(int(textWidth(l.Nodes[n].label(), within))+22, minWidth), maxWidth)
	if !within {
		r.w, r.h = w, leafHeight
		return
	}
	width, height := l.place(l.inside[n], l.links[n])
	r.w, r.h = max(w, width+2*padding), height+headerHeight+padding
	for _, k := range l.inside[n] {
		l.rects[k].x += padding
		l.rects[k].y += headerHeight
	}
}

// place places nodes of one container, from 0, and returns the size of the
// whole.
func (l *layout) place(nodes []int, links []link) (width, height int) {
	var blocks []block
	var single []int
	for _, part := range parts(nodes, links) {
		switch {
		case len(part.nodes) > 1:
			blocks = append(blocks, l.layered(part.nodes, part.links))
		case len(l.inside[part.nodes[0]]) == 0:
			single = append(single, part.nodes[0])
		default:
			r := l.rects[part.nodes[0]]
			blocks = append(blocks, block{nodes: part.nodes, w: r.w, h: r.h})
		}
	}
	if len(single) > 0 {
		blocks = append(blocks, l.grid(single))
	}
	return l.pack(blocks)
}

// part is a set of nodes that arrows connect.
type part struct {
	nodes []int
	links []link
}

// parts returns the connected parts of a container, in the order of the nodes.
func parts(nodes []int, links []link) []part {
	root := make(map[int]int, len(nodes))
	find := func(n int) int {
		for root[n] != n {
			root[n] = root[root[n]]
			n = root[n]
		}
		return n
	}
	for _, n := range nodes {
		root[n] = n
	}
	for _, e := range links {
		root[find(e.from)] = find(e.to)
	}
	index := make(map[int]int)
	var list []part
	for _, n := range nodes {
		r := find(n)
		i, ok := index[r]
		if !ok {
			i = len(list)
			index[r], list = i, append(list, part{})
		}
		list[i].nodes = append(list[i].nodes, n)
	}
	for _, e := range links {
		p := &list[index[find(e.from)]]
		p.links = append(p.links, e)
	}
	return list
}

// block are nodes with positions relative to the corner of the block.
type block struct {
	nodes []int
	w, h  int
}

// grid places nodes without arrows in columns.
func (l *layout) grid(nodes []int) block {
	area := 0
	for _, n := range nodes {
		area += (l.rects[n].w + gapColumn) * (leafHeight + gapRow)
	}
	height := max(math.Sqrt(float64(area)/aspect), 4*(leafHeight+gapRow))
	rows := max(1, int(height)/(leafHeight+gapRow))
	rows = (len(nodes) + (len(nodes)-1)/rows) / ((len(nodes)-1)/rows + 1) // columns of equal length
	b := block{nodes: nodes}
	for from := 0; from < len(nodes); from += rows {
		if from > 0 {
			b.w += gapColumn
		}
		w, y := 0, 0
		column := nodes[from:min(from+rows, len(nodes))]
		for _, n := range column {
			w = max(w, l.rects[n].w)
		}
		for _, n := range column {
			l.rects[n] = rect{b.w, y, w, leafHeight}
			y += leafHeight + gapRow
		}
		b.w, b.h = b.w+w, max(b.h, y-gapRow)
	}
	return b
}

// pack places blocks, the highest first, each at the highest free position.
func (l *layout) pack(blocks []block) (width, height int) {
	if len(blocks) == 0 {
		return 0, 0
	}
	area, widest := 0, 0
	for _, b := range blocks {
		area += (b.w + gapBlock) * (b.h + gapBlock)
		widest = max(widest, b.w)
	}
	limit := max(widest, int(math.Sqrt(float64(area)*aspect)*1.05))
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(b.h, a.h) })
	sky := []rect{{0, 0, limit + gapBlock, 0}} // the free positions below the blocks: x, y, width
	for _, b := range blocks {
		x, y := highest(sky, b.w+gapBlock, limit+gapBlock)
		sky = cover(sky, rect{x, y, b.w + gapBlock, b.h + gapBlock})
		for _, n := range b.nodes {
			l.rects[n].x += x
			l.rects[n].y += y
		}
		width, height = max(width, x+b.w), max(height, y+b.h)
	}
	return width, height
}

// highest returns the highest position for a block below a skyline.
func highest(sky []rect, w, limit int) (x, y int) {
	y = math.MaxInt
	for i := range sky {
		left := sky[i].x
		if left+w > limit && i > 0 {
			break
		}
		top := 0
		for k := i; k < len(sky) && sky[k].x < left+w; k++ {
			top = max(top, sky[k].y)
		}
		if top < y {
			x, y = left, top
		}
	}
	return x, y
}

// cover returns a skyline below a new block.
func cover(sky []rect, r rect) []rect {
	var list []rect
	right := r.x + r.w
	for _, s := range sky {
		if s.x >= right || s.x+s.w <= r.x {
			list = append(list, s)
			continue
		}
		if s.x < r.x {
			list = append(list, rect{s.x, s.y, r.x - s.x, 0})
		}
		if s.x <= r.x {
			list = append(list, rect{r.x, r.y + r.h, r.w, 0})
		}
		if s.x+s.w > right {
			list = append(list, rect{right, s.y, s.x + s.w - right, 0})
		}
	}
	return list
}
