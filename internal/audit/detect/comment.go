package detect

import "strings"

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
