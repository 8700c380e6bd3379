// Package terminal makes untrusted text safe for display on a terminal.
//
//	Line  for part of a line
//	Text  for text of several lines
package terminal

import (
	"strings"
	"unicode"
)

// Line returns s with `·` in place of control characters, including line breaks
// and tabs, and of characters that change the direction of text.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, s)
}

// Text is like [Line], but preserves line breaks and tabs.
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
