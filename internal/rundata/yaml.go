package rundata

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// yamlReader reads the documents of a stream of YAML.
type yamlReader struct {
	data   []byte
	rest   []byte // the data from the beginning of the document
	events *yamlwire.Parser
	next   yamlwire.Event
	isRead bool // next
	depth  int
}

func newYAMLReader(data []byte) (*yamlReader, error) {
	r := &yamlReader{data: data, rest: data, events: yamlwire.NewBytes(data)}
	e, err := r.events.Next()
	if err != nil {
		return nil, err
	}
	if e.Kind != yamlwire.DocumentStart {
		return nil, r.fail(serialization.ErrTruncated)
	}
	return r, nil
}

// another goes on to the next document of the stream that is not empty, and reports whether there
// is one.
func (r *yamlReader) another() (bool, error) {
	for {
		r.isRead = false
		e, err := r.here()
		if err != nil || e.Kind == yamlwire.StreamEnd {
			return false, err
		}
		if e.Kind != yamlwire.DocumentStart {
			continue
		}
		at := e.At
		r.isRead = false
		if e, err = r.here(); err != nil {
			return false, err
		}
		if e.Kind == yamlwire.Scalar && e.Start == e.End {
			continue
		}
		r.rest = r.data[min(at, len(r.data)):]
		return true, nil
	}
}

func (r *yamlReader) fail(err error) error {
	return &serialization.Error{Format: "yaml", Offset: -1, Err: err}
}

func (r *yamlReader) here() (*yamlwire.Event, error) {
	if !r.isRead {
		var err error
		if r.next, err = r.events.Next(); err != nil {
			return nil, err
		}
		r.isRead = true
	}
	return &r.next, nil
}

func (r *yamlReader) kind() (kind, error) {
	e, err := r.here()
	if err != nil {
		return 0, err
	}
	switch e.Kind {
	case yamlwire.MappingStart:
		return object, nil
	case yamlwire.SequenceStart:
		return list, nil
	default:
		return text, nil
	}
}

func (r *yamlReader) value(t *tree) (n node, err error) {
	if n.kind, err = r.kind(); err != nil {
		return n, err
	}
	from := len(t.stack)
	switch n.kind {
	case object:
		err = r.each(yamlwire.MappingStart, yamlwire.MappingEnd, func() error {
			key, err := r.key(t)
			if err != nil {
				return err
			}
			v, err := r.value(t)
			t.stack = append(t.stack, key, v)
			return err
		})
		n.kids = t.pop(from)
	case list:
		err = r.elements(func() error {
			v, err := r.value(t)
			t.stack = append(t.stack, v)
			return err
		})
		n.kids = t.pop(from)
	default:
		return r.scalar(t)
	}
	return n, err
}

// scalar reads a scalar, or an alias. The node that an alias refers to is presented where it is;
// of a collection, the alias is presented as nothing.
func (r *yamlReader) scalar(t *tree) (node, error) {
	e := r.next
	r.isRead = false
	switch e.Kind {
	case yamlwire.Scalar:
		return scalarOf(t, &e), nil
	case yamlwire.Alias:
		named, ok := r.events.Anchored(e)
		if !ok {
			return node{}, r.fail(fmt.Errorf("%w: an alias without an anchor", serialization.ErrSyntax))
		}
		to, err := named.Next()
		if err != nil || to.Kind != yamlwire.Scalar {
			return node{raw: []byte("null")}, err
		}
		return scalarOf(t, &to).copied(), nil
	default:
		return node{}, r.fail(serialization.ErrSyntax)
	}
}

// scalarOf returns the node of a scalar, as Psych reads it. A Symbol is its name.
func scalarOf(t *tree, e *yamlwire.Event) node {
	n := node{kind: text, start: e.Start, end: e.End, style: e.Style}
	s := e.Value
	if e.Style == yamlwire.Plain && (e.Tag == "" || e.Tag == "!") && !psych.IsText(s) {
		switch v := psych.Scalar(s).(type) {
		case pcore.Undef:
			return node{raw: []byte("null"), start: e.Start, end: e.End, style: e.Style}
		case pcore.Boolean, pcore.Integer:
			return node{raw: []byte(v.String()), start: e.Start, end: e.End, style: e.Style}
		case pcore.Symbol:
			s, n.symbol = string(v), strings.HasPrefix(s, ":")
		default: // a text, or a number or a date that is kept as it is written
		}
	}
	n.raw = t.quoted(s)
	return n
}

func (r *yamlReader) members(member func(node) error) error {
	return r.each(yamlwire.MappingStart, yamlwire.MappingEnd, func() error {
		key, err := r.key(&tree{})
		if err != nil {
			return err
		}
		return member(key)
	})
}

// key reads the key of a member.
func (r *yamlReader) key(t *tree) (node, error) {
	if k, err := r.kind(); err != nil || k != text {
		if err == nil {
			err = r.fail(fmt.Errorf("%w: a map key is a list or a map", serialization.ErrUnsupported))
		}
		return node{}, err
	}
	key, err := r.scalar(t)
	if key.kind != text {
		key.kind, key.raw = text, t.quoted(string(key.raw))
	}
	return key, err
}

func (r *yamlReader) elements(element func() error) error {
	return r.each(yamlwire.SequenceStart, yamlwire.SequenceEnd, element)
}

