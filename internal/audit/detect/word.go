package detect

import "strings"

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
