package report

import (
	"cmp"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// repair is one change to make: the findings of one rule in one line of a
// manifest or, if the line is unknown, in one parameter, on any number of nodes.
type repair struct {
	first    *audit.Finding // of the highest severity
	findings []*audit.Finding
	nodes    []string
}

// repairKey identifies a repair. Manifests with the same path in several
// environments are one.
type repairKey struct {
	rule, file string
	line       int64
	place      string // only if the line is unknown
}

func (o Options) repairKey(f *audit.Finding) repairKey {
	file, _ := o.path(f.File)
	if f.Type != "" && file != "" && f.Line > 0 {
		return repairKey{rule: f.Rule, file: file, line: f.Line}
	}
	return repairKey{rule: f.Rule, file: file, place: at(f)}
}

// repairs returns the repairs of a report: by descending severity, number of nodes
// and number of findings, then in the order of the findings.
func repairs(r *audit.Report, o Options) []*repair {
	var list []*repair
	known := map[repairKey]*repair{}
	for i := range r.Findings {
		f := &r.Findings[i]
		k := o.repairKey(f)
		p := known[k]
		if p == nil {
			p = &repair{first: f}
			known[k] = p
			list = append(list, p)
		}
		if f.Severity > p.first.Severity {
			p.first = f
		}
		p.findings = append(p.findings, f)
		p.nodes = append(p.nodes, o.node(f))
	}
	for _, p := range list {
		p.nodes = unique(p.nodes)
	}
	slices.SortStableFunc(list, func(a, b *repair) int {
		return cmp.Or(cmp.Compare(b.first.Severity, a.first.Severity), len(b.nodes)-len(a.nodes), len(b.findings)-len(a.findings))
	})
	return list
}

// distinct returns the results of of for the findings, each once, in order and
// without "".
func (p *repair) distinct(of func(*audit.Finding) string) []string {
	var list []string
	known := map[string]bool{"": true}
	for _, f := range p.findings {
		if s := of(f); !known[s] {
			known[s] = true
			list = append(list, s)
		}
	}
	return list
}

// line is a line of a manifest that has findings.
type line struct {
	first    *audit.Finding
	worst    rule.Severity
	findings int
	nodes    []string
}

// lines returns the lines of manifests with the repairs, in order. Findings
// without such a line are not counted.
func lines(list []*repair, o Options) []*line {
	type key struct {
		file string
		line int64
	}
	var all []*line
	known := map[key]*line{}
	for _, p := range list {
		if p.first.File == "" || p.first.Line == 0 {
			continue
		}
		path, _ := o.path(p.first.File)
		k := key{path, p.first.Line}
		l := known[k]
		if l == nil {
			l = &line{first: p.first}
			known[k] = l
			all = append(all, l)
		}
		l.worst = max(l.worst, p.first.Severity)
		l.findings += len(p.findings)
		l.nodes = append(l.nodes, p.nodes...)
	}
	for _, l := range all {
		l.nodes = unique(l.nodes)
	}
	slices.SortStableFunc(all, func(a, b *line) int {
		return cmp.Or(cmp.Compare(b.worst, a.worst), len(b.nodes)-len(a.nodes), b.findings-a.findings)
	})
	return all
}
