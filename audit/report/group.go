package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// repair is one change to make: all that was found in one line of a manifest or, if the line
// is unknown, in one parameter, by any number of rules and on any number of nodes. What was
// found in a title includes the edges and the tags that repeat it.
type repair struct {
	key      repairKey
	first    *audit.Finding // of the highest severity
	findings []*audit.Finding
	nodes    []string
	rules    []*ruled
	// repeated is the number of findings that repeat a title, by element. The other fields
	// except rules include these findings.
	repeated [audit.InEdge + 1]int
}

// ruled are the findings of one rule in a repair.
type ruled struct {
	first    *audit.Finding // of the highest severity
	findings []*audit.Finding
}

// repairKey identifies a repair. Manifests with the same path in several environments are one.
type repairKey struct {
	file     string
	line     int64
	location string // only if the line is unknown
}

// String returns a text for addresses.
func (k repairKey) String() string {
	if k.line > 0 {
		return fmt.Sprintf("%s:%d", k.file, k.line)
	}
	return strings.TrimSpace(k.location + " " + k.file)
}

func (o Options) repairKey(f *audit.Finding) repairKey {
	file := o.Locator.Path(f.File)
	if f.Type != "" && file != "" && f.Line > 0 {
		return repairKey{file: file, line: f.Line}
	}
	return repairKey{file: file, location: at(f)}
}

// repairs are the repairs of a report: by descending severity, number of nodes and number of
// findings, then in the order of the findings.
type repairs struct {
	list []*repair
	of   []member // by finding
}

// member is the repair of a finding.
type member struct {
	*repair
	repeats bool // the finding repeats a title of the repair
}

// repairsOf groups the findings of a report.
func repairsOf(r *audit.Report, o Options) repairs {
	g := repairs{of: make([]member, len(r.Findings))}
	known := map[repairKey]*repair{}
	titles := titlesOf(r, o)
	for i := range r.Findings {
		f := &r.Findings[i]
		k, repeats := titles.repeatedBy(f)
		if !repeats {
			k = o.repairKey(f)
		}
		p := known[k]
		if p == nil {
			p = &repair{key: k, first: f}
			known[k] = p
			g.list = append(g.list, p)
		}
		p.add(f, repeats)
		p.nodes = append(p.nodes, o.node(f))
		g.of[i] = member{p, repeats}
	}
	for _, p := range g.list {
		p.nodes = unique(p.nodes)
		slices.SortStableFunc(p.rules, func(a, b *ruled) int { return cmp.Compare(b.first.Severity, a.first.Severity) })
	}
	slices.SortStableFunc(g.list, func(a, b *repair) int {
		return cmp.Or(cmp.Compare(b.first.Severity, a.first.Severity), len(b.nodes)-len(a.nodes), len(b.findings)-len(a.findings))
	})
	return g
}

// add adds a finding to the repair.
func (p *repair) add(f *audit.Finding, repeats bool) {
	p.findings = append(p.findings, f)
	if f.Severity > p.first.Severity {
		p.first = f
	}
	if repeats {
		p.repeated[f.Element]++
		return
	}
	i := slices.IndexFunc(p.rules, func(of *ruled) bool { return of.first.Rule == f.Rule })
	if i < 0 {
		i = len(p.rules)
		p.rules = append(p.rules, &ruled{first: f})
	}
	of := p.rules[i]
	of.findings = append(of.findings, f)
	if f.Severity > of.first.Severity {
		of.first = f
	}
}

// titles are the repairs of the titles that contain a secret.
type titles map[titleKey]repairKey

// titleKey identifies a secret in a title of a catalog. Without a resource, it is any title.
type titleKey struct {
	input              int
	catalog, node, tag string
	typ, title         string
}

func (k titleKey) in(f *audit.Finding) titleKey {
	k.typ, k.title = f.Type, f.Title
	return k
}

func titleKeyOf(f *audit.Finding) titleKey {
	return titleKey{input: f.Input, catalog: f.Catalog, node: f.Node, tag: f.Tag}
}

func titlesOf(r *audit.Report, o Options) titles {
	t := titles{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Element != audit.InTitle || f.Tag == "" {
			continue
		}
		k, to := titleKeyOf(f), o.repairKey(f)
		t[k.in(f)] = to
		if _, known := t[k]; !known {
			t[k] = to
		}
	}
	return t
}

// repeatedBy returns the repair of the title that a finding in an edge or a tag repeats: that
// of its own resource, or else the first one of its catalog with the same secret.
func (t titles) repeatedBy(f *audit.Finding) (repairKey, bool) {
	if f.Tag == "" || f.Element != audit.InEdge && f.Element != audit.InTag {
		return repairKey{}, false
	}
	k := titleKeyOf(f)
	to, ok := t[k.in(f)]
	if !ok {
		to, ok = t[k]
	}
	return to, ok
}

// repetitions returns the number of edges and tags that repeat a title, `3 edges, 2 tags`, or
// "" if there are none.
func (p *repair) repetitions() string {
	var parts []string
	if n := p.repeated[audit.InEdge]; n > 0 {
		parts = append(parts, count(n, "edge"))
	}
	if n := p.repeated[audit.InTag]; n > 0 {
		parts = append(parts, count(n, "tag"))
	}
	return strings.Join(parts, ", ")
}

// toRepair returns the number of lines to repair, and of other locations.
func (g *repairs) toRepair() string {
	lines := 0
	for _, p := range g.list {
		if p.key.line > 0 {
			lines++
		}
	}
	switch others := len(g.list) - lines; {
	case others == 0:
		return count(lines, "line") + " to repair"
	case lines == 0:
		return count(others, "location") + " to repair"
	default:
		return count(lines, "line") + " and " + count(others, "other location") + " to repair"
	}
}

// nodes returns the number of nodes with findings.
func (g *repairs) nodes() int {
	known := map[string]bool{}
	for _, p := range g.list {
		for _, node := range p.nodes {
			known[node] = true
		}
	}
	return len(known)
}

// titles returns the titles of the rules of a repair.
func (p *repair) titles(rules *rule.Registry) []string {
	list := make([]string, len(p.rules))
	for i, of := range p.rules {
		list[i] = title(of.first, rules)
	}
	return list
}
