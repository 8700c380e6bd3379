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

// value writes a named value: on the line of its name, and in a block below for text of
// several lines and for a large Array or Hash.
func (l *layout) value(b *strings.Builder, indent, name string, width int, v pcore.Value) {
	label := terminal.Line(name)
	pad := max(2, width-utf8.RuneCountInString(label))
	d := l.describe(v, l.columns-len(indent)-width)
	b.WriteString(indent + label + strings.Repeat(" ", pad) + d.line + "\n")
	block := d.block
	if hidden := len(block) + d.more - maxLines; hidden > 1 && !l.all {
		more := fmt.Sprintf("… and %d more lines; --all prints them", hidden)
		block = append(block[:maxLines:maxLines], margin+l.paint(faint, more))
	}
	for _, line := range block {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// valueText is the text of a value.
type valueText struct {
	line  string
	block []string
	more  int // lines that follow the block, if it is cut
}

// describe describes a value by its type. room is the number of columns on the first line.
func (l *layout) describe(v pcore.Value, room int) valueText {
	switch v := v.(type) {
	case *pcore.Sensitive:
		if !l.showSecrets {
			return valueText{line: l.paint(yellow, v.String())}
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
	_, isArray := v.(*pcore.Array)
	_, isHash := v.(*pcore.Hash)
	if isArray || isHash {
		if rows := l.newRows(room); rows.size(v) > room {
			rows.add(v, 0, "", "")
			return valueText{line: rows.lines[0], block: rows.lines[1:], more: rows.more}
		}
	}
	return valueText{line: l.shortened(l.notation(v))}
}

// text describes text of several lines.
func (l *layout) text(kind, text string) valueText {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	d := valueText{line: fmt.Sprintf("%s, %d lines, %s", kind, len(lines), bytesText(len(text)))}
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
func (l *layout) binary(v pcore.Binary) valueText {
	raw := v.Raw()
	if raw != "" && terminal.Text(raw) == raw {
		if strings.Contains(strings.TrimSuffix(raw, "\n"), "\n") {
			return l.text("Binary, text", raw)
		}
		return valueText{line: "Binary, " + bytesText(v.Len()) + ": " + l.shortened(l.notation(pcore.String(raw)))}
	}
	line := "Binary, " + bytesText(v.Len())
	if text := v.Base64(); len(text) > 0 && len(text) <= maxBase64 {
		line += ": base64 " + text
	}
	return valueText{line: line}
}

// rows are the lines of an Array or a Hash, with a line for each element that does not fit
// on one line with others. Each value is measured once, and lines that will not be printed
// are only counted.
type rows struct {
	*layout

	lines []string
	more  int                 // lines that are only counted
	limit int                 // the maximum size of interest
	sizes map[pcore.Value]int // of Arrays and Hashes
}

func (l *layout) newRows(room int) *rows {
	return &rows{layout: l, limit: max(room, l.columns), sizes: map[pcore.Value]int{}}
}

// full reports whether the next lines are only counted. One line of a value is not in its
// block, and one line is not worth cutting.
func (r *rows) full() bool { return !r.all && len(r.lines) >= maxLines+2 }

func (r *rows) line(depth int, parts ...string) {
	if r.full() {
		r.more++
		return
	}
	r.lines = append(r.lines, strings.Repeat(margin, depth)+strings.Join(parts, ""))
}

// add adds the lines of a value between a prefix and a suffix.
func (r *rows) add(v pcore.Value, depth int, prefix, suffix string) {
	_, isArray := v.(*pcore.Array)
	_, isHash := v.(*pcore.Hash)
	if !isArray && !isHash {
		text := ""
		if !r.full() {
			text = r.shortened(r.notation(v))
		}
		r.line(depth, prefix, text, suffix)
		return
	}
	room := r.columns - (2+depth)*len(margin) - utf8.RuneCountInString(prefix)
	if depth > 0 && r.size(v) < room {
		r.line(depth, prefix, r.notation(v), suffix)
		return
	}
	switch v := v.(type) {
	case *pcore.Array:
		r.line(depth, prefix, "[")
		for e := range v.Values() {
			r.add(e, depth+1, "", ",")
		}
		r.line(depth, "]", suffix)
	case *pcore.Hash:
		r.line(depth, prefix, "{")
		for k, e := range v.All() {
			r.add(e, depth+1, r.notation(k)+" => ", ",")
		}
		r.line(depth, "}", suffix)
	default:
	}
}

// size returns the number of characters of the notation, or a number above the limit.
func (r *rows) size(v pcore.Value) int {
	switch v.(type) {
	case *pcore.Array, *pcore.Hash:
	default:
		return utf8.RuneCountInString(r.notation(v))
	}
	if n, ok := r.sizes[v]; ok {
		return n
	}
	n := len("[]")
	separator := 0
	switch v := v.(type) {
	case *pcore.Array:
		for e := range v.Values() {
			n += separator + r.size(e)
			if _, call := e.(*pcore.Deferred); call {
				n -= len("Deferred ") // as in list
			}
			if n > r.limit {
				break
			}
			separator = len(", ")
		}
	case *pcore.Hash:
		for k, e := range v.All() {
			n += separator + utf8.RuneCountInString(r.notation(k)) + len(" => ")
			if n > r.limit {
				break
			}
			if n += r.size(e); n > r.limit {
				break
			}
			separator = len(", ")
		}
	default:
	}
	r.sizes[v] = n
	return n
}

// notation returns a value on one line in Puppet notation, with a Deferred as a call.
func (l *layout) notation(v pcore.Value) string {
	if s, ok := v.(pcore.String); ok {
		return terminal.Line(s.String())
	}
	var b strings.Builder
	l.write(&b, v)
	return b.String()
}

// write writes the notation of a value.
func (l *layout) write(b *strings.Builder, v pcore.Value) {
	switch v := v.(type) {
	case *pcore.Deferred:
		b.WriteString("Deferred ")
		l.call(b, v)
	case *pcore.Sensitive:
		if !l.showSecrets {
			b.WriteString(v.String())
			return
		}
		b.WriteString("Sensitive(")
		l.write(b, v.Reveal()) //nolint:forbidigo // asked for by --show-secrets
		b.WriteByte(')')
	case *pcore.Array:
		b.WriteByte('[')
		l.list(b, v)
		b.WriteByte(']')
	case *pcore.Hash:
		b.WriteByte('{')
		separator := ""
		for k, e := range v.All() {
			b.WriteString(separator)
			l.write(b, k)
			b.WriteString(" => ")
			l.write(b, e)
			separator = ", "
		}
		b.WriteByte('}')
	default:
		b.WriteString(terminal.Line(v.String()))
	}
}

// call writes a Deferred as it is written in a manifest, and a variable with its keys.
func (l *layout) call(b *strings.Builder, v *pcore.Deferred) {
	name := terminal.Line(v.Name())
	b.WriteString(name)
	if !strings.HasPrefix(name, "$") {
		b.WriteByte('(')
		l.list(b, v.Arguments())
		b.WriteByte(')')
		return
	}
	for key := range v.Arguments().Values() {
		b.WriteByte('[')
		l.write(b, key)
		b.WriteByte(']')
	}
}

// list writes the elements of an Array, with a nested call as in a manifest.
func (l *layout) list(b *strings.Builder, list *pcore.Array) {
	separator := ""
	for e := range list.Values() {
		b.WriteString(separator)
		if call, ok := e.(*pcore.Deferred); ok {
			l.call(b, call)
		} else {
			l.write(b, e)
		}
		separator = ", "
	}
}

// shortened cuts a long line.
func (l *layout) shortened(line string) string {
	if l.all || len(line) <= maxColumn {
		return line
	}
	kept := strings.ToValidUTF8(line[:maxColumn], "")
	return kept + l.paint(faint, fmt.Sprintf("… (%s; --all prints all)", bytesText(len(line))))
}
