package rundata

import (
	"strings"
	"unicode"
)

// sourceOf returns the resource that a text names, such as `File[/etc/app.conf]`, or the source of a
// log line: `/Stage[main]/App/File[/etc/app.conf]/content`.
func sourceOf(source string) (typ, title string, ok bool) {
	end := strings.LastIndexByte(source, ']')
	if end < 0 || end+1 < len(source) && source[end+1] != '/' {
		return "", "", false
	}
	depth := 0
	for i := end; i > 0; i-- {
		switch source[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth > 0 {
				continue
			}
			typ = source[strings.LastIndexByte(source[:i], '/')+1 : i]
			return typ, source[i+1 : end], isType(typ)
		}
	}
	return "", "", false
}

// isType reports whether s is the name of a type in a reference.
func isType(s string) bool {
	if s == "" || !unicode.IsUpper(rune(s[0])) {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool { return c != '_' && c != ':' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
