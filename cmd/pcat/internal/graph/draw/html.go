package draw

import (
	"cmp"
	_ "embed" // the page
	"fmt"
	"io"

	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/page"
	"github.com/pcatdev/pcat/internal/puppet"
)

// The parts of the page that it does not share with other ones.
var (
	//go:embed page/body.html
	pageBody string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	pageModel string
	//go:embed page/route.js
	pageRoute string
	//go:embed page/paint.js
	pagePaint string
	//go:embed page/panel.js
	pagePanel string
	//go:embed page/page.js
	pageMain string
)

// html writes a page that is complete in one file. Its script draws the nodes
// where the layout placed them.
func (v *View) html(w io.Writer) error {
	data, err := v.pageData()
	if err != nil {
		return err
	}
	p := page.Page{Body: pageBody, Style: pageStyle, Script: pageModel + pageRoute + pagePaint + pagePanel + pageMain, Picture: true}
	m := page.NewMarkup(w)
	err = p.Write(m, func(part string) error {
		switch part {
		case "title":
			m.Writef("%s: graph", v.Name)
		case "name":
			m.Text(v.Name)
		case "refreshes":
			newList(m, v).write()
		case "data":
			m.Print(string(data))
		default:
			return fmt.Errorf("body.html has an unknown part %s", part)
		}
		return nil
	})
	return cmp.Or(err, m.Flush())
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

	Was   map[int]string `json:"was"`             // the old references of renamed nodes
	Links map[int]string `json:"links,omitempty"` // to the lines of manifests
}

// nodeFlags are the state, whether the node is a container, and whether it passes a
// refresh on: by its type, or as a container with content.
func nodeFlags(n *Node) int {
	flags := int(n.State)
	if n.Container {
		flags |= 4
	}
	if puppet.CanRefresh(n.Ref.Type) || n.full {
		flags |= 8
	}
	return flags
}

// pageData returns the data as JSON.
func (v *View) pageData() ([]byte, error) {
	rects, width, height := layOut(v)
	d := pageData{Name: v.Name, Compared: v.Compared, Size: [2]int{width, height}, Cycles: v.Cycles, Types: []string{}, Files: []string{}, Was: map[int]string{}, Links: map[int]string{}}
	for k := graph.Require; k <= graph.Contains; k++ {
		d.Kinds = append(d.Kinds, k.String())
	}
	types, files := numbers{&d.Types, map[string]int{}}, numbers{&d.Files, map[string]int{}}
	for i := range v.Nodes {
		n, r := &v.Nodes[i], rects[i]
		d.Type = append(d.Type, types.of(n.Ref.Type))
		d.Title = append(d.Title, n.Ref.Title)
		d.Parent = append(d.Parent, n.Parent)
		d.File = append(d.File, files.of(n.Manifest))
		d.Line = append(d.Line, n.Line)
		if n.Link != "" {
			d.Links[i] = n.Link
		}
		d.Flags = append(d.Flags, nodeFlags(n))
		if !n.Was.IsZero() {
			d.Was[i] = n.was()
		}
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
	return page.JSON(d)
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
