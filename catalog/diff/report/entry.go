package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// between separates the changes on a line.
const between = " · "

// entry is the first line of a block. Parts are added while it has room for them.
type entry struct {
	line strings.Builder
	room int // the columns that are left
}

// The columns before the lines of a block below the first one: of a change, and of its parts.
const (
	margin     = 4
	bodyMargin = 6
)

// add adds a part, if there is room for it.
func (e *entry) add(part string) (ok bool) {
	n := 2 + terminal.Width(part)
	if part == "" || n > e.room {
		return false
	}
	e.line.WriteString("  " + part)
	e.room -= n
	return true
}

// reserve keeps the room that a part needs, if there is as much. It returns the columns to give back before the part is added.
func (e *entry) reserve(part string) int {
	n := 2 + terminal.Width(part)
	if part == "" || n > e.room {
		return 0
	}
	e.room -= n
	return n
}

// force adds a part, on a line of its own if there is no room for it.
func (t *text) force(e *entry, part string) {
	if part == "" || e.add(part) {
		return
	}
	e.line.WriteString("\n" + strings.Repeat(" ", margin) + part)
	e.room = t.width - margin - terminal.Width(part)
}

// block writes the changes of a resource, or of several: the first line has the reference, the rank
// of the changes, as many of them and of their effects as it has room for, and where the resource is declared.
func (t *text) block(b block) {
	c := b.changes[0]
	sign, color := signOf(b)
	painted := t.paint(color, sign)
	if b.line && sign != lost {
		t.line(0, t.short(painted, b.changes))
		return
	}
	e, declared := t.begin(painted, b)
	if b.rank > diff.RankInfo {
		t.force(e, t.paint(rankColor(b.rank), b.rank.String()))
	}
	switch {
	case c.Op == diff.OpMove:
		t.force(e, "renamed from "+terminal.Line(c.From))
	case stays(b.changes) && len(b.others) == 0:
		t.force(e, t.paint(dim, terminal.Line(c.Effects[0].Detail)))
	}
	// The manifest and the effects have their room before the changes, unless they need lines of their own anyway.
	manifest := e.reserve(declared)
	effects := t.effects(b.changes)
	effect := e.reserve(effects)
	below := t.inline(e, b)
	e.room += effect
	if e.add(effects) {
		effects = ""
	}
	if len(b.others) == 0 || !b.isGone() {
		e.add(t.paint(dim, terminal.Line(c.Container)))
	}
	e.room += manifest
	t.force(e, declared)
	t.line(0, e.line.String())
	for _, p := range below {
		if p.head != "" {
			t.line(margin, terminal.Wrap(p.head, strings.Repeat(" ", bodyMargin), t.fit))
		}
		p.writeBody()
	}
	if effects != "" {
		t.line(margin, terminal.Wrap(effects, strings.Repeat(" ", margin), t.fit))
	}
	t.files(b.changes)
}

// begin returns the first line of a block with its reference, and where the resource is declared.
func (t *text) begin(sign string, b block) (e *entry, declared string) {
	c := b.changes[0]
	ref := terminal.Line(cmp.Or(c.Ref, "the catalog"))
	columns := t.fit
	switch n := len(b.others) + 1; {
	case b.isGone() && n > 1:
		what := ""
		if stays(b.changes) {
			what = ", each of which " + strings.TrimPrefix(c.Effects[0].Detail, "it ")
		}
		const most = 30
		ref = terminal.Line(fmt.Sprintf("%d resources%s", n, what) + firstOf(": ", append([]string{c.Ref}, b.others...), most))
		columns = t.width
	case n > 1:
		ref = fmt.Sprintf("%d resources: %s", n, terminal.Line(sentence("", append([]string{c.Ref}, b.others...))))
	default:
		declared = terminal.Line(t.locator.Text(c.File, c.Line))
		declared = t.paint(dim, t.locator.Hyperlink(declared, c.File, c.Line))
	}
	ref = terminal.Wrap(ref, strings.Repeat(" ", margin), columns)
	e = &entry{room: t.width - 2 - terminal.Width(ref[strings.LastIndexByte(ref, '\n')+1:])}
	e.line.WriteString(sign + " " + t.paint(bold, ref))
	return e, declared
}

// lost is the sign of a resource of which a value is no longer Sensitive.
const lost = "!"

// signOf returns the sign of a block, and its colour.
func signOf(b block) (sign, color string) {
	for _, c := range b.changes {
		if c.Kind == kind.Sensitivity && c.OldSecret {
			return lost, red
		}
	}
	c := b.changes[0]
	switch {
	case c.Path != "":
		return "~", yellow
	case c.Op == diff.OpAdd:
		return "+", green
	case c.Op == diff.OpRemove:
		return "-", red
	case c.Op == diff.OpMove:
		return "→", cyan
	}
	return "~", yellow
}

// inline adds to the first line of a block the changes for which it has room: all that need one
// line or none of them, and the beginning of the only one that needs more. It returns the rest.
func (t *text) inline(e *entry, b block) (below []described) {
	if c := b.changes[0]; c.Path == "" {
		const useful = 20 // columns
		if head := t.paint(dim, t.parameters(c, e.room-2)); e.room >= useful && t.maxLines > 0 && e.add(head) {
			return nil
		}
		columns := t.width - margin
		if t.maxLines <= 0 {
			columns = math.MaxInt
		}
		return []described{{head: t.paint(dim, t.parameters(c, columns))}}
	}
	var brief, long []described
	columns := 0
	for _, c := range b.changes {
		if b.assembled && c.Kind == kind.Content {
			continue
		}
		switch d := t.describe(c); {
		case d.body != nil:
			long = append(long, d)
		case d.head != "":
			brief = append(brief, d)
			columns += terminal.Width(between + d.head)
		}
	}
	var heads []string
	if columns <= e.room {
		for _, d := range brief {
			heads = append(heads, d.head)
		}
		brief = nil
	}
	if len(long) == 1 && len(brief) == 0 && columns+terminal.Width(between+long[0].head) <= e.room {
		heads = append(heads, long[0].head)
		long[0].head = ""
	}
	e.add(strings.Join(heads, between))
	return append(t.packed(brief), long...)
}

