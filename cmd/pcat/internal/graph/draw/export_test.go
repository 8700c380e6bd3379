package draw

import "strings"

// Positions returns the positions of the nodes of a page: x and y relative to the
// container, width and height.
func Positions(v *View) [][4]int {
	rects, _, _ := layOut(v)
	list := make([][4]int, len(rects))
	for i, r := range rects {
		list[i] = [4]int{r.x, r.y, r.w, r.h}
	}
	return list
}

// Chains returns the chains of refreshes, one on a line; without branches.
func Chains(v *View) string {
	names := func(nodes []int) string {
		var list []string
		for _, i := range nodes {
			list = append(list, v.Nodes[i].Ref.String())
		}
		return strings.Join(list, ",")
	}
	var b strings.Builder
	for _, c := range newChains(v).all() {
		b.WriteString(names(c.sources))
		for c != nil {
			b.WriteString(" -> " + names(c.refreshed))
			next := c.next
			c = nil
			if len(next) > 0 {
				c = next[0]
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Crossed returns the number of arrows that lead through nodes that contain neither end.
func Crossed(v *View) int {
	rects, _, _ := layOut(v)
	r := newRoutes(v, rects)
	crossed := 0
	for i := range v.Arrows {
		a := &v.Arrows[i]
		in, out := r.containers(a.From), r.containers(a.To)
		points := r.of(a)
		hits := false
		for _, b := range r.obstacles(a, in, out) {
			for k, q := range points[1:] {
				_, hit := b.grown(-clearance).enters(points[k], q)
				hits = hits || hit
			}
		}
		if hits {
			crossed++
		}
	}
	return crossed
}
