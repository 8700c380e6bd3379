package draw

import (
	"container/heap"
	"math"
	"slices"
)

// The distances of arrows from nodes, in pixels at a scale of 1. The page has the same ones.
const (
	clearance   = 2   // an arrow at a smaller distance from a node touches it
	distance    = 5   // of the corners round which arrows lead
	bend        = 20  // the length that an arrow may be longer to have a bend less
	leastShared = 12  // the part of two sides that a horizontal or vertical arrow needs
	maxTurns    = 100 // corners that are tried in one search
	maxRounds   = 12  // searches for one arrow
)

// point is a point of the picture.
type point struct{ x, y float64 }

func (p point) to(q point) float64 { return math.Hypot(q.x-p.x, q.y-p.y) }

// box is a rectangle of the picture.
type box struct{ left, top, right, bottom float64 }

// grown returns a box that is larger at each side.
func (b box) grown(by float64) box {
	return box{b.left - by, b.top - by, b.right + by, b.bottom + by}
}

// enters returns the part of the way from p to q at which it enters a box, or false.
func (b box) enters(p, q point) (at float64, ok bool) {
	at, until := 0.0, 1.0
	for _, axis := range [2][4]float64{{p.x, q.x - p.x, b.left, b.right}, {p.y, q.y - p.y, b.top, b.bottom}} {
		from, step, low, high := axis[0], axis[1], axis[2], axis[3]
		if step == 0 {
			if from <= low || from >= high {
				return 0, false
			}
			continue
		}
		first, last := (low-from)/step, (high-from)/step
		at, until = max(at, min(first, last)), min(until, max(first, last))
	}
	return at, at < until
}

// meets reports whether a line enters a box.
func (b box) meets(points []point) bool {
	for k, q := range points[1:] {
		if _, ok := b.enters(points[k], q); ok {
			return true
		}
	}
	return false
}

func (b box) corners() [4]point {
	b = b.grown(distance)
	return [4]point{{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}}
}

// routes finds the ways of arrows: straight lines, round the nodes that are in the way.
type routes struct {
	view   *View
	boxes  []box
	inside [][]int // of each node; of the last one, those at the top
}

func newRoutes(v *View, rects []rect) *routes {
	r := &routes{view: v, boxes: make([]box, len(rects)), inside: make([][]int, len(rects)+1)}
	var place func(nodes []int, x, y int)
	roots, inside := v.children()
	place = func(nodes []int, x, y int) {
		for _, i := range nodes {
			left, top := x+rects[i].x, y+rects[i].y
			r.boxes[i] = box{float64(left), float64(top), float64(left + rects[i].w), float64(top + rects[i].h)}
			r.inside[i] = inside[i]
			place(inside[i], left, top)
		}
	}
	place(roots, 0, 0)
	r.inside[len(rects)] = roots
	return r
}

// of returns the points of an arrow.
func (r *routes) of(a *Arrow) []point {
	in, out := r.containers(a.From), r.containers(a.To)
	from, to := r.boxes[a.From], r.boxes[a.To]
	if slices.Contains(in, a.To) || slices.Contains(out, a.From) {
		return []point{{from.left + 6, from.top + headerHeight/2}, {to.left, middle(to.top, to.bottom)}}
	}
	p, q := ends(from, to)
	return round(p, q, r.obstacles(a, in, out), []box{from.grown(-1), to.grown(-1)})
}

// round returns the way from p to q round obstacles and other boxes. It searches with the few
// obstacles that are met.
func round(p, q point, obstacles, met []box) []point {
	points := []point{p, q}
	for range maxRounds {
		var more []box
		obstacles = slices.DeleteFunc(obstacles, func(b box) bool {
			hit := b.meets(points)
			if hit {
				more = append(more, b)
			}
			return hit
		})
		if len(more) == 0 {
			break
		}
		met = append(met, more...)
		points = search(p, q, met)
	}
	return points
}

// containers returns the containers of a node, the nearest first.
func (r *routes) containers(node int) []int {
	var list []int
	for p := r.view.Nodes[node].Parent; p >= 0; p = r.view.Nodes[p].Parent {
		list = append(list, p)
	}
	return list
}

