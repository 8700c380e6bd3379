package auditconfig_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

func TestFilter(t *testing.T) {
	const all = "plain-secret-parameter provider-token/github-pat secret-in-content"
	for _, tt := range []struct {
		name   string
		filter auditconfig.Filter
		want   string
	}{
		{"nothing", auditconfig.Filter{}, all},
		{"a rule", auditconfig.Filter{Rules: []string{"secret-in-content"}}, "secret-in-content"},
		{"a family", auditconfig.Filter{Rules: []string{"provider-token"}}, "provider-token/github-pat"},
		{"a pattern", auditconfig.Filter{Rules: []string{"*secret*"}}, "plain-secret-parameter secret-in-content"},
		{"two rules", auditconfig.Filter{Rules: []string{"provider-token/*", "secret-in-content"}}, "provider-token/github-pat secret-in-content"},
		{"all but one", auditconfig.Filter{Rules: []string{"!provider-token"}}, "plain-secret-parameter secret-in-content"},
		{"some but one, in any order", auditconfig.Filter{Rules: []string{"!plain-*", "*secret*"}}, "secret-in-content"},
		{"a severity that all have", auditconfig.Filter{Severity: rule.High}, all},
		{"a severity that none has", auditconfig.Filter{Severity: rule.Critical}, ""},
		{"a type in any case", auditconfig.Filter{Types: []string{"file"}}, "provider-token/github-pat secret-in-content"},
		{"types by a pattern", auditconfig.Filter{Types: []string{"Profile::*"}}, "plain-secret-parameter"},
		{"all types but one", auditconfig.Filter{Types: []string{"!File"}}, "plain-secret-parameter"},
		{"a node", auditconfig.Filter{Nodes: []string{"web02"}}, "secret-in-content"},
		{"several filters", auditconfig.Filter{Nodes: []string{"web*"}, Types: []string{"File"}, Rules: []string{"!secret-*"}}, "provider-token/github-pat"},
	} {
		r := report()
		removed := tt.filter.Apply(r)
		var left []string
		for _, f := range r.Findings {
			left = append(left, f.Rule)
		}
		if got := strings.Join(left, " "); got != tt.want || len(removed) != 3-len(left) || r.Filtered != len(removed) {
			t.Errorf("%s: got %q, and %d removed", tt.name, got, len(removed))
		}
	}
}

func TestFilterOfUnknownNames(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	f := auditconfig.Filter{
		Rules: []string{"weak-secret", "!weak-*", "provider-token/github-pat", "provider-token", "weak-secert", "!nothing*", "*-token/x"},
		Nodes: []string{"web*", "!db1", "web1"},
	}
	if got := f.UnknownRules(rules); !slices.Equal(got, []string{"weak-secert", "!nothing*"}) {
		t.Errorf("got %q", got)
	}
	if got := f.UnknownNodes(&audit.Report{Nodes: []string{"web01", "web02"}}); !slices.Equal(got, []string{"web1"}) {
		t.Errorf("got %q", got)
	}
}
