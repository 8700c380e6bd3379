package report

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/envelope"
)

// document is a report in JSON. Hints are apart: they are no faults.
type document struct {
	envelope.Envelope

	Catalogs []counted `json:"catalogs"`
	Findings []finding `json:"findings"`
	Hints    []finding `json:"hints"`
	Failures []failure `json:"failures"`
}

type counted struct {
	File     string `json:"file"`
	Node     string `json:"node,omitempty"`
	Findings int    `json:"findings"`
	Hints    int    `json:"hints"`
}

type failure struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

type finding struct {
	File     string   `json:"file"`
	Node     string   `json:"node,omitempty"`
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Ref      string   `json:"ref,omitempty"`
	Target   string   `json:"target,omitempty"`
	Other    string   `json:"other,omitempty"`
	Members  []string `json:"members,omitempty"`
	Cycle    []way    `json:"cycle,omitempty"`
	Cuts     []cut    `json:"cuts,omitempty"`
	Manifest string   `json:"manifest,omitempty"`
	Line     int64    `json:"line,omitempty"`
	Message  string   `json:"message"`
	Fix      string   `json:"fix"`
	Puppet   []string `json:"puppet,omitempty"`
}

// way is a step of a cycle: Ref is applied after After.
type way struct {
	Ref      string `json:"ref"`
	After    string `json:"after"`
	Why      string `json:"why"`
	Manifest string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

type cut struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Why      string `json:"why"`
	Left     int    `json:"left"`
	Manifest string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

func documentOf(r *Report, o Options) document {
	d := document{Envelope: envelope.New(o.Version, "1.0"), Catalogs: []counted{}, Findings: []finding{}, Hints: []finding{}, Failures: []failure{}}
	for i := range r.Results {
		result := &r.Results[i]
		c := counted{File: result.File, Node: result.Node}
		for k := range result.Findings {
			f := jsonOf(result, &result.Findings[k], &o.Locator)
			if result.Findings[k].Severity == faults.Hint {
				d.Hints = append(d.Hints, f)
				c.Hints++
			} else {
				d.Findings = append(d.Findings, f)
				c.Findings++
			}
		}
		d.Catalogs = append(d.Catalogs, c)
	}
	for _, f := range r.Failures {
		d.Failures = append(d.Failures, failure{f.File, f.Message})
	}
	return d
}

func jsonOf(r *Result, f *faults.Finding, l *manifest.Locator) finding {
	j := finding{
		File: r.File, Node: r.Node, Rule: string(f.Kind), Severity: f.Severity.String(), Ref: refOf(f.Ref), Target: f.Target, Other: refOf(f.Other),
		Manifest: l.Path(f.Manifest), Line: f.Line, Message: f.Message, Fix: f.Fix, Puppet: f.Puppet,
	}
	for _, m := range f.Members {
		j.Members = append(j.Members, m.String())
	}
	for _, w := range f.Path {
		j.Cycle = append(j.Cycle, way{w.After.String(), w.Before.String(), w.Why, l.Path(w.Manifest), w.Line})
	}
	for _, c := range f.Cuts {
		j.Cuts = append(j.Cuts, cut{c.From.String(), c.To.String(), c.Why, c.Left, l.Path(c.Manifest), c.Line})
	}
	return j
}

func refOf(ref catalog.Ref) string {
	if ref.IsZero() {
		return ""
	}
	return ref.String()
}
