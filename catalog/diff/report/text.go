package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/terminal"
)

// The colours of a terminal.
const (
	bold   = terminal.Bold
	dim    = terminal.Faint
	red    = terminal.Red
	green  = terminal.Green
	yellow = terminal.Yellow
	cyan   = terminal.Cyan
)

// The numbers of lines of a change, unless a user asks for others: a report on a terminal has a screen for several changes.
const (
	textLines     = 20
	markdownLines = 60
)

// text writes a report for people.
type text struct {
	out      strings.Builder
	report   *diff.Report
	byID     map[string]*diff.Change
	color    bool
	width    int
	fit      int // the width of the terminal; 0 for none
	context  int
	maxLines int
	explain  bool
	all      bool
	alone    [2]string // for nodes with one catalog
	once     string    // about refreshes, said for the whole set
	gap      bool      // the next line begins a part of the report: a blank line is before it
	locator  manifest.Locator

	sideBySide bool
}

func newText(r *diff.Report, o Options) *text {
	t := &text{report: r, byID: make(map[string]*diff.Change), color: o.Color, width: o.Width, fit: o.Width, context: o.context(), maxLines: o.MaxLines, sideBySide: o.SideBySide, locator: o.Locator, explain: o.Explain, all: o.All || o.Explain, alone: o.alone()}
	if o.MaxLines == 0 {
		t.maxLines = textLines
	}
	if t.width <= 0 {
		t.width = 160
	}
	for i := range r.Changes {
		t.byID[r.Changes[i].ID] = &r.Changes[i]
	}
	return t
}

func writeText(w io.Writer, r *diff.Report, o Options) error {
	t := newText(r, o)
	for i := range r.Sets {
		t.set(&r.Sets[i])
	}
	t.gap = true
	t.summary()
	_, err := io.WriteString(w, t.out.String())
	return err
}

func (t *text) paint(color, s string) string {
	return terminal.Paint(t.color, color, s)
}

func (t *text) line(indent int, s string) {
	if t.gap && t.out.Len() > 0 {
		t.out.WriteByte('\n')
	}
	t.gap = false
	t.out.WriteString(strings.Repeat(" ", indent))
	t.out.WriteString(s)
	t.out.WriteByte('\n')
}

// prose writes a sentence, which is broken on a terminal.
func (t *text) prose(indent int, color, s string) {
	t.line(indent, t.paint(color, terminal.Wrap(terminal.Line(s), strings.Repeat(" ", indent), t.fit)))
}

// isFleet reports whether the report is about several nodes, or one that appeared,
// disappeared or does not compile.
func (t *text) isFleet() bool {
	alone := len(t.report.OnlyOld) + len(t.report.OnlyNew)
	return alone > 0 || len(t.report.Failed) > 0 || len(t.report.Changed)+len(t.report.Unchanged) > 1
}

func (t *text) set(s *diff.Set) {
	t.gap = true
	changes := t.changes(s)
	head := t.paint(bold, terminal.Line(s.Nodes[0]))
	if t.isFleet() {
		head = t.paint(bold, count(len(s.Nodes), "node"))
		if s.Normalized {
			head += "  same but for the node's name"
		}
		head += "  " + t.paint(cyan, terminal.Line(nodeList(s.Nodes)))
	}
	blocks, quiet := arrange(changes, t.all)
	left := t.paint(dim, quiet.text())
	if len(blocks) == 0 {
		t.line(0, head+"  "+left)
		return
	}
	t.once = commonRefresh(blocks)
	would := t.paint(yellow, terminal.Line(cmp.Or(t.once, consequences(changes))))
	t.title(head+"  "+outcome(changes), would, left)
	for _, b := range blocks {
		t.block(b)
	}
}

// title writes the first line of a set. A part for which it has no room is on a line of its own.
func (t *text) title(line string, parts ...string) {
	for _, p := range parts {
		switch {
		case p == "":
		case terminal.Width(line+between+p) <= t.width:
			line += between + p
		default:
			t.line(0, line)
			line = terminal.Wrap(p, "", t.fit)
		}
	}
	t.line(0, line)
}

