package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog/check"
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
		t.line("  %-8s%s", label, terminal.Line(value))
	}
}

func (t *text) finding(f *check.Finding) {
	t.line("%s  %s  (%s)", t.paint(color(f.Severity), f.Severity.String()), t.paint(bold, terminal.Line(f.Message)), string(f.Kind))
	if f.Kind == check.Cycle {
		t.path(f.Path)
	} else {
		t.row("where", check.Place(f.Manifest, f.Line))
	}
	t.row("fix", f.Fix)
	if !t.o.Brief {
		for i, p := range f.Puppet {
			label := "puppet"
			if i > 0 {
				label = ""
			}
			t.row(label, p)
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
	width := 0
	lines := make([][2]string, 0, len(path))
	for _, w := range path[:min(len(path), maxSteps)] {
		left := terminal.Line(w.Waits.String() + " waits for " + w.For.String())
		right := terminal.Line(w.Why)
		if at := terminal.Line(check.Place(w.Manifest, w.Line)); at != "" {
			right += ", " + at
		}
		if n := len([]rune(left)); n <= 60 {
			width = max(width, n)
		}
		lines = append(lines, [2]string{left, right})
	}
	for _, l := range lines {
		if len([]rune(l[0])) > width {
			t.line("    %s\n    %*s  %s", l[0], width, "", l[1])
		} else {
			t.line("    %-*s  %s", width+len(l[0])-len([]rune(l[0])), l[0], l[1])
		}
	}
	if more := len(path) - len(lines); more > 0 {
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
