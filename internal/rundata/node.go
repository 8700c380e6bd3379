package rundata

import (
	"bytes"
	"errors"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
)

// kind is the kind of a node.
type kind uint8

const (
	scalar kind = iota // null, a Boolean or a number
	text
	list
	object
	split // a text that is presented as its pieces
)

// node is a value of a document, or of its presentation. The nodes of the presentation that are
// in the document have their spans there.
type node struct {
	kind kind
	// raw is a scalar or a text in JSON.
	raw   []byte
	keys  []node // of an object, and of the pieces of a text, in order
	elems []node // of a list or an object, or the pieces of a text
	signs []byte // at the beginnings of the lines of the pieces, or 0 for none

	// start and end are the span in the document. The end is 0 for a node that is not there.
	start, end int
	style      yamlwire.Style
	symbol     bool // a plain scalar of YAML that begins with a colon
}

// newText returns a text that is not in the document.
func newText(s string) node { return node{kind: text, raw: jsonwire.AppendQuoted(nil, s)} }

// addPiece adds a piece to a text, with a name. sign is at the beginning of each of its lines; 0 for
// none.
func (n *node) addPiece(name, s string, sign byte) {
	n.kind, n.signs = split, append(n.signs, sign)
	n.set(name, newText(s))
}

// copied returns n as a value that is not in the document.
func (n node) copied() node {
	n.start, n.end = 0, 0
	return n
}

// text returns the text of n, or nothing if it is none.
func (n *node) text() string {
	if n == nil || n.kind != text {
		return ""
	}
	return unquoted(n.raw)
}

// unquoted returns the text of a string in JSON.
func unquoted(raw []byte) string {
	if jsonwire.IsPlain(raw) {
		return string(raw[1 : len(raw)-1])
	}
	s, _, _, _ := jsonwire.AppendString(nil, raw, 1)
	return string(s)
}

// isNull reports whether n is null.
func (n *node) isNull() bool { return n.kind == scalar && string(n.raw) == "null" }

// add adds a member to an object.
func (n *node) add(key, value node) {
	n.keys, n.elems = append(n.keys, key), append(n.elems, value)
}

// set adds a member with a key that is not in the document.
func (n *node) set(key string, value node) { n.add(newText(key), value) }

// get returns a member of an object, or nil.
func (n *node) get(key string) *node {
	if n.kind != object {
		return nil
	}
	for i := range n.keys {
		if n.keys[i].text() == key {
			return &n.elems[i]
		}
	}
	return nil
}

// appendJSON appends the presentation of n.
func (n *node) appendJSON(b []byte) []byte {
	switch n.kind {
	case object, split:
		b = append(b, '{')
		for i := range n.elems {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, n.keys[i].raw...), ':')
			b = n.elems[i].appendJSON(b)
		}
		return append(b, '}')
	case list:
		b = append(b, '[')
		for i := range n.elems {
			if i > 0 {
				b = append(b, ',')
			}
			b = n.elems[i].appendJSON(b)
		}
		return append(b, ']')
	default:
		return append(b, n.raw...)
	}
}

// change is a node of the document with the JSON that replaces it.
type change struct {
	*node
	raw []byte
}

// errShape reports a presentation that was changed in more than its values.
var errShape = errors.New("the document cannot hold the change: it has no place for it")

// changes appends the nodes of n whose value in to, the changed presentation of n, is another one.
func (n *node) changes(all []change, to *node) ([]change, error) {
	switch {
	case n.kind == split:
		return n.splitChange(all, to)
	case n.kind != to.kind && n.end > 0 && n.kind <= text && to.kind <= text, n.kind == to.kind && n.kind <= text:
		if n.end > 0 && !bytes.Equal(n.raw, to.raw) {
			all = append(all, change{n, to.raw})
		}
		return all, nil
	case n.kind != to.kind || len(n.elems) != len(to.elems):
		if n.end == 0 {
			return all, errShape
		}
		return append(all, change{n, to.appendJSON(nil)}), nil
	}
	var err error
	for i := range n.elems {
		if n.kind == object && n.keys[i].end > 0 && !bytes.Equal(n.keys[i].raw, to.keys[i].raw) {
			all = append(all, change{&n.keys[i], to.keys[i].raw})
		}
		if all, err = n.elems[i].changes(all, &to.elems[i]); err != nil {
			return all, err
		}
	}
	return all, nil
}
