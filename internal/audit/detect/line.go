package detect

import (
	"iter"
	"slices"
	"strings"
)

// linesOf returns an iterator over the positions of the lines of s, without line breaks.
func linesOf(s string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for start := 0; start < len(s); {
			end := lineEnd(s, start)
			if !yield(start, end) {
				return
			}
			start = end + 1
		}
	}
}

// reach is the maximum distance between a name and its value.
const reach = 300

// mentions reports whether s contains one of the words.
func mentions(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// restOf returns the rest of the line at i, within reach.
func restOf(s string, i int) string {
	s = s[i:min(len(s), i+reach)]
	return s[:lineEnd(s, 0)]
}

// lineEnd returns the end of the line that contains position at, without its line break.
func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

// indentOf returns the number of blanks at the beginning of a line.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
