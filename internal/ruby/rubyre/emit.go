package rubyre

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// maxEmitted limits the length of a pattern for RE2 in bytes: a short \p{L}
// becomes thousands of characters.
const maxEmitted = 1 << 21

// emitter writes a tree that passed linear as a pattern for RE2.
type emitter struct {
	strings.Builder
	inside bool // the search starts inside the text, where \A never matches
}

// text returns the pattern for n; ok is false if it is too long.
func (e *emitter) text(n node) (pattern string, ok bool) {
	e.write(n)
	return e.String(), e.Len() <= maxEmitted
}

func (e *emitter) write(n node) {
	if e.Len() > maxEmitted {
		return
	}
	switch n := n.(type) {
	case *literal:
		for _, r := range n.runes {
			e.rune(r)
		}
	case *set:
		e.set(n.runes)
	case *cat:
		for _, c := range n.items {
			if _, ok := c.(*alt); ok {
				e.wrap("(?:", c)
			} else {
				e.write(c)
			}
		}
	case *alt:
		for i, c := range n.items {
			if i > 0 {
				e.WriteByte('|')
			}
			e.write(c)
		}
	case *group:
		if n.index == 0 {
			e.wrap("(?:", n.body)
		} else {
			e.wrap("(", n.body)
		}
	case *repeat:
		e.rounds(n.body, n.min, n.max, n.lazy)
	case *anchor:
		e.anchor(n.kind)
	}
}

// printf writes to memory, so it cannot fail.
func (e *emitter) printf(format string, args ...any) { _, _ = fmt.Fprintf(e, format, args...) }

// wrap writes n between open and a closing parenthesis.
func (e *emitter) wrap(open string, n node) {
	e.WriteString(open)
	e.write(n)
	e.WriteByte(')')
}

// rune writes a literal character.
func (e *emitter) rune(r rune) {
	switch {
	case r < ' ' || r == 0x7f:
		e.printf(`\x%02x`, r)
	case r == ' ' || r == '#':
		e.WriteByte(byte(r))
	default:
		e.WriteString(regexp.QuoteMeta(string(r)))
	}
}

// set writes a set or its complement, whichever is shorter.
func (e *emitter) set(s runeSet) {
	if r, ok := s.single(); ok {
		e.rune(r)
		return
	}
	negative := s.negate()
	switch {
	case len(negative) == 0:
		e.WriteString(`(?s:.)`)
		return
	case len(s) == 0:
		e.WriteString(`[^\x00-\x{10FFFF}]`)
		return
	case len(negative) < len(s):
		e.WriteString("[^")
		s = negative
	default:
		e.WriteByte('[')
	}
	for _, r := range s {
		e.bound(r.lo)
		if r.hi > r.lo {
			if r.hi > r.lo+1 {
				e.WriteByte('-')
			}
			e.bound(r.hi)
		}
	}
	e.WriteByte(']')
}

// bound writes a character in a class.
func (e *emitter) bound(r rune) {
	if r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		e.WriteRune(r)
	} else {
		e.printf(`\x{%X}`, r)
	}
}

// rounds writes body with a quantifier.
func (e *emitter) rounds(body node, least, most int, lazy bool) {
	switch body.(type) {
	case *set:
		e.write(body)
	default:
		e.wrap("(?:", body)
	}
	switch {
	case least == 0 && most == infinite:
		e.WriteByte('*')
	case least == 1 && most == infinite:
		e.WriteByte('+')
	case least == 0 && most == 1:
		e.WriteByte('?')
	case most == infinite:
		e.printf("{%d,}", least)
	case least == most:
		e.printf("{%d}", least)
	default:
		e.printf("{%d,%d}", least, most)
	}
	if lazy {
		e.WriteByte('?')
	}
}

// anchor writes an anchor.
func (e *emitter) anchor(kind anchorKind) {
	switch kind {
	case lineBegin: // linear made sure that a character follows
		e.WriteString(`(?m:^)`)
	case lineEnd:
		e.WriteString(`(?m:$)`)
	case textBegin:
		if e.inside {
			e.set(nil)
		} else {
			e.WriteString(`\A`)
		}
	case textEnd:
		e.WriteString(`\z`)
	case asciiBound:
		e.WriteString(`\b`)
	case notASCIIBound:
		e.WriteString(`\B`)
	}
}
