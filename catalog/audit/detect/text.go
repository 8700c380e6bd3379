package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// Text is what a search goes over: the text of a leaf, or what was decoded out
// of a part of it. It is valid during the visit of the leaf.
type Text struct {
	// S is the text.
	S string
	// Encodings are those that were taken off, the outermost first; none for
	// the leaf itself.
	Encodings []string

	has        contained // what bytes S has, once it is looked at
	scanner    *Scanner
	leaf       *leaf.Leaf
	start, end int    // where in the leaf the encoded text stands
	flow       flow   // what the text is for
	kind       kind   // what grammar it has
	path       string // of the member of an archive that it is

	// A part of the text that is too long for a word, so that it is not read
	// again from each place in it where a value could begin.
	unbroken stretch
}

// stretch is a part of a text without an end of a word, even of one inside a line
// when inline is set.
type stretch struct {
	from, to int
	inline   bool
}

// flow tells what becomes of a text.
type flow uint8

const (
	// value is a text of which nothing is known.
	value flow = iota
	// content is, or becomes a part of, a file.
	content
	// command is run.
	command
	// environment is a list of variables.
	environment
)

// Hit returns a hit of the secret that stands at S[start:end].
func (t *Text) Hit(id string, start, end int, secret string, confidence rule.Confidence) Hit {
	if len(t.Encodings) > 0 {
		start, end = t.start, t.end
	}
	return Hit{Rule: id, Start: start, End: end, Secret: secret, Encodings: t.Encodings, Confidence: confidence}
}

// found tells about S[start:end], which is the secret as it stands there.
func (t *Text) found(id string, start, end int, confidence rule.Confidence) {
	t.scanner.emit(t.Hit(id, start, end, t.S[start:end], confidence))
}

// named tells about S[start:end], which spells a secret that has a name.
func (t *Text) named(id string, start, end int, name, secret string, confidence rule.Confidence) {
	if knownHash(secret) {
		id = "password-hash"
	}
	h := t.Hit(id, start, end, secret, confidence)
	h.Name = name
	t.scanner.emit(h)
}

// part returns the text that S[start:end] decodes to.
func (t *Text) part(start, end int, s, encoding string) *Text {
	p := *t
	p.S, p.path = s, ""
	if len(t.Encodings) == 0 {
		p.start, p.end = start, end
	}
	p.Encodings = append(slices.Clip(t.Encodings), encoding)
	return &p
}

// id returns the rule for a secret that something besides the name of the
// parameter tells.
func (t *Text) id() string {
	if d, _ := t.leaf.Deferred(); d != nil {
		return "deferred-cleartext-argument"
	}
	if t.flow == command || t.flow == environment {
		return "secret-in-command"
	}
	return "secret-in-content"
}

// flowOf tells what becomes of a leaf, by the parameter that it stands in.
func flowOf(l *leaf.Leaf) flow {
	if l.Kind == leaf.Title && l.Resource.Type == "Exec" {
		return command // unless it has one of its own, which does no harm
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
