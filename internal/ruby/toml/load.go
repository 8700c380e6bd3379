package toml

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// Read parses a document, with the lines of its keys. It preserves the order of keys. Dates and
// times with an offset become Timestamps, local ones remain texts. The error contains the line
// and the column, but no text of the document, which may contain secrets.
func Read(text string) (*Document, error) {
	// Line breaks in a string become LF, regardless of the document's. A CR
	// that is not part of a line break is kept, and the parser rejects it.
	if unix := strings.ReplaceAll(text, "\r\n", "\n"); !strings.Contains(unix, "\r") {
		text = unix
	}
	l := &loader{root: newTable(headed)}
	l.current = l.root
	l.parser.Reset([]byte(text))
	for l.parser.NextExpression() {
		if err := l.expression(l.parser.Expression()); err != nil {
			return nil, l.located(err)
		}
	}
	if err := l.parser.Error(); err != nil {
		return nil, l.located(err)
	}
	return &Document{text, l.root}, nil
}

// loader builds a document from its expressions: the parser yields them one by
// one, and does not check which of them may be combined.
type loader struct {
	parser  unstable.Parser
	root    *table
	current *table // the table of the last header
	depth   int    // nesting depth of current
}

// deepest is the maximum number of keys and arrays that enclose a value.
const deepest = 200

// table is a table under construction.
type table struct {
	origin  origin
	start   uint32 // offset of its header, in an array of tables
	keys    []string
	starts  []uint32       // offsets of the keys in the document
	entries map[string]any // *table, *list or pcore.Value
}

// list is an array of tables.
type list struct{ tables []*table }

// origin is the syntax that created a table. It decides which keys may be
// added.
type origin int

const (
	implied origin = iota // the header of a nested table: its own header may follow
	headed                // its own header
	dotted                // a dotted key: further ones may follow
)

func newTable(o origin) *table { return &table{origin: o, entries: make(map[string]any)} }

func (t *table) set(key *unstable.Node, v any) {
	name := string(key.Data)
	t.keys = append(t.keys, name)
	t.starts = append(t.starts, key.Raw.Offset)
	t.entries[name] = v
}

func (t *table) hash() *pcore.Hash {
	b := pcore.NewHashBuilder(len(t.keys))
	for _, key := range t.keys {
		switch e := t.entries[key].(type) {
		case *table:
			b.SetString(key, e.hash())
		case *list:
			elems := make([]pcore.Value, len(e.tables))
			for i, inner := range e.tables {
				elems[i] = inner.hash()
			}
			b.SetString(key, pcore.NewArray(elems...))
		case pcore.Value:
			b.SetString(key, e)
		}
	}
	return b.Hash()
}

func (l *loader) expression(e *unstable.Node) error {
	if e.Kind == unstable.KeyValue {
		return l.assign(l.current, e, l.depth)
	}
	t, last, depth, err := l.descend(l.root, e, 0, implied)
	if err != nil {
		return err
	}
	if e.Kind == unstable.ArrayTable {
		l.current, err = l.element(t, last)
	} else {
		l.current, err = l.header(t, last)
	}
	l.depth = depth
	return err
}

// header returns the table that a header defines.
func (l *loader) header(parent *table, key *unstable.Node) (*table, error) {
	switch e := parent.entries[string(key.Data)].(type) {
	case nil:
		t := newTable(headed)
		parent.set(key, t)
		return t, nil
	case *table:
		if e.origin == implied {
			e.origin = headed
			return e, nil
		}
	}
	return nil, l.refuse(key, "this key is there already")
}

// element returns the table that a header adds to an array of tables.
func (l *loader) element(parent *table, key *unstable.Node) (*table, error) {
	t := newTable(headed)
	t.start = key.Raw.Offset
	switch e := parent.entries[string(key.Data)].(type) {
	case nil:
		parent.set(key, &list{[]*table{t}})
	case *list:
		e.tables = append(e.tables, t)
	default:
		return nil, l.refuse(key, "this key is there already, and is no array of tables")
	}
	return t, nil
}

// descend follows the keys of an expression. It returns the table that contains
// the last key, that key, and its depth.
func (l *loader) descend(t *table, e *unstable.Node, depth int, by origin) (*table, *unstable.Node, int, error) {
	keys := e.Key()
	for keys.Next() && !keys.IsLast() {
		var err error
		if t, err = l.enter(t, keys.Node(), by); err != nil {
			return nil, nil, 0, err
		}
		if depth++; depth >= deepest {
			return nil, nil, 0, l.refuse(keys.Node(), tooDeep)
		}
	}
	return t, keys.Node(), depth + 1, nil
}

