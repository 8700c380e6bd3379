package overview

import (
	"slices"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/page"
)

// pageData is the data of the script. Findings are split up, because a page can have 50,000:
//
//	texts      all texts, once; other members have their indices
//	kinds      the facts that a finding shares with the same finding on other nodes
//	sources    where secrets are declared: kinds have their indices from 1, and 0 if there is none
//	nodes      the feed and the name of a node, and when its last catalog arrived
//	findings   kind and node of each finding, when it was first and last seen, the number of locations, and
//	           if it is accepted, since when and why
//
// Times are seconds since 1970.
type pageData struct {
	Time  int64        `json:"time"`
	Days  history.Days `json:"days"`
	Rules []page.Rule  `json:"rules"`
}

// kind are the facts that the same finding on several nodes has in common.
type kind struct {
	history.Description

	fingerprint, severity string
}

// data writes the data of the script.
func (v *view) data() error {
	known, err := rule.Default()
	if err != nil {
		return err
	}
	findings := v.Findings[:min(len(v.Findings), mostShown)]
	d := pageData{Time: v.Time.Unix(), Days: v.Days, Rules: []page.Rule{}}
	rules, kinds := page.Numbers[string]{}, page.Numbers[kind]{}
	kinds.Grow(len(findings))
	kindOf := make([]int, len(findings))
	for i := range findings {
		k := kind{*findings[i].Description, findings[i].Fingerprint, findings[i].Severity}
		k.Rule = findings[i].Rule
		kindOf[i] = kinds.Of(k)
		if rules.Of(k.Rule) == len(d.Rules) {
			d.Rules = append(d.Rules, ruleOf(&k, known))
		}
	}
	frame, err := page.JSON(d)
	if err != nil {
		return err
	}
	v.Print(string(frame[:len(frame)-1]))
	texts := page.Numbers[string]{}
	texts.Grow(8 * len(kinds.List))
	v.kinds(kinds.List, &rules, &texts)
	v.findings(findings, kindOf, &texts)
	v.Print(`],"texts":[`)
	if err := v.Texts(texts.List); err != nil {
		return err
	}
	v.Print("]}")
	return nil
}

func ruleOf(k *kind, known *rule.Registry) page.Rule {
	out := page.Rule{ID: k.Rule, Title: k.Rule, Class: k.Class, Severity: k.severity}
	if r, ok := known.ByID(k.Rule); ok {
		out.Title, out.Severity, out.CWE, out.Doc, out.Remedy, out.Wrong, out.Right = r.Title, r.Severity.String(), r.CWE, r.Doc, r.Remedy, r.Wrong, r.Right
	}
	return out
}

func (v *view) kinds(list []kind, rules, texts *page.Numbers[string]) {
	l := manifest.Locator{SourceURL: v.sourceURL}
	ranks := severities()
	slices.Reverse(ranks)
	sources := page.Numbers[history.Source]{}
	v.Print(`,"kinds":[`)
	for i := range list {
		k := &list[i]
		v.Comma(i)
		source := 0
		if k.Source.Declared {
			source = sources.Of(k.Source) + 1
		}
		v.Row(rules.Of(k.Rule), max(0, slices.Index(ranks, k.severity)), texts.Of(k.Confidence), texts.Of(k.Location()), texts.Of(k.Type), texts.Of(k.Manifest), int(k.Line),
			texts.Of(l.URL(k.Manifest, k.Line)), texts.Of(k.fingerprint), texts.Of(k.Tag), texts.Of(k.Masked), texts.Of(k.Message), texts.Of(k.Repair), texts.Of(k.Owner), source)
	}
	v.Print(`],"sources":[`)
	for i := range sources.List {
		s := &sources.List[i]
		v.Comma(i)
		v.Row(texts.Of(s.Location()), texts.Of(s.Manifest), int(s.Line), texts.Of(l.URL(s.Manifest, s.Line)), s.Others)
	}
}

func (v *view) findings(list []listing.Row, kindOf []int, texts *page.Numbers[string]) {
	nodes := page.Numbers[[2]string]{}
	for _, n := range v.Nodes {
		nodes.Of([2]string{n.Feed, n.Name})
	}
	v.Print(`],"findings":[`)
	for i := range list {
		f := &list[i]
		v.Comma(i)
		row := []int{kindOf[i], nodes.Of([2]string{f.Feed, f.Node}), int(f.First.Unix()), int(f.Last.Unix()), f.Count}
		if !f.Accepted.IsZero() {
			row = append(row, int(f.Accepted.Unix()), texts.Of(f.Reason))
		}
		v.Row(row...)
	}
	v.Print(`],"nodes":[`)
	seen := make([]time.Time, len(nodes.List))
	for _, n := range v.Nodes {
		seen[nodes.Of([2]string{n.Feed, n.Name})] = n.Seen
	}
	for i, n := range nodes.List {
		v.Comma(i)
		v.Row(texts.Of(n[0]), texts.Of(n[1]), int(max(0, seen[i].Unix())))
	}
}
