// Package decisions has the decisions of the operators of a fleet about its findings.
//
//	Files       the configuration and the baseline of pcat audit, which are read again when they change
//	Settings    their content
//	Rules       the part of it that workers need: names and custom rules
//	Acceptance  findings that pcatd accept accepted
//	State       a decision, and whether it is used
//
// Package auditconfig knows the meaning of a decision.
package decisions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// Acceptance accepts the findings that match an entry.
type Acceptance struct {
	ID    string            `json:"id"`
	Entry auditconfig.Entry `json:"entry"`
	// By is the user who accepted, and At the time.
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Condition is the condition of an acceptance. Empty members match everything, and in the
// others `*` matches any text and `?` one character.
type Condition struct {
	Fingerprint string `json:"fingerprint,omitempty"`
	Rule        string `json:"rule,omitempty"`
	Type        string `json:"type,omitempty"`
	Title       string `json:"title,omitempty"`
	Parameter   string `json:"parameter,omitempty"`
	Node        string `json:"node,omitempty"`
	Catalog     string `json:"catalog,omitempty"`
	Manifest    string `json:"manifest,omitempty"`
}

// conditionOf returns the condition of an entry.
func conditionOf(e *auditconfig.Entry) Condition {
	return Condition{
		Fingerprint: e.Fingerprint, Rule: e.Rule, Type: e.Type, Title: e.Title, Parameter: e.Parameter,
		Node: e.Certname, Catalog: e.Catalog, Manifest: e.File,
	}
}

// Entry returns an entry with the condition.
func (c *Condition) Entry(reason string, until auditconfig.Date) auditconfig.Entry {
	return auditconfig.Entry{
		Fingerprint: c.Fingerprint, Rule: c.Rule, Type: c.Type, Title: c.Title, Parameter: c.Parameter,
		Certname: c.Node, Catalog: c.Catalog, File: c.Manifest, Reason: reason, Expires: until,
	}
}

// The uses of a decision.
const (
	Active  = "active"  // it accepts findings
	Unused  = "unused"  // it matches no finding, or only a part of a baseline does
	Expired = "expired" // its last day is over
)

// Uses returns all uses.
func Uses() []string { return []string{Active, Unused, Expired} }

// State is a decision, and its use.
type State struct {
	// ID is that of an acceptance. It is empty for a decision of a file, which is From.
	ID   string `json:"id,omitempty"`
	From string `json:"from,omitempty"`
	Use  string `json:"use"`
	// Findings is the number of findings that the decision matches, on all nodes.
	Findings int `json:"findings"`
	Condition
	// Baseline is the number of fingerprints of a baseline, and Missing that of the ones that
	// no longer occur.
	Baseline int       `json:"baseline,omitempty"`
	Missing  int       `json:"missing,omitempty"`
	Until    string    `json:"until,omitempty"` // the last day, as 2026-12-31
	Reason   string    `json:"reason,omitempty"`
	By       string    `json:"by,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

// Outcome is the effect of all decisions on a report.
type Outcome struct {
	// Accepted are the findings that are not reported, and Reasons why: each is empty, or that of
	// the decision.
	Accepted []audit.Finding
	Reasons  []string
	// States are the decisions: the acceptances by time, then the decisions of the files.
	States []State
	// Warnings are about severities of rules that do not exist, and about lines of the file of
	// owners that are not valid.
	Warnings []string
}

// hidden replaces the texts of a decision that contain a secret.
const hidden = "(hidden: it contains a secret)"

// ruleOff is the reason for findings that no entry accepts.
const ruleOff = "the rule is off"

// Apply sets the owners of findings, removes the accepted findings from a report and counts them,
// and changes severities, as pcat audit does.
func (s *Settings) Apply(r *audit.Report, acceptances []*Acceptance, now time.Time) Outcome {
	acceptances = slices.SortedFunc(slices.Values(acceptances), func(a, b *Acceptance) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	})
	s.Config.Owners.Assign(r, manifest.Locator{})
	all := *s.Config
	all.Allow = nil
	for _, a := range acceptances {
		all.Allow = append(all.Allow, a.Entry)
	}
	all.Allow = append(all.Allow, s.Config.Allow...)
	result := all.Apply(r, now)
	var o Outcome
	reasons := map[*auditconfig.Entry]string{nil: ruleOff}
	for i := range all.Allow {
		e := &all.Allow[i]
		one := State{Use: Active, Findings: result.Matches[i], Condition: conditionOf(e), Reason: e.Reason}
		if !e.Expires.IsZero() {
			one.Until = e.Expires.Format(time.DateOnly)
		}
		switch {
		case e.Expires.Passed(now):
			one.Use = Expired
		case one.Findings == 0:
			one.Use = Unused
		}
		if i < len(acceptances) {
			one.ID, one.By, one.At = acceptances[i].ID, acceptances[i].By, acceptances[i].At
		} else {
			one.From = fmt.Sprintf("%s:%d", filepath.Base(s.file), e.Line)
		}
		if text, err := json.Marshal(&one); err != nil || r.Check(text) != nil {
			one.Condition, one.Reason = Condition{}, hidden
		}
		o.States, reasons[e] = append(o.States, one), one.Reason
	}
	for i := range result.Dropped {
		d := &result.Dropped[i]
		o.Accepted, o.Reasons = append(o.Accepted, d.Finding), append(o.Reasons, reasons[d.Entry])
	}
	if s.Baseline != nil {
		known, missing := s.Baseline.Apply(r)
		for i := range known {
			reason := s.Baseline.Reason(known[i].Fingerprint)
			if r.Check([]byte(reason)) != nil {
				reason = hidden
			}
			o.Accepted, o.Reasons = append(o.Accepted, known[i]), append(o.Reasons, reason)
		}
		one := State{From: filepath.Base(s.baseline), Use: Active, Findings: len(known), Baseline: s.Baseline.Len(), Missing: missing}
		if missing > 0 {
			one.Use = Unused
		}
		o.States = append(o.States, one)
	}
	o.Warnings = append(s.Config.Unknown(r.Rules), s.skipped...)
	return o
}

// Update returns a baseline of the findings that only the baseline of the settings may accept,
// with its reasons.
func (s *Settings) Update(r *audit.Report, acceptances []*Acceptance, now time.Time) *auditconfig.Baseline {
	others := *s
	others.Baseline = nil
	others.Apply(r, acceptances, now)
	b := auditconfig.NewBaseline(r)
	if s.Baseline != nil {
		b.Replace(s.Baseline)
	}
	return b
}
