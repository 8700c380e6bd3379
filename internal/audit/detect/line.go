package detect

import (
	"iter"
	"slices"
	"strings"
)

// linesOf yields where the lines of s stand, without their breaks.
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

// reach is how far a value may stand from what names it.
const reach = 300

// mentions reports whether one of the words stands in s.
func mentions(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// restOf returns what stands at i and behind it on its line, within reach.
func restOf(s string, i int) string {
	s = s[i:min(len(s), i+reach)]
	return s[:lineEnd(s, 0)]
}

// lineEnd returns where the line ends that at stands in: at its line break, or
// at the end of s.
func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

// indentOf returns how many blanks a line begins with.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
