package report

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// change writes one change of a resource.
func (t *text) change(c *diff.Change) {
	if c.Path == "" {
		if values := t.parameters(c); values != "" {
			t.line(4, values)
		}
		return
	}
	name := t.paint(cyan, terminal.Line(pathName(c.Path)))
	switch {
	case c.Kind == diff.KindRelation && c.Detail == "":
		// The other change of the arrow says it.
	case c.Kind == diff.KindSensitivity:
		t.line(4, name+"  "+t.paint(red, sensitivity(c)))
	case c.OldSecret || c.NewSecret:
		t.line(4, name+"  "+secret(c))
	case c.Kind == diff.KindRelation:
		t.line(4, name+"  "+terminal.Line(c.Detail))
	case len(c.Data) > 0:
		t.line(4, name+"  "+t.paint(dim, c.Format))
		t.data(c.Data)
	default:
		t.values(name, c)
	}
}

func sensitivity(c *diff.Change) string {
	same := " (another value)"
	if c.Same {
		same = " (same value)"
	}
	if c.OldSecret {
		return "was Sensitive, is now plain text" + same
	}
	return "was plain text, is now Sensitive" + same
}

func secret(c *diff.Change) string {
	switch c.Op {
	case diff.OpAdd:
		return strings.TrimSpace("added: Sensitive " + c.NewDigest)
	case diff.OpRemove:
		return strings.TrimSpace("removed: Sensitive " + c.OldDigest)
	default:
		if c.OldDigest != "" {
			return "Sensitive, changed  " + c.OldDigest + " → " + c.NewDigest
		}
		return "Sensitive, changed"
	}
}

// pathName returns a path without the step to the parameters.
func pathName(path string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(path, "/parameters"), "/")
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

// data writes the changes of data in a text.
func (t *text) data(all []diff.DataChange) {
	width := 0
	for _, d := range all {
		width = max(width, min(utf8.RuneCountInString(d.Path), 40))
	}
	for i, d := range all {
		if t.maxLines > 0 && i == t.maxLines {
			t.line(6, t.paint(dim, fmt.Sprintf("… %d more; --max-lines 0 prints all", len(all)-i)))
			return
		}
		name := fmt.Sprintf("%-*s", width, terminal.Line(d.Path))
		t.line(6, t.paint(cyan, name)+"  "+t.oneLine(d.Op, d.Old, d.New))
	}
}

// values writes the old and the new value of a path.
func (t *text) values(name string, c *diff.Change) {
	old, okOld := c.Old.(pcore.String)
	new, okNew := c.New.(pcore.String)
	switch {
	case c.OldText != "":
		t.line(4, name+"  "+t.paint(dim, "base64"))
		t.texts(c.OldText, c.NewText)
	case okOld && okNew && old == new:
		t.line(4, name+"  differs only in a secret")
	case okOld && okNew && (isText(string(old)) || isText(string(new))):
		if c.Format != "" {
			name += "  " + t.paint(dim, c.Format+", the same data")
		}
		t.line(4, name)
		t.texts(string(old), string(new))
	case c.Kind == diff.KindArray && c.Old != nil && c.New != nil:
		t.line(4, name+"  "+t.elements(c.Old, c.New))
	default:
		t.line(4, name+"  "+t.oneLine(c.Op, c.Old, c.New))
	}
}

// isText reports whether a String is shown as lines.
func isText(s string) bool { return strings.ContainsAny(strings.TrimSuffix(s, "\n"), "\n\r") }

// texts writes the difference of two texts.
func (t *text) texts(old, new string) {
	all := lineDiff(old, new)
	reveal := onlyBlanks(all)
	written := 0
	for _, h := range hunks(all, t.context) {
		t.line(6, t.paint(cyan, fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.old, h.oldLines, h.new, h.newLines)))
		for _, l := range h.lines {
			if written++; t.maxLines > 0 && written > t.maxLines {
				t.line(6, t.paint(dim, fmt.Sprintf("… more of %d changed lines; --max-lines 0 prints all", changedLines(all))))
				return
			}
			color := map[byte]string{'-': red, '+': green}[l.op]
			s := string(l.op) + shown(l, reveal)
			if color != "" {
				s = t.paint(color, s)
			}
			t.line(6, s)
		}
	}
}

func changedLines(all []line) int {
	n := 0
	for _, l := range all {
		if l.op != ' ' {
			n++
		}
	}
	return n
}

// onlyBlanks reports whether the removed and the added lines differ only in white
// space.
func onlyBlanks(all []line) bool {
	var a, b []string
	for _, l := range all {
		bare := strings.Join(strings.Fields(l.text), "")
		switch l.op {
		case '-':
			a = append(a, bare)
		case '+':
			b = append(b, bare)
		}
	}
	return slices.Equal(a, b) && len(a) > 0 || strings.Join(a, "") == "" && strings.Join(b, "") == ""
}

