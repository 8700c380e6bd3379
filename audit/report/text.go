package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/tally"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// writeText writes the findings for people: their numbers, then the repairs, the most
// severe first. counts are further numbers.
func writeText(b output, r *audit.Report, o Options, counts []string) error {
	t := text{b: b, report: r, options: o}
	found := repairsOf(r, o)
	if t.single() && len(r.Findings) > 0 {
		b.printf("%s\n", t.paint(terminal.Bold, heading(&r.Findings[0])))
	}
	t.sum(&found, counts)
	if len(found.list) > fewRepairs {
		t.table(found.list)
	}
	shown := found.list
	if !o.All {
		shown = shown[:min(len(shown), maxRepairs)]
	}
	for _, p := range shown {
		b.print("\n")
		t.repair(p)
	}
	if more := len(found.list) - len(shown); more > 0 {
		b.printf("\n%d more to repair; --all lists them\n", more)
	}
	return nil
}

// sum writes the numbers of the report, and the inputs that were not audited.
func (t *text) sum(found *repairs, counts []string) {
	r := t.report
	t.b.printf("%s\n", t.paint(terminal.Bold, summary(r)))
	if len(found.list) > 0 {
		on := ""
		if !t.single() {
			on = " on " + count(found.nodes(), "node")
		}
		t.b.printf("%s\n", t.paint(terminal.Bold, found.toRepair()+on))
	}
	for _, line := range counts {
		t.b.printf("%s\n", line)
	}
	for _, f := range r.Failures {
		t.b.printf("%s %s\n", t.paint(terminal.Red, "not audited:"), terminal.Line(f.Error()))
	}
	for _, n := range r.Notes {
		t.b.printf("%s %s: %s: %s\n", t.paint(terminal.Yellow, "note:"), terminal.Line(n.Catalog), terminal.Line(n.Pointer), terminal.Line(n.Message))
	}
}

// Limits of a report for people; [Options.All] lifts all but the last.
const (
	maxRepairs   = 20 // in a report
	maxLocations = 3  // resources of a repair
	maxSecrets   = 3  // secrets of a repair
	maxNodes     = 3  // nodes of a repair
	maxLines     = 10 // lines of the table
	fewRepairs   = 5  // so few need no table
)

// text writes a report for people.
type text struct {
	b       output
	report  *audit.Report
	options Options
}

// single reports whether there is one document, which is then not repeated for
// each repair.
func (t *text) single() bool { return documents(t.report).Sum() == 1 }

func (t *text) repair(p *repair) {
	t.b.printf("%s  %s\n", t.severity(p.first.Severity), terminal.Wrap(t.location(p), margin, t.options.Width))
	var last ruleRows
	for _, of := range p.rules {
		last = t.rule(p, of, last)
	}
	if !t.single() {
		t.row(t.nodes(p))
	}
	if owner := p.first.Owner; owner != "" {
		t.row("owner", terminal.Line(owner))
	}
}

// location returns the line to repair or, if it is unknown, the known parts of it.
func (t *text) location(p *repair) string {
	at := t.where(p.first)
	if at == "" {
		return t.paint(terminal.Cyan, p.key.location)
	}
	environments := tally.Distinct(p.findings, func(f *audit.Finding) string {
		_, name := environment.Cut(f.File)
		return terminal.Line(name)
	})
	if len(environments) > 1 {
		at += " (environments " + strings.Join(t.some(environments, maxNodes, ""), ", ") + ")"
	}
	return at
}

// ruleRows are the rows of a rule: in, why, fix, another fix, and secret.
type ruleRows struct{ in, why, fix, or, secret []string }

