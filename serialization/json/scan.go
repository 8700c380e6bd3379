package json

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
)

// maxDigits is how long the text of a number may be. Beyond it nothing is
// meant, and making a number of it takes time that grows with the square.
const maxDigits = 4096

// scanner reads the tokens of RFC 8259.
type scanner struct {
	wire.Input
	pos   int
	limit int // of one string
	// scratch holds the text of a string with escapes.
	scratch []byte
	// unwanted tells that strings are only checked: text returns that of none
	// with escapes.
	unwanted bool
}

func newScanner(in wire.Input) scanner {
	return scanner{Input: in, limit: in.Opts.StringLimit()}
}

func failAt(pos int, err error) error { return wire.FailAt(pos, err) }

func syntaxAt(pos int, format string, args ...any) error {
	return failAt(pos, fmt.Errorf("%w: %s", serialization.ErrSyntax, fmt.Sprintf(format, args...)))
}

// unexpected is the error for a byte that cannot stand at pos. Letters and digits
// are not quoted: they may belong to a secret.
func (s *scanner) unexpected(want string) error {
	c := s.Data[s.pos]
	switch {
	case c == 0xEF || c == 0xFE || c == 0xFF:
		return syntaxAt(s.pos, "there is a byte order mark or binary data; %s is expected", want)
	case c < ' ' || c == 0x7f:
		return syntaxAt(s.pos, "there is the control character 0x%02x; %s is expected", c, want)
	case c >= utf8.RuneSelf:
		return syntaxAt(s.pos, "there is a byte beyond ASCII; %s is expected", want)
	case strings.IndexByte(`{}[]:,"'/#`, c) >= 0:
		return syntaxAt(s.pos, "there is %q; %s is expected", rune(c), want)
	}
	return syntaxAt(s.pos, "there is text without quotes; %s is expected", want)
}

// peek moves over blanks and returns the byte that comes next.
func (s *scanner) peek() (byte, error) {
	if s.blanks(); s.pos < len(s.Data) {
		return s.Data[s.pos], nil
	}
	return 0, s.Short()
}

// blanks moves over blanks.
func (s *scanner) blanks() {
	for ; s.pos < len(s.Data); s.pos++ {
		switch s.Data[s.pos] {
		case ' ', '\t', '\n', '\r':
		default:
			return
		}
	}
}

// literal reads one of null, true and false.
func (s *scanner) literal(text string) error {
	end := s.pos + len(text)
	if end <= len(s.Data) && string(s.Data[s.pos:end]) == text {
		s.pos = end
		return nil
	}
	for i := s.pos; i < end; i++ {
		if i >= len(s.Data) {
			return s.Short()
		}
		if s.Data[i] != text[i-s.pos] {
			break
		}
	}
	return syntaxAt(s.pos, "it begins like %s and is not", text)
}

// text reads a string. What it returns is valid until the next call; it points
// into data when the string has no escapes.
func (s *scanner) text() ([]byte, error) {
	text, end, err := s.textAt(s.pos)
	if err == nil {
		s.pos = end
	}
	return text, err
}

// textAt is text for a string at i; it returns where that ends.
//
// Most strings are short. The end of those is found in two words at once, with
// no branch that depends on where it is: a wrong guess would take longer than
// all the rest.
func (s *scanner) textAt(i int) (text []byte, end int, err error) {
	start := i + 1
	if start+16 >= len(s.Data) {
		return s.anyText(start, start)
	}
	two := s.Data[start : start+16]
	n := wire.PlainPair(binary.LittleEndian.Uint64(two), binary.LittleEndian.Uint64(two[8:]))
	if s.Data[start+n] != '"' || n > s.limit {
		return s.anyText(start, start+n)
	}
	return s.Data[start : start+n], start + n + 1, nil
}

// anyText is textAt for a string of any length that begins at start and is plain
// up to i.
func (s *scanner) anyText(start, i int) (text []byte, end int, err error) {
	i = wire.PlainEnd(s.Data, i)
	if i < len(s.Data) && s.Data[i] == '"' && i-start <= s.limit {
		return s.Data[start:i], i + 1, nil
	}
	return s.oddText(start, i)
}

