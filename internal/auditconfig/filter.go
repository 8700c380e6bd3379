package auditconfig

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/glob"
)

// Filter selects the findings to report. The zero value selects all.
//
// A list of patterns selects a text that one of them matches, except the ones that a
// pattern with a leading "!" matches. An empty list selects every text, and one of
// exceptions only selects every other text. In a pattern, `*` matches any text and `?`
// one character.
type Filter struct {
	// Rules are patterns of the IDs of rules, or of their families.
	Rules []string
	// Severity is the lowest severity.
	Severity rule.Severity
	// Types are patterns of the types of resources, in any case.
	Types []string
	// Nodes are patterns of the names of nodes. A catalog without a node has the name of
	// its input.
	Nodes []string
	// Owners are patterns of the names of owners, in any case; "none" is a finding without one.
	Owners []string
}

// noOwner is the name of the owner of a finding without one.
const noOwner = "none"

// Active reports whether the filter may remove a finding.
func (f *Filter) Active() bool {
	return len(f.Rules)+len(f.Types)+len(f.Nodes)+len(f.Owners) > 0 || f.Severity > rule.Info
}

// UnknownRules returns the patterns that match no rule.
func (f *Filter) UnknownRules(rules *rule.Registry) []string {
	var unknown []string
	for _, pattern := range f.Rules {
		id := strings.TrimPrefix(pattern, "!")
		family, _, _ := strings.Cut(id, "/")
		known := false
		for r := range rules.All() {
			// A family may have rules that are not registered one by one.
			known = known || matchesRule(id, r.ID) || glob.Match(family, r.ID)
		}
		if !known {
			unknown = append(unknown, pattern)
		}
	}
	return unknown
}

// UnknownNodes returns the patterns that match no audited node of a report, without the
// ones of exceptions.
func (f *Filter) UnknownNodes(r *audit.Report) []string {
	var unknown []string
	for _, pattern := range f.Nodes {
		if !strings.HasPrefix(pattern, "!") && !slices.ContainsFunc(r.Nodes, func(node string) bool { return glob.Match(pattern, node) }) {
			unknown = append(unknown, pattern)
		}
	}
	return unknown
}

// UnknownTypes returns the patterns that match the type of no finding of a report,
// without the ones of exceptions.
func (f *Filter) UnknownTypes(r *audit.Report) []string {
	var unknown []string
	for _, pattern := range f.Types {
		matches := func(one audit.Finding) bool { return matchesType(pattern, one.Type) }
		if !strings.HasPrefix(pattern, "!") && !slices.ContainsFunc(r.Findings, matches) {
			unknown = append(unknown, pattern)
		}
	}
	return unknown
}

// UnknownOwners returns the patterns that match none of the owners, without the ones of exceptions.
func (f *Filter) UnknownOwners(o *Owners) []string {
	var unknown []string
	names := strings.Join(append(o.Names(), noOwner), " ")
	for _, pattern := range f.Owners {
		if !strings.HasPrefix(pattern, "!") && !matchesOwner(pattern, names) {
			unknown = append(unknown, pattern)
		}
	}
	return unknown
}

// Apply removes the findings that the filter does not select, and returns them.
func (f *Filter) Apply(r *audit.Report) []audit.Finding {
	if !f.Active() {
		return nil
	}
	var removed []audit.Finding
	r.Findings = slices.DeleteFunc(r.Findings, func(one audit.Finding) bool {
		if f.Selects(&one) {
			return false
		}
		removed = append(removed, one)
		return true
	})
	r.Filtered += len(removed)
	return removed
}

// Selects reports whether the filter selects a finding.
func (f *Filter) Selects(one *audit.Finding) bool {
	return f.selects(one.Rule, one.Severity, one.Type, one.NodeName(), one.Owner)
}

func (f *Filter) selects(id string, severity rule.Severity, kind, node, owners string) bool {
	return severity >= f.Severity &&
		selects(f.Rules, func(pattern string) bool { return matchesRule(pattern, id) }) &&
		selects(f.Types, func(pattern string) bool { return matchesType(pattern, kind) }) &&
		selects(f.Nodes, func(pattern string) bool { return glob.Match(pattern, node) }) &&
		selects(f.Owners, func(pattern string) bool { return matchesOwner(pattern, owners) })
}

// matchesOwner reports whether a pattern matches one of several owners, in any case.
func matchesOwner(pattern, owners string) bool {
	matches := func(owner string) bool { return glob.Match(strings.ToLower(pattern), owner) }
	return slices.ContainsFunc(strings.Fields(strings.ToLower(cmp.Or(owners, noOwner))), matches)
}

// selects reports whether a list of patterns selects the text that matches tests.
func selects(patterns []string, matches func(pattern string) bool) bool {
	selected := !slices.ContainsFunc(patterns, func(p string) bool { return !strings.HasPrefix(p, "!") })
	for _, pattern := range patterns {
		except, excepted := strings.CutPrefix(pattern, "!")
		switch {
		case excepted && matches(except):
			return false
		case !excepted && matches(pattern):
			selected = true
		}
	}
	return selected
}

// matchesType reports whether a pattern matches a type of resources, in any case.
func matchesType(pattern, name string) bool {
	return glob.Match(strings.ToLower(pattern), strings.ToLower(name))
}

// matchesRule reports whether a pattern matches the ID of a rule, or of its family.
func matchesRule(pattern, id string) bool {
	return glob.Match(pattern, id) || strings.HasPrefix(id, pattern+"/")
}
