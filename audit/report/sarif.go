package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// The parts of SARIF 2.1.0 that are written. The location of a result is the
// line of the manifest, which must be changed; the catalog and the resource are
// its logical locations.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"semanticVersion,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Name       string         `json:"name"`
		Short      sarifText      `json:"shortDescription"`
		Full       sarifText      `json:"fullDescription"`
		Help       sarifHelp      `json:"help"`
		Default    sarifLevel     `json:"defaultConfiguration"`
		Properties sarifRuleExtra `json:"properties"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifRuleExtra struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"security-severity"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Baseline     string            `json:"baselineState,omitempty"`
		Properties   sarifExtra        `json:"properties"`
	}
	sarifExtra struct {
		Class      string `json:"class"`
		Severity   string `json:"severity"`
		Confidence string `json:"confidence"`
		Masked     string `json:"masked"`
		Tag        string `json:"tag,omitempty"`
		Node       string `json:"node,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int64 `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

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
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "pcat", Version: o.Version, URI: "https://github.com/pcatdev/pcat", Rules: rules}},
		Invocations: []sarifInvocation{invocation(r)},
		Results:     []sarifResult{},
		ColumnKind:  "unicodeCodePoints",
	}
	log := sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
	return writeList(b, log, "results", len(r.Findings), func(i int) any {
		f := &r.Findings[i]
		return sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: level(f.Severity),
			Message:      sarifText{said(f)},
			Locations:    []sarifLocation{sarifPlace(f, o)},
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
func sarifRules(r *audit.Report) ([]sarifRule, map[string]int) {
	list := []sarifRule{}
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

func sarifRuleOf(id string, rules *rule.Registry) sarifRule {
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
	return sarifRule{
		ID: id, Name: pascal(id), Short: sarifText{known.Title}, Full: sarifText{known.Doc}, Help: sarifHelp{known.Remedy, markdown(known)},
		Default: sarifLevel{level(known.Severity)}, Properties: sarifRuleExtra{tags, score(known.Severity)},
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

// pascal returns an ID in Pascal case: SecretInContent.
func pascal(id string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(id, func(r rune) bool { return r == '-' || r == '/' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
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

func sarifPlace(f *audit.Finding, o Options) sarifLocation {
	path, _ := o.path(f.File)
	l := sarifLocation{Physical: &sarifPhysical{Artifact: sarifArtifact{uri(cmp.Or(path, f.Catalog))}}}
	if f.File != "" && f.Line > 0 {
		l.Physical.Region = &sarifRegion{f.Line}
	}
	if f.Type != "" {
		ref := f.Type + "[" + f.Title + "]"
		l.Logical = append(l.Logical, sarifLogical{ref, f.Catalog + "#" + ref, "resource"})
	}
	l.Logical = append(l.Logical, sarifLogical{cmp.Or(f.Parameter, f.Pointer), f.Catalog + "#" + f.Pointer, "member"})
	return l
}

// uri returns a path as a relative reference of RFC 3986.
func uri(path string) string { return (&url.URL{Path: strings.ReplaceAll(path, `\`, "/")}).String() }

func invocation(r *audit.Report) sarifInvocation {
	i := sarifInvocation{Successful: len(r.Failures) == 0}
	for _, f := range r.Failures {
		i.Notifications = append(i.Notifications, sarifNotification{"error", sarifText{f.Error()}, nil})
	}
	for _, n := range r.Notes {
		i.Notifications = append(i.Notifications, sarifNotification{"note", sarifText{n.Catalog + ": " + n.Pointer + ": " + n.Message}, nil})
	}
	return i
}