const tooDeep = "this is nested too deeply"

// enter returns the table at the key, and creates it if necessary.
func (l *loader) enter(t *table, key *unstable.Node, by origin) (*table, error) {
	switch e := t.entries[string(key.Data)].(type) {
	case nil:
		inner := newTable(by)
		t.set(key, inner)
		return inner, nil
	case *table:
		if by == implied || e.origin == dotted {
			return e, nil
		}
	case *list:
		if by == implied {
			return e.tables[len(e.tables)-1], nil
		}
	default:
		return nil, l.refuse(key, "this key holds a value, which cannot be added to")
	}
	return nil, l.refuse(key, "this table has a header, below which its keys belong")
}

// assign sets the value of `key = value` in a table.
func (l *loader) assign(t *table, e *unstable.Node, depth int) error {
	t, key, depth, err := l.descend(t, e, depth, dotted)
	if err != nil {
		return err
	}
	if _, taken := t.entries[string(key.Data)]; taken {
		return l.refuse(key, "this key is there already")
	}
	v, err := l.value(e.Value(), key, depth)
	if err != nil {
		return err
	}
	t.set(key, v)
	return nil
}

// value returns the value of a node within the value of the key.
func (l *loader) value(n, key *unstable.Node, depth int) (pcore.Value, error) {
	if depth > deepest {
		return nil, l.refuse(key, tooDeep)
	}
	switch n.Kind {
	case unstable.Array:
		var elems []pcore.Value
		for children := n.Children(); children.Next(); {
			v, err := l.value(children.Node(), key, depth+1)
			if err != nil {
				return nil, err
			}
			elems = append(elems, v)
		}
		return pcore.NewArray(elems...), nil
	case unstable.InlineTable:
		t := newTable(headed)
		for children := n.Children(); children.Next(); {
			if err := l.assign(t, children.Node(), depth); err != nil {
				return nil, err
			}
		}
		return t.hash(), nil
	case unstable.String:
		return pcore.String(n.Data), nil
	case unstable.Bool:
		return pcore.Boolean(string(n.Data) == "true"), nil
	case unstable.Integer:
		i, err := strconv.ParseInt(string(n.Data), 0, 64)
		if err != nil {
			return nil, l.refuse(n, "this integer does not fit into 64 bits")
		}
		return pcore.Integer(i), nil
	case unstable.Float:
		return l.float(n)
	default:
		return l.moment(n)
	}
}

func (l *loader) float(n *unstable.Node) (pcore.Value, error) {
	text := strings.ReplaceAll(string(n.Data), "_", "")
	if strings.HasSuffix(text, "nan") { // ParseFloat does not accept a sign here
		return pcore.Float(math.NaN()), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, l.refuse(n, "this number does not fit into 64 bits")
	}
	return pcore.Float(f), nil
}

// moment parses a date or time, which the decoder validates but the parser does
// not.
func (l *loader) moment(n *unstable.Node) (pcore.Value, error) {
	var document struct{ V any }
	if err := toml.Unmarshal(append([]byte("V = "), n.Data...), &document); err != nil {
		return nil, l.refuse(n, "there is no such date or time") // err may quote it
	}
	if t, ok := document.V.(time.Time); ok {
		return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), nil
	}
	return pcore.String(n.Data), nil
}

// refuse returns an error at a node.
func (l *loader) refuse(n *unstable.Node, why string) error {
	return &unstable.ParserError{Highlight: l.parser.Raw(n.Raw), Message: why}
}

// character matches a character quoted by the parser.
var character = lazyregexp.New(`(?s)(?: but got|:)? U\+[0-9A-F]+(?: '.')?`)

// located formats an error of the parser or the loader with its location.
func (l *loader) located(err error) error {
	var at *unstable.ParserError
	if !errors.As(err, &at) {
		return err
	}
	start := l.parser.Shape(l.parser.Range(at.Highlight)).Start
	why := character.Get().ReplaceAllString(at.Message, "")
	return fmt.Errorf("line %d: %s (column %d)", start.Line, why, start.Column)
}
