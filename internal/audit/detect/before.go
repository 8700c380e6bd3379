package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// nameBefore returns the name that ends before to, ignoring blanks, quotes and the bracket
// of an index. The result first is the position of the name or of the delimiters around it.
func nameBefore(s string, start, to int) (name string, first int, quoted, ok bool) {
	i := to
	for i > start && isBlank(s[i-1]) {
		i--
	}
	for i > start && (s[i-1] == ']' || s[i-1] == ')' || s[i-1] == '}' && strings.IndexByte(s[max(start, i-verdict.MaxName):i], '{') > 0) {
		i-- // of an index: `$Conf{Passwd}`
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '`') {
		i--
		quoted = true
	}
	for i > start && s[i-1] == '\\' {
		i--
	}
	end := i
	for i > start && end-i < verdict.MaxName && isNameByte(s[i-1], quoted) {
		i--
	}
	if i == end {
		return "", 0, false, false
	}
	name = s[i:end]
	if i > start && s[i-1] == '/' && !quoted {
		// A path of names, as in annotations of Kubernetes.
		for i > start && end-i < verdict.MaxName && (isNameByte(s[i-1], false) || s[i-1] == '/') {
			i--
		}
		name = s[i:end]
	}
	for i > start && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '\\' || s[i-1] == '`' || s[i-1] == '[' || s[i-1] == '$' || s[i-1] == '@') {
		i--
	}
	return name, i, quoted, true
}

func isNameByte(c byte, quoted bool) bool {
	return alphabet.IsAlnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80 || quoted && (c == ' ' || c == '/' || c == ':')
}

// isPrefix reports whether the text before a name on its line consists of keywords of
// shells and languages, and of marks of lists and quotes.
func isPrefix(s string) bool {
	if len(s) > verdict.MaxName {
		return false
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return true
	}
	for w := range strings.FieldsSeq(s) {
		switch strings.Trim(w, "{[(,'\"$@") {
		case "", "-", "export", "set", "let", "var", "const", "declare", "readonly", "local", "ENV", "ARG", "env", "#define",
			"static", "final", "public", "private", "protected", "String", "string", "self", "this", "my", "our", "setenv", "Environment=", "-x", "-r", "val", "def":
		default:
			return false
		}
	}
	return true
}
