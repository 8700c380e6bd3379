package json

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// maxDigits is the maximum length of the text of a number in bytes. Longer
// numbers have no use, and converting them takes quadratic time.
const maxDigits = 4096

// scanner reads the tokens of RFC 8259. It adds limits and errors to package
// jsonwire.
type scanner struct {
	wire.Input
	pos   int
	limit int // of one string
	// scratch is the buffer for the text of a string with escapes.
	scratch []byte
}

func newScanner(in wire.Input) scanner {
	return scanner{Input: in, limit: codec.StringLimit(in.Opts)}
}

func failAt(pos int, err error) error { return wire.FailAt(pos, err) }

func syntaxAt(pos int, format string, args ...any) error {
	return failAt(pos, fmt.Errorf("%w: %s", serialization.ErrSyntax, fmt.Sprintf(format, args...)))
}

// unexpected returns the error for an unexpected byte at pos. Letters and
// digits are not quoted, because they may belong to a secret.
func (s *scanner) unexpected(want string) error {
	c := s.Data[s.pos]
	switch {
	case c == 0xEF || c == 0xFE || c == 0xFF:
		return syntaxAt(s.pos, "unexpected byte order mark or binary data, expected %s", want)
	case c < ' ' || c == 0x7f:
		return syntaxAt(s.pos, "unexpected control character 0x%02x, expected %s", c, want)
	case c >= utf8.RuneSelf:
		return syntaxAt(s.pos, "unexpected non-ASCII character, expected %s", want)
	case strings.IndexByte(`{}[]:,"'/#`, c) >= 0:
		return syntaxAt(s.pos, "unexpected %q, expected %s", rune(c), want)
	}
	return syntaxAt(s.pos, "unexpected text without quotes, expected %s", want)
}

// peek skips whitespace and returns the next byte.
func (s *scanner) peek() (byte, error) {
	if s.pos < len(s.Data) && s.Data[s.pos] > ' ' { // most often
		return s.Data[s.pos], nil
	}
	if s.blanks(); s.pos < len(s.Data) {
		return s.Data[s.pos], nil
	}
	return 0, s.Short()
}

// blanks skips whitespace.
func (s *scanner) blanks() { s.pos = jsonwire.SkipBlanks(s.Data, s.pos) }

// literal reads text, which is null, true or false.
func (s *scanner) literal(text string) error {
	end, ok := jsonwire.Literal(s.Data, s.pos, text)
	switch {
	case ok:
		s.pos = end
		return nil
	case end == len(s.Data):
		return s.Short()
	}
	return syntaxAt(s.pos, "invalid literal, expected %s", text)
}

// text reads a string. The result is valid until the next call; it refers to
// Data if the string has no escapes.
func (s *scanner) text() ([]byte, error) {
	text, end, err := s.textAt(s.pos)
	if err == nil {
		s.pos = end
	}
	return text, err
}

// textAt is text for a string at i. It returns the end of the string.
//
// Most strings are short, so that inspecting two words is enough, without a
// call.
func (s *scanner) textAt(i int) (text []byte, end int, err error) {
	start := i + 1
	if start+jsonwire.PairLen >= len(s.Data) {
		return s.anyText(start, start)
	}
	two := s.Data[start : start+jsonwire.PairLen]
	n := jsonwire.PlainPair(binary.LittleEndian.Uint64(two), binary.LittleEndian.Uint64(two[8:]))
	if s.Data[start+n] != '"' || n > s.limit {
		return s.anyText(start, start+n)
	}
	return s.Data[start : start+n], start + n + 1, nil
}

// anyText is textAt for a string of any length that begins at start and is
// plain up to i.
func (s *scanner) anyText(start, i int) (text []byte, end int, err error) {
	i = jsonwire.PlainEnd(s.Data, i)
	if i < len(s.Data) && s.Data[i] == '"' && i-start <= s.limit {
		return s.Data[start:i], i + 1, nil
	}
	return s.oddText(start, i)
}

