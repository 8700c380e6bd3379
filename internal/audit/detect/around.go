package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// inContext returns the sort of an ambiguous name by its context: `api key = X`, `PRAGMA
// key = 'X'`, `community` in a file for SNMP.
func (t assignments) inContext(name string, start, first int, quoted bool) verdict.Sort {
	switch name {
	case "key", "Key":
		if s := t.sortOf(verdict.LastWord(t.enclosing(start, first)) + " key"); s.Secret() {
			return s
		}
		if quoted {
			return verdict.Plain
		}
		if strings.Contains(t.target(), "tac") {
			return verdict.Password // of a configuration file of TACACS+
		}
		if first <= start+1 || !isBlank(t.S[first-1]) {
			return verdict.Plain
		}
		before, at, _, ok := nameBefore(t.S, start, first-1)
		if ok && isPrefix(t.S[start:at]) {
			if as := t.sortOf(before + " key"); as.Secret() {
				return as
			}
		}
	case "enable":
		return t.sortOf(verdict.LastWord(t.enclosing(start, first)) + " enable")
	case "community":
		if strings.Contains(t.target(), "snmp") {
			return verdict.Password
		}
	}
	return verdict.Plain
}

// enclosing returns the name of the object that contains the member at first, on the line
// at start: the name before the open brace, the key of the line of YAML with less
// indentation, or the section. It returns "" if there is none within reach.
func (t assignments) enclosing(start, first int) string {
	s, limit := t.S, max(0, first-reach)
	if strings.IndexByte(s[limit:first], '{') < 0 && strings.IndexByte(s[limit:first], '\n') < 0 {
		return ""
	}
	depth := 0
	for i := first - 1; i >= limit; i-- {
		switch s[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				line := limit + strings.LastIndexByte(s[limit:i], '\n') + 1
				name, _, _, _ := nameBefore(s, line, line+len(strings.TrimRight(s[line:i], " :=>")))
				return name
			}
		}
	}
	indent := indentOf(s[start:min(first, start+reach)])
	for end := start - 1; end > limit; {
		begin := limit + strings.LastIndexByte(s[limit:end], '\n') + 1
		line := strings.TrimRight(s[begin:end], " \t\r")
		if name, ok := strings.CutSuffix(line, ":"); ok && indentOf(line) < indent {
			return strings.TrimSpace(name)
		}
		if n := len(line); n > 2 && line[0] == '[' && line[n-1] == ']' {
			return line[1 : n-1]
		}
		end = begin - 1
	}
	return ""
}

// objectName returns the name of the object whose first member begins at first, in JSON or
// YAML: `"dbPassword": {"value": …`. It returns "" if there is none.
func objectName(s string, first int) string {
	from := max(0, first-verdict.MaxName-reach)
	before := strings.TrimRight(s[from:first], " \t\r\n")
	if inner, ok := strings.CutSuffix(before, "{"); ok {
		before = strings.TrimRight(inner, " \t\r\n")
	} else if !strings.Contains(s[from+len(before):first], "\n") {
		return ""
	}
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "=") { // of YAML and JSON, of TOML
		return ""
	}
	name, _, _, _ := nameBefore(before, strings.LastIndexByte(before, '\n')+1, len(before)-1)
	return name
}
