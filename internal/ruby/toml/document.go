package toml

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Document is a parsed document. Use [Read] to create one.
type Document struct {
	text string
	root *table
}

// Hash returns the contents of the document, as a new hash on each call.
func (d *Document) Hash() *pcore.Hash { return d.root.hash() }

// Line returns the line, from 1, of the key at a path of Hash. For a path into
// a value it is the line of the value's key; for an element of an array of
// tables it is the line of the element's header. It is 0 if the path does not
// begin with a key of the document.
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
