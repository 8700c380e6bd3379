package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog/check"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/sarif"
)

// none are the properties of a result.
type none struct{}

func sarifOf(r *Report, o Options) sarif.Log[none] {
	var rules []sarif.Rule
	index := make(map[check.Kind]int)
	for i, rule := range check.Kinds() {
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
	log := sarif.New[none](o.Version, rules, i)
	for k := range r.Results {
		in := &r.Results[k]
		for n := range in.Findings {
			f := &in.Findings[n]
			log.Runs[0].Results = append(log.Runs[0].Results, sarif.Result[none]{
				RuleID: string(f.Kind), RuleIndex: index[f.Kind], Level: level(f.Severity),
				Message:   sarif.Text{Text: message(f)},
				Locations: []sarif.Location{location(in, f, &o.Locator)},
				Related:   related(f, &o.Locator),
				Viewer:    o.Locator.URL(f.Manifest, f.Line),
			})
		}
	}
	return log
}

// message returns the message of a finding with its remedy.
func message(f *check.Finding) string {
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

func level(s check.Severity) string {
	if s == check.Hint {
		return "note"
	}
	return s.String()
}

func location(r *Result, f *check.Finding, locator *manifest.Locator) sarif.Location {
	l := sarif.Place(cmp.Or(locator.Path(f.Manifest), r.File), f.Line)
	ref := f.Ref
	if ref.IsZero() && len(f.Members) > 0 {
		ref = f.Members[0]
	}
	if !ref.IsZero() {
		l.Logical = []sarif.Logical{{Name: ref.String(), Full: r.File + "#" + ref.String(), Kind: "resource"}}
	}
	return l
}

// related returns the locations of the relations of a cycle.
func related(f *check.Finding, locator *manifest.Locator) []sarif.Location {
	var list []sarif.Location
	for _, w := range f.Path {
		if w.Manifest != "" {
			l := sarif.Place(locator.Path(w.Manifest), w.Line)
			l.Message = &sarif.Text{Text: fmt.Sprintf("%s is applied after %s: %s", w.After, w.Before, w.Why)}
			list = append(list, l)
		}
	}
	return list
}
