package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit"
	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// appendGitHub writes commands of GitHub's workflows, which show each finding
// at the line of the manifest.
func appendGitHub(b *bytes.Buffer, r *audit.Report, _ Options) error {
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
		if f.File != "" {
			fmt.Fprintf(&at, "file=%s,", property(f.File))
			if f.Line > 0 {
				fmt.Fprintf(&at, "line=%d,", f.Line)
			}
		}
		fmt.Fprintf(b, "::%s %stitle=%s::%s\n", kind, at.String(), property(f.Rule),
			data(fmt.Sprintf("%s: %s at %s in %s", f.Message, f.Masked, site(f), f.Catalog)))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "::error title=not audited::%s\n", data(f.Error()))
	}
	return nil
}

// What the syntax of workflow commands gives a meaning to.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(s string) string     { return dataEscapes.Replace(s) }
func property(s string) string { return propertyEscapes.Replace(s) }
