package secret

import "unicode/utf8"

// traits are the properties of a secret needed to search for its forms.
type traits struct {
	// escaped is the number of bytes that some form escapes.
	escaped int
	// lines is the number of characters that end lines.
	lines int
	// quoted is set if a form may contain a double quote: one of the secret itself, one
	// for an apostrophe in a shell, or half of a UTF-16 unit.
	quoted bool
	// plain is the length of the longest part without escaped bytes.
	plain int
}

func traitsOf(secret []byte) (t traits) {
	begin := 0
	for i, c := range secret {
		if isUnreservedByte(c) {
			continue
		}
		t.escaped++
		t.plain, begin = max(t.plain, i-begin), i+1
		switch {
		case isBreak(c):
			t.lines++
		case c == '"', c == '\'', c >= utf8.RuneSelf:
			t.quoted = true
		}
	}
	t.plain = max(t.plain, len(secret)-begin)
	return t
}

// mostIndent is the number of blanks at the beginning of a line for which [Set.Longest]
// has room.
const mostIndent = 64

// longest returns an upper bound for the length of a form of a secret of size bytes. An
// unreserved byte takes at most three bytes; an apostrophe in a shell takes five.
func (t traits) longest(size int) int {
	return max(3*size, size+4*t.escaped, size+mostIndent*t.lines)
}
