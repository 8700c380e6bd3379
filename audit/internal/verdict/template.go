package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// isTemplate reports whether s is filled in later: it consists mostly of a variable of a
// template language.
func isTemplate(s string) bool {
	s = strings.Trim(s, " \t\r\n\"'\\")
	switch n := len(s); {
	case n > 2 && s[0] == '`': // the output of a command, cut off at a blank
		return s[n-1] == '`' || IsIdentifier(s[1:])
	case n > 4 && (s[0] == '*' || s[0] == '&') && alphabet.IsLatinName(s[1:]): // a YAML alias, or an anchor
		return true
	case n > 4 && strings.HasPrefix(s, "((") && strings.HasSuffix(s, "))"): // of Concourse and BOSH
		return true
	case n > 4 && (s[0] == '+' || s[0] == '.') && s[n-1] == s[0] && s[1] == ' ' && s[n-2] == ' ': // a concatenation: `' + @password + '`
		return true
	case n > 4 && s[0] == '[' && s[n-1] == ']' && strings.ContainsAny(s, " $"): // a command substitution of Tcl
		return true
	case n > 4 && strings.HasPrefix(s, "[[") && strings.HasSuffix(s, "]]"):
		return true
	}
	if !strings.ContainsAny(s, "$%{<@#") {
		return false
	}
	for _, p := range [][2]string{
		{"%{", "}"}, {"%(", ")s"}, {"%[", "]"}, {"${", "}"}, {"$(", ")"}, {"<%", "%>"}, {"{{", "}}"}, {"{%", "%}"}, {"#{", "}"}, {"$[", "]"}, {"@{", "}"}, {"$((", "))"}, {"[[", "]]"}, {"<<", ">>"},
	} {
		if i := strings.Index(s, p[0]); i >= 0 {
			if j := strings.LastIndex(s, p[1]); j > i || i == 0 {
				rest := s[:i]
				if j > i {
					rest += s[min(j+len(p[1]), len(s)):]
				}
				return len(rest) <= len(s)/3 || len(rest) < 8
			}
		}
	}
	if i := strings.IndexByte(s, '@'); i >= 0 {
		if n := strings.IndexByte(s[i+1:], '@'); n > 2 && IsIdentifier(s[i+1:i+1+n]) && len(s)-n <= 4 && s == strings.ToUpper(s) {
			return true
		}
	}
	if i := strings.IndexByte(s, '%'); i >= 0 {
		if n := strings.IndexByte(s[i:], '{'); n > 0 && alphabet.IsLatin(s[i+1:i+n]) {
			return true
		}
	}
	if n := len(s); n > 1 && s[0] == '$' && IsIdentifier(strings.TrimPrefix(s[1:], "::")) {
		return true
	}
	if name, _, found := strings.Cut(s, `\n`); found && len(name) > 1 && name[0] == '$' && IsIdentifier(name[1:]) {
		return true // a string with escaped line breaks
	}
	if isFormat(s) {
		return true
	}
	if n := len(s); n > 2 && s[0] == '%' && s[n-1] == '%' && IsIdentifier(s[1:n-1]) {
		return true
	}
	if n := len(s); n > 3 && s[0] == '$' && s[n-1] == '$' && IsIdentifier(s[1:n-1]) {
		return true // a macro of Nagios
	}
	if n := len(s); n > 5 && s[0] == '{' && s[n-1] == '}' {
		// `{DB_PASSWORD}`, `{env:DB_PASSWORD}`
		name := s[1 : n-1]
		for _, of := range []string{"$", "env.", "file."} { // of Caddy
			if rest, found := strings.CutPrefix(name, of); found && (IsIdentifier(rest) || of == "file.") {
				return true
			}
		}
		name = name[strings.IndexByte(name, ':')+1:]
		return IsIdentifier(name) && strings.Contains(name, "_") && !strings.ContainsAny(name, ".'\"[]")
	}
	return len(s) > 5 && (strings.HasPrefix(s, "$env:") || strings.HasPrefix(s, "$env(") || strings.HasPrefix(s, "$ENV{"))
}

// isFormat reports whether s is a printf format: it consists mostly of verbs and
// separators.
func isFormat(s string) bool {
	rest, n := s, 0
	for _, verb := range []string{"%s", "%d", "%v", "%q", "%x", "%i", "%u"} {
		n += strings.Count(rest, verb)
		rest = strings.ReplaceAll(rest, verb, "")
	}
	return n > 0 && len(rest) <= 8 && (n > 1 || rest == "" || !IsMachineMade(rest))
}

// IsIdentifier reports whether s has the form of a variable.
func IsIdentifier(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if !alphabet.IsWordByte(s[i]) && s[i] != ':' && s[i] != '.' && s[i] != '[' && s[i] != ']' && s[i] != '\'' && s[i] != '"' {
			return false
		}
	}
	// `$6$salt…` has more dollars, and `$Abc12!` is a password: a variable has letters of
	// one case.
	letters := strings.Trim(s, "0123456789_")
	return letters == strings.ToLower(letters) || letters == strings.ToUpper(letters) || !strings.ContainsAny(s, "0123456789")
}
