package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// writeText writes the findings for people, grouped by the change that repairs
// them: the rule and the line of the manifest.
func writeText(b output, r *audit.Report, o Options) error {
	t := text{b: b, report: r, options: o}
	if t.single() && len(r.Findings) > 0 {
		b.printf("%s\n\n", t.paint(terminal.Bold, heading(&r.Findings[0])))
	}
	list := repairs(r, o)
	shown := list
	if !o.All {
		shown = list[:min(len(list), maxRepairs)]
	}
	for _, p := range shown {
		t.repair(p)
	}
	if more := len(list) - len(shown); more > 0 {
		b.printf("%s to repair; --all shows them\n\n", count(more, "more place"))
	}
	for _, f := range r.Failures {
		b.printf("%s %s\n", t.paint(terminal.Red, "not audited:"), terminal.Line(f.Error()))
	}
	for _, n := range r.Notes {
		b.printf("%s %s: %s: %s\n", t.paint(terminal.Yellow, "note:"), terminal.Line(n.Catalog), terminal.Line(n.Pointer), terminal.Line(n.Message))
	}
	if len(r.Failures)+len(r.Notes) > 0 {
		b.print("\n")
	}
	if len(list) > fewRepairs {
		t.table(lines(list, o))
	}
	b.printf("%s\n", t.paint(terminal.Bold, summary(r)))
	return nil
}

// Limits of a report for people; [Options.All] lifts all but the last.
const (
	maxRepairs = 20 // in a report
	maxPlaces  = 3  // resources of a repair
	maxSecrets = 3  // secrets of a repair
	maxNodes   = 3  // nodes of a repair
	maxLines   = 10 // lines of manifests in the table
	fewRepairs = 5  // so few need no table
)

// text writes a report for people.
type text struct {
	b       output
	report  *audit.Report
	options Options
}

// single reports whether there is one catalog, which is then not repeated for
// each repair.
func (t *text) single() bool { return t.report.Catalogs == 1 }

func (t *text) repair(p *repair) {
	f := p.first
	name, id := terminal.Line(title(f, t.report.Rules)), terminal.Line(f.Rule)
	between := "  "
	if w := t.options.Width; w > 0 && len(margin)+len(name)+len(id)+len("  ()") > w {
		between = "\n" + margin
	}
	t.b.printf("%s  %s%s(%s)\n", t.paint(color(f.Severity), fmt.Sprintf("%-8s", f.Severity)), t.paint(terminal.Bold, name), between, id)
	where := p.distinct(placeOf)
	if at := t.where(f); at != "" {
		environments := p.distinct(func(f *audit.Finding) string {
			_, name := t.options.path(f.File)
			return terminal.Line(name)
		})
		if len(environments) > 1 {
			at += " (environments " + strings.Join(t.some(environments, maxNodes, ""), ", ") + ")"
		}
		t.row("where", at)
		t.rows("", t.some(where, maxPlaces, "places"))
	} else {
		t.rows("where", t.some(where, maxPlaces, "places"))
	}
	if more := detail(f, t.report.Rules); more != "" {
		t.row("why", terminal.Line(more))
	}
	if !t.single() {
		t.row(t.nodes(p))
	}
	if fix := t.report.Fix(f); fix != "" {
		t.row("fix", terminal.Line(fix))
	}
	if masked := p.distinct(t.masked); len(masked) > 0 {
		list := t.some(masked, maxSecrets, "")
		t.row("secret", strings.Join(list, ", "))
	}
	t.b.print("\n")
}

// row writes a line with a label. The text continues on further lines if the
// terminal is too narrow for it.
func (t *text) row(label, text string) {
	start := fmt.Sprintf("%-8s", label)
	if label != "" {
		start = t.paint(terminal.Faint, start)
	}
	t.b.printf("  %s%s\n", start, terminal.Wrap(text, margin, t.options.Width))
}

// rows writes a line for each text, the first with a label.
func (t *text) rows(label string, list []string) {
	for _, s := range list {
		t.row(label, s)
		label = ""
	}
}

// margin is the indentation of all lines of a repair except the first.
const margin = "          "

// where returns the line of the manifest of a finding, as a link if its address
// is known. It is empty if the manifest is unknown.
func (t *text) where(f *audit.Finding) string {
	at, link := t.options.manifest(f), t.options.link(f)
	switch {
	case at == "":
		return ""
	case link == "":
		at = t.paint(terminal.Cyan, at)
	case t.options.Color:
		at = t.paint(terminal.Cyan, "\x1b]8;;"+link+"\x1b\\"+at+"\x1b]8;;\x1b\\")
	default:
		at = link
	}
	return at
}

// nodes returns the label and the names of the nodes of a repair; for one node
// also the catalog.
func (t *text) nodes(p *repair) (string, string) {
	if len(p.nodes) == 1 && t.options.Catalogs {
		return "node", terminal.Line(p.first.Catalog)
	}
	if len(p.nodes) == 1 {
		return "node", heading(p.first)
	}
	text := strings.Join(t.some(p.nodes, maxNodes, ""), ", ")
	return "nodes", fmt.Sprintf("%d: %s", len(p.nodes), terminal.Line(text))
}

