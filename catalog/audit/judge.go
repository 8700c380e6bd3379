package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/catalog/audit/taint"
)

// best returns which hits of one leaf count: where several overlap, the one
// that says most about it. The slice is sorted anew.
func best(hits []raw) []raw {
	if len(hits) < 2 {
		return hits
	}
	slices.SortStableFunc(hits, func(a, b raw) int {
		return cmp.Or(rank(b)-rank(a), a.Start-b.Start, b.End-a.End)
	})
	kept := hits[:0:0]
	for _, h := range hits {
		if !slices.ContainsFunc(kept, func(k raw) bool { return h.Start < k.End && k.Start < h.End }) {
			kept = append(kept, h)
		}
	}
	slices.SortFunc(kept, func(a, b raw) int { return a.Start - b.Start })
	return kept
}

// rank orders the families of rules by how much they know.
func rank(h raw) int {
	family, _, _ := strings.Cut(h.Rule, "/")
	order := slices.Index([]string{
		"plain-secret-parameter", "secret-in-content", "secret-in-command", "connection-string", "url-credentials", "password-hash",
		"provider-token", "private-key", "sensitive-cross-node", "sensitive-reuse-open",
	}, family)
	if h.source != nil {
		return 100
	}
	return order + 1
}

// judge makes findings of what was found.
func (a *Auditor) judge(inputs []Input, found [][]raw, sources []*taint.Source, failures []error, skipped int) *Report {
	report := &Report{Catalogs: len(inputs), Unfollowed: skipped}
	for i, err := range failures {
		if err != nil {
			report.Failures = append(report.Failures, Failure{inputs[i].Name, err})
		}
	}
	var secrets []string
	for _, s := range sources {
		secrets = append(secrets, s.Reveal())
	}
	for _, list := range found {
		for _, h := range list {
			secrets = append(secrets, h.Secret)
		}
	}
	report.masker = newMasker(secrets)
	for _, list := range found {
		for _, h := range list {
			report.Findings = append(report.Findings, a.finding(h, report.masker))
		}
	}
	report.Reused = reused(sources)
	return report
}

func (a *Auditor) finding(h raw, m *masker) Finding {
	f := Finding{
		Catalog: h.catalog.Name, Node: h.catalog.Node, At: h.at, Start: h.Start, End: h.End,
		Rule: h.Rule, Confidence: h.Confidence, Parameter: m.mask(h.param), Encodings: h.Encodings,
		Tag: a.tag(h.Secret), Offset: h.offset,
	}
	f.Pointer, f.Hidden = m.pointer(h.base, h.path)
	if r, ok := a.rules.ByID(h.Rule); ok {
		f.Class, f.Severity = r.Class, r.Severity
	}
	f.Severity = a.severity(h, f.Severity)
	if h.resource != nil {
		f.Type, f.Title = h.resource.Type, m.mask(h.resource.Title)
		f.File, f.Line = m.mask(h.resource.File), h.resource.Line
	}
	f.Fingerprint = a.fingerprint(h, f)
	f.Masked = masked(m.mask(h.Name), h.Secret, f.Tag)
	f.Message = m.mask(a.message(h))
	return f
}

// severity raises what more people see: PuppetDB answers everybody who may ask
// it, an exported resource goes to other nodes.
func (a *Auditor) severity(h raw, s rule.Severity) rule.Severity {
	if s < rule.Medium || s == rule.Critical {
		return s
	}
	if h.catalog.Form == leaf.PuppetDB && h.source != nil || h.resource != nil && h.resource.Exported {
		return s + 1
	}
	return s
}

func (a *Auditor) message(h raw) string {
	r, _ := a.rules.ByID(h.Rule)
	text := h.Rule
	if r != nil {
		text = r.Title
	}
	if h.source != nil {
		text += fmt.Sprintf("; it is Sensitive in %s", h.source.First.At)
		if n := h.source.Places; n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
	}
	if len(h.Encodings) > 0 {
		text += ", encoded as " + strings.Join(h.Encodings, " of ")
	}
	return text
}

// reused returns how many secrets several catalogs declare.
func reused(sources []*taint.Source) int {
	n := 0
	for _, s := range sources {
		if len(s.Catalogs) > 1 {
			n++
		}
	}
	return n
}
