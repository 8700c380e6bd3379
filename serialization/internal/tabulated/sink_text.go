package tabulated

import (
	"strconv"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/pcore"
)

// textSink is a jsonSink that writes one line.
type textSink struct {
	b []byte
	// open contains, for each extension whose array is open, the number of
	// elements still expected.
	open []int
	// later indicates that the next element is not the first of its array.
	later bool
}

// newTextSink returns a sink that appends to before.
func newTextSink(before []byte) *textSink { return &textSink{b: append(before, '[')} }

// comma writes the separator before an element.
func (s *textSink) comma() {
	if s.later {
		s.b = append(s.b, ',')
	}
	s.later = true
}

func (s *textSink) scalar(v pcore.Value) error {
	s.value(v)
	s.counted()
	return nil
}

func (s *textSink) value(v pcore.Value) {
	s.comma()
	switch v := v.(type) {
	case pcore.Boolean:
		s.b = strconv.AppendBool(s.b, bool(v))
	case pcore.Integer:
		s.b = strconv.AppendInt(s.b, int64(v), 10)
	case pcore.BigInteger:
		s.b = append(s.b, v.Text()...)
	case pcore.Float:
		s.b = literal.AppendFloat(s.b, float64(v))
	case pcore.String:
		s.b = jsonwire.AppendQuoted(s.b, string(v))
	default:
		s.b = append(s.b, "null"...)
	}
}

// begin writes the beginning of an extension.
func (s *textSink) begin(c code) {
	s.comma()
	s.b = strconv.AppendInt(append(s.b, '['), int64(c), 10)
}

func (s *textSink) extension(c code, n int, payload ...pcore.Value) error {
	s.begin(c)
	for _, v := range payload {
		s.value(v)
	}
	s.began(n)
	return nil
}

func (s *textSink) number(c code, n, payload int) error {
	s.begin(c)
	s.b = strconv.AppendInt(append(s.b, ','), int64(payload), 10)
	s.began(n)
	return nil
}

// began leaves the array of an extension open for n parts of the stream, or closes it.
func (s *textSink) began(n int) {
	if n > 0 {
		s.open = append(s.open, n)
		return
	}
	s.b = append(s.b, ']')
	s.counted()
}

// counted is counted of a jsonSink.
func (s *textSink) counted() {
	for last := len(s.open) - 1; last >= 0; last-- {
		s.open[last]--
		if s.open[last] > 0 {
			return
		}
		s.open = s.open[:last]
		s.b = append(s.b, ']')
	}
}

func (s *textSink) binary(v pcore.Binary) (code, pcore.Value) {
	return codeBase64, pcore.String(v.Base64())
}

// close ends the array.
func (s *textSink) close() error {
	s.b = append(s.b, ']')
	return nil
}

func (s *textSink) take() []byte {
	b := s.b
	s.b = s.b[:0]
	return b
}
