package draw

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Errors of [Write].
var (
	ErrFormat = errors.New("unknown format")
	ErrSize   = errors.New("too large for Mermaid")
)

// maxMermaid is the number of nodes that Mermaid lays out in a reasonable time.
const maxMermaid = 500

// Format is a format of [Write].
type Format struct {
	Name string
	// Extensions are the extensions of its files, beginning with the usual one.
	Extensions []string
	// Single is set if a document has only one graph.
	Single bool

	comment string // the beginning of a comment line
}

// Formats returns the formats. The first one is the default.
func Formats() []Format {
	return []Format{
		{Name: "dot", Extensions: []string{".dot", ".gv"}, comment: "// "},
		{Name: "mermaid", Extensions: []string{".mmd", ".mermaid"}, comment: "%% "},
		{Name: "graphml", Extensions: []string{".graphml"}, Single: true},
		{Name: "json", Extensions: []string{".json"}},
		{Name: "svg", Extensions: []string{".svg"}, Single: true},
		{Name: "html", Extensions: []string{".html", ".htm"}, Single: true},
	}
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Comment writes a line that programs ignore. Formats without such lines get none.
func (f *Format) Comment(w io.Writer, text string) error {
	if f.comment == "" {
		return nil
	}
	_, err := io.WriteString(w, f.comment+terminal.Line(text)+"\n")
	return err
}

// Write writes a view in the named format. The error is [ErrFormat], [ErrSize] or
// one of w.
func Write(w io.Writer, format string, v *View) error {
	b := bufio.NewWriter(w)
	switch format {
	case "dot":
		v.dot(b)
	case "mermaid":
		if n := len(v.Nodes); n > maxMermaid {
			return fmt.Errorf("%w: %d resources, at most %d", ErrSize, n, maxMermaid)
		}
		v.mermaid(b)
	case "graphml":
		v.graphML(b)
	case "html":
		return v.html(w)
	case "svg":
		return v.svg(w)
	case "json":
		e := json.NewEncoder(terminal.JSONWriter(w))
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v.document())
	default:
		return fmt.Errorf("%q: %w; use one of %s", format, ErrFormat, strings.Join(Names(), ", "))
	}
	return b.Flush()
}

// Key returns a text that equal views have in common, whatever their names.
func (v *View) Key() (string, error) {
	d := v.document()
	d.Name = ""
	text, err := json.Marshal(d)
	sum := sha256.Sum256(text)
	return string(sum[:]), err
}

