package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell is like [Line], but also prevents spreadsheets from interpreting s as a
// formula: it begins with an apostrophe then. Some spreadsheets also interpret
// the full-width forms of the characters, and ignore spaces before them.
func Cell(s string) string {
	s = Line(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	if strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + s
	}
	return s
}
