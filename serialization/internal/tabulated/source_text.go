package tabulated

import (
	"errors"
	"io"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

// textSource is a jsonSource for a document in memory, without the cursor: it
// reads the bytes themselves. Its errors have neither a cause nor a position.
type textSource struct {
	data  []byte
	opts  serialization.DecodeOptions
	limit int // of one string
	pos   int
	depth int // the number of open arrays
	// first indicates that the next element is the first of its array.
	first bool
	slab  *pcore.Slab
	buf   []byte // of a string with escapes
}

// decodeText is JSON.Decode for a valid document. It reports false for any other,
// and for values that are better read by a jsonSource.
func decodeText(data []byte, o serialization.DecodeOptions, m *memory) (pcore.Value, bool) {
	if int64(len(data)) > codec.ByteLimit(&o) {
		return nil, false
	}
	d := newDeserializer(&textSource{data: data, opts: o, limit: codec.StringLimit(&o), slab: &m.slab}, o, m)
	v, err := d.value()
	if err != nil {
		return nil, false
	}
	_, err = d.value()
	return v, err == io.EOF //nolint:errorlint // the contract of value
}

// errText is the error for a document that is not valid.
var errText = errors.New("not the JSON of a stream")

func (s *textSource) next() (code, pcore.Value, error) {
	if s.depth == 0 {
		if s.skip(); s.pos > 0 && s.pos == len(s.data) {
			return scalar, nil, io.EOF
		}
		if s.peek() != '[' {
			return scalar, nil, errText
		}
		s.enter()
	}
	for {
		switch c := s.element(); c {
		case 0, '{':
			return scalar, nil, errText
		case ']':
			if s.leave(); s.depth > 0 {
				continue
			}
			if s.skip(); s.pos < len(s.data) {
				return scalar, nil, errText
			}
			return scalar, nil, io.EOF
		case '[':
			s.enter()
			c, ok := s.scalar(s.element()).(pcore.Integer)
			if !ok || c < 0 || c > maxCode || s.depth > codec.Depth(&s.opts)+outerLevels {
				return scalar, nil, errText
			}
			return code(c), nil, nil
		default:
			if v := s.scalar(c); v != nil {
				return scalar, v, nil
			}
			return scalar, nil, errText
		}
	}
}

func (s *textSource) skip() { s.pos = jsonwire.SkipBlanks(s.data, s.pos) }

// peek returns the next byte, or 0 at the end.
func (s *textSource) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *textSource) enter() {
	s.pos++
	s.depth++
	s.first = true
}

func (s *textSource) leave() {
	s.pos++
	s.depth--
	s.first = false
}

// element moves to the next element of the innermost array, or to its end, and
// returns the first byte, or 0 if there is neither.
func (s *textSource) element() byte {
	s.skip()
	c := s.peek()
	if s.first || c == ']' {
		s.first = false
		return c
	}
	if c != ',' {
		return 0
	}
	s.pos++
	s.skip()
	if c = s.peek(); c == ']' {
		return 0
	}
	return c
}

// scalar reads a scalar that begins with c. It returns nil if there is none.
func (s *textSource) scalar(c byte) pcore.Value {
	switch c {
	case '"':
		return s.text()
	case 'n':
		return s.literal("null", pcore.Undef{})
	case 't':
		return s.literal("true", pcore.Boolean(true))
	case 'f':
		return s.literal("false", pcore.Boolean(false))
	}
	switch n, f, end, class := jsonwire.SmallNumber(s.data, s.pos); class {
	case jsonwire.SmallInteger:
		s.pos = end
		return s.slab.Integer(n)
	case jsonwire.SmallFloat:
		s.pos = end
		return s.slab.Float(f)
	case jsonwire.NotSmall:
	}
	end, _, ok := jsonwire.Number(s.data, s.pos)
	if !ok || end == s.pos {
		return nil
	}
	v, err := json.Decode(s.data[s.pos:end], s.opts)
	if err != nil {
		return nil
	}
	s.pos = end
	return v
}

func (s *textSource) literal(text string, v pcore.Value) pcore.Value {
	end, ok := jsonwire.Literal(s.data, s.pos, text)
	if !ok {
		return nil
	}
	s.pos = end
	return v
}

// text reads a string.
func (s *textSource) text() pcore.Value {
	start := s.pos + 1
	end := jsonwire.PlainEnd(s.data, start)
	text, wide := s.data[start:end], false
	if end < len(s.data) && s.data[end] != '"' {
		s.buf, end, wide, _ = jsonwire.AppendString(append(s.buf[:0], text...), s.data, end)
		text = s.buf
	}
	if end >= len(s.data) || s.data[end] != '"' || end-start > s.limit || wide && !utf8.Valid(s.data[start:end]) {
		return nil
	}
	s.pos = end + 1
	return s.slab.Text(text)
}

func (s *textSource) payload() (pcore.Value, error) {
	switch c := s.element(); c {
	case 0, ']', '[', '{':
		return nil, errText
	default:
		if v := s.scalar(c); v != nil {
			return v, nil
		}
		return nil, errText
	}
}

func (s *textSource) endPayload(c code) error {
	if c.starts() {
		return nil
	}
	if s.element() != ']' {
		return errText
	}
	s.leave()
	return nil
}

func (s *textSource) offset() int64 { return int64(s.pos) }

// end returns nil, because next reads to the end.
func (s *textSource) end() error { return nil }