// oddText is textAt for a string that begins at start and is plain up to i,
// where it may not end.
func (s *scanner) oddText(start, i int) (text []byte, end int, err error) {
	i, wide := jsonwire.TextEnd(s.Data, i)
	if i == len(s.Data) {
		return nil, i, s.unterminated(start, i)
	}
	switch c := s.Data[i]; {
	case c == '\\':
		return s.escaped(start, i, wide)
	case c < ' ':
		return nil, i, controlAt(i, c)
	}
	text = s.Data[start:i]
	return text, i + 1, s.checkText(text, start, wide)
}

func controlAt(pos int, c byte) error {
	return syntaxAt(pos, "unescaped control character 0x%02x in a string; write it as \\u%04x", c, c)
}

func (s *scanner) unterminated(start, end int) error {
	if end-start > s.limit {
		return tooLong(start, s.limit)
	}
	return s.Short()
}

func tooLong(pos, limit int) error {
	return failAt(pos, fmt.Errorf("%w: the string has more than %d bytes", serialization.ErrTooLarge, limit))
}

func (s *scanner) checkText(text []byte, start int, wide bool) error {
	if len(text) > s.limit {
		return tooLong(start, s.limit)
	}
	if wide && !utf8.Valid(text) {
		return failAt(start+wire.InvalidUTF8(text), serialization.ErrUTF8)
	}
	return nil
}

// maxRoom is the maximum size in bytes of the buffer for strings with escapes
// that is kept between values.
const maxRoom = 64 << 10

// room returns the buffer for a string with escapes, and keep stores it for
// reuse.
func (s *scanner) room() []byte {
	if s.scratch == nil && s.Keys != nil {
		return s.Keys.Room[:0]
	}
	return s.scratch[:0]
}

func (s *scanner) keep(b []byte) {
	if s.scratch = b; s.Keys != nil && cap(b) <= maxRoom {
		s.Keys.Room = b
	}
}

// escaped reads the rest of a string that begins at start and has its first
// escape at i. wide indicates bytes beyond ASCII before i.
func (s *scanner) escaped(start, i int, wide bool) (text []byte, end int, err error) {
	b, i, more, fault := jsonwire.AppendString(append(s.room(), s.Data[start:i]...), s.Data, i)
	switch {
	case i >= len(s.Data):
		return nil, i, s.unterminated(start, i)
	case fault != unescape.None:
		return nil, i, s.faulty(i, fault)
	case s.Data[i] != '"':
		return nil, i, controlAt(i, s.Data[i])
	}
	s.keep(b)
	return b, i + 1, s.checkText(s.Data[start:i], start, wide || more)
}

// faulty returns the error for the escape at i.
func (s *scanner) faulty(i int, fault unescape.Fault) error {
	_, n, _ := unescape.Escape(s.Data[i:])
	switch {
	case fault == unescape.Truncated:
		return s.Short()
	case fault == unescape.BadLetter:
		return syntaxAt(i, "invalid escape sequence")
	case fault == unescape.BadHex:
		return syntaxAt(i+n, "\\u needs four hexadecimal digits")
	case i+len(`\ud83d\u`) > len(s.Data) && !s.Final:
		return wire.ErrShort
	}
	return failAt(i, fmt.Errorf("%w: unpaired surrogate in an escape sequence", serialization.ErrUTF8))
}

// numeral reads the text of a number.
func (s *scanner) numeral() (text []byte, integer bool, err error) {
	end, integer, ok := jsonwire.Number(s.Data, s.pos)
	switch text = s.Data[s.pos:end]; {
	case !ok && end == len(s.Data):
		return nil, false, s.Short()
	case !ok && s.Data[end] == '0':
		return nil, false, syntaxAt(end, "a number cannot begin with 0")
	case !ok:
		return nil, false, syntaxAt(end, "expected a digit in a number")
	case len(text) > maxDigits:
		return nil, false, failAt(s.pos, fmt.Errorf("%w: more than %d digits", serialization.ErrRange, maxDigits))
	case end == len(s.Data) && !s.Final:
		return nil, false, s.Short()
	}
	s.pos = end
	return text, integer, nil
}

func (s *scanner) float(text []byte, start int) (float64, error) {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, failAt(start, fmt.Errorf("%w: too large for a 64-bit float", serialization.ErrRange))
	}
	return f, nil
}
