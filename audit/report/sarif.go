package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/sarif"
	"github.com/pcatdev/pcat/internal/tally"
)

// sarifExtra are the properties of a result: of its finding of the highest severity, and of all
// findings of a rule at one line of a manifest.
type sarifExtra struct {
	Class        string   `json:"class"`
	Severity     string   `json:"severity"`
	Confidence   string   `json:"confidence"`
	Masked       string   `json:"masked"`
	Tag          string   `json:"tag,omitempty"`
	Nodes        []string `json:"nodes,omitempty"`
	Findings     int      `json:"findings"`
	Fingerprints []string `json:"fingerprints"`
	Repairs      []string `json:"repairs"`
	Owner        string   `json:"owner,omitempty"`
}

// fingerprintName returns the name under which code hosts compare the
// fingerprints. Fingerprints made with and without a key have different names.
func fingerprintName(r *audit.Report) string {
	if r.Keyed {
		return "pcatAudit/v1"
	}
	return "pcatAuditPlace/v1"
}

func writeSARIF(b output, r *audit.Report, o Options) error {
	rules, index := sarifRules(r)
	log := sarif.New[sarifExtra](o.Version, rules, invocation(r))
	var all []*ruled
	for _, p := range repairsOf(r, o).list {
		for _, of := range p.rules {
			all = append(all, of.byState()...)
		}
	}
	return writeList(b, log, "results", len(all), func(i int) any {
		of := all[i]
		f := of.first
		prints := tally.Distinct(of.findings, func(f *audit.Finding) string { return f.Fingerprint })
		slices.Sort(prints)
		repairs := tally.Distinct(of.findings, func(f *audit.Finding) string { return f.Repair })
		slices.Sort(repairs)
		return sarif.Result[sarifExtra]{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: level(f.Severity),
			Message:      sarif.Text{Text: o.annotation(of)},
			Locations:    []sarif.Location{sarifLocation(f, o)},
			Related:      o.related(of),
			Fingerprints: map[string]string{fingerprintName(r): slices.Min(append(prints, f.Fingerprint))},
			Baseline:     baselineState[f.State],
			Viewer:       o.Locator.URL(f.File, f.Line),
			Properties: sarifExtra{
				Class: f.Class.String(), Severity: f.Severity.String(), Confidence: f.Confidence.String(),
				Masked: f.Masked(), Tag: f.Tag, Nodes: tally.Distinct(of.findings, o.node), Findings: len(of.findings), Fingerprints: prints, Repairs: repairs, Owner: f.Owner,
			},
		}
	})
}

// related returns the locations of the other findings.
func (o Options) related(of *ruled) []sarif.Location {
	var all []sarif.Location
	for _, f := range of.findings {
		if f != of.first && len(all) < sarif.MaxRelated {
			all = append(all, sarifLocation(f, o))
		}
	}
	return all
}

// byState returns the findings of a rule in a repair, those of each state on their own: an alert is
// either new or known.
func (of *ruled) byState() []*ruled {
	var all []*ruled
	for _, f := range of.findings {
		i := slices.IndexFunc(all, func(o *ruled) bool { return o.first.State == f.State })
		if i < 0 {
			i = len(all)
			all = append(all, &ruled{first: f})
		}
		o := all[i]
		o.findings = append(o.findings, f)
		if f.Severity > o.first.Severity {
			o.first = f
		}
	}
	return all
}

// baselineState are the terms of SARIF for the states of findings.
var baselineState = [...]string{audit.NotCompared: "", audit.Fresh: "new", audit.Known: "unchanged"}

// sarifRules returns the rules of the findings, in order, and their indexes by
// ID.
func sarifRules(r *audit.Report) ([]sarif.Rule, map[string]int) {
	list := []sarif.Rule{}
	index := map[string]int{}
	ids := make([]string, 0, len(r.Findings))
	for i := range r.Findings {
		ids = append(ids, r.Findings[i].Rule)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		index[id] = len(list)
		list = append(list, sarifRuleOf(id, r.Rules))
	}
	return list, index
}

func sarifRuleOf(id string, rules *rule.Registry) sarif.Rule {
	known := &rule.Rule{Title: id, Doc: id, Remedy: id}
	if rules != nil {
		if r, ok := rules.ByID(id); ok {
			known = r
		}
	}
	tags := []string{"security", known.Class.String()}
	if known.CWE > 0 {
		tags = append(tags, fmt.Sprintf("external/cwe/cwe-%03d", known.CWE))
	}
	return sarif.Rule{
		ID: id, Name: sarif.Pascal(id), Short: sarif.Text{Text: known.Title}, Full: sarif.Text{Text: known.Doc},
		Help:    sarif.Help{Text: known.Remedy, Markdown: markdown(known)},
		Default: sarif.Level{Level: level(known.Severity)}, Properties: sarif.Properties{Tags: tags, Severity: score(known.Severity)},
	}
}

// markdown returns the remedy with the code of a rule, or "" if the rule has no
// code.
func markdown(r *rule.Rule) string {
	if r.Wrong == "" || r.Right == "" {
		return ""
	}
	return r.Remedy + "\n\nWrong:\n\n```puppet\n" + r.Wrong + "```\n\nRight:\n\n```puppet\n" + r.Right + "```\n"
}

// level returns the SARIF level of a severity.
func level(s rule.Severity) string {
	switch s {
	case rule.Critical, rule.High:
		return "error"
	case rule.Medium:
		return "warning"
	default:
		return "note"
	}
}

// score returns the score by which code hosts rank security rules.
func score(s rule.Severity) string {
	return [...]string{rule.Info: "0.0", rule.Low: "3.0", rule.Medium: "5.0", rule.High: "8.0", rule.Critical: "9.5"}[min(s, rule.Critical)]
}

func sarifLocation(f *audit.Finding, o Options) sarif.Location {
	line := f.Line
	if f.File == "" {
		line = 0
	}
	l := sarif.Line(cmp.Or(o.Locator.Path(f.File), f.Catalog), line)
	if f.Type != "" {
		ref := f.Type + "[" + f.Title + "]"
		l.Logical = append(l.Logical, sarif.Logical{Name: ref, Full: f.Catalog + "#" + ref, Kind: "resource"})
	}
	l.Logical = append(l.Logical, sarif.Logical{Name: cmp.Or(f.Parameter, f.Pointer), Full: f.Catalog + "#" + f.Pointer, Kind: "member"})
	return l
}

func invocation(r *audit.Report) sarif.Invocation {
	i := sarif.Invocation{Successful: len(r.Failures) == 0}
	for _, f := range r.Failures {
		i.Notifications = append(i.Notifications, sarif.Notification{Level: "error", Message: sarif.Text{Text: f.Error()}})
	}
	for _, n := range r.Notes {
		i.Notifications = append(i.Notifications, sarif.Notification{Level: "note", Message: sarif.Text{Text: n.Catalog + ": " + n.Pointer + ": " + n.Message}})
	}
	return i
}