// commonRefresh returns a sentence about the refreshes if all blocks with any have the same, so
// that it is said once; otherwise "".
func commonRefresh(blocks []block) string {
	common := ""
	for _, b := range blocks {
		_, refreshed := notable(b.changes...)
		s := sentence("would refresh ", refreshed)
		switch {
		case s == "" || s == common:
		case common == "":
			common = s
		default:
			return ""
		}
	}
	return common
}

// text counts the changes that the blocks leave out, or is "".
func (q quiet) text() string {
	var parts []string
	if q.repeated > 0 {
		parts = append(parts, count(q.repeated, "change")+" of classes and defines")
	}
	if q.alike > 0 {
		parts = append(parts, count(q.alike, "change")+" that "+ifOne(q.alike, "means", "mean")+" the same to Puppet")
	}
	if len(parts) == 0 {
		return ""
	}
	return "not listed (--all): " + strings.Join(parts, ", ")
}

func ifOne(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

func (t *text) changes(s *diff.Set) []*diff.Change {
	var all []*diff.Change
	for _, id := range s.Changes {
		all = append(all, t.byID[id])
	}
	return all
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// outcome counts resources by what happened to them.
func outcome(changes []*diff.Change) string {
	refs := make(map[diff.Op]map[string]bool)
	for _, c := range changes {
		op := diff.OpChange
		if c.Path == "" {
			op = c.Op
		}
		if refs[op] == nil {
			refs[op] = make(map[string]bool)
		}
		refs[op][c.Ref] = true
	}
	var parts []string
	for _, p := range []struct {
		op   diff.Op
		name string
	}{{diff.OpChange, "changed"}, {diff.OpAdd, "added"}, {diff.OpRemove, "removed"}, {diff.OpMove, "renamed"}} {
		if n := len(refs[p.op]); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, p.name))
		}
	}
	return strings.Join(parts, ", ")
}

// consequences lists the refreshed resources of a set.
func consequences(changes []*diff.Change) string {
	var refs []string
	for _, c := range changes {
		for _, e := range c.Effects {
			if e.Effect == "refresh" && !slices.Contains(refs, e.Ref) {
				refs = append(refs, e.Ref)
			}
		}
	}
	slices.Sort(refs)
	return sentence("would refresh ", refs)
}

// sentence lists the first words behind begin.
func sentence(begin string, words []string) string {
	const most = 6
	return firstOf(begin, words, most)
}

// firstOf lists at most that many words behind begin, or is "" if there are none.
func firstOf(begin string, words []string, most int) string {
	if len(words) == 0 {
		return ""
	}
	more := ""
	if len(words) > most {
		more = fmt.Sprintf(" and %d more", len(words)-most)
		words = words[:most]
	}
	return begin + strings.Join(words, ", ") + more
}

func rankColor(r diff.Rank) string {
	switch r {
	case diff.RankDanger:
		return red
	case diff.RankRestart:
		return yellow
	default:
		return dim
	}
}

