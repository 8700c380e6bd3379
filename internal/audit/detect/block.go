package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// extent is the position of a value relative to its name.
type extent uint8

const (
	inLine   extent = iota // on the line of its name
	indented               // on the lines below: a block of YAML
	enclosed               // on the lines below, up to a delimiter: a here-document, a multi-line string
)

// blockOf returns the extent of a value by s, the rest of the line after the separator.
func blockOf(s string, colon bool) extent {
	s = strings.TrimLeft(s, " \t")
	if len(s) == 0 || len(s) > verdict.MaxName || strings.IndexByte("|>\"'<&!", s[0]) < 0 {
		return inLine
	}
	s = strings.TrimRight(s[properties(s):], " \t\r")
	switch {
	case s == "":
	case s[0] == '|', s[0] == '>':
		header, _, _ := strings.Cut(s, " #")
		if header = strings.TrimRight(header, " "); colon && len(header) <= 3 && strings.Trim(header[1:], "+-123456789") == "" {
			return indented
		}
	case s == `"""`, s == "'''":
		return enclosed
	case !colon && strings.HasPrefix(s, "<<") && verdict.IsIdentifier(strings.Trim(s[2:], "-~'\"")):
		return enclosed
	}
	return inLine
}

// block returns the value on the line below S[start:end]. A block with more lines is not a
// password.
func (t assignments) block(start, end int, byIndent bool) assignment {
	s := t.S
	if end >= len(s) {
		return assignment{}
	}
	next := lineEnd(s, end+1)
	line, below := s[end+1:next], ""
	if next < len(s) {
		below = s[next+1 : lineEnd(s, next+1)]
	}
	value, closed := line, false
	for _, quotes := range []string{`"""`, "'''"} {
		value = strings.TrimSuffix(strings.TrimSpace(value), quotes)
		closed = closed || strings.HasPrefix(strings.TrimSpace(below), quotes)
	}
	switch outer := indentOf(s[start:end]); {
	case value == "" || len(value) > maxBare:
		return assignment{}
	case byIndent && (indentOf(line) <= outer || strings.TrimSpace(below) != "" && indentOf(below) > outer):
		return assignment{}
	case !byIndent && !closed && len(value) == len(strings.TrimSpace(line)):
		if _, word, _ := strings.Cut(s[start:end], "<<"); word == "" || strings.TrimSpace(below) != strings.Trim(word, "-~'\" \t\r") {
			return assignment{}
		}
	}
	at := end + 1 + strings.Index(line, value)
	return assignment{value: value, start: at, end: at + len(value), quoted: true}
}
