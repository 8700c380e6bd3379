package assign

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// ClassInContext returns the class of an ambiguous name by its context: `api key = X`, `PRAGMA
// key = 'X'`, `community` in a file for SNMP.
func (t *Text) ClassInContext(name string, start, first int, quoted bool) verdict.NameClass {
	switch name {
	case "key", "Key":
		if s := t.Names.ClassOf(verdict.LastWord(t.enclosing(start, first)) + " key"); s.Secret() {
			return s
		}
		if quoted {
			return verdict.Plain
		}
		if strings.Contains(t.File(), "tac") {
			return verdict.Password // of a configuration file of TACACS+
		}
		if first <= start+1 || !alphabet.IsBlank(t.S[first-1]) {
			return verdict.Plain
		}
		before, at, _, ok := NameBefore(t.S, start, first-1)
		if ok && isPrefix(t.S[start:at]) {
			if as := t.Names.ClassOf(before + " key"); as.Secret() {
				return as
			}
		}
	case "enable":
		return t.Names.ClassOf(verdict.LastWord(t.enclosing(start, first)) + " enable")
	case "community", "community_string":
		if t.isAboutSNMP() {
			return verdict.Password
		}
	}
	return verdict.Plain
}

// isAboutSNMP reports whether the file or its text mentions SNMP.
func (t *Text) isAboutSNMP() bool {
	if t.snmp == unknown {
		t.snmp = no
		if strings.Contains(t.File(), "snmp") || lines.Mentions(t.S, "snmp", "SNMP") {
			t.snmp = yes
		}
	}
	return t.snmp == yes
}

// answer is the answer to a question about a text that is read once for it.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

// Enclosing returns the name of the section or object that contains the value at position
// at: `[ironic]`, `database:`. It returns "" if there is none within reach, or if the line is
// very long before the value.
func (t *Text) Enclosing(at int) string {
	const longest = 16 << 10 // a line of many values is not read from its start for each
	from := max(0, at-longest)
	start := from + strings.LastIndexByte(t.S[from:at], '\n') + 1
	if start == from && from > 0 {
		return ""
	}
	return t.enclosing(start, start+lines.Indent(t.S[start:at]))
}

// enclosing returns the name of the object that contains the member at first, on the line
// at start: the name before the open brace, the key of the line of YAML with less
// indentation, or the section. It returns "" if there is none within reach.
func (t *Text) enclosing(start, first int) string {
	s, limit := t.S, max(0, first-lines.Reach)
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
				name, _, _, _ := NameBefore(s, line, line+len(strings.TrimRight(s[line:i], " :=>")))
				return name
			}
		}
	}
	indent := lines.Indent(s[start:min(first, start+lines.Reach)])
	isElement := strings.HasPrefix(s[min(start+indent, len(s)):], "- ") // its list may have the same indentation
	for end := start - 1; end > limit; {
		begin := limit + strings.LastIndexByte(s[limit:end], '\n') + 1
		line := strings.TrimRight(s[begin:end], " \t\r")
		if name, ok := strings.CutSuffix(line, ":"); ok && (lines.Indent(line) < indent || isElement && lines.Indent(line) == indent && s[begin+indent] != '-') {
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
	from := max(0, first-verdict.MaxName-lines.Reach)
	before := strings.TrimRight(s[from:first], " \t\r\n")
	if inner, ok := strings.CutSuffix(before, "{"); ok {
		before = strings.TrimRight(inner, " \t\r\n")
	} else if !strings.Contains(s[from+len(before):first], "\n") {
		return ""
	}
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "=") { // of YAML and JSON, of TOML
		return ""
	}
	name, _, _, _ := NameBefore(before, strings.LastIndexByte(before, '\n')+1, len(before)-1)
	return name
}

// container is a part of a text in which each member is a secret, whatever its name:
// `tokens: {…}`, the lines indented below `passwords:`, a section `[admins]`.
type container struct {
	end     int // position of the closing brace in the text
	indent  int // of the line that opened it; -1 for none
	section bool
	// manifest means that the text is a Kubernetes Secret, in which every member of `data`
	// is a secret.
	manifest bool
}

// reachOfBraces is the maximum distance to the closing brace.
const reachOfBraces = 4096

// line updates the container at the start of line S[start:end].
func (c *container) line(t *Text, start, end int) {
	line := strings.TrimSpace(t.S[start:end])
	if len(line) > 2 && line[0] == '[' && line[len(line)-1] == ']' {
		c.section = t.Names.Container(line[1 : len(line)-1])
		c.indent = -1
		return
	}
	if c.indent > 0 && lines.Indent(t.S[start:end]) < c.indent {
		c.indent = -1
	}
}

// begin starts a container whose value begins after from, on the line that begins at start.
func (c *container) begin(s string, start, from int) { c.beginWith("{", s, start, from) }

// beginWith is begin for a container in one of several kinds of brackets.
func (c *container) beginWith(brackets, s string, start, from int) {
	if from < c.end {
		return
	}
	i := from
	for i < len(s) && alphabet.IsBlank(s[i]) {
		i++
	}
	switch {
	case i >= len(s) || s[i] == '\n' || s[i] == '\r':
		c.indent = lines.Indent(s[start:]) + 1
	case strings.IndexByte(brackets, s[i]) >= 0:
		depth := 0
		c.end = min(len(s), i+reachOfBraces)
		for j := i; j < c.end; j++ {
			switch s[j] {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				if depth--; depth == 0 {
					c.end = j
					return
				}
			}
		}
	}
}

// has reports whether the name at first is a member of the container.
func (c *container) has(first int) bool { return first < c.end || c.indent > 0 || c.section }

// isSecretManifest reports whether a text is a Kubernetes Secret.
func isSecretManifest(s string) bool {
	return strings.Contains(s, "stringData:\n") || strings.Contains(s, "Secret") &&
		(lines.Mentions(s, "kind: Secret\n", "kind: \"Secret\"", `"kind": "Secret"`, `"kind":"Secret"`) || strings.HasSuffix(s, "kind: Secret"))
}

// holds reports whether all members of the object with that name are secrets.
func (c *container) holds(name string, names *verdict.Vocabulary) bool {
	return names.Container(name) || c.manifest && name == "data"
}

// items describes a YAML list below the name that it belongs to.
type items struct {
	name   string
	class  verdict.NameClass
	indent int
}

// begin starts a list below the line of a name.
func (l *items) begin(name string, as verdict.NameClass, line string) {
	l.name, l.class, l.indent = name, min(as, verdict.Token), lines.Indent(line)
}

// item handles a line that may be an element of the list.
func (l *assigner) item() {
	if l.list.class == verdict.Plain {
		return
	}
	line := l.S[l.start:l.end]
	text, item := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
	if !item || lines.Indent(line) < l.list.indent {
		l.list.class = verdict.Plain
		return
	}
	a := l.valueAfter(l.end-len(text), l.end, false)
	if a.Value == "" || strings.IndexByte("{[&*!|>", a.Value[0]) >= 0 || !a.Quoted && strings.Contains(a.Value, ": ") {
		return
	}
	a.Name, a.Class = l.list.name, l.list.class
	l.yield(a)
}
