package report

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/tally"
	"github.com/pcatdev/pcat/internal/terminal"
)

// writeGitHub writes workflow commands of GitHub, which show the repair at each line of
// a manifest.
func writeGitHub(b output, r *audit.Report, o Options) error {
	found := repairsOf(r, o)
	for _, p := range found.list {
		f := p.first
		kind := "notice"
		switch {
		case f.Severity >= rule.High:
			kind = "error"
		case f.Severity == rule.Medium:
			kind = "warning"
		}
		var at strings.Builder
		if path := o.Locator.Path(f.File); path != "" {
			fmt.Fprintf(&at, "file=%s,", property(terminal.Line(path)))
			if f.Line > 0 {
				fmt.Fprintf(&at, "line=%d,", f.Line)
			}
		}
		rules, lines := make([]string, len(p.rules)), make([]string, len(p.rules))
		for i, of := range p.rules {
			rules[i], lines[i] = terminal.Line(of.first.Rule), terminal.Line(o.annotation(of))
		}
		b.printf("::%s %stitle=%s::%s\n", kind, at.String(), property(strings.Join(rules, ", ")), data(strings.Join(lines, "\n")))
	}
	for _, f := range r.Failures {
		b.printf("::error title=not audited::%s\n", data(terminal.Line(f.Error())))
	}
	return nil
}

// annotation returns the message for the findings of one rule.
func (o Options) annotation(of *ruled) string {
	f := of.first
	text := said(f) + " at " + o.site(f)
	if more := len(tally.Distinct(of.findings, at)) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if nodes := len(tally.Distinct(of.findings, o.node)); nodes > 1 {
		return text + " on " + count(nodes, "node")
	}
	return text + " in " + f.Catalog
}

// data escapes the special characters of workflow commands.
func data(s string) string {
	s = strings.ReplaceAll(s, "%", "%25")
	s = strings.ReplaceAll(s, "\r", "%0D")
	return strings.ReplaceAll(s, "\n", "%0A")
}

// property escapes the special characters of properties in workflow commands.
func property(s string) string {
	s = strings.ReplaceAll(data(s), ":", "%3A")
	return strings.ReplaceAll(s, ",", "%2C")
}
