package draw

import (
	"bufio"
	"strconv"

	"github.com/pcatdev/pcat/internal/page"
)

// graphMLKeys are the data of nodes and edges: the name, the type, and the
// element.
var graphMLKeys = [][3]string{
	{"ref", "string", "node"}, {"type", "string", "node"}, {"title", "string", "node"}, {"container", "boolean", "node"},
	{"parent", "string", "node"}, {"manifest", "string", "node"}, {"line", "long", "node"}, {"cycle", "int", "node"}, {"state", "string", "node"},
	{"was", "string", "node"}, {"rank", "string", "node"},
	{"kind", "string", "edge"}, {"refresh", "boolean", "edge"}, {"count", "int", "edge"}, {"change", "string", "edge"},
}

// graphML writes the view for programs such as Gephi, yEd and NetworkX. The
// container of a node is in its data, because few programs read nested graphs.
func (v *View) graphML(b *bufio.Writer) {
	printf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")
	for _, k := range graphMLKeys {
		printf(b, "  <key id=%q for=%q attr.name=%q attr.type=%q/>\n", k[0], k[2], k[0], k[1])
	}
	printf(b, "  <graph id=\"catalog\" edgedefault=\"directed\">\n")
	m := page.NewMarkup(b)
	data := func(key, value string) {
		if value != "" {
			m.Writef("      <data key=\"%s\">%s</data>\n", key, value)
		}
	}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		printf(b, "    <node id=\"n%d\">\n", i)
		data("ref", n.Ref.String())
		data("type", n.Ref.Type)
		data("title", n.Ref.Title)
		data("container", strconv.FormatBool(n.Container))
		if n.Parent >= 0 {
			data("parent", "n"+strconv.Itoa(n.Parent))
		}
		data("manifest", n.Manifest)
		data("line", positive(n.Line))
		data("cycle", positive(int64(n.Cycle)))
		data("state", n.State.name())
		data("was", n.was())
		data("rank", n.Rank)
		printf(b, "    </node>\n")
	}
	for i := range v.Arrows {
		a := &v.Arrows[i]
		printf(b, "    <edge source=\"n%d\" target=\"n%d\">\n", a.From, a.To)
		data("kind", a.Kind.String())
		data("refresh", strconv.FormatBool(a.Refresh))
		data("count", strconv.Itoa(a.Count))
		data("change", a.State.name())
		printf(b, "    </edge>\n")
	}
	printf(b, "  </graph>\n</graphml>\n")
}

func positive(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
