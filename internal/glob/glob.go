// Package glob matches the patterns of users.
//
// Patterns in the options and files of users belong here, not the globs of Puppet
// functions.
package glob

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether a pattern matches the whole text: `*` matches any text, and `?`
// one character. It takes time proportional to the product of their lengths at most.
func Match(pattern, text string) bool {
	star, resume := -1, 0 // the last star, and where the text after it starts
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, t
			p++
		case p < len(pattern) && pattern[p] == '?':
			_, size := utf8.DecodeRuneInString(text[t:])
			p++
			t += size
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			_, size := utf8.DecodeRuneInString(text[resume:])
			resume += size
			p, t = star+1, resume
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
