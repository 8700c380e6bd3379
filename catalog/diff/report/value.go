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

// elements lists the elements that only one of two lists has.
func (t *text) elements(minus, plus []string) string {
	var parts []string
	for _, e := range minus {
		parts = append(parts, t.paint(red, "-"+e))
	}
	for _, e := range plus {
		parts = append(parts, t.paint(green, "+"+e))
	}
	return strings.Join(parts, " ")
}

// data writes the changes of data in a text.
func (t *text) data(all []diff.DataChange) {
	width := 0
	for _, d := range all {
		width = max(width, min(utf8.RuneCountInString(d.Path), 40))
	}
	for i, d := range all {
		if t.maxLines > 0 && i == t.maxLines {
			t.line(bodyMargin, t.paint(dim, fmt.Sprintf("… %d more; --full prints all", len(all)-i)))
			return
		}
		name := fmt.Sprintf("%-*s", width, terminal.Line(d.Path))
		t.line(bodyMargin, t.paint(cyan, name)+"  "+t.oneLine(d.Op, d.Old, d.New))
	}
}

// comparison is the difference of two texts, of which the text report has the lines.
type comparison struct {
	t        *text
	all      []line
	hunks    []hunk
	complete bool
}

func (t *text) compare(old, new string) *comparison {
	all, complete := lineDiff(old, new)
	return &comparison{t, all, hunks(all, t.context), complete}
}

// begin returns the line above the first changes.
func (c *comparison) begin() string {
	if len(c.hunks) == 0 {
		return ""
	}
	return c.t.paint(cyan, c.hunks[0].head())
}

// write writes the lines below that of begin.
func (c *comparison) write() {
	t := c.t
	complete := c.complete
	written := 0
hunks:
	for i, h := range c.hunks {
		if i > 0 {
			t.line(bodyMargin, t.paint(cyan, h.head()))
		}
		rows := h.rows()
		complete = complete && !slices.ContainsFunc(rows, func(r row) bool { return r.partial })
		for _, l := range t.layout(rows) {
			if written++; t.maxLines > 0 && written > t.maxLines {
				t.line(bodyMargin, t.paint(dim, fmt.Sprintf("… more of %s; --full prints all", count(changedLines(c.all), "changed line"))))
				break hunks
			}
			t.line(bodyMargin, l)
		}
	}
	if !complete {
		t.line(bodyMargin, t.paint(dim, "… "+notCompared))
	}
}

// notCompared says that a difference is longer than it had to be.
const notCompared = "the texts are too large and too different to compare all of them; equal parts may be shown as changed"

// layout returns the lines of a hunk, in two columns or below each other.
func (t *text) layout(rows []row) []string {
	if t.sideBySide {
		return t.columns(rows)
	}
	most := 2 * t.width
	if t.maxLines <= 0 {
		most = 0
	}
	var lines, added []string
	for _, r := range rows {
		if r.same {
			lines = append(append(lines, added...), " "+t.parts(cut(r.old, most), ""))
			added = nil
			continue
		}
		if r.old != nil {
			lines = append(lines, t.paint(red, "-")+t.parts(cut(r.old, most), red))
		}
		if r.new != nil {
			added = append(added, t.paint(green, "+")+t.parts(cut(r.new, most), green))
		}
	}
	return append(lines, added...)
}

// columns returns rows with the old lines on the left.
func (t *text) columns(rows []row) []string {
	const bar = " │ "
	most := max((t.width-6-len(bar))/2, 20)
	var lines []string
	for _, r := range rows {
		var left, right string
		sign := func(color, s string, parts []part) string {
			if r.same {
				color, s = "", " "
			}
			return t.paint(color, s) + t.parts(cut(parts, most-1), color)
		}
		pad := most
		if r.old != nil {
			left = sign(red, "-", r.old)
			pad = most - 1 - length(cut(r.old, most-1))
		}
		if r.new != nil {
			right = sign(green, "+", r.new)
		}
		lines = append(lines, left+strings.Repeat(" ", max(pad, 0))+t.paint(dim, bar)+right)
	}
	return lines
}

// parts returns a line in a color, with the changed parts bold if others are not.
func (t *text) parts(parts []part, color string) string {
	var b strings.Builder
	for _, p := range parts {
		style := color
		if p.changed && len(parts) > 1 && color != "" {
			style = bold + ";" + color
		}
		b.WriteString(t.paint(style, p.text))
	}
	return b.String()
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

// oneLine returns both values on a line, shortened where they are equal.
func (t *text) oneLine(op diff.Op, old, new pcore.Value) string {
	most := max(t.width/2-10, 20)
	switch {
	case old == nil:
		return t.paint(green, "+ "+clipped(scalar(new), 2*most))
	case new == nil:
		return t.paint(red, "- "+clipped(scalar(old), 2*most))
	}
	a, b := typed(old, new)
	if x, ok := old.(pcore.Binary); ok {
		if y, ok := new.(pcore.Binary); ok {
			return binaries(x.Bytes(), y.Bytes())
		}
	}
	if op == diff.OpChange && (len(a) > most || len(b) > most) {
		x, y, complete := wordDiff(a, b)
		line := t.parts(cut(x, most), red) + " → " + t.parts(cut(y, most), green)
		if !complete {
			line += "  " + t.paint(dim, "("+notCompared+")")
		}
		return line
	}
	return t.paint(red, a) + " → " + t.paint(green, b)
}

// typed returns two values on one line, in the notation of Puppet if their types differ.
func typed(old, new pcore.Value) (a, b string) {
	if pcore.KindOf(old) != pcore.KindOf(new) && !pcore.Is[*pcore.Sensitive](old) && !pcore.Is[*pcore.Sensitive](new) {
		return terminal.Line(old.String()), terminal.Line(new.String())
	}
	return scalar(old), scalar(new)
}

// scalar returns a value on one line. Simple text has no quotes.
func scalar(v pcore.Value) string {
	if pcore.Is[*pcore.Sensitive](v) {
		return "Sensitive"
	}
	if s, ok := v.(pcore.String); ok && s != "" && strings.TrimSpace(string(s)) == string(s) && !strings.ContainsAny(string(s), "\n\r\t") {
		return terminal.Line(string(s))
	}
	return terminal.Line(v.String())
}

// clipped returns the beginning of s, of at most most characters, and one if most is 0.
func clipped(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:max(most-1, 0)]) + "…"
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

// parameters returns the parameters of a whole resource, as many as columns have room for, or "". Those of a resource that
// leaves the catalog do nothing on the node.
func (t *text) parameters(c *diff.Change, columns int) string {
	v := c.New
	if c.Op == diff.OpRemove && t.all {
		v = c.Old
	}
	h, ok := v.(*pcore.Hash)
	if !ok {
		return ""
	}
	var parts []string
	for k, e := range h.All() {
		s := scalar(e)
		if text, ok := e.(pcore.String); ok && isText(string(text)) {
			s = fmt.Sprintf("(%s)", count(strings.Count(strings.TrimSuffix(string(text), "\n"), "\n")+1, "line"))
		}
		part := scalar(k) + "=" + clipped(s, 40)
		const ellipsis = 2
		if columns -= utf8.RuneCountInString(part) + 1; columns < ellipsis {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, part)
	}
	if len(parts) == 1 && parts[0] == "…" {
		return ""
	}
	return strings.Join(parts, " ")
}
