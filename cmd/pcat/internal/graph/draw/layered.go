package draw

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// layered is the layout of connected nodes: in ranks from left to right.
type layered struct {
	*layout
	nodes    []int
	next     [][]int // by index in nodes, without cycles
	previous [][]int
	rank     []int
	columns  [][]int   // the indexes of the nodes of each rank, from top to bottom
	center   []float64 // of each node, relative to the middle line
}

// layered places connected nodes, from 0.
func (l *layout) layered(nodes []int, links []link) block {
	y := &layered{layout: l, nodes: nodes, rank: make([]int, len(nodes)), center: make([]float64, len(nodes))}
	y.acyclic(links)
	y.ranks()
	y.order()
	y.split()
	y.align()
	return y.block()
}

// acyclic fills next and previous, and reverses the links that close a cycle.
func (y *layered) acyclic(links []link) {
	index := make(map[int]int, len(y.nodes))
	for i, n := range y.nodes {
		index[n] = i
	}
	all := make([][]int, len(y.nodes))
	into := make([]int, len(y.nodes))
	for _, e := range links {
		all[index[e.from]] = append(all[index[e.from]], index[e.to])
		into[index[e.to]]++
	}
	y.next, y.previous = make([][]int, len(y.nodes)), make([][]int, len(y.nodes))
	add := func(from, to int) {
		y.next[from] = append(y.next[from], to)
		y.previous[to] = append(y.previous[to], from)
	}
	const open, done = 1, 2
	state := make([]uint8, len(y.nodes))
	type call struct{ node, next int }
	visit := func(root int) {
		stack := []call{{root, 0}}
		state[root] = open
		for len(stack) > 0 {
			c := &stack[len(stack)-1]
			if c.next == len(all[c.node]) {
				state[c.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			to := all[c.node][c.next]
			c.next++
			if state[to] == open {
				add(to, c.node)
				continue
			}
			add(c.node, to)
			if state[to] == 0 {
				state[to] = open
				stack = append(stack, call{to, 0})
			}
		}
	}
	for i := range y.nodes { // first the nodes that nothing leads to
		if into[i] == 0 {
			visit(i)
		}
	}
	for i := range y.nodes {
		if state[i] == 0 {
			visit(i)
		}
	}
}

// ranks sets the rank of each node: the length of the longest path to it. A node
// that nothing leads to is next to its first successor.
func (y *layered) ranks() {
	left := make([]int, len(y.nodes))
	var queue []int
	for i := range y.nodes {
		left[i] = len(y.previous[i])
		if left[i] == 0 {
			queue = append(queue, i)
		}
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		for _, to := range y.next[n] {
			y.rank[to] = max(y.rank[to], y.rank[n]+1)
			if left[to]--; left[to] == 0 {
				queue = append(queue, to)
			}
		}
	}
	for i := range y.nodes {
		if len(y.previous[i]) > 0 || len(y.next[i]) == 0 {
			continue
		}
		first := math.MaxInt
		for _, to := range y.next[i] {
			first = min(first, y.rank[to])
		}
		y.rank[i] = first - 1
	}
}

// order orders the nodes of each rank by the mean position of their neighbours.
func (y *layered) order() {
	y.columns = make([][]int, slices.Max(y.rank)+1)
	for i, r := range y.rank {
		y.columns[r] = append(y.columns[r], i)
	}
	position := make([]float64, len(y.nodes))
	number := func(column []int) {
		for k, n := range column {
			position[n] = (float64(k) + .5) / float64(len(column))
		}
	}
	for _, c := range y.columns {
		number(c)
	}
	sweep := func(column []int, neighbours [][]int) {
		at := make(map[int]float64, len(column))
		for _, n := range column {
			at[n] = position[n]
			if list := neighbours[n]; len(list) > 0 {
				at[n] = mean(list, position)
			}
		}
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
		number(column)
	}
	const sweeps = 6
	for range sweeps {
		for _, c := range y.columns {
			sweep(c, y.previous)
		}
		for _, c := range slices.Backward(y.columns) {
			sweep(c, y.next)
		}
	}
	for _, c := range y.columns {
		sweep(c, y.previous)
	}
}

func mean(nodes []int, value []float64) float64 {
	sum := 0.0
	for _, n := range nodes {
		sum += value[n]
	}
	return sum / float64(len(nodes))
}

// split makes several columns of a rank that is much higher than the whole
// should be.
func (y *layered) split() {
	area := 0
	for _, n := range y.nodes {
		area += (y.rects[n].w + gapRank) * (y.rects[n].h + gapRow)
	}
	limit := max(1.3*math.Sqrt(float64(area)/aspect), 8*(leafHeight+gapRow))
	var columns [][]int
	for _, c := range y.columns {
		height := 0
		for _, i := range c {
			height += y.rects[y.nodes[i]].h + gapRow
		}
		each := float64(height) / math.Ceil(float64(height)/limit)
		filled, from := 0.0, 0
		for k, i := range c {
			h := float64(y.rects[y.nodes[i]].h + gapRow)
			if filled > 0 && filled+h/2 > each {
				columns = append(columns, c[from:k])
				filled, from = 0, k
			}
			filled += h
		}
		columns = append(columns, c[from:])
	}
	y.columns = columns
}

// align moves the nodes of each column towards their neighbours, in their order.
func (y *layered) align() {
	for _, c := range y.columns {
		y.settle(c, nil)
	}
	const sweeps = 4
	for range sweeps {
		for _, c := range y.columns {
			y.settle(c, y.previous)
		}
		for _, c := range slices.Backward(y.columns) {
			y.settle(c, y.next)
		}
	}
}

// settle places the nodes of a column as near to the mean of their neighbours as
// the space between them allows: the least squares, by merging nodes that
// would overlap.
func (y *layered) settle(column []int, neighbours [][]int) {
	type run struct {
		first, count int
		sum          float64 // of the wanted positions, less the offsets
	}
	offset := make([]float64, len(column))
	var runs []run
	at := 0.0
	for k, i := range column {
		h := float64(y.rects[y.nodes[i]].h)
		offset[k] = at + h/2
		at += h + gapRow
	}
	whole := at - gapRow
	for k, i := range column {
		want := y.center[i]
		switch {
		case neighbours == nil:
			want = offset[k] - whole/2
		case len(neighbours[i]) > 0:
			want = mean(neighbours[i], y.center)
		}
		r := run{k, 1, want - offset[k]}
		for len(runs) > 0 && runs[len(runs)-1].sum/float64(runs[len(runs)-1].count) >= r.sum/float64(r.count) {
			last := runs[len(runs)-1]
			r = run{last.first, last.count + r.count, last.sum + r.sum}
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	for _, r := range runs {
		for k := r.first; k < r.first+r.count; k++ {
			y.center[column[k]] = r.sum/float64(r.count) + offset[k]
		}
	}
}

// block sets the positions. Ranks that would be much wider than high continue in
// another band below.
func (y *layered) block() block {
	b := block{nodes: y.nodes}
	width := 0
	widths := make([]int, len(y.columns))
	for c, column := range y.columns {
		for _, i := range column {
			widths[c] = max(widths[c], y.rects[y.nodes[i]].w)
		}
		width += widths[c] + gapRank
	}
	top, bottom := y.extent(y.columns)
	most := 3 + int(2*math.Sqrt(float64(width)/aspect/(bottom-top+gapBlock)))
	best := math.Inf(1)
	var bands []int
	for n := 1; n <= min(len(y.columns), most); n++ {
		first := y.bands(widths, width/n+maxWidth/2)
		w, h := y.size(first, widths)
		if n > 1 && width < narrow {
			break
		}
		if off := math.Abs(math.Log(float64(w) / float64(h) / aspect)); off < best-.1 {
			best, bands, b.w, b.h = off, first, w, h
		}
	}
	at := 0
	for from, until := range y.spans(bands) {
		x := 0
		for c := from; c < until; c++ {
			x += y.gap(from, c)
			for _, i := range y.columns[c] {
				y.rects[y.nodes[i]].x = x
			}
			x += widths[c]
		}
		at += y.band(y.columns[from:until], at) + gapBlock
	}
	return b
}

// narrow is a width that needs no bands.
const narrow = 1000

// gap returns the space before a column in a band that begins with from.
func (y *layered) gap(from, c int) int {
	switch {
	case c == from:
		return 0
	case y.rank[y.columns[c][0]] == y.rank[y.columns[c-1][0]]:
		return gapColumn
	default:
		return gapRank
	}
}

// bands returns the first columns of bands that are at most as wide as the limit.
func (y *layered) bands(widths []int, limit int) []int {
	first := []int{0}
	x := 0
	for c, w := range widths {
		from := first[len(first)-1]
		if g := y.gap(from, c); c > from && x+g+w > limit {
			first, x = append(first, c), w
		} else {
			x += g + w
		}
	}
	return first
}

// spans yields the first column of each band, and the first one after it.
func (y *layered) spans(first []int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for k, from := range first {
			until := len(y.columns)
			if k+1 < len(first) {
				until = first[k+1]
			}
			if !yield(from, until) {
				return
			}
		}
	}
}

// size returns the size of bands.
func (y *layered) size(first, widths []int) (width, height int) {
	for from, until := range y.spans(first) {
		x := 0
		for c := from; c < until; c++ {
			x += y.gap(from, c) + widths[c]
		}
		top, bottom := y.extent(y.columns[from:until])
		width, height = max(width, x), height+int(math.Ceil(bottom-top))+gapBlock
	}
	return width, height - gapBlock
}

// extent returns the upper and the lower end of columns.
func (y *layered) extent(columns [][]int) (top, bottom float64) {
	top, bottom = math.Inf(1), math.Inf(-1)
	for _, c := range columns {
		for _, i := range c {
			h := float64(y.rects[y.nodes[i]].h) / 2
			top, bottom = min(top, y.center[i]-h), max(bottom, y.center[i]+h)
		}
	}
	return top, bottom
}

// band moves columns to a vertical position, and returns their height.
func (y *layered) band(columns [][]int, at int) int {
	top, bottom := y.extent(columns)
	for _, c := range columns {
		for _, i := range c {
			r := &y.rects[y.nodes[i]]
			r.y = at + int(math.Round(y.center[i]-float64(r.h)/2-top))
		}
	}
	return int(math.Ceil(bottom - top))
}
