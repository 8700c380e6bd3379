package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text at blanks into lines of at most columns characters, where
// possible. Each line but the first begins with indent, and the first line is
// preceded by as many columns. Without columns, the text is one line.
func Wrap(text, indent string, columns int) string {
	var b strings.Builder
	margin := utf8.RuneCountInString(indent)
	at := margin
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == margin:
		case columns > 0 && at+1+n > columns:
			b.WriteString("\n" + indent)
			at = margin
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
