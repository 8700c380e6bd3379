package rubyre

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// maxEmitted bounds how long a pattern may get when it is written down for an
// engine: a short \p{L} is thousands of characters.
const maxEmitted = 1 << 21

// maxUnrolled bounds how often the body of a repeat is written down.
const maxUnrolled = 64

// emitter writes a tree down for an engine.
type emitter struct {
	strings.Builder
	linear bool   // for RE2, not for regexp2
	inside bool   // RE2: the search starts inside the text, where \A never matches
	keep   int    // regexp2: the number of the group that marks \K
	failed string // what is too large in the tree
}

// text returns what was written, or the reason why there is too much of it.
func (e *emitter) text(n node) (pattern, failed string) {
	e.write(n)
	return e.String(), e.failed
}

func (e *emitter) write(n node) {
	if e.Len() > maxEmitted {
		e.failed = "so large a pattern"
	}
	if e.failed != "" {
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
		switch {
		case n.index == 0:
			e.wrap("(?:", n.body)
		case e.linear:
			e.wrap("(", n.body)
		default:
			e.wrap("(?<"+strconv.Itoa(n.index)+">", n.body)
		}
	case *atomic:
		e.wrap("(?>", n.body)
	case *look:
		open := "(?"
		if n.behind {
			open += "<"
		}
		if n.negative {
			open += "!"
		} else {
			open += "="
		}
		e.wrap(open, n.body)
	case *repeat:
		e.repeat(n)
	case *backref:
		e.backref(n)
	case *cond:
		e.printf("(?(%d)", n.group)
		e.wrap("(?:", n.yes)
		e.WriteByte('|')
		e.wrap("(?:", n.no)
		e.WriteByte(')')
	case *anchor:
		e.anchor(n.kind)
	case *keep:
		e.printf("(?<%d>)", e.keep)
	}
}

// printf writes to memory, which does not fail.
func (e *emitter) printf(format string, args ...any) { _, _ = fmt.Fprintf(e, format, args...) }

// wrap writes n in a group.
func (e *emitter) wrap(open string, n node) {
	e.WriteString(open)
	e.write(n)
	e.WriteByte(')')
}

// rune writes a character that stands for itself.
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

// set writes a set the shorter way: what is in it, or what is not.
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
	case len(s) == 0 && e.linear:
		e.WriteString(`[^\x00-\x{10FFFF}]`)
		return
	case len(s) == 0:
		e.WriteString(`(?!)`)
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

// repeat writes a repeat. Of a body that can match the empty string Ruby runs
// every counted round, where other engines stop at an empty one: those rounds
// are written one by one.
func (e *emitter) repeat(n *repeat) {
	if !nullable(n.body) {
		e.rounds(n.body, n.min, n.max, n.lazy)
		return
	}
	optional := n.max - n.min
	if n.max == infinite {
		optional = 1
	}
	if n.min+optional > maxUnrolled {
		e.failed = "so many repetitions of what may match nothing"
		return
	}
	e.WriteString("(?:")
	for range n.min {
		e.wrap("(?:", n.body)
	}
	if n.max == infinite {
		e.rounds(n.body, 0, infinite, n.lazy)
		optional = 0
	}
	for range optional {
		e.WriteString("(?:")
		e.wrap("(?:", n.body)
	}
	for range optional {
		e.WriteString(")?")
		if n.lazy {
			e.WriteByte('?')
		}
	}
	e.WriteByte(')')
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

// backref writes a reference; of several groups the last one counts that has
// matched and whose text stands here.
func (e *emitter) backref(n *backref) {
	open, closing := "", ""
	if n.fold {
		open, closing = "(?i:", ")"
	}
	if len(n.groups) > 1 {
		open, closing = open+"(?>", closing+")"
	}
	e.WriteString(open)
	for i := len(n.groups) - 1; i >= 0; i-- {
		e.printf(`\k<%d>`, n.groups[i])
		if i > 0 {
			e.WriteByte('|')
		}
	}
	e.WriteString(closing)
}

// anchor writes a place. RE2 only gets those that linear has let through.
func (e *emitter) anchor(kind anchorKind) {
	switch kind {
	case lineBegin:
		// Ruby sees no line after the newline that ends the text. RE2 comes
		// here only when a character follows for sure.
		if e.linear {
			e.WriteString(`(?m:^)`)
		} else {
			e.WriteString(`(?:\A|(?m:^)(?!\z))`)
		}
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
	case textSemiEnd:
		e.WriteString(`\Z`)
	case searchBegin:
		e.WriteString(`\G`)
	case wordBound, asciiBound, notWordBound, notASCIIBound:
		e.boundary(kind)
	}
}

// boundary writes one of the four word boundaries.
func (e *emitter) boundary(kind anchorKind) {
	not := kind == notWordBound || kind == notASCIIBound
	if e.linear {
		if not {
			e.WriteString(`\B`)
		} else {
			e.WriteString(`\b`)
		}
		return
	}
	w := `[0-9A-Za-z_]`
	if kind == wordBound || kind == notWordBound {
		w = unicodeWord()
	}
	if not {
		e.WriteString(`(?:(?<=` + w + `)(?=` + w + `)|(?<!` + w + `)(?!` + w + `))`)
	} else {
		e.WriteString(`(?:(?<=` + w + `)(?!` + w + `)|(?<!` + w + `)(?=` + w + `))`)
	}
}

// unicodeWord returns a class of the word characters for regexp2. It is made of
// general categories, which are shorter than hundreds of ranges.
func unicodeWord() string {
	var e emitter
	e.set(classWord.runes().intersect(tableSet(unicode.L, unicode.M, unicode.Nl, unicode.Nd, unicode.Pc).negate()))
	return `[\p{L}\p{M}\p{Nl}\p{Nd}\p{Pc}` + strings.TrimPrefix(e.String(), "[")
}
