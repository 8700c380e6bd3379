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

// writeText writes the findings for people, grouped by secret and then by
// place.
func writeText(b output, r *audit.Report, o Options) error {
	t := text{b: b, report: r, options: o, paint: painter(o.Color)}
	if t.single() && len(r.Findings) > 0 {
		b.printf("%s\n\n", t.paint(bold, heading(&r.Findings[0])))
	}
	for _, g := range groups(r) {
		t.group(g)
	}
	for _, f := range r.Failures {
		b.printf("%s %s\n", t.paint(red, "not audited:"), terminal.Line(f.Error()))
	}
	for _, n := range r.Notes {
		b.printf("%s %s: %s: %s\n", t.paint(yellow, "note:"), terminal.Line(n.Catalog), terminal.Line(n.Pointer), terminal.Line(n.Message))
	}
	if len(r.Failures)+len(r.Notes) > 0 {
		b.print("\n")
	}
	b.printf("%s\n", t.paint(bold, summary(r)))
	return nil
}

// text writes a report for people.
type text struct {
	b       output
	report  *audit.Report
	options Options
	paint   func(color, text string) string
}

// single reports whether there is one catalog, which is then not repeated for
// each place.
func (t *text) single() bool { return t.report.Catalogs == 1 }

func (t *text) group(g *group) {
	first := g.places[0].first
	what := g.secret
	if what == "" {
		what = first.Rule
	} else if t.options.ShowSecrets {
		what = cmp.Or(secret(first), what)
	}
	what = terminal.Line(what)
	t.b.printf("%s  %s", t.paint(color(g.worst), fmt.Sprintf("%-8s", g.worst)), t.paint(bold, what))
	switch {
	case g.secret != "" && len(g.nodes) > 1:
		t.b.printf("  open on %d nodes", len(g.nodes))
	case g.secret == "":
		t.b.printf("  %s", terminal.Line(title(first, t.report.Rules)))
	}
	t.b.print("\n")
	places := g.places[:min(len(g.places), maxPlaces)]
	for i, p := range places {
		t.place(p)
		// Remarks shared by adjacent places are written after the last one.
		if said := t.remarks(g, p); i+1 == len(places) || !slices.Equal(said, t.remarks(g, places[i+1])) {
			for _, line := range said {
				t.b.printf("%s  %s\n", margin, line)
			}
		}
	}
	if more := len(g.places) - len(places); more > 0 {
		t.b.printf("%sand %d more places; other forms of report list all\n", margin, more)
	}
	t.b.print("\n")
}

// maxPlaces is the maximum number of places of a group in a report, the most severe ones.
const maxPlaces = 50

// margin is the indentation of all lines of a group except the first.
const margin = "          "

// place writes the location of a finding.
func (t *text) place(p *place) {
	f := p.first
	t.b.print(margin + at(f))
	if name := nameOf(f); name != "" && name != f.Parameter {
		t.b.printf(" as %s", terminal.Line(name))
	}
	if n := len(p.titles); n > 1 {
		t.b.printf(" and %d more titles", n-1)
	}
	if where := manifest(f); where != "" {
		t.b.printf("  %s", t.paint(cyan, where))
	}
	t.b.print("\n")
}

// remarks returns the lines with the message and the nodes of a place.
func (t *text) remarks(g *group, p *place) []string {
	var lines []string
	if g.secret != "" {
		lines = append(lines, t.paint(color(p.worst), terminal.Line(p.first.Rule))+": "+terminal.Line(p.first.Message))
	} else if more := detail(p.first, t.report.Rules); more != "" {
		lines = append(lines, terminal.Line(more))
	}
	if !t.single() {
		lines = append(lines, "on "+p.on())
	}
	return lines
}

// on returns the nodes of a place: the catalog if there is one, and some nodes
// if there are many.
func (p *place) on() string {
	const some = 3
	if n := len(p.nodes); n > some {
		return fmt.Sprintf("%d nodes: %s and %d more", n, terminal.Line(strings.Join(p.nodes[:some], ", ")), n-some)
	}
	if len(p.names) == 1 {
		return heading(p.first)
	}
	return terminal.Line(strings.Join(p.nodes, ", "))
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
func site(f *audit.Finding) string {
	if where := manifest(f); where != "" {
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

// at returns the parameter that a finding is about, or its pointer.
func at(f *audit.Finding) string {
	if f.Type == "" {
		return terminal.Line(f.Pointer)
	}
	ref := f.Type + "[" + f.Title + "]"
	if f.Parameter != "" {
		ref += "/" + f.Parameter
	}
	return terminal.Line(ref)
}

// manifest returns the file and the line that declare the resource, as far as
// they are known.
func manifest(f *audit.Finding) string {
	if f.File == "" || f.Line == 0 {
		return terminal.Line(f.File)
	}
	return fmt.Sprintf("%s:%d", terminal.Line(f.File), f.Line)
}

func summary(r *audit.Report) string {
	var counts [rule.Critical + 1]int
	for i := range r.Findings {
		counts[r.Findings[i].Severity]++
	}
	before := catalogs(r.Catalogs-len(r.Failures)) + " audited, "
	if len(r.Findings) == 0 {
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
	return before + found + ": " + strings.Join(parts, ", ") + accepted(r)
}

func accepted(r *audit.Report) string {
	if r.Accepted == 0 {
		return ""
	}
	return fmt.Sprintf("; %d accepted", r.Accepted)
}

func catalogs(n int) string {
	if n == 1 {
		return "1 catalog"
	}
	return fmt.Sprintf("%d catalogs", n)
}

// Color codes of ECMA-48.
const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	cyan   = "36"
	strong = "1;31"
)

func color(s rule.Severity) string {
	switch s {
	case rule.Critical:
		return strong
	case rule.High:
		return red
	case rule.Medium:
		return yellow
	default:
		return cyan
	}
}

func painter(on bool) func(color, text string) string {
	if !on {
		return func(_, text string) string { return text }
	}
	return func(color, text string) string { return "\x1b[" + color + "m" + text + "\x1b[0m" }
}
