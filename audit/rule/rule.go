package rule

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Rule is one kind of finding. The meaning of an ID never changes.
type Rule struct {
	// ID is the name, in lower case with hyphens. A rule of a family has the
	// family before a slash: "provider-token/github-pat".
	ID       string
	Class    Class
	Severity Severity
	// Title is a short description for lists.
	Title string
	// Document is set for a rule about reports and facts, not about catalogs.
	Document bool
	// Doc describes the finding and why it matters.
	Doc string
	// Remedy describes the solution in terms of Puppet code.
	Remedy string
	// Fix is the change to a resource in one line of Puppet code, with PARAMETER,
	// TYPE and TEMPLATE in place of the parameter with the finding, of the type, and
	// of a template for its value. It is empty for custom rules. Method Fix of an audit.Report returns it for a finding.
	Fix string
	// Wrong is Puppet code that causes the finding, and Right is the mended
	// code. Both are empty for custom rules.
	Wrong, Right string
	// CWE is the number in the Common Weakness Enumeration, or 0 if none fits.
	CWE int
	// Catch are samples that the rule must find, and Ignore samples that it
	// must not find: `Type[title]/parameter: text`, with the secret between «
	// and ».
	Catch, Ignore []string
}

// Registry finds rules by ID. It is immutable and safe for concurrent use.
type Registry struct {
	rules []*Rule
	byID  map[string]*Rule
}

// newRegistry returns a registry of rules. It returns an error if a rule is
// incomplete or if two rules have the same ID.
func newRegistry(rules ...Rule) (*Registry, error) {
	g := &Registry{byID: make(map[string]*Rule, len(rules))}
	for i := range rules {
		r := &rules[i]
		if r.ID == "" || r.Title == "" || r.Doc == "" || r.Remedy == "" {
			return nil, fmt.Errorf("rule: %q is not complete: it needs an ID, a title, a text and a remedy", r.ID)
		}
		if g.byID[r.ID] != nil {
			return nil, fmt.Errorf("rule: duplicate rule %q", r.ID)
		}
		g.rules = append(g.rules, r)
		g.byID[r.ID] = r
	}
	slices.SortFunc(g.rules, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return g, nil
}

// With returns a registry with additional rules. It returns an error if a rule is
// incomplete or if two rules have the same ID.
func (g *Registry) With(more ...Rule) (*Registry, error) {
	all := make([]Rule, 0, len(g.rules)+len(more))
	for _, r := range g.rules {
		all = append(all, *r)
	}
	return newRegistry(append(all, more...)...)
}

// ByID returns the rule with the given ID, or else the rule of its family.
func (g *Registry) ByID(id string) (*Rule, bool) {
	if r := g.byID[id]; r != nil {
		return r, true
	}
	family, _, found := strings.Cut(id, "/")
	if !found {
		return nil, false
	}
	r := g.byID[family]
	return r, r != nil
}

// All returns an iterator over the rules, sorted by ID.
func (g *Registry) All() iter.Seq[*Rule] { return slices.Values(g.rules) }
