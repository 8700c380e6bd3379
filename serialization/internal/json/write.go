package json

import (
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/pcore"
)

// sink appends data to b.
type sink struct {
	b      []byte
	indent string
	depth  int
	// state determines the separator before the next value.
	state state
}

type state uint8

const (
	stateFirst  state = iota // the value is the first of its array, map or document
	stateNext                // a comma is needed
	stateMember              // the key has been written
)

// set sets s.b to b, which is s.b with more appended to it. It stores no
// pointer if b is in the same memory, because that takes several times as long
// while garbage is collected.
func (s *sink) set(b []byte) {
	if cap(b) == cap(s.b) {
		s.b = s.b[:len(b)]
		return
	}
	s.b = b
}

// begin writes the separator before a value or a key.
func (s *sink) begin() {
	switch {
	case s.state == stateMember:
	case s.depth == 0:
	case s.state == stateNext:
		s.b = append(s.b, ',')
		s.newline()
	default:
		s.newline()
	}
	s.state = stateNext
}

func (s *sink) newline() {
	if s.indent == "" {
		return
	}
	s.b = append(s.b, '\n')
	for range s.depth {
		s.b = append(s.b, s.indent...)
	}
}

func (s *sink) open(c byte) {
	s.begin()
	s.b = append(s.b, c)
	s.depth++
	s.state = stateFirst
}

func (s *sink) close(c byte) {
	s.depth--
	if s.state == stateNext {
		s.newline()
	}
	s.b = append(s.b, c)
	s.state = stateNext
}

// Raw implements wire.Sink, as do Final and Drop.
func (s *sink) Raw(text []byte) error {
	s.begin()
	s.b = append(s.b, text...)
	return nil
}

func (s *sink) Final() []byte { return s.b }
func (s *sink) Drop()         { s.b = s.b[:0] }

func (s *sink) Null() {
	s.begin()
	s.b = append(s.b, "null"...)
}

func (s *sink) Boolean(v bool) {
	s.begin()
	if v {
		s.b = append(s.b, "true"...)
	} else {
		s.b = append(s.b, "false"...)
	}
}

func (s *sink) Integer(v int64) {
	s.begin()
	s.set(appendInteger(s.b, v))
}

func (s *sink) BigInteger(v pcore.BigInteger) error {
	s.begin()
	s.b = append(s.b, v.Text()...)
	return nil
}

func (s *sink) Float(v float64) {
	s.begin()
	s.set(literal.AppendFloat(s.b, v))
}

func (s *sink) String(v string) {
	s.begin()
	s.set(appendString(s.b, v))
}

// PlainString writes v if it is ASCII without escapes.
func (s *sink) PlainString(v string) bool {
	bytes, state := s.b, s.state
	s.begin()
	b, ok := jsonwire.AppendPlain(s.b, v)
	if !ok {
		s.b, s.state = bytes, state
		return false
	}
	s.set(b)
	return true
}

// PlainKey writes the key v if it is ASCII without escapes.
func (s *sink) PlainKey(v string) bool {
	if !s.PlainString(v) {
		return false
	}
	s.endKey()
	return true
}

func (s *sink) Key(v string) {
	s.begin()
	s.set(appendString(s.b, v))
	s.endKey()
}

func (s *sink) endKey() {
	s.b = append(s.b, ':')
	if s.indent != "" {
		s.b = append(s.b, ' ')
	}
	s.state = stateMember
}

func (s *sink) BeginArray(int) { s.open('[') }
func (s *sink) EndArray()      { s.close(']') }
func (s *sink) BeginMap(int)   { s.open('{') }
func (s *sink) EndMap()        { s.close('}') }
