package draw

import (
	_ "embed" // the style
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/page"
)

//go:embed page/picture.css
var pictureStyle string

// margin is the space around the picture.
const margin = 16

// svg writes the picture with all containers open.
func (v *View) svg(w io.Writer) error {
	rects, width, height := layOut(v)
	p := picture{page.NewMarkup(w), v, newRoutes(v, rects)}
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" width="%d" height="%d">`+"\n", -margin, -margin, width+2*margin, height+2*margin, width+2*margin, height+2*margin)
	p.Writef("<title>%s</title>\n", strings.TrimSpace("Graph of "+v.Name))
	p.Own("<style>\n" + pictureStyle + "</style>\n")
	for _, class := range arrowClasses {
		p.printf(`<marker id="%[1]s" class="%[1]s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z"/></marker>`+"\n", class)
	}
	p.printf(`<rect class="ground" x="%d" y="%d" width="%d" height="%d"/>`+"\n", -margin, -margin, width+2*margin, height+2*margin)
	roots, inside := v.children()
	var order []int // containers before their content
	for order = append(order, roots...); len(roots) > 0; {
		var next []int
		for _, i := range roots {
			next = append(next, inside[i]...)
		}
		order, roots = append(order, next...), next
	}
	for _, i := range order {
		if len(inside[i]) > 0 {
			p.frame(i, "group")
			p.Own("</g>\n")
		}
	}
	for i := range v.Arrows {
		p.arrow(&v.Arrows[i])
	}
	for _, i := range order {
		if len(inside[i]) == 0 {
			p.node(i)
		} else {
			p.title(i)
		}
	}
	p.Own("</svg>\n")
	return p.Flush()
}

// picture writes the elements of an SVG file.
type picture struct {
	page.Markup

	view   *View
	routes *routes
}

func (p *picture) printf(format string, args ...any) { p.Own(fmt.Sprintf(format, args...)) }

// arrowClasses are the classes of arrows, each with a head.
var arrowClasses = []string{"order", "auto", "refresh", "contains", "cycle", "added", "removed"}

// class returns the class of an arrow.
func (v *View) class(a *Arrow) string {
	from, to := v.Nodes[a.From].Cycle, v.Nodes[a.To].Cycle
	switch {
	case a.State != Same:
		return a.State.String()
	case from > 0 && from == to:
		return "cycle"
	case a.Refresh:
		return "refresh"
	case a.Kind == graph.Contains:
		return "contains"
	case a.Kind == graph.Autorequire, a.Kind == graph.Autobefore:
		return "auto"
	default:
		return "order"
	}
}

// classes returns the classes of a node.
func (n *Node) classes() string {
	class := n.State.name()
	if class == "" && n.Changed > 0 {
		class = Changed.String()
	}
	if n.Container {
		class += " container"
	}
	if n.Cycle > 0 {
		class += " cycle"
	}
	return strings.TrimSpace(class)
}

// frame writes the beginning of a node: its title and its rectangle.
func (p *picture) frame(i int, class string) {
	n, b := &p.view.Nodes[i], p.routes.boxes[i]
	title := n.label()
	if at := n.declared(); at != "" {
		title += "\n" + at
	}
	p.Writef(`<g class="%s"><title>%s</title>`, strings.TrimSpace(class+" "+n.classes()), title)
	p.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="5"/>`, pixels(b.left), pixels(b.top), pixels(b.right-b.left), pixels(b.bottom-b.top))
}

// title writes the title of a container with content, over the arrows.
func (p *picture) title(i int) {
	b := p.routes.boxes[i]
	p.printf(`<text class="title" x="%s" y="%s">`, pixels(b.left+10), pixels(b.top+headerHeight/2))
	p.Text(fitted(p.view.Nodes[i].label(), b.right-b.left-20, true))
	p.Own("</text>\n")
}

func (p *picture) node(i int) {
	b := p.routes.boxes[i]
	p.frame(i, "node")
	p.printf(`<text x="%s" y="%s">`, pixels(middle(b.left, b.right)), pixels(middle(b.top, b.bottom)))
	p.Text(fitted(p.view.Nodes[i].label(), b.right-b.left-8, false))
	p.Own("</text></g>\n")
}

// arrow writes an arrow with round bends.
func (p *picture) arrow(a *Arrow) {
	class := p.view.class(a)
	points := p.routes.of(a)
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %s", pixels(points[0].x), pixels(points[0].y))
	for i := 1; i < len(points)-1; i++ {
		from, to := toward(points[i], points[i-1]), toward(points[i], points[i+1])
		fmt.Fprintf(&d, "L%s %sQ%s %s %s %s", pixels(from.x), pixels(from.y), pixels(points[i].x), pixels(points[i].y), pixels(to.x), pixels(to.y))
	}
	last := points[len(points)-1]
	fmt.Fprintf(&d, "L%s %s", pixels(last.x), pixels(last.y))
	p.printf(`<path class="arrow %s" d="%s" marker-end="url(#%s)"><title>`, class, d.String(), class)
	p.Text(p.view.Nodes[a.From].Ref.String() + " → " + p.view.Nodes[a.To].Ref.String() + ": " + a.label())
	p.Own("</title></path>\n")
}

// radius is that of the bends of arrows.
const radius = 8

// toward returns the point at which a bend at p begins on the way to q.
func toward(p, q point) point {
	length := p.to(q)
	part := min(radius, length/2) / max(length, 1)
	return point{p.x + (q.x-p.x)*part, p.y + (q.y-p.y)*part}
}

// pixels returns a coordinate with one digit.
func pixels(x float64) string { return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0") }
