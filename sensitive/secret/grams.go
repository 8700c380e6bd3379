package secret

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/internal/unescape"
)

// grams are the special characters of secrets, each with its neighbors. Most escapes in a
// text are of special characters that no secret has there, and need not be decoded.
type grams struct {
	classes [256]charClass
	chars   [256]bool // those with a class
	filter  []uint64
	shift   uint
}

// charClass is a set of properties of a character that an escape means.
type charClass uint8

const (
	encoded    charClass = 1 << iota // an escape of it is unusual, except in a text that hides everything or in UTF-16
	introducer                       // it may begin another escape
	digit                            // one of the special digits of base64
	separates                        // it may be between the bytes of hexadecimal
	breaks                           // it may end a line of digits
	inside                           // it may be inside an entity
	special                          // a form has it
)

// Neighbors that are no bytes.
const (
	edge    = 0x100 + iota // the beginning or the end of a secret, with anything beside it
	unknown                // an escape, or a byte of one
)

// newGrams returns the grams of the forms in which escapes are possible.
func newGrams(secrets [][]byte) *grams {
	n := 0
	for _, s := range secrets {
		for _, c := range s {
			if !isEncoded(c) {
				n++
			}
		}
	}
	const bitsPerGram = 64
	log := max(leastFilter, bits.Len(uint(n*bitsPerGram)))
	g := &grams{filter: make([]uint64, 1<<(log-6)), shift: uint(64 - log)}
	for c := range g.classes {
		g.classes[c] = classOf(byte(c))
	}
	for _, s := range secrets {
		g.add(s)
		if len(s) > MaxForms {
			continue
		}
		if lower := bytes.ToLower(s); !bytes.Equal(lower, s) {
			g.add(lower)
		}
		for _, r := range replacements() {
			if strings.Contains(string(s), r.char) {
				form, _ := r.of(s, 0)
				g.add(form)
			}
		}
	}
	for c, class := range g.classes {
		g.chars[c] = class != 0
	}
	return g
}

func (g *grams) add(form []byte) {
	for i, c := range form {
		if isEncoded(c) {
			continue
		}
		g.classes[c] |= special
		before, behind := edge, edge
		if i > 0 {
			before = int(form[i-1])
		}
		if i+1 < len(form) {
			behind = int(form[i+1])
		}
		for _, b := range [...]int{before, unknown} {
			for _, a := range [...]int{behind, unknown} {
				at := g.at(b, c, a)
				g.filter[at>>6] |= 1 << (at & 63)
			}
		}
	}
}

// at returns the bit of a gram.
func (g *grams) at(before int, c byte, behind int) uint64 {
	return uint64(before|int(c)<<9|behind<<17) * 0x9e3779b97f4a7c15 >> g.shift
}

func (g *grams) has(before int, c byte, behind int) bool {
	at := g.at(before, c, behind)
	return g.filter[at>>6]>>(at&63)&1 != 0
}

// mayHave reports whether a secret may have c between the neighbors, or at one of its
// ends.
func (g *grams) mayHave(before int, c byte, behind int) bool {
	return g.has(before, c, behind) || g.has(edge, c, behind) || g.has(before, c, edge)
}

func classOf(c byte) (class charClass) {
	if isEncoded(c) {
		class |= encoded
	}
	if unescape.IsIntroducer(c) {
		class |= introducer
	}
	switch c {
	case '+', '/', '-', '_':
		class |= digit
	case ':', ' ':
		class |= separates
	case '\n', '\r':
		class |= breaks
	case '#', ';':
		class |= inside
	}
	return class
}

func isEncoded(c byte) bool { return isWord(c) && c != '_' || c < ' ' && !isSpace(c) }

func isSpace(c byte) bool { return unicode.IsSpace(rune(c)) }

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// suspect decides which escapes of a text may be part of a secret. It is called for them
// in order.
type suspect struct {
	text   []byte
	grams  *grams
	digits int // of the shortest secret in base64

	end    int  // of the last escape
	last   byte // its last byte
	wanted bool // whether it is wanted
	run    int  // number of digits before the last line break, over all lines
	line   int  // end of the last line break

	window, scratch [48]byte
}

// Chars implements [unescape.Filter].
func (s *suspect) Chars() *[256]bool { return &s.grams.chars }

// Wants implements [unescape.Filter].
func (s *suspect) Wants(start, end int, plain []byte) bool {
	wanted := len(plain) == 0 || s.wanted && start == s.end || s.wanted && (isSpace(plain[0]) || plain[0] == '+') && s.isIndented(start) || s.mayBePart(start, end, plain)
	s.end, s.wanted = end, wanted
	if len(plain) > 0 {
		s.last = plain[len(plain)-1]
	}
	return wanted
}

// isIndented reports whether there are only blanks between the last escape, or the rest
// of the one that it begins, and a position.
func (s *suspect) isIndented(at int) bool {
	const rest = len("u000A")
	between := s.text[min(s.end, at):at]
	for i := 0; i < rest && len(between) > 0 && isWord(between[0]); i++ {
		between = between[1:]
	}
	return len(bytes.TrimLeft(between, " \t\r\n+")) == 0
}

