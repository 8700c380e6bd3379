package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/sarif"
)

// sarifExtra are the properties of a result, which is a finding.
type sarifExtra struct {
	Class      string `json:"class"`
	Severity   string `json:"severity"`
	Confidence string `json:"confidence"`
	Masked     string `json:"masked"`
	Tag        string `json:"tag,omitempty"`
	Node       string `json:"node,omitempty"`
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
	return writeList(b, log, "results", len(r.Findings), func(i int) any {
		f := &r.Findings[i]
		return sarif.Result[sarifExtra]{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: level(f.Severity),
			Message:      sarif.Text{Text: said(f)},
			Locations:    []sarif.Location{sarifPlace(f, o)},
			Fingerprints: map[string]string{fingerprintName(r): f.Fingerprint},
			Baseline:     baselineState[f.State],
			Properties: sarifExtra{
				Class: f.Class.String(), Severity: f.Severity.String(), Confidence: f.Confidence.String(),
				Masked: f.Masked(), Tag: f.Tag, Node: f.Node,
			},
		}
	})
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

func sarifPlace(f *audit.Finding, o Options) sarif.Location {
	path, _ := o.path(f.File)
	line := f.Line
	if f.File == "" {
		line = 0
	}
	l := sarif.Place(cmp.Or(path, f.Catalog), line)
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
