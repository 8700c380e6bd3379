package compile

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Result is a compiled catalog. It is immutable.
type Result struct {
	Node string
	// Catalog is rich JSON, as `puppet catalog compile --render-as rich_data_json` prints
	// it, with the paths that a server has. It contains secrets in plain text.
	Catalog []byte
	// Bare reports that the catalog has no classes and no resources of its own, usually
	// because nothing matches the node.
	Bare bool
	// Warnings were logged by the compilation.
	Warnings []Warning
	// Version is that of Puppet.
	Version string
}

// Warning is a message that Puppet logged while it compiled.
type Warning struct {
	Message string
	// File is the path below the root of the repository, or the path of a file outside of it;
	// empty if it is unknown.
	File string
	Line int // 0 if it is unknown
}

// String returns the location and the message.
func (w Warning) String() string { return located(w.File, w.Line, 0, w.Message) }

// Failure is the error of a node whose catalog Puppet could not compile.
type Failure struct {
	Node string
	// Class is that of the error in Ruby, such as Puppet::PreformattedError. It is empty if
	// the process ended without one.
	Class string
	// Message is that of Puppet, without the location and the name of the node.
	Message string
	// File is the path below the root of the repository, or the path of a file outside of it;
	// empty if it is unknown.
	File string
	Line int // 0 if it is unknown
	Pos  int // column; 0 if it is unknown
	// Cause is the line of Ruby in which an error began that Puppet reports for the
	// manifest: FILE:LINE. Empty if there is none.
	Cause string
	// Warnings were logged before the failure.
	Warnings []Warning
}

// Error implements error.
func (f *Failure) Error() string {
	text := located(f.File, f.Line, f.Pos, "does not compile: "+f.Message)
	if f.Cause != "" {
		text += " (raised in " + f.Cause + ")"
	}
	return text
}

func located(file string, line, pos int, text string) string {
	if file == "" {
		return text
	}
	if line != 0 {
		file += ":" + strconv.Itoa(line)
	}
	if line != 0 && pos != 0 {
		file += ":" + strconv.Itoa(pos)
	}
	return file + ": " + text
}

// failure returns the failure that a reply describes.
func (p *paths) failure(r *reply) *Failure {
	f := &Failure{Node: r.Node, Class: r.Class, Line: r.Line, Pos: r.Pos, Warnings: p.warnings(r.Messages)}
	message, file, line, pos := splitLocation(r.Message, r.Node)
	f.Message = p.text(message)
	f.File = p.file(cmp.Or(r.File, file))
	if r.Line == 0 {
		f.Line, f.Pos = line, pos
	}
	if f.File == "" {
		f.Line, f.Pos = 0, 0
	}
	if at, _, ok := strings.Cut(r.Cause, ":in "); ok && p.inside(at) {
		f.Cause = p.file(at)
	}
	return f
}

// splitLocation removes the text that Puppet adds to a message: the location, once or twice, and
// `on node NAME`.
func splitLocation(text, node string) (message, file string, line, pos int) {
	message = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "on node "+node))
	for {
		begin := strings.LastIndex(message, "(file: ")
		if begin < 0 || !strings.HasSuffix(message, ")") {
			break
		}
		inner := strings.TrimSuffix(message[begin+len("(file: "):], ")")
		var at [2]int
		name := inner
		if i := strings.LastIndex(inner, ", line: "); i >= 0 {
			name = inner[:i]
			if n, _ := fmt.Sscanf(inner[i:], ", line: %d, column: %d", &at[0], &at[1]); n == 0 {
				break
			}
		}
		if strings.Contains(name, ")") {
			break
		}
		file, line, pos = name, at[0], at[1]
		message = strings.TrimSpace(message[:begin])
		message = strings.TrimSpace(strings.TrimSuffix(message, "on node "+node))
	}
	return message, file, line, pos
}

func (p *paths) warnings(logged []message) []Warning {
	var all []Warning
	for _, m := range logged {
		text, file, line, _ := splitLocation(m.Message, "")
		w := Warning{p.text(text), p.file(cmp.Or(m.File, file)), cmp.Or(m.Line, line)}
		if w.File == "" {
			w.Line = 0
		}
		all = append(all, w)
	}
	return all
}
