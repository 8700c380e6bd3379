package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// flow is the use of a text.
type flow uint8

const (
	// value is a text whose use is unknown.
	value flow = iota
	// content is the content of a file, or a part of it.
	content
	// command is a command that Puppet runs.
	command
	// environment is a list of environment variables.
	environment
)

// flowOf returns the use of a leaf, by its parameter.
func flowOf(l *leaf.Leaf) flow {
	if l.Kind == leaf.Title && l.Resource.Type == "Exec" {
		return command // a resource with a command of its own does not run its title, but the search is harmless
	}
	if !l.InParameter() {
		return value
	}
	switch l.Parameter() {
	case "command", "unless", "onlyif", "refresh", "start", "stop", "restart", "status", "exec", "validate_cmd",
		"command_line", "arguments", "post_command", "pre_command", "prerun", "postrun", "refresh_command", "script", "cmd", "run", "execstart", "postrotate", "prerotate", "firstaction", "lastaction":
		return command
	case "environment", "env", "environments":
		return environment
	case "content", "source_content", "data", "template", "body", "text", "line", "user_data", "userdata", "inline":
		return content
	}
	if d, _ := l.Deferred(); d != nil {
		return content
	}
	// `proxy_cmd`, `backup_command`, and `ExecStart` in the Hash of a unit.
	if name := l.Name(); strings.HasSuffix(name, "command") && name != "check_command" || strings.HasSuffix(name, "_cmd") || strings.HasPrefix(name, "cmd_") || strings.HasPrefix(name, "ExecSt") {
		return command
	}
	return value
}

// id returns the rule for a secret that is not the value of a parameter as a whole.
func (t *Text) id() string {
	if d, _ := t.leaf.Deferred(); d != nil {
		return "deferred-cleartext-argument"
	}
	if t.flow == command || t.flow == environment {
		return "secret-in-command"
	}
	return "secret-in-content"
}
