package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// isStatement reports whether a value, which may have quotes, is a statement of a programming
// language that calls a function: `echo password_hash("X");`.
func isStatement(s string) bool {
	return strings.HasSuffix(s, ");") && strings.Contains(s, "(") && strings.Contains(s, " ")
}

// IsCode reports whether an unquoted value is an expression of a programming language.
func IsCode(s string) bool {
	switch s {
	case "await", "new", "this", "self", "function", "lambda", "typeof", "return", "import", "require", "yield", "async", "not", "and", "or", "in", "is":
		return true
	}
	if n := len(s); n > 1 && s[n-1] == '.' && alphabet.IsLatin(s[:n-1]) {
		return true // the end of a sentence
	}
	for _, index := range []string{"['", "[\"", "[:"} {
		if i := strings.Index(s, index); i > 1 && IsIdentifier(strings.TrimLeft(s[:i], "$@&*")) {
			return true
		}
	}
	if strings.ContainsAny(s, "()") && !strings.ContainsAny(s, "!#%^*@~") && !isDrawnWithParenthesis(s) {
		return true
	}
	if strings.Contains(s, "->") || strings.Contains(s, "=>") || strings.Contains(s, "::") && !strings.ContainsAny(s, "0123456789") {
		return true
	}
	// `self.config.token`, `request.headers`
	if strings.Count(s, ".") >= 1 && strings.Trim(s, ".") == s {
		for part := range strings.SplitSeq(s, ".") {
			if !alphabet.IsLatin(strings.ReplaceAll(part, "_", "")) || part != strings.ToLower(part) {
				return false
			}
		}
		return true
	}
	return false
}

// isDrawnWithParenthesis reports whether s looks drawn at random, and no expression has parentheses in this way: a letter or a digit
// is behind one that closes, or nothing closes one that opens.
func isDrawnWithParenthesis(s string) bool {
	if strings.Contains(s, "$(") || s[0] == '(' || !IsRandom(s) {
		return false
	}
	const shortest = 16
	name, tail, opens := strings.Cut(s, "(")
	if opens && !strings.Contains(tail, ")") {
		return len(tail) >= shortest && strings.ContainsAny(tail, "0123456789")
	}
	if opens && alphabet.IsLetters(name) {
		return false // a call, a type: `char(64)binary`
	}
	const shortestTail = 3
	if opens && name[0] >= '0' && name[0] <= '9' && len(s)-strings.LastIndexByte(s, ')') > shortestTail {
		return true // no name of a function begins with a digit
	}
	for i := 1; i < len(s); i++ {
		if s[i-1] == ')' && alphabet.IsAlnum(s[i]) {
			return true
		}
	}
	return false
}
