package yaml

import (
	"strconv"

	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/pcore"
)

// flowSink appends data in flow style on one line to b, so that the text of a nested
// value does not grow with its depth. It implements dataconv.Sink.
type flowSink struct {
	b []byte
	// begun indicates that the innermost list or map has a member, and afterKey that a
	// key has been written without its value.
	begun, afterKey bool
}

// value writes the separator before a value or a key.
func (s *flowSink) value() {
	if s.begun && !s.afterKey {
		s.b = append(s.b, ", "...)
	}
	s.begun, s.afterKey = true, false
}

func (s *flowSink) scalar(text string) {
	s.value()
	s.b = append(s.b, text...)
}

func (s *flowSink) Null()                               { s.scalar("null") }
func (s *flowSink) Boolean(v bool)                      { s.scalar(strconv.FormatBool(v)) }
func (s *flowSink) BigInteger(v pcore.BigInteger) error { s.scalar(v.Text()); return nil }

func (s *flowSink) Integer(v int64) {
	s.value()
	s.b = strconv.AppendInt(s.b, v, 10)
}

func (s *flowSink) Float(v float64) {
	s.value()
	s.b = literal.AppendFloat(s.b, v)
}

func (s *flowSink) String(v string) {
	s.value()
	s.b = appendQuoted(s.b, v)
}

func (s *flowSink) Key(v string) {
	s.value()
	if len(v) > maxSimpleKey/len(`\U00000000`) {
		s.b = append(s.b, "? "...)
	}
	s.b = append(appendQuoted(s.b, v), ": "...)
	s.afterKey = true
}

func (s *flowSink) BeginArray(int) { s.begin('[') }
func (s *flowSink) BeginMap(int)   { s.begin('{') }
func (s *flowSink) EndArray()      { s.end(']') }
func (s *flowSink) EndMap()        { s.end('}') }

func (s *flowSink) begin(c byte) {
	s.value()
	s.b = append(s.b, c)
	s.begun = false
}

func (s *flowSink) end(c byte) {
	s.b = append(s.b, c)
	s.begun = true
}
