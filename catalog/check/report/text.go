package report

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/check"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/internal/terminal"
)

// writeText writes a report for people: the findings of each catalog, and a
// summary.
func writeText(b *bufio.Writer, r *Report, o Options) {
	t := text{b, o}
	for i := range r.Results {
		result := &r.Results[i]
		if len(result.Findings) == 0 {
			continue
		}
		name := result.File
		if result.Node != "" {
			name += " (" + result.Node + ")"
		}
		t.line("%s\n", t.paint(bold, terminal.Line(name)))
		for k := range result.Findings {
			t.finding(&result.Findings[k])
		}
	}
	t.line("%s", t.paint(bold, summary(r)))
}

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

func (t *text) finding(f *check.Finding) {
	t.line("%s  %s  (%s)", t.paint(color(f.Severity), f.Severity.String()), t.paint(bold, terminal.Line(f.Message)), string(f.Kind))
	if f.Kind == check.Cycle {
		t.path(f.Path)
	} else {
		t.row("where", graph.Place(f.Manifest, f.Line))
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
func (t *text) path(path []check.Way) {
	if t.o.Brief {
		return
	}
	left, right, width, most := make([]string, 0, len(path)), make([]string, 0, len(path)), 0, 0
	for _, w := range path[:min(len(path), maxSteps)] {
		l, r := terminal.Line(w.Waits.String()+" waits for "+w.For.String()), terminal.Line(w.Why)
		if at := terminal.Line(graph.Place(w.Manifest, w.Line)); at != "" {
			r += ", " + at
		}
		left, right = append(left, l), append(right, r)
		width, most = max(width, utf8.RuneCountInString(l)), max(most, utf8.RuneCountInString(r))
	}
	for i, l := range left {
		if t.o.Width > 0 && width+most+len("      ") > t.o.Width {
			t.line("    %s\n        %s", l, right[i])
		} else {
			t.line("    %s%*s  %s", l, width-utf8.RuneCountInString(l), "", right[i])
		}
	}
	if more := len(path) - len(left); more > 0 {
		t.line("    and %d more steps", more)
	}
}

const (
	bold   = "1"
	red    = "1;31"
	yellow = "33"
	dim    = "2"
)

func color(s check.Severity) string {
	return [...]string{check.Hint: dim, check.Warning: yellow, check.Error: red}[s]
}

func (t *text) paint(color, s string) string {
	if !t.o.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func summary(r *Report) string {
	errors, warnings, hints := r.Count(check.Error), r.Count(check.Warning), r.Count(check.Hint)
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
