package draw

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/terminal"
)

// The parts of the page. Style and scripts are trusted: nothing is put into them.
var (
	//go:embed page/page.html
	pageText string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	pageModel string
	//go:embed page/paint.js
	pagePaint string
	//go:embed page/panel.js
	pagePanel string
	//go:embed page/page.js
	pageMain string
)

func pageScript() string {
	return "'use strict';\n" + pageModel + pagePaint + pagePanel + pageMain
}

// html writes a page that is complete in one file. Its script draws the nodes
// where the layout placed them.
func (v *View) html(b *bufio.Writer) error {
	data, err := v.pageData()
	if err != nil {
		return err
	}
	for rest := pageText; ; {
		text, part, more := strings.Cut(rest, "${")
		_, _ = b.WriteString(text)
		if !more {
			return nil
		}
		var name string
		name, rest, _ = strings.Cut(part, "}")
		switch name {
		case "policy":
			text = html.EscapeString("default-src 'none'; style-src " + source(pageStyle) + "; script-src " + source(pageScript()) + "; base-uri 'none'; form-action 'none'")
		case "style":
			text = pageStyle
		case "script":
			text = pageScript()
		case "name":
			text = html.EscapeString(terminal.Line(v.Name))
		case "data":
			text = string(data)
		default:
			return fmt.Errorf("page.html has an unknown part %s", name)
		}
		_, _ = b.WriteString(text)
	}
}

// source returns the expression of a policy that allows text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageData is the data of the script, with an element for each node in each list.
type pageData struct {
	Name      string   `json:"name"`
	Compared  bool     `json:"compared,omitempty"`
	Size      [2]int   `json:"size"`
	Types     []string `json:"types"`
	Files     []string `json:"files"`
	Kinds     []string `json:"kinds"` // the reasons for arrows
	Type      []int    `json:"type"`
	Title     []string `json:"title"`
	Parent    []int    `json:"parent"`
	File      []int    `json:"file"`
	Line      []int64  `json:"line"`
	Flags     []int    `json:"flags"`     // see nodeFlags
	Cycle     []int    `json:"cycle"`     // the number of its cycle, or 0
	Positions []int    `json:"positions"` // x, y, width and height; relative to the container
	Arrows    []int    `json:"arrows"`    // source, relative to the one before; target, relative to the source; flags; count
	Cycles    [][]int  `json:"cycles"`
}

// nodeFlags are the state, whether the node is a container, and whether its type
// can be refreshed.
func nodeFlags(n *Node) int {
	flags := int(n.State)
	if n.Container {
		flags |= 4
	}
	if graph.CanRefresh(n.Ref.Type) {
		flags |= 8
	}
	return flags
}

// pageData returns the data as JSON. The encoder escapes `<`, so that no text
// ends the element of the data.
func (v *View) pageData() ([]byte, error) {
	rects, width, height := layOut(v)
	d := pageData{Name: v.Name, Compared: v.Compared, Size: [2]int{width, height}, Cycles: v.Cycles, Types: []string{}, Files: []string{}}
	for k := graph.Require; k <= graph.Contains; k++ {
		d.Kinds = append(d.Kinds, k.String())
	}
	types, files := numbers{&d.Types, map[string]int{}}, numbers{&d.Files, map[string]int{}}
	for i := range v.Nodes {
		n, r := &v.Nodes[i], rects[i]
		d.Type = append(d.Type, types.of(n.Ref.Type))
		d.Title = append(d.Title, n.Ref.Title)
		d.Parent = append(d.Parent, n.Parent)
		d.File = append(d.File, files.of(graph.Place(n.Manifest, 0)))
		d.Line = append(d.Line, n.Line)
		d.Flags = append(d.Flags, nodeFlags(n))
		d.Cycle = append(d.Cycle, n.Cycle)
		d.Positions = append(d.Positions, r.x, r.y, r.w, r.h)
	}
	last := 0
	for i := range v.Arrows {
		a := &v.Arrows[i]
		flags := int(a.Kind) | int(a.State)<<4
		if a.Refresh {
			flags |= 8
		}
		d.Arrows = append(d.Arrows, a.From-last, a.To-a.From, flags, a.Count)
		last = a.From
	}
	text, err := json.Marshal(d)
	return terminal.JSON(text), err
}

// numbers numbers different texts in the order of their first use.
type numbers struct {
	list  *[]string
	known map[string]int
}

func (n numbers) of(text string) int {
	i, ok := n.known[text]
	if !ok {
		i = len(*n.list)
		n.known[text] = i
		*n.list = append(*n.list, text)
	}
	return i
}
