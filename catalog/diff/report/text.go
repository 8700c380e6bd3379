package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
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

const defaultMaxLines = 60

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
	locator  manifest.Locator

	sideBySide bool
}

func newText(r *diff.Report, o Options) *text {
	t := &text{report: r, byID: make(map[string]*diff.Change), color: o.Color, width: o.Width, fit: o.Width, context: o.context(), maxLines: o.MaxLines, sideBySide: o.SideBySide, locator: o.Locator, explain: o.Explain, all: o.All || o.Explain, alone: o.alone()}
	if o.MaxLines == 0 {
		t.maxLines = defaultMaxLines
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
	t.summary()
	_, err := io.WriteString(w, t.out.String())
	return err
}

func (t *text) paint(color, s string) string {
	return terminal.Paint(t.color, color, s)
}

func (t *text) line(indent int, s string) {
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
	left := quiet.text()
	if len(blocks) == 0 {
		t.line(0, head+"  "+t.paint(dim, left))
		t.out.WriteByte('\n')
		return
	}
	t.line(0, head+"  "+outcome(changes))
	t.once = commonRefresh(blocks)
	if would := consequences(changes); would != "" {
		t.prose(0, yellow, cmp.Or(t.once, would))
	}
	t.out.WriteByte('\n')
	for _, b := range blocks {
		t.block(b)
	}
	if left != "" {
		t.line(0, t.paint(dim, left))
	}
	t.out.WriteByte('\n')
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
	if q.alike > 0 {
		parts = append(parts, count(q.alike, "change")+" that "+ifOne(q.alike, "means", "mean")+" the same to Puppet")
	}
	if q.repeated > 0 {
		parts = append(parts, count(q.repeated, "change")+" of classes and defines that "+ifOne(q.repeated, "is one", "are those")+" of the resources in them")
	}
	if len(parts) == 0 {
		return ""
	}
	return "not listed: " + strings.Join(parts, ", ") + " (--all lists " + ifOne(q.alike+q.repeated, "it", "them") + ")"
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

// block writes the changes of a resource, or of several.
func (t *text) block(b block) {
	changes := b.changes
	c := changes[0]
	sign, color := "~", yellow
	switch {
	case c.Path != "":
	case c.Op == diff.OpAdd:
		sign, color = "+", green
	case c.Op == diff.OpRemove:
		sign, color = "-", red
	case c.Op == diff.OpMove:
		sign, color = "→", cyan
	}
	if slices.ContainsFunc(changes, func(c *diff.Change) bool { return c.Kind == kind.Sensitivity && c.OldSecret }) {
		sign, color = "!", red
	}
	if b.line && sign != "!" {
		t.line(0, t.short(t.paint(color, sign), changes))
		return
	}
	painted, plain := t.inline(b)
	head, used, ok := t.headline(t.paint(color, sign), b, painted, plain)
	if said, refreshed := notable(changes...); ok && len(said) == 1 && !stays(changes) && (len(refreshed) == 0 || sentence("would refresh ", refreshed) == t.once) {
		effect := "↳ " + terminal.Line(said[0])
		if used+2+utf8.RuneCountInString(effect) <= t.width {
			t.line(0, head+"  "+t.paint(dim, effect))
			return
		}
	}
	t.line(0, head)
	for _, c := range changes {
		if !ok && (!b.assembled || c.Kind != kind.Content) {
			t.change(c)
		}
	}
	t.effects(changes)
}

// short is a line about the changes of a class or a define. A change for which there is no room has only the name of its
// parameter; the first one always has it.
func (t *text) short(sign string, changes []*diff.Change) string {
	head := sign + " " + t.paint(bold, terminal.Line(changes[0].Ref))
	used := 2 + utf8.RuneCountInString(terminal.Line(changes[0].Ref))
	first := true
	for i, c := range changes {
		part, shown := t.inShort(c)
		if part == "" {
			continue
		}
		if used+2+utf8.RuneCountInString(shown) > t.width {
			shown = terminal.Line(pathName(c.Path))
			part = t.paint(cyan, shown)
		}
		n := 2 + utf8.RuneCountInString(shown)
		if used+n > t.width && !first {
			return head + t.paint(dim, fmt.Sprintf("  and %d more", len(changes)-i))
		}
		head, used, first = head+"  "+part, used+n, false
	}
	return head
}

// inShort returns a change in a few words, and the same without colours.
func (t *text) inShort(c *diff.Change) (painted, plain string) {
	v := viewOf(c)
	name := terminal.Line(pathName(c.Path))
	switch {
	case v.hidden || c.Path == "":
		return "", ""
	case v.note != "":
		plain = name + "  " + terminal.Line(v.note)
		return t.paint(cyan, name) + "  " + terminal.Line(v.note), plain
	case v.isText || v.data != nil || v.isList:
		return t.paint(cyan, name), name
	}
	const most = 30
	values := func(paint func(color, s string) string) string {
		switch {
		case c.Old == nil:
			return paint(green, "+ "+clipped(scalar(c.New), most))
		case c.New == nil:
			return paint(red, "- "+clipped(scalar(c.Old), most))
		default:
			a, b := typed(c.Old, c.New)
			return paint(red, clipped(a, most)) + " → " + paint(green, clipped(b, most))
		}
	}
	plain = name + "  " + values(func(_, s string) string { return s })
	return t.paint(cyan, name) + "  " + values(t.paint), plain
}

// inline returns the only change of a block if a few words say it, and the same without colours;
// otherwise "".
func (t *text) inline(b block) (painted, plain string) {
	c := b.changes[0]
	if len(b.changes) > 1 || b.assembled && c.Kind == kind.Content {
		return "", ""
	}
	if c.Path == "" {
		if c.Op != diff.OpAdd && c.Op != diff.OpRemove {
			return "", ""
		}
		plain = t.parameters(c)
		return t.paint(dim, plain), plain
	}
	v := viewOf(c)
	name := terminal.Line(pathName(c.Path))
	switch {
	case v.hidden || v.isText || v.data != nil || v.label != "":
		return "", ""
	case v.grave:
		return t.paint(cyan, name) + "  " + t.paint(red, v.note), name + "  " + v.note
	case v.isList:
		bare := &text{width: t.width}
		return t.paint(cyan, name) + "  " + t.elements(v.minus, v.plus), name + "  " + bare.elements(v.minus, v.plus)
	case v.note != "":
		return t.paint(cyan, name) + "  " + terminal.Line(v.note), name + "  " + terminal.Line(v.note)
	}
	bare := &text{width: t.width}
	return t.paint(cyan, name) + "  " + t.oneLine(c.Op, c.Old, c.New), name + "  " + bare.oneLine(c.Op, c.Old, c.New)
}

// headline is the first line of a resource: its reference, the rank of its changes, the only
// change if inline is not "" and the line has room for it, which ok reports, and where the resource
// is declared. A part that does not fit the terminal is on a line of its own. used is the length of the last
// line in characters.
func (t *text) headline(sign string, b block, inline, plain string) (line string, used int, ok bool) {
	c := b.changes[0]
	ref := terminal.Line(cmp.Or(c.Ref, "the catalog"))
	if len(b.others) > 0 {
		ref = fmt.Sprintf("%d %s: %s", len(b.others)+1, "resources", terminal.Line(sentence("", append([]string{c.Ref}, b.others...))))
	}
	const margin = "    "
	ref = terminal.Wrap(ref, margin, t.fit)
	head := sign + " " + t.paint(bold, ref)
	if i := strings.LastIndexByte(ref, '\n'); i >= 0 {
		used = utf8.RuneCountInString(ref[i+1:])
	} else {
		used = 2 + utf8.RuneCountInString(ref)
	}
	addLinked := func(color, s string, linked func(string) string) {
		if s = terminal.Line(s); s == "" {
			return
		}
		n := 2 + utf8.RuneCountInString(s)
		if between := "  "; used+n <= t.width {
			head, used = head+between+t.paint(color, linked(s)), used+n
		} else {
			head, used = head+"\n    "+t.paint(color, linked(s)), 4+n
		}
	}
	add := func(color, s string) { addLinked(color, s, func(s string) string { return s }) }
	if b.rank > diff.RankInfo {
		add(rankColor(b.rank), b.rank.String())
	}
	switch {
	case c.Op == diff.OpMove:
		add("", "renamed from "+c.From)
	case stays(b.changes):
		add(dim, c.Effects[0].Detail)
	}
	declared := ""
	if len(b.others) == 0 {
		declared = t.locator.Text(c.File, c.Line)
	}
	room := t.width - used
	for _, s := range []string{c.Container, declared} {
		if s != "" {
			room -= 2 + utf8.RuneCountInString(terminal.Line(s))
		}
	}
	if n := 2 + utf8.RuneCountInString(plain); plain != "" && n <= room {
		head, used, ok = head+"  "+inline, used+n, true
	}
	add(dim, c.Container)
	addLinked(dim, declared, func(s string) string { return t.locator.Hyperlink(s, c.File, c.Line) })
	return head, used, ok
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

// effects writes what the changes of a resource would do.
func (t *text) effects(changes []*diff.Change) {
	said, refreshed := notable(changes...)
	for _, s := range said {
		if !stays(changes) {
			t.line(4, t.paint(dim, "↳ "+terminal.Line(s)))
		}
	}
	for _, c := range changes {
		for i := range c.Effects {
			old, ok := c.Effects[i].Old.(pcore.String)
			if new, also := c.Effects[i].New.(pcore.String); ok && also {
				t.texts(string(old), string(new))
			}
		}
	}
	if s := sentence("would refresh ", refreshed); s != "" && s != t.once {
		t.prose(4, yellow, "↳ "+s)
	}
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
	if len(r.Failed)+len(r.NewWarnings) > 0 {
		t.out.WriteByte('\n')
	}
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