// oddText is textAt for a string that begins at start and is plain up to i, where
// something else than its end may stand.
func (s *scanner) oddText(start, i int) (text []byte, end int, err error) {
	i, wide := textEnd(s.Data, i)
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
	return syntaxAt(pos, "there is a control character 0x%02x in a string; it must be written \\u%04x", c, c)
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

// maxRoom is how much memory for strings with escapes is kept from one value to
// the next.
const maxRoom = 64 << 10

// room returns the memory for a string with escapes, keep keeps what became of it.
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

// escaped reads the rest of a string that began at start and whose first
// escape stands at i. wide tells that it has bytes beyond ASCII before i.
func (s *scanner) escaped(start, i int, wide bool) (text []byte, end int, err error) {
	b := append(s.room(), s.Data[start:i]...)
	for {
		var more bool
		if s.unwanted {
			b = b[:0]
			i, more = textEnd(s.Data, i)
		} else {
			b, i, more = appendText(b, s.Data, i)
		}
		wide = wide || more
		if i >= len(s.Data) {
			return nil, i, s.unterminated(start, i)
		}
		switch c := s.Data[i]; c {
		case '"':
			s.keep(b)
			return b, i + 1, s.checkText(s.Data[start:i], start, wide)
		case '\\':
			if b, i, err = s.escape(b, i); err != nil {
				return nil, i, err
			}
		default:
			return nil, i, controlAt(i, c)
		}
	}
}

// textEnd returns where a quote, a backslash, a control character or the end
// stands in data from i on, and whether bytes beyond ASCII stand before it.
func textEnd(data []byte, i int) (end int, wide bool) {
	i = wire.PlainEnd(data, i)
	if i == len(data) || data[i] < utf8.RuneSelf {
		return i, false
	}
	return wire.TextEnd(data, i), true
}

// appendText is textEnd that appends what it moves over, and moves over simple
// escapes, too.
func appendText(b, data []byte, i int) (_ []byte, end int, wide bool) {
	b, i, all := wire.Unescape(b, data, i, 0)
	for ; i < len(data); i++ {
		c := data[i]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		b = append(b, c)
		all |= uint64(c)
	}
	return b, i, wire.Wide(all)
}

// escape appends what the escape at i stands for and returns where it ends.
func (s *scanner) escape(b []byte, i int) ([]byte, int, error) {
	if i+1 >= len(s.Data) {
		return b, i, s.Short()
	}
	c := s.Data[i+1]
	if c == 'u' {
		return s.unicode(b, i)
	}
	if c := wire.Unescaped(c); c != 0 {
		return append(b, c), i + 2, nil
	}
	return b, i, syntaxAt(i, "there is a backslash before what cannot be escaped")
}

// unicode appends the character of the escape \uXXXX at i, or of the two that
// make a surrogate pair.
func (s *scanner) unicode(b []byte, i int) ([]byte, int, error) {
	r, err := s.hex(i)
	if err != nil {
		return b, i, err
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(b, r), i + 6, nil
	}
	if i+7 >= len(s.Data) && !s.Final {
		return b, i, wire.ErrShort
	}
	if i+7 < len(s.Data) && s.Data[i+6] == '\\' && s.Data[i+7] == 'u' {
		low, err := s.hex(i + 6)
		if err != nil {
			return b, i, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(b, pair), i + 12, nil
		}
	}
	return b, i, failAt(i, fmt.Errorf("%w: the escape is half of a surrogate pair, and the other half is missing", serialization.ErrUTF8))
}

func (s *scanner) hex(i int) (rune, error) {
	if i+6 > len(s.Data) {
		return 0, s.Short()
	}
	r, ok := wire.Hex(s.Data[i+2:])
	if !ok {
		return 0, syntaxAt(i, "\\u needs four hexadecimal digits")
	}
	return r, nil
}

// isNumeral reports whether a number may begin with c.
func isNumeral(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// numeral reads the text of a number.
func (s *scanner) numeral() (text []byte, integer bool, err error) {
	i := s.pos
	if s.Data[i] == '-' {
		i++
	}
	first := i
	i = s.digits(i)
	switch {
	case i == first && i < len(s.Data):
		return nil, false, syntaxAt(i, "a number needs a digit here")
	case i > first+1 && s.Data[first] == '0':
		return nil, false, syntaxAt(first, "a number cannot begin with 0")
	}
	integer = true
	if i < len(s.Data) && s.Data[i] == '.' {
		integer = false
		if i, err = s.someDigits(i + 1); err != nil {
			return nil, false, err
		}
	}
	if i < len(s.Data) && s.Data[i]|0x20 == 'e' {
		integer = false
		i++
		if i < len(s.Data) && (s.Data[i] == '+' || s.Data[i] == '-') {
			i++
		}
		if i, err = s.someDigits(i); err != nil {
			return nil, false, err
		}
	}
	text = s.Data[s.pos:i]
	switch {
	case len(text) > maxDigits:
		return nil, false, failAt(s.pos, fmt.Errorf("%w: it has more than %d digits", serialization.ErrRange, maxDigits))
	case i == len(s.Data) && (!s.Final || i == first):
		return nil, false, s.Short()
	}
	s.pos = i
	return text, integer, nil
}

func (s *scanner) digits(i int) int {
	for i < len(s.Data) && '0' <= s.Data[i] && s.Data[i] <= '9' {
		i++
	}
	return i
}

func (s *scanner) someDigits(i int) (int, error) {
	end := s.digits(i)
	if end == i {
		if i == len(s.Data) {
			return i, s.Short()
		}
		return i, syntaxAt(i, "a number needs a digit here")
	}
	return end, nil
}

func (s *scanner) float(text []byte, start int) (float64, error) {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, failAt(start, fmt.Errorf("%w: it does not fit a 64 bit float", serialization.ErrRange))
	}
	return f, nil
}
