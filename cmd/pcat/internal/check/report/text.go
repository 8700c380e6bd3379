package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/terminal"
)

// writeText writes a report for people: the findings, the most severe first, and
// a summary. A finding of several catalogs is written once.
func writeText(b *bufio.Writer, r *Report, o Options) {
	t := text{b, o}
	groups := grouped(r)
	if len(r.Results) == 1 && len(groups) > 0 {
		t.line("%s\n", t.paint(terminal.Bold, nameOf(&r.Results[0])))
	}
	for _, g := range groups {
		if len(r.Results) == 1 {
			g.in = nil
		}
		t.finding(g.finding, g.in)
	}
	t.line("%s", t.paint(terminal.Bold, summary(r)))
}

func nameOf(r *Result) string {
	if r.Node == "" {
		return terminal.Line(r.File)
	}
	return terminal.Line(r.File + " (" + r.Node + ")")
}

// group is a finding with the catalogs in which it is.
type group struct {
	finding *faults.Finding
	in      []string
}

// grouped returns the distinct findings: by severity, and then in the order of
// the catalogs.
func grouped(r *Report) []*group {
	var list []*group
	index := make(map[string]*group)
	for i := range r.Results {
		result := &r.Results[i]
		for k := range result.Findings {
			f := &result.Findings[k]
			key := fmt.Sprint(*f)
			g, ok := index[key]
			if !ok {
				g = &group{finding: f}
				index[key] = g
				list = append(list, g)
			}
			if name := nameOf(result); !slices.Contains(g.in[max(0, len(g.in)-1):], name) {
				g.in = append(g.in, name)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *group) int { return int(b.finding.Severity) - int(a.finding.Severity) })
	return list
}

// maxNames is the number of catalogs that are named for a finding.
const maxNames = 3

type text struct {
	b *bufio.Writer
	o Options
}

func (t *text) line(format string, args ...any) { _, _ = fmt.Fprintf(t.b, format+"\n", args...) }

// row writes a labelled row.
func (t *text) row(label, value string) {
	if value != "" {
		const margin = "          "
		t.line("  %-8s%s", label, terminal.Wrap(terminal.Line(value), margin, t.o.Width))
	}
}

// where writes the line of a manifest, in one line to be found by a search.
func (t *text) where(manifest string, line int64) {
	if at := t.o.Locator.Text(manifest, line); at != "" {
		t.line("  %-8s%s", "where", t.o.Locator.Hyperlink(at, manifest, line))
	}
}

func (t *text) finding(f *faults.Finding, in []string) {
	severity := f.Severity.String()
	message, kind := terminal.Line(f.Message), "  ("+string(f.Kind)+")"
	if w := t.o.Width; w > 0 && len(severity)+2+utf8.RuneCountInString(message+kind) > w {
		message, kind = terminal.Wrap(message, strings.Repeat(" ", len(severity)+2), w), "\n  ("+string(f.Kind)+")"
	}
	t.line("%s  %s%s", t.paint(color(f.Severity), severity), t.paint(terminal.Bold, message), kind)
	if f.Kind == faults.Cycle {
		t.path(f.Path)
	} else {
		t.where(f.Manifest, f.Line)
	}
	if len(in) > 0 {
		names := strings.Join(in[:min(len(in), maxNames)], ", ")
		if more := len(in) - maxNames; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		t.row("in", names)
	}
	t.row("fix", f.Fix)
	if !t.o.Brief {
		label := "puppet"
		for _, p := range f.Puppet { // in one line, to be found by a search
			t.line("  %-8s%s", label, terminal.Line(p))
			label = ""
		}
	}
	t.line("")
}

// maxSteps is the number of steps of a cycle that are printed.
const maxSteps = 30

// path writes a line for each step of a cycle.
func (t *text) path(path []faults.Step) {
	if t.o.Brief {
		return
	}
	var left, right []string
	var sizes []int // of right, without hyperlinks
	width := 0
	for _, w := range path[:min(len(path), maxSteps)] {
		l, r := terminal.Line(w.After.String()+" waits for "+w.Before.String()), terminal.Line(w.Why)
		at := t.o.Locator.Text(w.Manifest, w.Line)
		if at != "" {
			r += ", "
		}
		sizes = append(sizes, utf8.RuneCountInString(r+at))
		left, right = append(left, l), append(right, r+t.o.Locator.Hyperlink(at, w.Manifest, w.Line))
		width = max(width, utf8.RuneCountInString(l))
	}
	for i, l := range left {
		if t.o.Width > 0 && width+sizes[i]+len("      ") > t.o.Width {
			t.line("    %s\n        %s", l, right[i])
		} else {
			t.line("    %s%*s  %s", l, width-utf8.RuneCountInString(l), "", right[i])
		}
	}
	if more := len(path) - len(left); more > 0 {
		t.line("    and %d more steps", more)
	}
}

func color(s faults.Severity) string {
	return [...]string{faults.Hint: terminal.Faint, faults.Warning: terminal.Yellow, faults.Error: terminal.BoldRed}[s]
}

func (t *text) paint(color, s string) string {
	return terminal.Paint(t.o.Color, color, s)
}

func summary(r *Report) string {
	errors, warnings, hints := r.Count(faults.Error), r.Count(faults.Warning), r.Count(faults.Hint)
	var parts []string
	for _, c := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}, {hints, "hint"}} {
		if c.n > 0 {
			parts = append(parts, plural(c.n, c.noun))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	s := strings.Join(parts, ", ") + " in " + plural(len(r.Results), "catalog")
	if n := len(r.Failures); n > 0 {
		s += fmt.Sprintf("; %s not checked", plural(n, "input"))
	}
	return s
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
