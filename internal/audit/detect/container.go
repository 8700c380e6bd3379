package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

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
		c.section = t.names().Container(line[1 : len(line)-1])
		c.indent = -1
		return
	}
	if c.indent > 0 && indentOf(t.S[start:end]) < c.indent {
		c.indent = -1
	}
}

// begin starts a container whose value begins after from, on the line that begins at start.
func (c *container) begin(s string, start, from int) {
	if from < c.end {
		return
	}
	i := from
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	switch {
	case i >= len(s) || s[i] == '\n' || s[i] == '\r':
		c.indent = indentOf(s[start:]) + 1
	case s[i] == '{':
		depth := 0
		c.end = min(len(s), i+reachOfBraces)
		for j := i; j < c.end; j++ {
			switch s[j] {
			case '{':
				depth++
			case '}':
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
	return strings.Contains(s, "Secret") &&
		(mentions(s, "kind: Secret\n", "kind: \"Secret\"", `"kind": "Secret"`, `"kind":"Secret"`) || strings.HasSuffix(s, "kind: Secret"))
}

// holds reports whether all members of the object with that name are secrets.
func (c *container) holds(name string, names *verdict.Vocabulary) bool {
	return names.Container(name) || c.manifest && name == "data"
}