// rule writes the rows of one rule, except those that equal the rows of the rule before.
func (t *text) rule(p *repair, of *ruled, before ruleRows) ruleRows {
	f := of.first
	t.ruleName(f, f.Severity != p.first.Severity)
	rows := ruleRows{
		in:     t.some(tally.Distinct(of.findings, locationOf), maxLocations, "locations"),
		why:    tally.Distinct([]*audit.Finding{f}, func(f *audit.Finding) string { return terminal.Line(detail(f, t.report.Rules)) }),
		fix:    t.some(tally.Distinct(of.findings, func(f *audit.Finding) string { return terminal.Line(t.report.Fix(f)) }), maxLocations, ""),
		or:     t.some(tally.Distinct(of.findings, func(f *audit.Finding) string { return terminal.Line(f.Setting()) }), maxLocations, ""),
		secret: t.some(tally.Distinct(of.findings, t.masked), maxSecrets, ""),
	}
	isTitle := func(f *audit.Finding) bool { return f.Element == audit.InTitle }
	if again := p.repetitions(); again != "" && slices.ContainsFunc(of.findings, isTitle) {
		rows.in = append(slices.Clip(rows.in), "and in "+again)
	}
	if p.key.file == "" && before.in == nil {
		before.in = []string{p.key.location} // the heading
	}
	unlessEqual := func(label string, list, before []string) {
		if !slices.Equal(list, before) {
			t.rows(label, list)
		}
	}
	unlessEqual("in", rows.in, before.in)
	unlessEqual("why", rows.why, before.why)
	unlessEqual("fix", rows.fix, before.fix)
	unlessEqual("or", rows.or, before.or)
	if len(rows.secret) > 0 && !slices.Equal(rows.secret, before.secret) {
		t.row("secret", strings.Join(rows.secret, ", "))
	}
	return rows
}

// ruleName writes the title and the ID of a rule, and the severity of its findings if it
// differs from that of the repair.
func (t *text) ruleName(f *audit.Finding, differs bool) {
	before := ""
	if differs {
		before = f.Severity.String() + ": "
	}
	name := terminal.Wrap(before+terminal.Line(title(f, t.report.Rules))+" ("+terminal.Line(f.Rule)+")", margin, t.options.Width)
	name, begins := strings.CutPrefix(name, before)
	if !begins { // a narrow terminal breaks the line there
		before = ""
	}
	id := strings.LastIndexByte(name, '(')
	t.b.printf("  %s%s%s%s\n", t.paint(terminal.Faint, "rule    "), t.paint(color(f.Severity), before), t.paint(terminal.Bold, name[:id]), name[id:])
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
	l := &t.options.Locator
	return t.paint(terminal.Cyan, l.Hyperlink(l.Text(f.File, f.Line), f.File, f.Line))
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

// table writes the first repairs.
func (t *text) table(list []*repair) {
	nodes := func(text string) string {
		if t.single() {
			return ""
		}
		return fmt.Sprintf("  %5s", text)
	}
	t.b.printf("\n%s\n  %s\n", t.paint(terminal.Bold, "Repair first"), t.paint(terminal.Faint, "severity  findings"+nodes("nodes")+"  location"))
	for _, p := range list[:min(len(list), maxLines)] {
		at := t.where(p.first)
		if at != "" && p.key.location != "" {
			at += ", "
		}
		at += p.key.location
		t.b.printf("  %s  %8d%s  %s\n", t.severity(p.first.Severity), len(p.findings), nodes(strconv.Itoa(len(p.nodes))), at)
	}
	if more := len(list) - maxLines; more > 0 {
		t.b.printf("  and %d more\n", more)
	}
}

func (t *text) severity(s rule.Severity) string {
	return t.paint(color(s), fmt.Sprintf("%-8s", s))
}

// locationOf returns the location of a finding in the catalog, with the name of the
// secret there.
func locationOf(f *audit.Finding) string {
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
	if where := o.Locator.Line(f.File, f.Line); where != "" {
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
func at(f *audit.Finding) string { return terminal.Line(f.Location()) }

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
	before := audited(r).String() + " audited, "
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

// documents returns the numbers of catalogs and of other documents.
func documents(r *audit.Report) rundata.Numbers {
	numbers := rundata.Numbers{"": r.Catalogs}
	for kind, n := range r.Documents {
		numbers[rundata.Kind(kind)] = n
	}
	return numbers
}

// audited is documents without the failures.
func audited(r *audit.Report) rundata.Numbers {
	numbers := documents(r)
	numbers[""] -= len(r.Failures)
	return numbers
}

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
