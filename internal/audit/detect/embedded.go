package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// commandKeys are keys and elements that contain a command in configuration files.
var commandKeys = []string{"command", "commands", "script", "shell", "cmd", "run", "exec", "entrypoint"}

// embedded finds the commands in a text that is no script: the content of an element of
// XML, the value of a key of YAML or JSON.
func (t commands) embedded() {
	s := t.S
	if t.kind == source || t.kind == manual || !t.has.Has('<') && !t.has.Has('"') {
		return
	}
	for _, key := range commandKeys {
		end := 0 // of the last command
		for i := range places(s, "<"+key+">") {
			start := i + len(key) + 2
			if i < end {
				continue
			}
			if n := strings.Index(s[start:min(len(s), start+maxCommand)], "</"); n >= 0 {
				end = start + n
				t.script(end-len(strings.TrimPrefix(s[start:end], "<![CDATA[")), end)
			}
		}
		end = 0
		for i := range places(s, `"`+key+`"`) {
			from := i + len(key) + 2
			if i < end {
				continue
			}
			rest := strings.TrimLeft(s[from:min(len(s), from+verdict.MaxName)], " \t")
			if rest == "" || rest[0] != ':' {
				continue
			}
			if value := strings.TrimLeft(rest[1:], " \t"); value != "" && value[0] == '"' {
				q := min(len(s), from+verdict.MaxName) - len(value)
				if a, ok := quotedValue(s, q, q, len(s)); ok && strings.Contains(a.value, " ") {
					end = a.end
					t.pipeline(a.start, a.end)
				}
			}
		}
	}
}

// yamlCommand returns the position of the command in a line of YAML, `command: X`, or -1.
// If the command is a block below the line, block is its least indentation.
func yamlCommand(line string) (at, block int) {
	item := strings.TrimLeft(line, " -")
	indent := len(line) - len(item)
	key, rest, found := strings.Cut(item, ":")
	if !found || !slices.Contains(commandKeys, key) {
		return -1, 0
	}
	value := strings.TrimLeft(rest, " ")
	switch {
	case value == "" || len(value) == len(rest) || value[0] == '[' || value[0] == '{':
		return -1, 0
	case value[0] == '|' || value[0] == '>':
		return -1, indent + 1
	case value[0] == '"' || value[0] == '\'':
		value = value[1:]
	}
	return len(line) - len(value), 0
}