// packed joins changes on lines that have room for several.
func (t *text) packed(brief []described) (lines []described) {
	for _, d := range brief {
		if n := len(lines); n > 0 && margin+terminal.Width(lines[n-1].head+between+d.head) <= t.width {
			lines[n-1].head += between + d.head
			continue
		}
		lines = append(lines, d)
	}
	return lines
}

// short is a line about the changes of a class or a define. A change for which there is no room has only the name of its
// parameter; the first one always has it.
func (t *text) short(sign string, changes []*diff.Change) string {
	line := sign + " " + t.paint(bold, terminal.Line(changes[0].Ref))
	gap := "  "
	for i, c := range changes {
		part := t.inShort(c)
		if part == "" {
			continue
		}
		if terminal.Width(line+gap+part) > t.width {
			part = t.paint(cyan, terminal.Line(pathName(c.Path)))
		}
		if gap == between && terminal.Width(line+gap+part) > t.width {
			return line + t.paint(dim, fmt.Sprintf("  and %d more", len(changes)-i))
		}
		line += gap + part
		gap = between
	}
	return line
}

// inShort returns a change in a few words.
func (t *text) inShort(c *diff.Change) string {
	v := viewOf(c)
	name := t.paint(cyan, terminal.Line(pathName(c.Path)))
	switch {
	case v.hidden || c.Path == "":
		return ""
	case v.note != "":
		return name + "  " + terminal.Line(v.note)
	case v.isText || v.data != nil || v.isList:
		return name
	}
	const most = 30
	switch {
	case c.Old == nil:
		return name + "  " + t.paint(green, "+ "+clipped(scalar(c.New), most))
	case c.New == nil:
		return name + "  " + t.paint(red, "- "+clipped(scalar(c.Old), most))
	}
	a, b := fromDifference(c, most)
	return name + "  " + t.paint(red, a) + " → " + t.paint(green, b)
}

// fromDifference returns the two values of a change in at most most characters each, from where they begin to differ if they
// are longer.
func fromDifference(c *diff.Change, most int) (string, string) {
	old, new := typed(c.Old, c.New)
	a, b := []rune(old), []rune(new)
	if len(a) <= most && len(b) <= most {
		return old, new
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if from := same - around; from > 1 {
		old, new = "…"+string(a[from:]), "…"+string(b[from:])
	}
	return clipped(old, most), clipped(new, most)
}

// described is a change in words: the line with its name, and a function for the lines below it, if any.
type described struct {
	head string
	body func()
}

func (d described) writeBody() {
	if d.body != nil {
		d.body()
	}
}

// describe returns a change of a parameter in words. They are none if another change says it.
func (t *text) describe(c *diff.Change) described {
	v := viewOf(c)
	head := t.paint(cyan, terminal.Line(pathName(c.Path)))
	if v.label != "" {
		head += "  " + t.paint(dim, terminal.Line(v.label))
	}
	switch {
	case v.hidden:
		return described{}
	case v.grave:
		return described{head: head + "  " + t.paint(red, v.note)}
	case v.note != "":
		return described{head: head + "  " + terminal.Line(v.note)}
	case len(v.data) == 1:
		d := v.data[0]
		return described{head: head + "  " + t.paint(cyan, terminal.Line(d.Path)) + "  " + t.oneLine(d.Op, d.Old, d.New)}
	case v.data != nil:
		return described{head, func() { t.data(v.data) }}
	case v.isText && v.sameData && t.maxLines > 0:
		return described{head: head}
	case v.isText:
		d := t.compare(v.old, v.new)
		return described{head + "  " + d.begin(), d.write}
	case v.isList:
		return described{head: head + "  " + t.elements(v.minus, v.plus)}
	default:
		return described{head: head + "  " + t.oneLine(c.Op, c.Old, c.New)}
	}
}

// effects describes the effects of the changes of a resource on one line, or is "".
func (t *text) effects(changes []*diff.Change) string {
	said, refreshed := notable(changes...)
	if stays(changes) {
		said = nil
	}
	var parts []string
	for _, s := range said {
		parts = append(parts, t.paint(dim, terminal.Line(s)))
	}
	if s := sentence("would refresh ", refreshed); s != "" && s != t.once {
		parts = append(parts, t.paint(yellow, terminal.Line(s)))
	}
	if len(parts) == 0 {
		return ""
	}
	return t.paint(dim, "↳ ") + strings.Join(parts, t.paint(dim, "; "))
}

// files writes the changes of the files that are made of the resources that change.
func (t *text) files(changes []*diff.Change) {
	for _, c := range changes {
		for i := range c.Effects {
			old, ok := c.Effects[i].Old.(pcore.String)
			if new, also := c.Effects[i].New.(pcore.String); ok && also {
				d := t.compare(string(old), string(new))
				t.line(bodyMargin, d.begin())
				d.write()
			}
		}
	}
}
