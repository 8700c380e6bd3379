package report

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/terminal"
)

// writeGitHub writes workflow commands of GitHub, which show each finding at
// the line of the manifest.
func writeGitHub(b output, r *audit.Report, o Options) error {
	for i := range r.Findings {
		f := &r.Findings[i]
		kind := "notice"
		switch {
		case f.Severity >= rule.High:
			kind = "error"
		case f.Severity == rule.Medium:
			kind = "warning"
		}
		var at strings.Builder
		if path, _ := o.path(f.File); path != "" {
			fmt.Fprintf(&at, "file=%s,", property(terminal.Line(path)))
			if f.Line > 0 {
				fmt.Fprintf(&at, "line=%d,", f.Line)
			}
		}
		b.printf("::%s %stitle=%s::%s\n", kind, at.String(), property(terminal.Line(f.Rule)),
			data(terminal.Line(fmt.Sprintf("%s at %s in %s", said(f), o.site(f), f.Catalog))))
	}
	for _, f := range r.Failures {
		b.printf("::error title=not audited::%s\n", data(terminal.Line(f.Error())))
	}
	return nil
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
