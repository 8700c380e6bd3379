package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// appendText writes the findings for people: grouped by catalog, one finding
// in two lines.
func appendText(b *bytes.Buffer, r *audit.Report, o Options) error {
	paint := painter(o.Color)
	last := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Catalog != last {
			if last != "" {
				b.WriteByte('\n')
			}
			fmt.Fprintln(b, paint(bold, heading(f)))
			last = f.Catalog
		}
		fmt.Fprintf(b, "  %s %s  %s\n", paint(color(f.Severity), fmt.Sprintf("%-8s", f.Severity)), f.Rule, shown(f, o))
		fmt.Fprintf(b, "           at %s\n", place(f))
		fmt.Fprintf(b, "           %s\n", f.Message)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "\n%s %s\n", paint(red, "not audited:"), f.Error())
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\n%s %s: %s: %s\n", paint(yellow, "note:"), n.Catalog, oneLine(n.Pointer), n.Message)
	}
	if len(r.Findings)+len(r.Failures)+len(r.Notes) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintln(b, summary(r))
	return nil
}

// shown returns what may be said of a secret.
func shown(f *audit.Finding, o Options) string {
	if !o.ShowSecrets || f.Secret == nil {
		return f.Masked
	}
	secret, _ := f.Secret.Reveal().(pcore.String) //nolint:forbidigo // the user asks for it, on a terminal
	before, _, named := strings.Cut(f.Masked, "=‹")
	if !named {
		return strconv.Quote(string(secret))
	}
	return before + "=" + strconv.Quote(string(secret))
}

func heading(f *audit.Finding) string {
	if f.Node == "" || f.Node == f.Catalog {
		return f.Catalog
	}
	return f.Catalog + " (" + f.Node + ")"
}

// place returns where a finding is, and the line of the manifest to be
// changed.
func place(f *audit.Finding) string {
	var b strings.Builder
	if f.Type != "" {
		fmt.Fprintf(&b, "%s[%s]", f.Type, oneLine(f.Title))
		if f.Parameter != "" {
			b.WriteString("/" + oneLine(f.Parameter))
		}
	} else {
		b.WriteString(oneLine(f.Pointer))
	}
	if f.File != "" {
		fmt.Fprintf(&b, " (%s:%d)", oneLine(f.File), f.Line)
	}
	return b.String()
}

// oneLine keeps control characters off the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}

func summary(r *audit.Report) string {
	var counts [rule.Critical + 1]int
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	if len(r.Findings) == 0 {
		return catalogs(r.Catalogs-len(r.Failures)) + " audited, nothing found"
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
	return fmt.Sprintf("%s audited, %d findings: %s", catalogs(r.Catalogs-len(r.Failures)), len(r.Findings), strings.Join(parts, ", "))
}

func catalogs(n int) string {
	if n == 1 {
		return "1 catalog"
	}
	return fmt.Sprintf("%d catalogs", n)
}

// The colours of ECMA-48.
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
