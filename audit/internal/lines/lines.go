// Package lines splits a text into lines and words, and recognizes comments.
package lines

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// All returns an iterator over the positions of the lines of s, without line breaks.
func All(s string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for start := 0; start < len(s); {
			end := End(s, start)
			if !yield(start, end) {
				return
			}
			start = end + 1
		}
	}
}

// Reach is the maximum distance between a name and its value.
const Reach = 300

// Mentions reports whether s contains one of the words.
func Mentions(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// Rest returns the rest of the line at i, within reach.
func Rest(s string, i int) string {
	s = s[i:min(len(s), i+Reach)]
	return s[:End(s, 0)]
}

// End returns the end of the line that contains position at, without its line break.
func End(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

// Indent returns the number of blanks at the beginning of a line.
func Indent(line string) int {
	n := 0
	for n < len(line) && alphabet.IsBlank(line[n]) {
		n++
	}
	return n
}

// Word is a word of a line, without quotes, and its position.
type Word struct {
	Text       string
	Start, End int
	Quoted     bool
}

// The maximum numbers of words that are read of a line, and of one that ends with a brace: the sections of a router on one line
// have that many.
const mostWords, mostInBraces = 13, 20

// Words splits a line at blanks outside of quotes and appends the words to list. A
// semicolon or a comma at the end of a word is removed.
func Words(list []Word, s string, start, end int) []Word {
	most := mostWords
	if end > start && s[end-1] == '}' {
		most = mostInBraces
	}
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
			list = append(list, Word{s[i+1 : j], i + 1, j, true})
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
				list = append(list, Word{s[i:k], i, k, false})
			}
			i = j
		}
		if len(list) >= most {
			return list
		}
	}
	return list
}

// Fields splits a line at a separator, ignoring quotes. A carriage return at the end of
// the line is removed.
func Fields(s string, start, end int, separator string) []Word {
	var list []Word
	for f := range strings.SplitSeq(strings.TrimRight(s[start:end], "\r"), separator) {
		list = append(list, Word{f, start, start + len(f), true})
		start += len(f) + len(separator)
	}
	return list
}

// IsComment reports whether a line is a comment in a common language.
func IsComment(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case '#':
		return !strings.HasPrefix(line, "#define ")
	case ';', '!':
		return true
	case '%':
		return len(line) == 1 || !alphabet.IsLetter(line[1]) // `%any` is a selector of IPsec
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
	if !ok || rest == "" || alphabet.IsBlank(rest[0]) {
		return ok
	}
	first, _, _ := strings.Cut(rest, " ")
	return !strings.ContainsAny(first, "/")
}

// Occurrences returns an iterator over the positions of mark in s.
func Occurrences(s, mark string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(mark) {
			i := strings.Index(s[at:], mark)
			if i < 0 {
				return
			}
			if at += i; !yield(at) {
				return
			}
		}
	}
}
