package draw

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/terminal"
)

// WhyOptions control [Why]. The zero value is valid.
type WhyOptions struct {
	Depth int  // of the trees; 0 for 3
	Color bool // of the headings
	Mask  Mask // nil does not mask
}

// Why writes what leads to a resource and what follows it, as indented text: its
// containers, the resources that are applied before it with the reason for each,
// the ones that follow, and the refreshes in both directions. The error is one
// of w.
func Why(w io.Writer, g *graph.Graph, node int, o WhyOptions) error {
	if o.Depth == 0 {
		o.Depth = 3
	}
	y := &why{Graph: g, b: bufio.NewWriter(w), o: o, parents: make(map[int][]int), into: make(map[int][]graph.Arrow), from: make(map[int][]graph.Arrow)}
	for a := range g.Containment() {
		y.parents[a.To] = append(y.parents[a.To], a.From)
	}
	for a := range g.Relations() {
		y.into[a.To] = append(y.into[a.To], a)
		y.from[a.From] = append(y.from[a.From], a)
	}
	y.resource(node)
	before, after := len(g.Before(node)), len(g.After(node))
	y.heading("applied after %s", before)
	y.seen = map[int]bool{node: true}
	y.tree(node, 1, true)
	y.heading("applied before %s", after)
	y.seen = map[int]bool{node: true}
	y.tree(node, 1, false)
	y.refreshes("refreshed by a change of %s", g.RefreshedBy(node))
	y.refreshes("a change would refresh %s", g.Refreshes(node))
	return y.b.Flush()
}

type why struct {
	*graph.Graph
	b          *bufio.Writer
	o          WhyOptions
	parents    map[int][]int
	into, from map[int][]graph.Arrow
	seen       map[int]bool
}

func (y *why) ref(node int) string {
	ref := graph.Canonical(y.Node(node).Ref)
	if y.o.Mask != nil {
		ref = y.o.Mask.Location(catalog.Location{Ref: ref}).Ref
	}
	return terminal.Line(ref.String())
}

func (y *why) at(node int) string {
	r := y.Node(node).Resource
	at := graph.Place(r.File(), r.Line())
	if y.o.Mask != nil {
		at = y.o.Mask.Text(at)
	}
	return terminal.Line(at)
}

// resource writes the resource and its containers, the nearest first.
func (y *why) resource(node int) {
	line := y.ref(node)
	if at := y.at(node); at != "" {
		line += "  " + at
	}
	printf(y.b, "%s\n", y.bold(line))
	var names []string
	seen := map[int]bool{node: true}
	for list := y.parents[node]; len(list) > 0 && !seen[list[0]]; list = y.parents[list[0]] {
		seen[list[0]] = true
		names = append(names, y.ref(list[0]))
	}
	if len(names) > 0 {
		printf(y.b, "  in %s\n", strings.Join(names, ", in "))
	}
}

func (y *why) bold(s string) string {
	return terminal.Paint(y.o.Color, terminal.Bold, s)
}

func (y *why) heading(format string, n int) {
	count := "1 resource"
	if n != 1 {
		count = fmt.Sprintf("%d resources", n)
	}
	if n == 0 {
		count = "no resource"
	}
	printf(y.b, "\n%s\n", y.bold(fmt.Sprintf(format, count)))
}

// tree writes the relations of a node and of its containers, and theirs, up to
// the depth of the options. A resource is followed once.
func (y *why) tree(node, depth int, up bool) {
	indent := strings.Repeat("  ", depth)
	owners := []int{node}
	in := map[int]bool{node: true}
	for i := 0; i < len(owners); i++ {
		for _, p := range y.parents[owners[i]] {
			if !in[p] {
				in[p] = true
				owners = append(owners, p)
			}
		}
	}
	for _, owner := range owners {
		list := y.from[owner]
		if up {
			list = y.into[owner]
		}
		for _, a := range list {
			other := a.To
			if up {
				other = a.From
			}
			reason := a.Kind.String()
			if at := y.at(a.Declares()); at != "" && a.Kind <= graph.Notify {
				reason += ", " + at
			}
			if owner != node {
				if y.seen[owner] && depth > 1 {
					continue // it is where the container first appears
				}
				if up {
					reason += ", to " + y.ref(owner)
				} else {
					reason += ", from " + y.ref(owner)
				}
			}
			again := y.seen[other]
			y.seen[other] = true
			switch {
			case again:
				printf(y.b, "%s%s  %s (see above)\n", indent, y.ref(other), reason)
			case depth == y.o.Depth && len(y.next(other, up)) > 0:
				printf(y.b, "%s%s  %s …\n", indent, y.ref(other), reason)
			default:
				printf(y.b, "%s%s  %s\n", indent, y.ref(other), reason)
				if depth < y.o.Depth {
					y.tree(other, depth+1, up)
				}
			}
		}
		if owner != node {
			y.seen[owner] = true
		}
	}
}

func (y *why) next(node int, up bool) []graph.Arrow {
	if up {
		return y.into[node]
	}
	return y.from[node]
}

func (y *why) refreshes(heading string, list []graph.Refresh) {
	y.heading(heading, len(list))
	for _, r := range list {
		path := r.Path[1 : len(r.Path)-1]
		printf(y.b, "  %s", y.ref(r.Node))
		last := -1
		for _, p := range path {
			if p.Node != last && len(path) > 0 {
				if last < 0 {
					printf(y.b, "  via %s", y.ref(p.Node))
				} else {
					printf(y.b, ", %s", y.ref(p.Node))
				}
			}
			last = p.Node
		}
		printf(y.b, "\n")
	}
}
