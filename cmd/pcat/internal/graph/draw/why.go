package draw

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/terminal"
)

// WhyOptions control [Why]. The zero value is valid.
type WhyOptions struct {
	Depth int  // of the trees; 0 for 3
	Color bool // of the headings
	// Locator determines the path of the manifest of the resource and the link to it.
	Locator manifest.Locator
}

// Why writes the relations of a resource as indented text: its containers, the
// resources that are applied before it with the reason for each, the ones that
// follow, and the refreshes in both directions. mask masks the references and manifests. The
// error is one of w.
func Why(w io.Writer, g *graph.Graph, node int, mask catalog.Mask, o WhyOptions) error {
	y := newWhy(w, g, mask, o)
	up := parents(g)
	for i := range up {
		for p := up[i]; p >= 0 && !g.Node(i).Container; p = up[p] {
			y.inside[p]++
		}
	}
	y.resource(node)
	before, after := len(g.Before(node)), len(g.After(node))
	by, to := g.RefreshedBy(node), g.Refreshes(node)
	if before+after+len(by)+len(to) == 0 {
		printf(y.b, "\nno relationships: it can be applied before or after any resource\n")
		return y.b.Flush()
	}
	y.heading("applied after %s", "not applied after any resource", before)
	y.seen, y.path = map[int]bool{node: true}, []int{node}
	y.tree(node, 1, true)
	y.heading("applied before %s", "not applied before any resource", after)
	y.seen, y.path = map[int]bool{node: true}, []int{node}
	y.tree(node, 1, false)
	y.refreshes("refreshed by a change of %s", "no change refreshes it", by)
	y.refreshes("a change would refresh %s", "a change would refresh nothing", to)
	if y.cut {
		printf(y.b, "\n… has more relationships, with --depth %d\n", o.Depth+1)
	}
	return y.b.Flush()
}

func newWhy(w io.Writer, g *graph.Graph, mask catalog.Mask, o WhyOptions) *why {
	if o.Depth == 0 {
		o.Depth = 3
	}
	y := &why{Graph: g, mask: mask, b: bufio.NewWriter(w), o: o, parents: make(map[int][]int), into: make(map[int][]graph.Arrow), from: make(map[int][]graph.Arrow), inside: make(map[int]int)}
	for a := range g.Containment() {
		y.parents[a.To] = append(y.parents[a.To], a.From)
	}
	for a := range g.Relations() {
		y.into[a.To] = append(y.into[a.To], a)
		y.from[a.From] = append(y.from[a.From], a)
	}
	return y
}

type why struct {
	*graph.Graph
	mask       catalog.Mask
	b          *bufio.Writer
	o          WhyOptions
	parents    map[int][]int
	into, from map[int][]graph.Arrow
	inside     map[int]int // the number of resources in each container
	seen       map[int]bool
	path       []int // the nodes that lead to the current one
	cut        bool  // the depth hides relations
}

func (y *why) ref(node int) string {
	ref := puppet.Canonical(y.Node(node).Ref)
	ref = y.mask.Location(catalog.Location{Ref: ref}).Ref
	return terminal.Line(ref.String())
}

func (y *why) at(node int) string {
	r := y.Node(node).Resource
	file := y.mask.Text(r.File())
	return y.o.Locator.Hyperlink(y.o.Locator.Text(file, r.Line()), file, r.Line())
}

// resource writes the resource and its containers, the nearest first.
func (y *why) resource(node int) {
	line := y.ref(node)
	if at := y.at(node); at != "" {
		line += "  " + at
	}
	printf(y.b, "%s\n", y.bold(line))
	if names := y.containers(node); len(names) > 0 {
		printf(y.b, "  in %s\n", strings.Join(names, ", in "))
	}
}

// containers returns the containers of a node, the nearest first.
func (y *why) containers(node int) []string {
	names := []string{}
	seen := map[int]bool{node: true}
	for list := y.parents[node]; len(list) > 0 && !seen[list[0]]; list = y.parents[list[0]] {
		seen[list[0]] = true
		names = append(names, y.ref(list[0]))
	}
	return names
}

func (y *why) bold(s string) string {
	return terminal.Paint(y.o.Color, terminal.Bold, s)
}

// heading writes a heading with a number of resources, or none if there are none.
func (y *why) heading(format, none string, n int) {
	text := none
	if n > 0 {
		text = fmt.Sprintf(format, plural(n))
	}
	printf(y.b, "\n%s\n", y.bold(text))
}

func plural(n int) string { return counted(n, "resource") }

// tree writes the relations of a node and of its containers, and theirs, up to
// the depth of the options. A resource that was written appears again only as
// a relation of the first node, or if it closes a cycle.
func (y *why) tree(node, depth int, up bool) {
	indent := strings.Repeat("  ", depth)
	for _, owner := range y.owners(node) {
		for _, a := range y.next(owner, up) {
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
			name := y.ref(other)
			switch n := y.inside[other]; n {
			case 0:
			case 1:
				name += " and its resource"
			default:
				name += " and its " + plural(n)
			}
			again := y.seen[other]
			y.seen[other] = true
			switch {
			case again && depth > 1 && !slices.Contains(y.path, other):
			case again:
				printf(y.b, "%s%s  %s (see above)\n", indent, name, reason)
			case depth == y.o.Depth && len(y.next(other, up)) > 0:
				printf(y.b, "%s%s  %s …\n", indent, name, reason)
				y.cut = true
			default:
				printf(y.b, "%s%s  %s\n", indent, name, reason)
				if depth < y.o.Depth {
					y.path = append(y.path, other)
					y.tree(other, depth+1, up)
					y.path = y.path[:len(y.path)-1]
				}
			}
		}
		if owner != node {
			y.seen[owner] = true
		}
	}
}

// owners returns a node and its containers.
func (y *why) owners(node int) []int {
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
	return owners
}

func (y *why) next(node int, up bool) []graph.Arrow {
	if up {
		return y.into[node]
	}
	return y.from[node]
}

func (y *why) refreshes(heading, none string, list []graph.Refresh) {
	y.heading(heading, none, len(list))
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