// notable returns what changes would do, apart from the obvious, and what they would
// refresh.
func notable(changes ...*diff.Change) (said, refreshed []string) {
	add := func(list []string, s string) []string {
		if slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	for _, c := range changes {
		switch {
		case c.Alike:
			said = add(said, "the same to Puppet")
		case c.Detail != "" && c.Kind != kind.Relation:
			said = add(said, c.Detail)
		}
		for _, e := range c.Effects {
			switch {
			case e.Effect == "refresh" && e.Detail != "":
				refreshed = add(refreshed, e.Ref+" ("+e.Detail+")")
			case e.Effect == "refresh":
				refreshed = add(refreshed, e.Ref)
			case e.Rank >= diff.RankDanger, e.Detail != "":
				said = add(said, effectText(c, &e))
			}
		}
	}
	return said, refreshed
}

// stays reports whether a resource leaves the catalog, and only stays on the node: its first line
// says so.
func stays(changes []*diff.Change) bool {
	c := changes[0]
	return c.Path == "" && c.Op == diff.OpRemove && len(c.Effects) == 1 && c.Effects[0].Effect == "unmanaged" && c.Effects[0].Ref == c.Ref
}

// effectText describes an effect of a change.
func effectText(c *diff.Change, e *diff.Effect) string {
	s := strings.ReplaceAll(e.Effect, "-", " ")
	if e.Ref != c.Ref {
		s += " " + e.Ref
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// failures writes the nodes that do not compile, and the new warnings.
func (t *text) failures() {
	r := t.report
	for i := range r.Failed {
		f := &r.Failed[i]
		does, style := "does not compile in "+f.Sides(), red
		if f.IsKnown() {
			does, style = "does not compile, as before", yellow
		}
		head := t.paint(bold, terminal.Line(f.Name)) + "  " + t.paint(style, does)
		switch {
		case f.Old == nil || f.New == nil:
			t.line(0, head+"  "+terminal.Line(cmp.Or(f.Old, f.New).String()))
		case f.IsKnown():
			t.line(0, head+"  "+terminal.Line(f.New.String()))
		default:
			t.line(0, head+"  "+terminal.Line("old: "+f.Old.String()+" · new: "+f.New.String()))
		}
	}
	for _, w := range r.NewWarnings {
		t.line(0, t.paint(yellow, "new warning")+"  "+terminal.Line(w.Text+"  "+nodeList(w.Nodes)))
	}
	t.gap = t.gap || len(r.Failed)+len(r.NewWarnings) > 0
}

// failedText counts the nodes that do not compile.
func failedText(r *diff.Report) string {
	text := fmt.Sprintf("%d failed", len(r.Failed))
	known := 0
	for i := range r.Failed {
		if r.Failed[i].IsKnown() {
			known++
		}
	}
	if known > 0 {
		text += fmt.Sprintf(", %d as before", known)
	}
	return text
}

// summary writes the nodes that do not compile or are in no set, and what was ignored.
func (t *text) summary() {
	t.failures()
	r := t.report
	switch {
	case r.Equal() && !t.isFleet():
		t.line(0, "no differences: "+terminal.Line(strings.Join(slices.Concat(r.Changed, r.Unchanged), ", ")))
	case r.Equal():
		t.line(0, "no differences in "+count(len(r.Changed)+len(r.Unchanged), "node"))
	case t.isFleet():
		parts := []string{count(len(r.Changed), "node") + " changed", fmt.Sprintf("%d unchanged", len(r.Unchanged))}
		for i, alone := range [][]string{r.OnlyOld, r.OnlyNew} {
			if len(alone) > 0 {
				parts = append(parts, t.alone[i]+": "+nodeList(alone))
			}
		}
		if len(r.Failed) > 0 {
			parts = append(parts, failedText(r))
		}
		t.line(0, terminal.Line(strings.Join(parts, " · ")))
	}
	t.environments()
	if len(r.NotComparable) > 0 {
		t.prose(0, "", sentence("not comparable, because one side lacks the value: ", r.NotComparable))
	}
	for _, p := range r.Profiles {
		var parts []string
		total := 0
		for _, i := range r.Ignored {
			if i.Profile == p {
				total += i.Count
				parts = append(parts, fmt.Sprintf("%d %s", i.Count, i.What))
			}
		}
		if total > 0 {
			t.line(0, t.paint(dim, fmt.Sprintf("ignored: %d by profile %s (%s)", total, p, strings.Join(parts, ", "))))
		}
	}
	for _, i := range r.Ignored {
		if i.Rule != "" {
			t.line(0, t.paint(dim, terminal.Line(fmt.Sprintf("ignored: %d by the rule %s", i.Count, i.Rule))))
		}
	}
	if r.Filtered > 0 {
		t.line(0, t.paint(dim, "not selected: "+count(r.Filtered, "change")))
	}
	if t.explain {
		t.explanation()
	}
}

// environments says in which environments nodes differ.
func (t *text) environments() {
	var said []string
	for _, n := range t.report.Nodes {
		if n.OldEnvironment == "" {
			continue
		}
		if s := n.OldEnvironment + " → " + n.NewEnvironment; !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	if len(said) > 0 {
		t.prose(0, dim, sentence("not counted: the environment, ", said)+" (--strict-environment counts it)")
	}
}