// each calls next at each member of a collection.
func (r *yamlReader) each(start, end yamlwire.Kind, next func() error) error {
	e, err := r.here()
	if err != nil {
		return err
	}
	if e.Kind != start {
		return r.fail(fmt.Errorf("%w: unexpected type of value", serialization.ErrSyntax))
	}
	if r.depth++; r.depth > maxDepth {
		return r.fail(serialization.ErrDepth)
	}
	for r.isRead = false; ; {
		if e, err = r.here(); err != nil {
			return err
		}
		if e.Kind == end {
			r.isRead = false
			r.depth--
			return nil
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// node looks at the beginning of the document, which has the name in all versions of Puppet.
func (r *yamlReader) node() (name string) {
	eachMember(r.rest[:min(len(r.rest), headLen)], func(key, value string) bool {
		if isNodeKey(key) {
			name = value
		}
		return name == ""
	})
	return name
}

// headLen is the number of bytes at the beginning of a document that are examined.
const headLen = 64 << 10

// eachMember calls member for the members of the map that begins with head, as far as they are
// there, until it returns false. The value of a collection is empty. It returns
// the tag of the map, and false for no map, or a catalog.
func eachMember(head []byte, member func(key, value string) bool) (tag string, isMap bool) {
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1] // the last line may not be complete
	}
	p := yamlwire.NewBytes(head)
	if e, err := p.Next(); err != nil || e.Kind != yamlwire.DocumentStart {
		return "", false
	}
	e, err := p.Next()
	if err != nil || e.Kind != yamlwire.MappingStart {
		return "", false
	}
	tag = e.Tag
	key, isKey := "", true
	for depth := 0; depth >= 0; {
		if e, err = p.Next(); err != nil {
			break
		}
		switch e.Kind {
		case yamlwire.MappingStart, yamlwire.SequenceStart:
			if depth == 0 && !isKey && key == "resources" {
				return tag, false // a catalog, which is long
			}
			depth++
			continue
		case yamlwire.MappingEnd, yamlwire.SequenceEnd:
			depth--
		default:
		}
		switch {
		case depth != 0:
		case isKey:
			key, isKey = e.Value, false
		default:
			isKey = true
			if !member(key, e.Value) {
				return tag, true
			}
		}
	}
	return tag, true
}

// appendScalar appends the scalar of YAML that replaces n, with the style of n where it can have
// it. raw is the new value in JSON, and source the scalar in the document.
func (n *node) appendScalar(b, source, raw []byte) []byte {
	if raw[0] != '"' { // a number, a Boolean or a collection: in YAML as in JSON
		return append(b, raw...)
	}
	s := unquoted(raw)
	if n.symbol {
		s = ":" + s
	}
	if patched, ok := n.appendPatched(b, source, n.own(), s); ok {
		return patched
	}
	switch n.style {
	case yamlwire.Plain:
		if isPlain(s) || n.symbol && isPlain(s[1:]) {
			return append(b, s...)
		}
	case yamlwire.SingleQuoted:
		if isPrintable(s) {
			return append(append(append(b, '\''), strings.ReplaceAll(s, "'", "''")...), '\'')
		}
	case yamlwire.Literal:
		if header, indent, ok := literalOf(source, s); ok {
			return appendLiteral(b, header, indent, s)
		}
	default:
	}
	return appendDoubleQuoted(b, s)
}

// own returns the text of n as it is in the document.
func (n *node) own() string {
	if n.symbol {
		return ":" + unquoted(n.raw)
	}
	return unquoted(n.raw)
}

// isPlain reports whether s is a plain scalar of YAML, and no other value, wherever it is.
func isPlain(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '/', c == '=', c == '(', c == ')':
		case c == '-' || c == ' ':
			if i == 0 || i == len(s)-1 {
				return false
			}
		default:
			return false
		}
	}
	return psych.IsText(s) && s[0] != '='
}

// isPrintable reports whether s is one line of characters without surprises.
func isPrintable(s string) bool {
	for _, c := range s {
		if c == utf8.RuneError || !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}

// literalOf returns the header and the indentation of a literal block in a document. ok is false
// if the block cannot have the text s.
func literalOf(source []byte, s string) (header, indent string, ok bool) {
	header, rest, _ := strings.Cut(string(source), "\n")
	switch strings.TrimSpace(header) {
	case "|":
		ok = strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\n\n")
	case "|-":
		ok = !strings.HasSuffix(s, "\n")
	default:
	}
	for line := range strings.Lines(rest) {
		if text := strings.TrimLeft(line, " "); text != "\n" {
			indent = line[:len(line)-len(text)]
			break
		}
	}
	ok = ok && indent != "" && s != "" && s[0] != ' ' && s[0] != '\n' && !strings.ContainsFunc(s, func(c rune) bool {
		return c != '\n' && c != '\t' && !unicode.IsPrint(c) || c == utf8.RuneError
	})
	return header, indent, ok
}

func appendLiteral(b []byte, header, indent, s string) []byte {
	b = append(b, header...)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b = append(b, '\n')
		if line != "" {
			b = append(append(b, indent...), line...)
		}
	}
	return b
}

// appendDoubleQuoted appends a scalar in double quotes on one line.
func appendDoubleQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == 0x1b:
			b = append(b, `\e`...)
		case unicode.IsPrint(c):
			b = utf8.AppendRune(b, c)
		case c < 0x100:
			b = fmt.Appendf(b, `\x%02X`, c)
		case c < 0x10000:
			b = fmt.Appendf(b, `\u%04X`, c)
		default:
			b = fmt.Appendf(b, `\U%08X`, c)
		}
	}
	return append(b, '"')
}
