package yaml

import (
	"strconv"

	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/pcore"
)

// sink appends data in block style to b. It implements dataconv.Sink.
type sink struct {
	b    []byte
	open []level
	// afterKey indicates that a key of a map has been written without its
	// value.
	afterKey bool
}

// level is an open list or map.
type level struct {
	isMap  bool
	indent int
	n      int
	// inline indicates that the first member is at the current position, after
	// the dash of a list or at the beginning, and not on a line of its own.
	inline bool
}

// step is the number of columns by which a level is indented.
const step = 2

// maxSimpleKey is the maximum length in bytes of a key in front of a colon,
// because a parser need not look ahead more than 1024 characters.
const maxSimpleKey = 1000

// member writes the separator before a member of the innermost level.
func (s *sink) member() {
	if len(s.open) == 0 {
		return
	}
	top := &s.open[len(s.open)-1]
	if top.n == 0 && !top.inline {
		s.b = append(s.b, '\n')
	}
	if top.n > 0 || !top.inline {
		s.spaces(top.indent)
	}
	top.n++
	if !top.isMap {
		s.b = append(s.b, '-', ' ')
	}
}

// value writes the separator before a value.
func (s *sink) value() {
	if !s.afterKey {
		s.member()
		return
	}
	s.afterKey = false
	s.b = append(s.b, ' ')
}

func (s *sink) spaces(n int) {
	const many = "                                "
	for ; n > len(many); n -= len(many) {
		s.b = append(s.b, many...)
	}
	s.b = append(s.b, many[:n]...)
}

// indent returns the column of the members of the innermost level.
func (s *sink) indent() int {
	if len(s.open) == 0 {
		return -step
	}
	return s.open[len(s.open)-1].indent
}

func (s *sink) scalar(text string) {
	s.value()
	s.b = append(append(s.b, text...), '\n')
}

func (s *sink) Null()                               { s.scalar("null") }
func (s *sink) Boolean(v bool)                      { s.scalar(strconv.FormatBool(v)) }
func (s *sink) Integer(v int64)                     { s.scalar(strconv.FormatInt(v, 10)) }
func (s *sink) BigInteger(v pcore.BigInteger) error { s.scalar(v.Text()); return nil }
func (s *sink) Float(v float64)                     { s.scalar(string(literal.AppendFloat(nil, v))) }

func (s *sink) String(v string) {
	s.value()
	switch {
	case isPlain(v):
		s.b = append(append(s.b, v...), '\n')
	case isLiteral(v):
		s.b = appendLiteral(s.b, v, max(s.indent(), 0)+step)
	default:
		s.b = append(appendQuoted(s.b, v), '\n')
	}
}

func (s *sink) Key(v string) {
	s.member()
	start := len(s.b)
	switch {
	case isPlain(v):
		s.b = append(s.b, v...)
	case v == mergeKey:
		s.b = append(s.b, `!!str "<<"`...) // Ruby merges the value of a quoted key, too
	default:
		s.b = appendQuoted(s.b, v)
	}
	if len(s.b)-start > maxSimpleKey {
		text := string(s.b[start:])
		s.b = append(append(append(s.b[:start], "? "...), text...), '\n')
		s.spaces(s.indent())
	}
	s.b = append(s.b, ':')
	s.afterKey = true
}

func (s *sink) BeginArray(int) { s.begin(false) }
func (s *sink) BeginMap(int)   { s.begin(true) }
func (s *sink) EndArray()      { s.end("[]\n") }
func (s *sink) EndMap()        { s.end("{}\n") }

func (s *sink) begin(isMap bool) {
	inline := !s.afterKey
	if inline {
		s.member()
	}
	s.afterKey = false
	s.open = append(s.open, level{isMap: isMap, indent: s.indent() + step, inline: inline})
}

func (s *sink) end(empty string) {
	top := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if top.n > 0 {
		return
	}
	if !top.inline {
		s.b = append(s.b, ' ')
	}
	s.b = append(s.b, empty...)
}
