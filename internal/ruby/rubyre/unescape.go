package rubyre

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// unescape does the same as Ruby before it parses a pattern: it replaces
// escapes of bytes or code points by the characters they denote, or by \xHH for
// an ASCII character, so that it has no special meaning.
//
// unicode reports whether the pattern uses Unicode: whether it contains a
// non-ASCII character or a \p. Ruby treats other patterns as ASCII until it
// matches them against a string that is not.
func unescape(source string) (text string, unicode bool, err error) {
	u := unescaper{src: source}
	if !utf8.ValidString(source) {
		return "", false, u.fail("invalid multibyte character")
	}
	for u.pos < len(source) {
		if source[u.pos] != '\\' {
			u.out.WriteByte(source[u.pos])
			u.pos++
			continue
		}
		if err := u.escape(); err != nil {
			return "", false, err
		}
	}
	text = u.out.String()
	return text, u.property || !asciiString(text), nil
}

type unescaper struct {
	src string
	pos int
	out strings.Builder

	property bool // a \p was seen
}

func (u *unescaper) fail(message string) error {
	return &SyntaxError{Source: u.src, Message: message}
}

// escape processes the escape at pos.
func (u *unescaper) escape() error {
	if u.pos+1 == len(u.src) {
		return u.fail("too short escape sequence")
	}
	switch c := u.src[u.pos+1]; c {
	case '1', '2', '3', '4', '5', '6', '7':
		if v, _ := scanNumber(u.src[u.pos+1:], 8, 3); v > 0o177 {
			return u.bytes()
		}
	case '0', 'x', 'c', 'C', 'M':
		return u.bytes()
	case 'u':
		u.pos += 2
		return u.unicode()
	case 'p', 'P':
		u.property = true
	}
	_, size := utf8.DecodeRuneInString(u.src[u.pos+1:])
	u.out.WriteString(u.src[u.pos : u.pos+1+size])
	u.pos += 1 + size
	return nil
}

// bytes parses escaped bytes until they form one character.
func (u *unescaper) bytes() error {
	var buf []byte
	for {
		b, err := u.byte()
		if err != nil {
			return err
		}
		buf = append(buf, b)
		if utf8.FullRune(buf) {
			break
		}
	}
	r, size := utf8.DecodeRune(buf)
	if r == utf8.RuneError && size <= 1 {
		return u.fail("invalid multibyte escape")
	}
	u.write(r)
	return nil
}

// byte parses one escaped byte: \xHH, \OOO, \cX, \C-X, \M-X and their
// combinations.
func (u *unescaper) byte() (byte, error) {
	if u.pos == len(u.src) || u.src[u.pos] != '\\' {
		return 0, u.fail("too short escaped multibyte character")
	}
	u.pos++
	var meta, ctrl bool
	finish := func(v int) (byte, error) {
		if v > 0xff {
			return 0, u.fail("invalid escape code")
		}
		if ctrl {
			v &= 0x1f
		}
		if meta {
			v |= 0x80
		}
		return byte(v), nil
	}
	for {
		if u.pos == len(u.src) {
			return 0, u.fail("too short escape sequence")
		}
		c := u.src[u.pos]
		u.pos++
		switch c {
		case '\\':
			return finish('\\')
		case 'n':
			return finish('\n')
		case 't':
			return finish('\t')
		case 'r':
			return finish('\r')
		case 'f':
			return finish('\f')
		case 'v':
			return finish('\v')
		case 'a':
			return finish('\a')
		case 'e':
			return finish(0x1b)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n := scanNumber(u.src[u.pos-1:], 8, 3)
			u.pos += n - 1
			return finish(v)
		case 'x':
			v, n := scanNumber(u.src[u.pos:], 16, 2)
			if n == 0 {
				return 0, u.fail("invalid hex escape")
			}
			u.pos += n
			return finish(v)
		case 'M':
			if meta {
				return 0, u.fail("duplicate meta escape")
			}
			meta = true
			if !strings.HasPrefix(u.src[u.pos:], "-") || u.pos+1 == len(u.src) || u.src[u.pos+1] >= utf8.RuneSelf {
				return 0, u.fail("too short meta escape")
			}
			u.pos++
		case 'C', 'c':
			if c == 'C' {
				if !strings.HasPrefix(u.src[u.pos:], "-") {
					return 0, u.fail("too short control escape")
				}
				u.pos++
			}
			if ctrl {
				return 0, u.fail("duplicate ctrl escape")
			}
			ctrl = true
			if u.pos == len(u.src) || u.src[u.pos] >= utf8.RuneSelf {
				return 0, u.fail("too short control escape")
			}
		default:
			return 0, u.fail("unexpected escape sequence")
		}
		// A plain character or another escape follows \M- or \C-.
		c = u.src[u.pos]
		u.pos++
		if c != '\\' {
			return finish(int(c))
		}
	}
}

// unicode parses the rest of an escape after \u: four digits, or a list in
// braces.
func (u *unescaper) unicode() error {
	if !strings.HasPrefix(u.src[u.pos:], "{") {
		v, n := scanNumber(u.src[u.pos:], 16, 4)
		if u.pos == len(u.src) {
			return u.fail("too short escape sequence")
		}
		if n != 4 {
			return u.fail("invalid Unicode escape")
		}
		u.pos += 4
		return u.codePoint(v)
	}
	u.pos++
	for items := 0; ; items++ {
		for u.pos < len(u.src) && strings.IndexByte(" \t\n\v\f\r", u.src[u.pos]) >= 0 {
			u.pos++
		}
		if items > 0 && strings.HasPrefix(u.src[u.pos:], "}") {
			u.pos++
			return nil
		}
		v, n := scanNumber(u.src[u.pos:], 16, 7)
		if n == 0 {
			return u.fail("invalid Unicode list")
		}
		if n > 6 {
			return u.fail("invalid Unicode range")
		}
		u.pos += n
		if err := u.codePoint(v); err != nil {
			return err
		}
	}
}

func (u *unescaper) codePoint(v int) error {
	if !utf8.ValidRune(rune(v)) {
		return u.fail("invalid Unicode range")
	}
	u.write(rune(v))
	return nil
}

func (u *unescaper) write(r rune) {
	if r < utf8.RuneSelf {
		fmt.Fprintf(&u.out, `\x%02X`, r)
	} else {
		u.out.WriteRune(r)
	}
}

// scanNumber parses at most limit digits of the base (8, 10 or 16) at the start
// of s. It returns their value, at most overflow, and the number of digits.
func scanNumber(s string, base, limit int) (value, digits int) {
	for digits < len(s) && digits < limit {
		d := digitValue(s[digits])
		if d >= base {
			break
		}
		if value = value*base + d; value > overflow {
			value = overflow
		}
		digits++
	}
	return value, digits
}

// overflow represents any number too large for a pattern.
const overflow = 1 << 30

func digitValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return 16
}
