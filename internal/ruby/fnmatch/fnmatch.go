// Package fnmatch matches names of files as Ruby's File.fnmatch does.
//
// A pattern for one name belongs here, without flags; the patterns of whole paths are in package
// stdlib, and those of users of pcat in package glob.
package fnmatch

import "strings"

// Match reports whether a name matches a pattern: `*`, `?` and sets such as `[a-z]` match
// characters, and a leading period only matches itself.
func Match(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") && !strings.HasPrefix(pattern, `\.`) {
		return false
	}
	p, n := []rune(pattern), []rune(name)
	star, resume := -1, 0 // the last star, and where the text after it starts
	i, j := 0, 0
	for j < len(n) {
		if i < len(p) && p[i] == '*' {
			star, resume = i, j
			i++
			continue
		}
		if i < len(p) {
			if size := matchOne(p[i:], n[j]); size > 0 {
				i += size
				j++
				continue
			}
		}
		if star < 0 {
			return false
		}
		resume++
		i, j = star+1, resume
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// matchOne returns the length of the beginning of a pattern that matches a
// character, or 0 if none does.
func matchOne(p []rune, r rune) int {
	switch {
	case p[0] == '?':
		return 1
	case p[0] == '[':
		return matchSet(p, r)
	case p[0] == '\\' && len(p) > 1:
		if p[1] == r {
			return 2
		}
	case p[0] == r:
		return 1
	}
	return 0
}

// matchSet is matchOne for a set such as [a-z] or [^x].
func matchSet(p []rune, r rune) int {
	i := 1
	negated := i < len(p) && (p[i] == '^' || p[i] == '!')
	if negated {
		i++
	}
	next := func() (rune, bool) {
		if i < len(p) && p[i] == '\\' {
			i++
		}
		if i >= len(p) {
			return 0, false
		}
		i++
		return p[i-1], true
	}
	in := false
	for i < len(p) && p[i] != ']' {
		from, ok := next()
		to := from
		if ok && i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			i++
			to, ok = next()
		}
		if !ok {
			return 0
		}
		in = in || from <= r && r <= to
	}
	if i >= len(p) || in == negated {
		return 0
	}
	return i + 1
}
