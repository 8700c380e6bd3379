// Package terminal keeps text that others wrote from steering the terminal it is
// shown on.
//
//	Line  for a part of one line
//	Text  for text of several lines
package terminal

import (
	"strings"
	"unicode"
)

// Line returns s with `·` in place of each character that would steer a
// terminal, line breaks and tabs among them, or turn the direction of text.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, s)
}

// Text is [Line] for text of several lines: line breaks and tabs stay.
func Text(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "\n\t")
		if i < 0 {
			break
		}
		b.WriteString(Line(s[:i]))
		b.WriteByte(s[i])
		s = s[i+1:]
	}
	if b.Len() == 0 {
		return Line(s)
	}
	b.WriteString(Line(s))
	return b.String()
}
