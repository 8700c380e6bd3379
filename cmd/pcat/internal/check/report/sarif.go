package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/sarif"
	"github.com/pcatdev/pcat/internal/tally"
)

// sarifExtra are the properties of a result: of all findings of a rule at one line of a manifest.
type sarifExtra struct {
	Nodes    []string `json:"nodes,omitempty"`
	Findings int      `json:"findings"`
}

// located is a finding with the catalog that has it.
type located struct {
	*faults.Finding

	in *Result
}

func sarifOf(r *Report, o Options) sarif.Log[sarifExtra] {
	var rules []sarif.Rule
	index := make(map[faults.Kind]int)
	for i, rule := range faults.Kinds() {
		index[rule.Kind] = i
		rules = append(rules, sarif.Rule{
			ID: string(rule.Kind), Name: sarif.Pascal(string(rule.Kind)), Short: sarif.Text{Text: rule.Title}, Full: sarif.Text{Text: rule.Doc},
			Help: sarif.Help{Text: rule.Fix}, Default: sarif.Level{Level: level(rule.Severity)}, Properties: sarif.Properties{Tags: []string{"correctness"}},
		})
	}
	i := sarif.Invocation{Successful: len(r.Failures) == 0}
	for _, f := range r.Failures {
		i.Notifications = append(i.Notifications, sarif.Notification{Level: "error", Message: sarif.Text{Text: f.File + ": " + f.Message}})
	}
	log := sarif.New[sarifExtra](o.Version, rules, i)
	var all []located
	for k := range r.Results {
		for n := range r.Results[k].Findings {
			all = append(all, located{&r.Results[k].Findings[n], &r.Results[k]})
		}
	}
	for _, of := range sarif.Group(all, func(f located) sarif.Site { return sarif.Site{Rule: string(f.Kind), File: f.Manifest, Line: f.Line} }) {
		first := slices.MaxFunc(of, func(a, b located) int { return cmp.Compare(a.Severity, b.Severity) })
		nodes := tally.Distinct(of, func(f located) string { return cmp.Or(f.in.Node, f.in.File) })
		log.Runs[0].Results = append(log.Runs[0].Results, sarif.Result[sarifExtra]{
			RuleID: string(first.Kind), RuleIndex: index[first.Kind], Level: level(first.Severity),
			Message:    sarif.Text{Text: together(first.Finding, of, len(nodes))},
			Locations:  []sarif.Location{location(first, &o.Locator)},
			Related:    related(first, of, &o.Locator),
			Viewer:     o.Locator.URL(first.Manifest, first.Line),
			Properties: sarifExtra{Nodes: nodes, Findings: len(of)},
		})
	}
	return log
}

// together returns the message of the first one of several findings, with the number of the others.
func together(first *faults.Finding, all []located, nodes int) string {
	text := message(first)
	if more := len(tally.Distinct(all, func(f located) string { return f.Message })) - 1; more > 0 {
		text += fmt.Sprintf(" There are %d more like it at this line.", more)
	}
	if nodes > 1 {
		text += fmt.Sprintf(" On %d nodes.", nodes)
	}
	return text
}

// message returns the message of a finding with its remedy.
func message(f *faults.Finding) string {
	text := f.Message
	if len(f.Path) > 0 {
		refs := make([]string, 0, len(f.Path)+1)
		for _, w := range f.Path {
			refs = append(refs, w.After.String())
		}
		text += ": " + strings.Join(append(refs, refs[0]), " after ")
	}
	return text + ". To repair it: " + f.Fix + "."
}

func level(s faults.Severity) string {
	if s == faults.Hint {
		return "note"
	}
	return s.String()
}

func location(f located, locator *manifest.Locator) sarif.Location {
	l := sarif.Line(cmp.Or(locator.Path(f.Manifest), f.in.File), f.Line)
	ref := f.Ref
	if ref.IsZero() && len(f.Members) > 0 {
		ref = f.Members[0]
	}
	if !ref.IsZero() {
		l.Logical = []sarif.Logical{{Name: ref.String(), Full: f.in.File + "#" + ref.String(), Kind: "resource"}}
	}
	return l
}

// related returns the locations of the relations of a cycle, and of the other findings at the line.
func related(first located, all []located, locator *manifest.Locator) []sarif.Location {
	var list []sarif.Location
	for _, w := range first.Path {
		if w.Manifest != "" {
			l := sarif.Line(locator.Path(w.Manifest), w.Line)
			l.Message = &sarif.Text{Text: fmt.Sprintf("%s is applied after %s: %s", w.After, w.Before, w.Why)}
			list = append(list, l)
		}
	}
	for _, f := range all {
		if f.Finding != first.Finding && len(list) < sarif.MaxRelated {
			list = append(list, location(f, locator))
		}
	}
	return list
}
