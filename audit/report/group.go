package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/terminal"
)

// group contains the findings that are shown together: all locations of one
// secret, or of one practice.
type group struct {
	// secret describes the secret, equal for all its findings. It is empty for
	// a practice.
	secret string
	worst  rule.Severity
	places []*place
	nodes  []string
}

// place is the location of a secret, on one or several nodes. Resources
// declared in the same line of a manifest are one place, because that line must
// be changed.
type place struct {
	first  *audit.Finding
	worst  rule.Severity
	titles []string // of the resources
	nodes  []string
	names  []string // of the catalogs
}

// placeKey identifies a place in a group.
type placeKey struct {
	rule, kind, title, parameter, file string
	line                               int64
}

func keyOf(f *audit.Finding) placeKey {
	k := placeKey{f.Rule, f.Type, f.Title, f.Parameter, f.File, f.Line}
	switch {
	case f.Type == "":
		k.parameter = f.Pointer
	case f.File != "" && f.Line > 0:
		k.title = ""
	}
	return k
}

// groups returns the findings of a report by secret: by descending severity,
// then by descending number of nodes, then in their order.
func groups(r *audit.Report) []*group {
	var list []*group
	known := map[string]*group{}
	places := map[*group]map[placeKey]*place{}
	for i := range r.Findings {
		f := &r.Findings[i]
		id := cmp.Or(f.Shown, f.Rule)
		g := known[id]
		if g == nil {
			g = &group{secret: f.Shown}
			known[id], places[g] = g, map[placeKey]*place{}
			list = append(list, g)
		}
		g.worst = max(g.worst, f.Severity)
		k := keyOf(f)
		p := places[g][k]
		if p == nil {
			p = &place{first: f}
			places[g][k] = p
			g.places = append(g.places, p)
		}
		p.worst = max(p.worst, f.Severity)
		p.titles = append(p.titles, f.Title)
		p.nodes = append(p.nodes, node(f))
		p.names = append(p.names, f.Catalog)
	}
	for _, g := range list {
		for _, p := range g.places {
			p.titles, p.nodes, p.names = unique(p.titles), unique(p.nodes), unique(p.names)
			g.nodes = append(g.nodes, p.nodes...)
		}
		g.nodes = unique(g.nodes)
		slices.SortStableFunc(g.places, func(a, b *place) int {
			return cmp.Or(int(b.worst)-int(a.worst), len(b.nodes)-len(a.nodes))
		})
	}
	slices.SortStableFunc(list, func(a, b *group) int {
		return cmp.Or(int(b.worst)-int(a.worst), len(b.nodes)-len(a.nodes))
	})
	return list
}

// on returns the nodes of a place: the catalog if there is one, and some nodes
// if there are many.
func (p *place) on() string {
	const some = 3
	if n := len(p.nodes); n > some {
		return fmt.Sprintf("%d nodes: %s and %d more", n, terminal.Line(strings.Join(p.nodes[:some], ", ")), n-some)
	}
	if len(p.names) == 1 {
		return heading(p.first)
	}
	return terminal.Line(strings.Join(p.nodes, ", "))
}

// node returns the name of the node of a finding, or else of the catalog.
func node(f *audit.Finding) string { return cmp.Or(f.Node, f.Catalog) }

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
