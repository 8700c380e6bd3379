package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text at blanks into lines of at most columns characters, where
// possible. Each line but the first begins with indent, and the first line is
// preceded by as many columns. Without columns, the text is unchanged.
func Wrap(text, indent string, columns int) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	margin := utf8.RuneCountInString(indent)
	at := margin
	for i, word := range strings.Split(text, " ") {
		n := columnsOf(word)
		switch {
		case i == 0:
		case at+1+n > columns && at > margin:
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

// columnsOf returns the number of characters of a word that a terminal shows: without the
// sequences of [Paint] and [Link].
func columnsOf(word string) int {
	n := 0
	for {
		before, sequence, found := strings.Cut(word, "\x1b")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		end := "m"
		if strings.HasPrefix(sequence, "]") {
			end = "\x1b\\"
		}
		_, word, _ = strings.Cut(sequence, end)
	}
}
