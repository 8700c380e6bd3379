package toml

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Document is a document that was read. Make one with [Read].
type Document struct {
	text string
	root *table
}

// Hash returns what the document says, made anew each time.
func (d *Document) Hash() *pcore.Hash { return d.root.hash() }

// Line returns the line, from 1, of the key that a path of Hash leads to. For
// what stands inside a value that is the line of its key; it is 0 for a path that
// begins with no key of the document.
func (d *Document) Line(path pcore.Path) int {
	var here any = d.root
	start, found := uint32(0), false
	for _, step := range path {
		switch e := here.(type) {
		case *table:
			name, _ := step.Key.(pcore.String)
			if i := slices.Index(e.keys, string(name)); i >= 0 {
				start, found = e.starts[i], true
			}
			here = e.entries[string(name)]
		case *list:
			if step.Index < len(e.tables) {
				t := e.tables[step.Index]
				here, start = t, t.start
			}
		}
	}
	if !found {
		return 0
	}
	return 1 + strings.Count(d.text[:start], "\n")
}
