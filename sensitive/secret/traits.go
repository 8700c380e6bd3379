package secret

import "unicode/utf8"

// traits are what is to be known of a secret to look for its forms.
type traits struct {
	// escaped is the number of bytes that some form escapes.
	escaped int
	// lines is how many of those end a line.
	lines int
	// quoted tells that a double quote may stand in a form: as one of the secret, for
	// an apostrophe in a shell, or as half of a character in UTF-16.
	quoted bool
	// plain is the length of the longest part of which no byte is escaped.
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
		case c == '\n':
			t.lines++
		case c == '"', c == '\'', c >= utf8.RuneSelf:
			t.quoted = true
		}
	}
	t.plain = max(t.plain, len(secret)-begin)
	return t
}

// longest returns a length that no form of a secret of so many bytes exceeds. What is
// not reserved takes three bytes at most; a control character in JSON in JSON takes
// seven.
func (t traits) longest(size int) int {
	return max(3*size, size+6*t.escaped, size+mostIndent*t.lines)
}

// kind is the traits that are kept, as bits.
type kind uint8

const (
	reserved kind = 1 << iota // some form escapes a byte
	lined                     // several lines
)

func (t traits) kind() (k kind) {
	if t.escaped > 0 {
		k |= reserved
	}
	if t.lines > 0 {
		k |= lined
	}
	return k
}