// shown returns a line with visible carriage returns and blanks at its end. With
// reveal, all of the white space of a changed line is visible.
func shown(l line, reveal bool) string {
	s, ended := strings.CutSuffix(l.text, "\n")
	s, carriage := strings.CutSuffix(s, "\r")
	if l.op == ' ' {
		return terminal.Text(s)
	}
	bare := strings.TrimRight(s, " ")
	blanks := strings.Repeat("·", len(s)-len(bare))
	if reveal {
		bare = strings.ReplaceAll(strings.ReplaceAll(bare, " ", "·"), "\t", "⇥")
	}
	s = terminal.Text(bare) + blanks
	if carriage {
		s += "␍"
	}
	if !ended {
		s += " ∎ no line break at the end"
	}
	return s
}

// elements describes the difference of two lists.
func (t *text) elements(old, new pcore.Value) string {
	a, b := elements(old), elements(new)
	var parts []string
	for _, e := range a {
		if !slices.Contains(b, e) {
			parts = append(parts, t.paint(red, "-"+e))
		}
	}
	for _, e := range b {
		if !slices.Contains(a, e) {
			parts = append(parts, t.paint(green, "+"+e))
		}
	}
	if len(parts) == 0 {
		return t.oneLine(diff.OpChange, old, new) + t.paint(dim, "  (another order)")
	}
	return strings.Join(parts, " ")
}

func elements(v pcore.Value) []string {
	list, ok := v.(*pcore.Array)
	if !ok {
		return []string{scalar(v)}
	}
	var all []string
	for e := range list.Values() {
		all = append(all, scalar(e))
	}
	return all
}

// oneLine returns both values on a line, shortened where they are equal.
func (t *text) oneLine(op diff.Op, old, new pcore.Value) string {
	most := max(t.width/2-10, 20)
	switch {
	case old == nil:
		return t.paint(green, "+ "+clipped(scalar(new), 2*most))
	case new == nil:
		return t.paint(red, "- "+clipped(scalar(old), 2*most))
	}
	a, b := scalar(old), scalar(new)
	if x, ok := old.(pcore.Binary); ok {
		if y, ok := new.(pcore.Binary); ok {
			return binaries(x.Bytes(), y.Bytes())
		}
	}
	if old.Kind() != new.Kind() && old.Kind() != pcore.KindSensitive && new.Kind() != pcore.KindSensitive {
		a, b = terminal.Line(old.String()), terminal.Line(new.String())
	}
	if op == diff.OpChange && (len(a) > most || len(b) > most) {
		a, b = narrowed(a, b, most)
	}
	return t.paint(red, a) + " → " + t.paint(green, b)
}

// scalar returns a value on one line. Simple text has no quotes.
func scalar(v pcore.Value) string {
	if v.Kind() == pcore.KindSensitive {
		return "Sensitive"
	}
	if s, ok := v.(pcore.String); ok && s != "" && strings.TrimSpace(string(s)) == string(s) && !strings.ContainsAny(string(s), "\n\r\t") {
		return terminal.Line(string(s))
	}
	return terminal.Line(v.String())
}

func clipped(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// narrowed replaces the equal beginning and end of two long texts by an ellipsis.
func narrowed(a, b string, most int) (x, y string) {
	const around = 12
	ra, rb := []rune(a), []rune(b)
	head := 0
	for head < len(ra) && head < len(rb) && ra[head] == rb[head] {
		head++
	}
	tail := 0
	for tail < len(ra)-head && tail < len(rb)-head && ra[len(ra)-1-tail] == rb[len(rb)-1-tail] {
		tail++
	}
	head, tail = max(head-around, 0), max(tail-around, 0)
	cut := func(r []rune) string {
		s := clipped(string(r[head:len(r)-tail]), most)
		if head > 0 {
			s = "…" + s
		}
		if tail > 0 && !strings.HasSuffix(s, "…") {
			s += "…"
		}
		return s
	}
	return cut(ra), cut(rb)
}

// binaries describes the difference of two Binary values.
func binaries(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	part := func(v []byte) string { return hex.EncodeToString(v[min(at, len(v)):min(at+16, len(v))]) }
	return fmt.Sprintf("Binary, %d → %d bytes, from byte %d: %s → %s", len(a), len(b), at, part(a), part(b))
}

// parameters returns the parameters of a whole resource on one line.
func (t *text) parameters(c *diff.Change) string {
	v := c.New
	if c.Op == diff.OpRemove {
		v = c.Old
	}
	h, ok := v.(*pcore.Hash)
	if !ok {
		return ""
	}
	var parts []string
	used := 4
	for k, e := range h.All() {
		s := scalar(e)
		if text, ok := e.(pcore.String); ok && isText(string(text)) {
			s = fmt.Sprintf("(%s)", count(strings.Count(strings.TrimSuffix(string(text), "\n"), "\n")+1, "line"))
		}
		part := scalar(k) + "=" + clipped(s, 40)
		if used += utf8.RuneCountInString(part) + 1; used > t.width-4 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, part)
	}
	return t.paint(dim, strings.Join(parts, " "))
}
