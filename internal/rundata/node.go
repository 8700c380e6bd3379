package rundata

import (
	"bytes"
	"errors"
	"iter"
	"strconv"

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
	split // a text that is presented as an object of its pieces
)

// node is a value of a document, or of its presentation. The nodes of the presentation that are
// in the document have their spans there.
type node struct {
	kind   kind
	style  yamlwire.Style
	symbol bool // a plain scalar of YAML that begins with a colon

	raw  []byte // a scalar or a text in JSON
	kids []node // the elements of a list; the keys and values, in turn, of an object

	layout *layout // of a text that is presented by its pieces, or joined from several

	// start and end are the span in the document. The end is 0 for a node that is not there.
	start, end int
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
func (n *node) add(key, value node) { n.kids = append(n.kids, key, value) }

// members returns an iterator over the keys and values of an object.
func (n *node) members() iter.Seq2[*node, *node] {
	return func(yield func(key, value *node) bool) {
		if n.kind != object && n.kind != split {
			return
		}
		for i := 0; i+1 < len(n.kids); i += 2 {
			if !yield(&n.kids[i], &n.kids[i+1]) {
				return
			}
		}
	}
}

// get returns a member of an object, or nil. The key has no escapes.
func (n *node) get(key string) *node {
	for k, v := range n.members() {
		if k.is(key) {
			return v
		}
	}
	return nil
}

// is reports whether n is a text, which has no escapes.
func (n *node) is(s string) bool {
	return n.kind == text && len(n.raw) == len(s)+2 && string(n.raw[1:len(n.raw)-1]) == s
}

// without returns an object without some members.
func (t *tree) without(n *node, keys ...string) node {
	rest := t.object(len(n.kids) / 2)
members:
	for k, v := range n.members() {
		for _, key := range keys {
			if k.is(key) {
				continue members
			}
		}
		rest.add(*k, *v)
	}
	return rest
}

// appendJSON appends the presentation of n.
func (n *node) appendJSON(b []byte) []byte {
	switch n.kind {
	case object, split:
		b = append(b, '{')
		for i := range n.kids {
			switch {
			case i%2 > 0:
				b = append(b, ':')
			case i > 0:
				b = append(b, ',')
			}
			b = n.kids[i].appendJSON(b)
		}
		return append(b, '}')
	case list:
		b = append(b, '[')
		for i := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = n.kids[i].appendJSON(b)
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
var errShape = errors.New("the document cannot contain the change")

// changes appends the nodes of n whose value in to, the changed presentation of n, is another one.
func (n *node) changes(all []change, to *node) ([]change, error) {
	switch {
	case n.layout != nil:
		return n.splitChange(all, to)
	case n.kind <= text && to.kind <= text:
		if n.end > 0 && !n.equal(to) {
			all = append(all, change{n, to.raw})
		}
		return all, nil
	case n.kind != to.kind || len(n.kids) != len(to.kids):
		if n.end == 0 {
			return all, errShape
		}
		return append(all, change{n, to.appendJSON(nil)}), nil
	}
	var err error
	for i := range n.kids {
		if all, err = n.kids[i].changes(all, &to.kids[i]); err != nil {
			break
		}
	}
	return all, err
}

// equal reports whether two texts or scalars are the same, even if they are written with other escapes
// or digits.
func (n *node) equal(to *node) bool {
	switch {
	case bytes.Equal(n.raw, to.raw):
		return true
	case n.kind == text && to.kind == text:
		return unquoted(n.raw) == unquoted(to.raw)
	case n.kind != to.kind || !bytes.ContainsAny(n.raw, ".eE"):
		return false
	}
	a, err := strconv.ParseFloat(string(n.raw), 64)
	b, other := strconv.ParseFloat(string(to.raw), 64)
	return err == nil && other == nil && a == b
}

// same reports whether two nodes have the same shape and the same bytes.
func (n *node) same(to *node) bool {
	if n.kind != to.kind || len(n.kids) != len(to.kids) || !bytes.Equal(n.raw, to.raw) {
		return false
	}
	for i := range n.kids {
		if !n.kids[i].same(&to.kids[i]) {
			return false
		}
	}
	return true
}

// tree has the memory of nodes that are used together.
type tree struct {
	stack []node // the nodes of the collections that are not complete
	nodes []node
	bytes []byte
}

// reset takes the memory of all nodes back, which must not be used any more.
func (t *tree) reset() { t.nodes, t.bytes = t.nodes[:0], t.bytes[:0] }

// pop returns the nodes from a position of the stack, in memory of their own.
func (t *tree) pop(from int) []node {
	kids := t.stack[from:]
	if len(kids) == 0 {
		return nil
	}
	t.stack = t.stack[:from]
	return append(t.space(len(kids)), kids...)
}

// space returns an empty slice for some nodes.
func (t *tree) space(n int) []node {
	const chunk = 256
	start := len(t.nodes)
	if cap(t.nodes)-start < n {
		t.nodes, start = make([]node, 0, max(chunk, n, 2*cap(t.nodes))), 0
	}
	t.nodes = t.nodes[:start+n]
	return t.nodes[start : start : start+n]
}

// text returns a text that is not in the document.
func (t *tree) text(s string) node { return node{kind: text, raw: t.quoted(s)} }

// object returns an object with space for some members.
func (t *tree) object(members int) node { return node{kind: object, kids: t.space(2 * members)} }

// set adds a member to an object, with a key that is not in the document.
func (t *tree) set(n *node, key string, value node) { n.add(t.text(key), value) }

// quoted returns a text in JSON.
func (t *tree) quoted(s string) []byte {
	start := len(t.bytes)
	t.bytes = jsonwire.AppendQuoted(t.bytes, s)
	return t.bytes[start:len(t.bytes):len(t.bytes)]
}
