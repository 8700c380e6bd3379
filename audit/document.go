package audit

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// The rules for secrets in documents that are no catalogs, whatever rule finds them.
const (
	secretInReport = "secret-in-report"
	secretInFact   = "secret-in-fact"
	diffOfSecret   = "diff-of-secret"
)

// inDocument changes a finding of a leak in a report or in facts to one of a rule for these: its
// repair is another one than in a catalog. The severity stays that of the secret.
func (j *judge) inDocument(h *raw, f *Finding) {
	if f.Class != rule.Leak {
		return
	}
	var id string
	switch h.catalog.Form {
	case leaf.Report:
		if id = secretInReport; leaf.IsInDiff(f.At.Path) {
			id = diffOfSecret
		}
	case leaf.Facts:
		id = secretInFact
	default:
		return
	}
	r, ok := j.rules.ByID(id)
	if !ok {
		return
	}
	f.Rule = id
	f.Message, f.plain = j.kept.text(after(r.Title, f.Message)), j.kept.text(after(r.Title, f.plain))
}

// after returns a message with a title before it.
func after(title, message string) string {
	if message == "" {
		return title
	}
	return title + ": " + strings.ToLower(message[:1]) + message[1:]
}

// isWrittenByPuppet reports whether a hit in a report is the text that Puppet writes there instead
// of a secret, or a password that seems to be the name of a resource because the title has it,
// which reports repeat.
func isWrittenByPuppet(h *raw) bool {
	if h.catalog.Form != leaf.Report {
		return false
	}
	return h.Secret == "" && h.Rule == "redacted-literal" ||
		h.Rule == defaultPassword && strings.Contains(h.ref.Title, h.Secret)
}

// isReportLine reports whether a step of a path in a catalog is the number of a log line or of a
// piece of a text, which differs from report to report.
func isReportLine(c *leaf.Catalog, s pcore.Step) bool {
	return c.Form == leaf.Report && leaf.IsNumber(s)
}
