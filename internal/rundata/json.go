package rundata

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/serialization"
)

// reader reads the values of a document, one after another.
type reader interface {
	// kind returns the kind of the next value.
	kind() (kind, error)
	// value reads the next value, with the memory of t.
	value(t *tree) (node, error)
	// members enters the next value, an object, and calls member for each key. It reads the value.
	members(member func(key node) error) error
	// elements enters the next value, a list, and calls element for each element. It reads it.
	elements(element func() error) error
	// node returns the name of the node of the report that is the next value, or nothing.
	node() string
}

// jsonReader reads JSON. The values are checked as far as reading them needs: whoever reads
// the presentation checks the rest.
type jsonReader struct {
	data []byte
	at   int
}

// maxDepth is the number of levels of a document.
const maxDepth = 1000

func (r *jsonReader) fail(problem error, what string) error {
	return &serialization.Error{Format: "json", Offset: int64(r.at), Err: fmt.Errorf("%w: %s", problem, what)}
}

func (r *jsonReader) kind() (kind, error) {
	r.at = jsonwire.SkipBlanks(r.data, r.at)
	if r.at >= len(r.data) {
		return 0, r.fail(serialization.ErrTruncated, "expected a value")
	}
	switch r.data[r.at] {
	case '{':
		return object, nil
	case '[':
		return list, nil
	case '"':
		return text, nil
	default:
		return scalar, nil
	}
}

func (r *jsonReader) value(t *tree) (node, error) { return r.nested(t, 0) }

func (r *jsonReader) nested(t *tree, depth int) (n node, err error) {
	if depth > maxDepth {
		return n, r.fail(serialization.ErrDepth, "the document is nested too deeply")
	}
	if n.kind, err = r.kind(); err != nil {
		return n, err
	}
	n.start = r.at
	from := len(t.stack)
	switch n.kind {
	case object:
		err = r.members(func(key node) error {
			v, err := r.nested(t, depth+1)
			t.stack = append(t.stack, key, v)
			return err
		})
		n.kids = t.pop(from)
	case list:
		err = r.elements(func() error {
			v, err := r.nested(t, depth+1)
			t.stack = append(t.stack, v)
			return err
		})
		n.kids = t.pop(from)
	default:
		end := jsonwire.ValueEnd(r.data, r.at)
		if end < 0 {
			return n, r.fail(serialization.ErrTruncated, "a value is not complete")
		}
		n.raw, r.at = r.data[r.at:end:end], end
	}
	n.end = r.at
	return n, err
}

func (r *jsonReader) members(member func(node) error) error {
	return r.each('{', func() error {
		key, _, value := jsonwire.Key(r.data, r.at)
		if value < 0 {
			return r.fail(serialization.ErrSyntax, "expected a key and a value")
		}
		start := r.at
		end := start + len(key) + len(`""`)
		r.at = value
		return member(node{kind: text, raw: r.data[start:end:end], start: start, end: end})
	})
}

func (r *jsonReader) elements(element func() error) error { return r.each('[', element) }

// each calls next at the beginning of each member of an object or a list.
func (r *jsonReader) each(open byte, next func() error) error {
	if r.at = jsonwire.SkipBlanks(r.data, r.at); r.at >= len(r.data) || r.data[r.at] != open {
		return r.fail(serialization.ErrSyntax, "unexpected type of value")
	}
	for at := r.at; ; at = r.at {
		from := r.at
		to, more := jsonwire.Next(r.data, at)
		if to < 0 {
			r.at = from
			return r.fail(serialization.ErrSyntax, "expected a comma or the end")
		}
		r.at = to
		if !more {
			return nil
		}
		if err := next(); err != nil {
			return err
		}
	}
}

func (r *jsonReader) trailing() error {
	return r.fail(serialization.ErrTrailing, "text behind the document")
}

// node skips the members without a look into them.
func (r *jsonReader) node() string {
	at := jsonwire.SkipBlanks(r.data, r.at)
	for {
		var more bool
		if at, more = jsonwire.Next(r.data, at); !more {
			return ""
		}
		key, _, value := jsonwire.Key(r.data, at)
		if value < 0 {
			return ""
		}
		if at = jsonwire.ValueEnd(r.data, value); at < 0 {
			return ""
		}
		if isNodeKey(string(key)) && r.data[value] == '"' {
			return unquoted(r.data[value:at])
		}
	}
}

// isNodeKey reports whether the name of the node of a report is at a key.
func isNodeKey(key string) bool { return key == "certname" || key == "host" }
