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

// word is a word of a line, without quotes, and its position.
type word struct {
	text       string
	start, end int
	quoted     bool
}

// wordsIn splits a line at blanks outside of quotes and appends the words to list. A
// semicolon or a comma at the end of a word is removed.
func wordsIn(list []word, s string, start, end int) []word {
	for i := start; i < end; {
		c := s[i]
		switch {
		case c <= ' ':
			i++
		case c == '"' || c == '\'':
			j := i + 1
			for j < end && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, end)
			list = append(list, word{s[i+1 : j], i + 1, j, true})
			i = j + 1
		default:
			j := i
			for j < end && s[j] > ' ' {
				j++
			}
			k := j
			for k > i && (s[k-1] == ';' || s[k-1] == ',') {
				k--
			}
			if k > i {
				list = append(list, word{s[i:k], i, k, false})
			}
			i = j
		}
		if len(list) > 12 {
			return list
		}
	}
	return list
}

// fieldsIn splits a line at a separator, ignoring quotes. A carriage return at the end of
// the line is removed.
func fieldsIn(s string, start, end int, separator string) []word {
	var list []word
	for f := range strings.SplitSeq(strings.TrimRight(s[start:end], "\r"), separator) {
		list = append(list, word{f, start, start + len(f), true})
		start += len(f) + len(separator)
	}
	return list
}

// isComment reports whether a line is a comment in a common language.
func isComment(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case '#':
		return !strings.HasPrefix(line, "#define ")
	case ';', '!', '%':
		return true
	case '/':
		return isSlashes(line)
	case '-':
		return strings.HasPrefix(line, "-- ")
	case '<':
		return strings.HasPrefix(line, "<!--")
	case '*':
		return strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "* *")
	case 'r', 'R':
		return len(line) > 4 && strings.EqualFold(line[:4], "rem ")
	}
	return false
}

// isSlashes reports whether two slashes begin a comment rather than a share or an address
// without a scheme.
func isSlashes(line string) bool {
	rest, ok := strings.CutPrefix(line, "//")
	if !ok || rest == "" || isBlank(rest[0]) {
		return ok
	}
	first, _, _ := strings.Cut(rest, " ")
	return !strings.ContainsAny(first, "/")
}

// commented reports whether the position is in a comment.
func (t *Text) commented(at int) bool {
	before := t.S[max(0, at-maxUserinfo):at]
	i := strings.LastIndexByte(before, '\n')
	return (i >= 0 || at <= maxUserinfo) && isComment(strings.TrimSpace(before[i+1:]))
}