// some returns the first texts of a list, and how many there are more.
func (t *text) some(list []string, most int, what string) []string {
	if t.options.All || len(list) <= most+1 {
		return list
	}
	return append(slices.Clip(list[:most]), strings.TrimSpace(fmt.Sprintf("and %d more %s", len(list)-most, what)))
}

// table writes the lines of manifests to repair first.
func (t *text) table(list []*line) {
	if len(list) < 2 {
		return
	}
	nodes := func(text string) string {
		if t.single() {
			return ""
		}
		return fmt.Sprintf("  %5s", text)
	}
	t.b.printf("%s\n  %s\n", t.paint(terminal.Bold, "Repair first"), t.paint(terminal.Faint, "severity  findings"+nodes("nodes")+"  manifest"))
	for _, l := range list[:min(len(list), maxLines)] {
		t.b.printf("  %s  %8d%s  %s\n", t.paint(color(l.worst), fmt.Sprintf("%-8s", l.worst)), l.findings, nodes(strconv.Itoa(len(l.nodes))), t.where(l.first))
	}
	if more := len(list) - maxLines; more > 0 {
		t.b.printf("  and %s\n", count(more, "more line"))
	}
	t.b.print("\n")
}

// placeOf returns the location of a finding in the catalog, with the name of the
// secret there.
func placeOf(f *audit.Finding) string {
	if name := nameOf(f); name != "" && name != f.Parameter {
		return at(f) + " as " + terminal.Line(name)
	}
	return at(f)
}

// masked returns the description of the secret of a finding, or the secret if the
// user asks for it.
func (t *text) masked(f *audit.Finding) string {
	if t.options.ShowSecrets {
		return terminal.Line(cmp.Or(secret(f), f.Shown))
	}
	return terminal.Line(f.Shown)
}

// secret returns the secret of a finding in plain text, or "" if it was not
// kept.
func secret(f *audit.Finding) string {
	if f.Secret == nil {
		return ""
	}
	s, _ := f.Secret.Reveal().(pcore.String) //nolint:forbidigo // the user asks for it, on a terminal
	return strconv.Quote(string(s))
}

func heading(f *audit.Finding) string {
	if f.Node == "" || f.Node == f.Catalog {
		return terminal.Line(f.Catalog)
	}
	return terminal.Line(f.Catalog + " (" + f.Node + ")")
}

// site returns the location of a finding, with the line of the manifest to
// change.
func (o Options) site(f *audit.Finding) string {
	if where := o.manifest(f); where != "" {
		return at(f) + " (" + where + ")"
	}
	return at(f)
}

// said returns the message of a finding, with a masked description of the
// secret.
func said(f *audit.Finding) string {
	if masked := f.Masked(); masked != "" {
		return f.Message + ": " + masked
	}
	return f.Message
}

// at returns the location of a finding, for a line.
func at(f *audit.Finding) string { return terminal.Line(f.Place()) }

func summary(r *audit.Report) string {
	var counts [rule.Critical + 1]int
	known, weak := 0, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		counts[f.Severity]++
		if f.Rule == "default-password" {
			known++
		} else if f.IsWeak() {
			weak++
		}
	}
	before := catalogs(r.Catalogs-len(r.Failures)) + " audited, "
	if len(r.Findings) == 0 {
		if r.Compared {
			return before + "no new findings" + accepted(r)
		}
		return before + "no findings" + accepted(r)
	}
	var parts []string
	for s := rule.Critical; ; s-- {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
		if s == rule.Info {
			break
		}
	}
	found := "1 finding"
	if n := len(r.Findings); n > 1 {
		found = fmt.Sprintf("%d findings", n)
	}
	if r.Omitted > 0 {
		found += fmt.Sprintf(" of %d", len(r.Findings)+r.Omitted)
	}
	return before + found + ": " + strings.Join(parts, ", ") + guessable(known, weak) + accepted(r)
}

// guessable returns the numbers of passwords that everyone knows, and of other weak ones.
func guessable(known, weak int) string {
	var parts []string
	if known > 0 {
		parts = append(parts, count(known, "default password"))
	}
	if weak > 0 {
		parts = append(parts, count(weak, "weak secret"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

func accepted(r *audit.Report) string {
	if r.Accepted == 0 {
		return ""
	}
	return fmt.Sprintf("; %d accepted", r.Accepted)
}

func catalogs(n int) string { return count(n, "catalog") }

// count returns a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func color(s rule.Severity) string {
	switch s {
	case rule.Critical:
		return terminal.BoldRed
	case rule.High:
		return terminal.Red
	case rule.Medium:
		return terminal.Yellow
	default:
		return terminal.Cyan
	}
}

func (t *text) paint(style, text string) string { return terminal.Paint(t.options.Color, style, text) }