func (s *suspect) mayBePart(start, end int, plain []byte) bool {
	c := plain[0]
	class := s.grams.classes[c]
	behind := s.text[end:]
	switch {
	case class&encoded != 0:
		return true
	case class&introducer != 0:
		if s.mayBegin(start, plain, behind) {
			return true
		}
	case class&digit != 0:
		if s.digitsBefore(start) >= fewDigits || digitsBehind(behind) >= fewDigits {
			return true
		}
	case class&separates != 0:
		if s.indents(start) {
			return true
		}
		if start >= 2 && isHex(s.text[start-2:start]) && len(behind) >= 2 && isHex(behind[:2]) {
			return true
		}
	case class&breaks != 0:
		if start > 0 && s.text[start-1] == '=' || s.joins(start, end) {
			return true
		}
	case class&inside != 0:
		const longest = 32 // of most entities
		if bytes.IndexByte(s.text[max(0, start-longest):start], '&') >= 0 {
			return true
		}
	}
	return class&special != 0 && s.grams.mayHave(s.before(start), c, s.behind(plain, behind))
}

// indents reports whether a blank at start may be the indentation of a line of digits.
func (s *suspect) indents(start int) bool {
	before := s.text[max(0, start-mostIndent):start]
	if bytes.HasSuffix(before, []byte("=0A")) {
		return true
	}
	line := bytes.TrimRight(before, " \t\r\n")
	return bytes.IndexByte(before[len(line):], '\n') >= 0 && len(line) > 0 && unescape.IsDigit(line[len(line)-1])
}

// fewDigits is the number of digits beside one of the special digits of base64, or a line
// break, from which it may be part of them.
const fewDigits = 4

// mayBegin reports whether an escape that means an introducer begins another escape that
// may be part of a secret. It decodes a few bytes completely.
func (s *suspect) mayBegin(start int, plain, behind []byte) bool {
	window := append(append(s.window[:0], plain...), behind[:min(len(behind), 32)]...)
	for range deepest {
		if s.mayMean(start, window) {
			return true
		}
		next, n := unescape.First(s.scratch[:0], window)
		if n == 0 {
			return isPartial(window)
		}
		if len(next) == 0 {
			return true
		}
		window = window[n-len(next):]
		copy(window, next)
	}
	return true
}

// mayMean reports whether text, which an escape at start means if it is decoded several
// times, may be part of a secret.
func (s *suspect) mayMean(start int, text []byte) bool {
	c, behind := text[0], unknown
	if len(text) > 1 && !unescape.IsIntroducer(text[1]) {
		behind = int(text[1])
	}
	switch class := s.grams.classes[c]; {
	case class&(encoded|inside) != 0:
		return true
	case class&breaks != 0 && (start == s.end || start > 0 && s.text[start-1] == '=' || s.digitsBefore(start) >= fewDigits):
		return true
	case class&(digit|separates) != 0 && len(text) > 1 && unescape.IsDigit(text[1]):
		return true
	default:
		return class&special != 0 && s.grams.mayHave(unknown, c, behind)
	}
}

// isPartial reports whether text begins with an escape of which a part is escaped, too.
func isPartial(text []byte) bool {
	for i, c := range text[1:] {
		switch {
		case unescape.IsIntroducer(c):
			return true
		case text[0] == '&' && (isWord(c) || c == '#'), text[0] == '\\' && isWord(c):
		case text[0] != '&' && i < 2 && isHex(text[1:2+i]):
		default:
			return false
		}
	}
	return false
}

func isHex(text []byte) bool {
	for _, c := range text {
		if strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			return false
		}
	}
	return true
}

// before returns the neighbor before the escape at start.
func (s *suspect) before(start int) int {
	if start == 0 {
		return unknown
	}
	c := s.text[start-1]
	if start == s.end {
		c = s.last
	}
	if c == '\\' {
		return unknown
	}
	return int(c)
}

// behind returns the neighbor behind the first byte of plain.
func (s *suspect) behind(plain, behind []byte) int {
	switch {
	case len(plain) > 1:
		return int(plain[1])
	case len(behind) == 0 || unescape.IsIntroducer(behind[0]):
		return unknown
	}
	return int(behind[0])
}

// digitsBefore returns the number of digits before a position, behind the last escape.
func (s *suspect) digitsBefore(at int) (n int) {
	for n < fewDigits && at-n > s.end && unescape.IsDigit(s.text[at-n-1]) {
		n++
	}
	if n < fewDigits && s.wanted && at-n == s.end && unescape.IsDigit(s.last) {
		return fewDigits // they are escaped, too
	}
	return n
}

func digitsBehind(text []byte) (n int) {
	for n < len(text) && unescape.IsDigit(text[n]) {
		n++
	}
	return n
}

// twoLines is the number of digits on two short lines. It is more than names at the ends
// of lines usually have.
const twoLines = 24

// joins reports whether the line break at start is in a run of digits that is long enough
// for a secret. It counts the digits of a run from line to line.
func (s *suspect) joins(start, end int) bool {
	from := min(s.line, start)
	at := start
	for at > from && isSpace(s.text[at-1]) {
		at--
	}
	digits := 0
	for at-digits > from && unescape.IsDigit(s.text[at-digits-1]) {
		digits++
	}
	for at -= digits; at > from && isSpace(s.text[at-1]); at-- {
	}
	if at > from {
		s.run = 0 // the line has other characters
	}
	s.run += digits
	s.line = end
	if s.run == 0 {
		return false
	}
	for end < len(s.text) && isSpace(s.text[end]) {
		end++
	}
	if end < len(s.text) && unescape.IsIntroducer(s.text[end]) {
		return true // another line break
	}
	return s.run+digitsBehind(s.text[end:]) >= min(s.digits, twoLines)
}
