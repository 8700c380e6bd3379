package report

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// nameOf returns the name of the secret of a finding in its location. It is
// empty for a practice, whose name is in its title.
func nameOf(f *audit.Finding) string {
	if f.Shown == "" {
		return ""
	}
	return f.Name
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// detail returns the message without the title of the rule.
func detail(f *audit.Finding, rules *rule.Registry) string {
	return strings.TrimLeft(strings.TrimPrefix(f.Message, title(f, rules)), ";:, ")
}

// title returns the title of a rule, or else its ID.
func title(f *audit.Finding, rules *rule.Registry) string {
	if rules != nil {
		if known, ok := rules.ByID(f.Rule); ok {
			return known.Title
		}
	}
	return f.Rule
}