// obstacles returns the nodes beside the ends of an arrow and beside their containers.
func (r *routes) obstacles(a *Arrow, in, out []int) []box {
	var list []box
	own := append(append([]int{a.From, a.To}, in...), out...)
	seen := make(map[int]bool)
	for _, i := range own {
		p := r.view.Nodes[i].Parent
		if p < 0 {
			p = len(r.boxes)
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, k := range r.inside[p] {
			if !slices.Contains(own, k) {
				list = append(list, r.boxes[k].grown(clearance))
			}
		}
	}
	return list
}

func middle(a, b float64) float64 { return (a + b) / 2 }

// ends returns the first and the last point of an arrow between two boxes: on the sides that
// face each other, if possible so that the arrow is horizontal or vertical.
func ends(from, to box) (p, q point) {
	facing := func(low, high, otherLow, otherHigh float64) (a, b float64) {
		if first, last := max(low, otherLow), min(high, otherHigh); last-first >= leastShared {
			return middle(first, last), middle(first, last)
		}
		return middle(low, high), middle(otherLow, otherHigh)
	}
	switch {
	case to.left >= from.right:
		y, z := facing(from.top, from.bottom, to.top, to.bottom)
		return point{from.right, y}, point{to.left, z}
	case to.top >= from.bottom:
		x, z := facing(from.left, from.right, to.left, to.right)
		return point{x, from.bottom}, point{z, to.top}
	case from.top >= to.bottom:
		x, z := facing(from.left, from.right, to.left, to.right)
		return point{x, from.top}, point{z, to.bottom}
	default:
		y, z := facing(from.top, from.bottom, to.top, to.bottom)
		return point{from.left, y}, point{to.right, z}
	}
}

// search returns the shortest way round obstacles: A*, along the corners of the obstacles
// that are met. A straight line if it finds none.
func search(p, q point, obstacles []box) []point {
	first := func(from, to point) int {
		hit, near := -1, 2.0
		for i := range obstacles {
			if at, ok := obstacles[i].enters(from, to); ok && at < near {
				hit, near = i, at
			}
		}
		return hit
	}
	if first(p, q) < 0 {
		return []point{p, q}
	}
	cost, before := map[point]float64{p: 0}, map[point]point{}
	done := make(map[point]bool)
	open := &turns{{p, p.to(q)}}
	for tried := 0; open.Len() > 0 && tried < maxTurns; tried++ {
		at := heap.Pop(open).(turn).at //nolint:forcetypeassert // the heap has only turns
		if at == q {
			return way(p, q, before)
		}
		if done[at] {
			continue
		}
		done[at] = true
		met := make(map[int]bool)
		targets := []point{q}
		for k := 0; k < len(targets); k++ {
			to := targets[k]
			if done[to] {
				continue
			}
			if hit := first(at, to); hit >= 0 {
				if !met[hit] {
					met[hit] = true
					corners := obstacles[hit].corners()
					targets = append(targets, corners[:]...)
				}
				continue
			}
			c := cost[at] + at.to(to) + bend
			if known, ok := cost[to]; !ok || c < known {
				cost[to], before[to] = c, at
				heap.Push(open, turn{to, c + to.to(q)})
			}
		}
	}
	return []point{p, q}
}

// way returns the points from p to q.
func way(p, q point, before map[point]point) []point {
	list := []point{q}
	for at := q; at != p; {
		at = before[at]
		list = append(list, at)
	}
	slices.Reverse(list)
	return list
}

// turn is a point that an arrow may pass, with the length of the shortest way through it.
type turn struct {
	at     point
	length float64
}

// turns are a heap.
type turns []turn

func (t turns) Len() int           { return len(t) }
func (t turns) Less(i, k int) bool { return t[i].length < t[k].length }
func (t turns) Swap(i, k int)      { t[i], t[k] = t[k], t[i] }
func (t *turns) Push(x any)        { *t = append(*t, x.(turn)) } //nolint:forcetypeassert // the heap has only turns
func (t *turns) Pop() any {
	last := len(*t) - 1
	x := (*t)[last]
	*t = (*t)[:last]
	return x
}