// children returns the nodes without a parent, and the nodes in each container.
func (v *View) children() (roots []int, inside map[int][]int) {
	inside = make(map[int][]int)
	for i := range v.Nodes {
		if p := v.Nodes[i].Parent; p >= 0 {
			inside[p] = append(inside[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	return roots, inside
}

func printf(b *bufio.Writer, format string, args ...any) { _, _ = fmt.Fprintf(b, format, args...) }

// dot writes the view for Graphviz: a cluster for each container.
func (v *View) dot(b *bufio.Writer) {
	printf(b, "digraph catalog {\n  rankdir=LR; compound=true;\n  node [shape=box, fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\"];\n")
	roots, inside := v.children()
	var node func(i int, indent string)
	node = func(i int, indent string) {
		n := &v.Nodes[i]
		style := ""
		if n.Container {
			style = ", shape=folder"
		}
		switch {
		case n.State != Same:
			style += ", style=filled, fillcolor=" + fillColor(n.State)
		case n.Cycle > 0:
			style += ", color=red"
		}
		if len(inside[i]) == 0 {
			printf(b, "%sn%d [label=%s%s];\n", indent, i, dotQuoted(n.label()), style)
			return
		}
		printf(b, "%ssubgraph cluster_%d {\n%s  label=%s; color=gray;\n%s  n%d [label=%s%s];\n", indent, i, indent, dotQuoted(n.label()), indent, i, dotQuoted(n.label()), style)
		for _, k := range inside[i] {
			node(k, indent+"  ")
		}
		printf(b, "%s}\n", indent)
	}
	for _, i := range roots {
		node(i, "  ")
	}
	for _, a := range v.Arrows {
		printf(b, "  n%d -> n%d [%s];\n", a.From, a.To, a.dotStyle())
	}
	printf(b, "}\n")
}

// fillColor returns a colour of CSS for a state.
func fillColor(s State) string {
	return [...]string{"white", "palegreen", "lightsalmon", "khaki"}[s]
}

func (a *Arrow) dotStyle() string {
	label := a.label()
	switch {
	case a.State == Added:
		return "label=" + dotQuoted(label) + ", style=bold, color=green"
	case a.State == Removed:
		return "label=" + dotQuoted(label) + ", style=dashed, color=red"
	case a.Refresh:
		return "label=" + dotQuoted(label) + ", style=bold, color=blue"
	case a.Kind == graph.Autorequire, a.Kind == graph.Autobefore:
		return "label=" + dotQuoted(label) + ", style=dashed, color=gray"
	case a.Kind == graph.Contains:
		return "label=" + dotQuoted(label) + ", style=dotted"
	default:
		return "label=" + dotQuoted(label)
	}
}

// label is the kind, or the number of arrows that were collapsed.
func (a *Arrow) label() string {
	if a.Count > 1 {
		return fmt.Sprintf("%d relationships", a.Count)
	}
	if a.State != Same {
		return a.Kind.String() + ", " + a.State.String()
	}
	return a.Kind.String()
}

// dotQuoted returns a text as a quoted string of the DOT language.
func dotQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(terminal.Line(s)) + `"`
}

// mermaid writes the view as a flowchart.
func (v *View) mermaid(b *bufio.Writer) {
	printf(b, "flowchart LR\n")
	roots, inside := v.children()
	var node func(i int, indent string)
	node = func(i int, indent string) {
		n := &v.Nodes[i]
		open, end := `["`, `"]`
		if n.Container {
			open, end = `(["`, `"])`
		}
		if len(inside[i]) > 0 {
			printf(b, "%ssubgraph s%d [\"%s\"]\n", indent, i, mermaidText(n.label()))
			printf(b, "%s  n%d%s%s%s\n", indent, i, open, mermaidText(n.label()), end)
			for _, k := range inside[i] {
				node(k, indent+"  ")
			}
			printf(b, "%send\n", indent)
		} else {
			printf(b, "%sn%d%s%s%s\n", indent, i, open, mermaidText(n.label()), end)
		}
		switch {
		case n.State != Same:
			printf(b, "%sstyle n%d fill:%s\n", indent, i, fillColor(n.State))
		case n.Cycle > 0:
			printf(b, "%sstyle n%d stroke:red\n", indent, i)
		}
	}
	for _, i := range roots {
		node(i, "  ")
	}
	for _, a := range v.Arrows {
		line := "-->"
		switch {
		case a.Refresh:
			line = "==>"
		case a.Kind >= graph.Autorequire:
			line = "-.->"
		}
		printf(b, "  n%d %s|%s| n%d\n", a.From, line, mermaidText(a.label()), a.To)
	}
}

// mermaidText returns a text in which only letters, digits and harmless marks
// are not escaped.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range terminal.Line(s) {
		switch {
		case r >= 0x80, 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune(" .,:/_-[]@+", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

type document struct {
	envelope.Envelope

	Name   string      `json:"name,omitempty"` // of the catalog
	Nodes  []jsonNode  `json:"nodes"`
	Arrows []jsonArrow `json:"arrows"`
}

type jsonNode struct {
	ID        int    `json:"id"`
	Ref       string `json:"ref"`
	Type      string `json:"type"`
	Title     string `json:"title"`
	Container bool   `json:"container,omitempty"`
	Parent    *int   `json:"parent,omitempty"`
	Manifest  string `json:"manifest,omitempty"`
	Line      int64  `json:"line,omitempty"`
	Cycle     int    `json:"cycle,omitempty"`
	State     string `json:"state,omitempty"`
	Was       string `json:"was,omitempty"`
	Rank      string `json:"rank,omitempty"`
	Changed   int    `json:"changed,omitempty"`
}

type jsonArrow struct {
	From    int    `json:"from"`
	To      int    `json:"to"`
	Kind    string `json:"kind"`
	Refresh bool   `json:"refresh,omitempty"`
	Count   int    `json:"count,omitempty"`
	State   string `json:"state,omitempty"`
}

// was returns the old reference of a renamed resource, or "".
func (n *Node) was() string {
	if n.Was.IsZero() {
		return ""
	}
	return n.Was.String()
}

// name returns the name of a state, or "" for Same.
func (s State) name() string {
	if s == Same {
		return ""
	}
	return s.String()
}

func (v *View) document() document {
	d := document{envelope.New(v.Version, "1.0"), v.Name, make([]jsonNode, len(v.Nodes)), make([]jsonArrow, len(v.Arrows))}
	for i := range v.Nodes {
		n := &v.Nodes[i]
		d.Nodes[i] = jsonNode{i, n.Ref.String(), n.Ref.Type, n.Ref.Title, n.Container, nil, n.Manifest, n.Line, n.Cycle, n.State.name(), n.was(), n.Rank, n.Changed}
		if n.Parent >= 0 {
			d.Nodes[i].Parent = &n.Parent
		}
	}
	for i, a := range v.Arrows {
		d.Arrows[i] = jsonArrow{From: a.From, To: a.To, Kind: a.Kind.String(), Refresh: a.Refresh, State: a.State.name()}
		if a.Count > 1 {
			d.Arrows[i].Count = a.Count
		}
	}
	return d
}
