package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text at blanks into lines of at most columns characters, where
// possible. Each line but the first begins with indent, and the first line is
// preceded by as many columns. Without columns, the text is unchanged.
func Wrap(text, indent string, columns int) string {
	return wrap(text, indent, utf8.RuneCountInString(indent), columns)
}

// WrapLines is Wrap for each line of a text for people. A continuation has the indent of its line
// and four blanks more.
func WrapLines(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		b.WriteString(indent + wrap(words, indent+"    ", len(indent), columns))
	}
	return b.String()
}

// wrap is Wrap for a first line that is preceded by at columns.
func wrap(text, indent string, at, columns int) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	begin, margin := at, utf8.RuneCountInString(indent)
	for i, word := range strings.Split(text, " ") {
		n := Width(strings.TrimSuffix(word, "\n"))
		switch {
		case i == 0:
		case at+1+n > columns && at > begin:
			b.WriteString("\n" + indent)
			at, begin = margin, margin
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// Width returns the number of characters of a text that a terminal shows: without the
// sequences of [Paint] and [Link].
func Width(text string) int {
	n := 0
	for {
		before, sequence, found := strings.Cut(text, "\x1b")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		end := "m"
		if strings.HasPrefix(sequence, "]") {
			end = "\x1b\\"
		}
		_, text, _ = strings.Cut(sequence, end)
	}
}
