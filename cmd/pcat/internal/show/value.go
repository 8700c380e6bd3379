package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

const (
	maxLines  = 40   // of a text that is cut
	maxColumn = 1000 // of a line that is cut
	maxBase64 = 48   // of a Binary that is printed
)

// value writes a named value: on the line of its name, and in a block below for text of several lines and for a large
// Array or Hash.
func (l *layout) value(b *strings.Builder, indent, name string, width int, v pcore.Value) {
	label := terminal.Line(name)
	pad := max(2, width-utf8.RuneCountInString(label))
	d := l.describe(v, l.columns-len(indent)-width)
	b.WriteString(indent + label + strings.Repeat(" ", pad) + d.line + "\n")
	block := d.block
	if hidden := len(block) - maxLines; hidden > 1 && !l.all {
		more := fmt.Sprintf("… and %d more lines; --all prints them", hidden)
		block = append(block[:maxLines:maxLines], margin+l.paint(faint, more))
	}
	for _, line := range block {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// description is the text of a value.
type description struct {
	line  string
	block []string
}

// describe describes a value by its type. room is the number of columns on the first line.
func (l *layout) describe(v pcore.Value, room int) description {
	switch v := v.(type) {
	case *pcore.Sensitive:
		if !l.showSecrets {
			return description{line: l.paint(yellow, v.String())}
		}
		d := l.describe(v.Reveal(), room-len("Sensitive, ")) //nolint:forbidigo // asked for by --show-secrets
		d.line = l.paint(yellow, "Sensitive") + ", " + d.line
		return d
	case pcore.String:
		if text := string(v); strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
			return l.text("text", text)
		}
	case pcore.Binary:
		return l.binary(v)
	default:
	}
	line := l.notation(v)
	_, isArray := v.(*pcore.Array)
	_, isHash := v.(*pcore.Hash)
	if (isArray || isHash) && utf8.RuneCountInString(line) > room {
		rows := l.rows(v, "", "")
		return description{line: rows[0], block: rows[1:]}
	}
	return description{line: l.shortened(line)}
}

// text describes text of several lines.
func (l *layout) text(kind, text string) description {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	d := description{line: fmt.Sprintf("%s, %d lines, %s", kind, len(lines), bytesText(len(text)))}
	if !strings.HasSuffix(text, "\n") {
		d.line += ", without a line break at the end"
	}
	for _, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		d.block = append(d.block, margin+l.paint(faint, "| ")+l.shortened(terminal.Text(line)))
	}
	if strings.Contains(text, "\r\n") {
		d.line += ", with CR LF line breaks"
	}
	return d
}

func bytesText(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// binary describes bytes: as text if they are text.
func (l *layout) binary(v pcore.Binary) description {
	raw := v.Raw()
	if raw != "" && terminal.Text(raw) == raw {
		if strings.Contains(strings.TrimSuffix(raw, "\n"), "\n") {
			return l.text("Binary, text", raw)
		}
		return description{line: "Binary, " + bytesText(v.Len()) + ": " + l.shortened(l.notation(pcore.String(raw)))}
	}
	line := "Binary, " + bytesText(v.Len())
	if text := v.Base64(); len(text) > 0 && len(text) <= maxBase64 {
		line += ": base64 " + text
	}
	return description{line: line}
}

// rows returns an Array or a Hash with a line for each element.
func (l *layout) rows(v pcore.Value, indent, prefix string) []string {
	line := l.notation(v)
	if indent != "" && utf8.RuneCountInString(indent+prefix+line) < l.columns-2*len(margin) {
		return []string{indent + prefix + line}
	}
	inner := indent + margin
	var rows []string
	switch v := v.(type) {
	case *pcore.Array:
		rows = append(rows, indent+prefix+"[")
		for e := range v.Values() {
			rows = append(rows, l.rows(e, inner, "")...)
			rows[len(rows)-1] += ","
		}
		return append(rows, indent+"]")
	case *pcore.Hash:
		rows = append(rows, indent+prefix+"{")
		for k, e := range v.All() {
			rows = append(rows, l.rows(e, inner, l.notation(k)+" => ")...)
			rows[len(rows)-1] += ","
		}
		return append(rows, indent+"}")
	default:
		return []string{indent + prefix + l.shortened(line)}
	}
}

// notation returns a value on one line in Puppet notation, with a Deferred as a call.
func (l *layout) notation(v pcore.Value) string {
	switch v := v.(type) {
	case *pcore.Deferred:
		return "Deferred " + l.call(v)
	case *pcore.Sensitive:
		if l.showSecrets {
			return "Sensitive(" + l.notation(v.Reveal()) + ")" //nolint:forbidigo // asked for by --show-secrets
		}
		return v.String()
	case *pcore.Array:
		return "[" + l.joined(v) + "]"
	case *pcore.Hash:
		var b strings.Builder
		for k, e := range v.All() {
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			b.WriteString(l.notation(k) + " => " + l.notation(e))
		}
		return "{" + b.String() + "}"
	default:
		return terminal.Line(v.String())
	}
}

// call returns a Deferred as it is written in a manifest, and a variable with its keys.
func (l *layout) call(v *pcore.Deferred) string {
	name := terminal.Line(v.Name())
	if !strings.HasPrefix(name, "$") {
		return name + "(" + l.joined(v.Arguments()) + ")"
	}
	var b strings.Builder
	b.WriteString(name)
	for key := range v.Arguments().Values() {
		b.WriteString("[" + l.notation(key) + "]")
	}
	return b.String()
}

func (l *layout) joined(list *pcore.Array) string {
	var b strings.Builder
	for e := range list.Values() {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if call, ok := e.(*pcore.Deferred); ok {
			b.WriteString(l.call(call))
			continue
		}
		b.WriteString(l.notation(e))
	}
	return b.String()
}

// shortened cuts a long line.
func (l *layout) shortened(line string) string {
	if l.all || len(line) <= maxColumn {
		return line
	}
	kept := strings.ToValidUTF8(line[:maxColumn], "")
	return kept + l.paint(faint, fmt.Sprintf("… (%s; --all prints all)", bytesText(len(line))))
}
