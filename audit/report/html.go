package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// The parts of the page. Style and script are trusted: nothing is put into them.
var (
	//go:embed page/page.html
	pageText string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// page is the content of the page.
type page struct {
	Catalogs   string
	Summary    string
	Groups     []pageGroup
	Rules      []pageRule
	Types      []string
	Nodes      []string
	Severities []string
	Failures   []string
	Unaudited  string
	Notes      []audit.Note
}

type pageGroup struct {
	Severity, Secret, Title, Spread string
	Places                          []pagePlace
}

type pagePlace struct {
	Severity, Rule, Type, At, Name, More, Manifest, Message, Where string
	Nodes                                                          []string
	Catalog, Pointer, Fingerprint, Confidence                      string
}

type pageRule struct {
	ID, Severity, Title string
	CWE                 int
	Doc, Remedy         []pagePart
}

// pagePart is a piece of text or code.
type pagePart struct {
	Text string
	Code bool
}

// writeHTML writes a self-contained page, which needs no network, other file or
// server. It is fully readable without its script, which only filters.
func writeHTML(b output, r *audit.Report, o Options) error {
	w := pageWriter{markup{b}, pageOf(r, o)}
	for rest := pageText; ; {
		text, place, more := strings.Cut(rest, "${")
		b.print(text)
		if !more {
			return nil
		}
		var name string
		name, rest, _ = strings.Cut(place, "}")
		if err := w.part(name); err != nil {
			return err
		}
	}
}

// policy allows the style and script of the page, and nothing else.
func policy() string {
	return "default-src 'none'; style-src " + source(pageStyle) + "; script-src " + source(pageScript) + "; base-uri 'none'; form-action 'none'"
}

func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func pageOf(r *audit.Report, o Options) page {
	p := page{
		Catalogs: catalogs(r.Catalogs), Summary: summary(r), Notes: r.Notes,
	}
	rules, severities := map[string]bool{}, map[rule.Severity]bool{}
	for _, g := range groups(r) {
		p.Groups = append(p.Groups, pageGroupOf(g, r.Rules, o))
		for _, place := range g.places {
			f := place.first
			severities[place.worst] = true
			if f.Type != "" {
				p.Types = append(p.Types, f.Type)
			}
			p.Nodes = append(p.Nodes, place.nodes...)
			if !rules[f.Rule] {
				rules[f.Rule] = true
				p.Rules = append(p.Rules, pageRuleOf(f, r.Rules))
			}
		}
	}
	for s := rule.Critical; ; s-- {
		if severities[s] {
			p.Severities = append(p.Severities, s.String())
		}
		if s == rule.Info {
			break
		}
	}
	slices.SortFunc(p.Rules, func(a, b pageRule) int { return cmp.Compare(a.ID, b.ID) })
	p.Types, p.Nodes = unique(p.Types), unique(p.Nodes)
	for _, f := range r.Failures {
		p.Failures = append(p.Failures, f.Error())
	}
	p.Unaudited = catalogs(len(r.Failures)) + " could"
	return p
}

func pageGroupOf(g *group, rules *rule.Registry, o Options) pageGroup {
	out := pageGroup{Severity: g.worst.String(), Secret: g.secret, Title: title(g.places[0].first, rules), Spread: spread(g)}
	for _, p := range g.places {
		f := p.first
		one := pagePlace{
			Severity: p.worst.String(), Rule: f.Rule, Type: f.Type, At: at(f), Manifest: o.manifest(f), Message: f.Message,
			Where: "on " + p.on(), Nodes: p.nodes, Catalog: f.Catalog, Pointer: f.Pointer, Fingerprint: f.Fingerprint, Confidence: f.Confidence.String(),
		}
		if name := nameOf(f); name != f.Parameter {
			one.Name = name
		}
		if n := len(p.titles); n > 1 {
			one.More = fmt.Sprintf("and %d more titles", n-1)
		}
		out.Places = append(out.Places, one)
	}
	return out
}

// spread returns the number of places and nodes of a secret.
func spread(g *group) string {
	places, nodes := "1 place", "1 node"
	if n := len(g.places); n > 1 {
		places = fmt.Sprintf("%d places", n)
	}
	if n := len(g.nodes); n > 1 {
		nodes = fmt.Sprintf("%d nodes", n)
	}
	return places + ", " + nodes
}

func pageRuleOf(f *audit.Finding, rules *rule.Registry) pageRule {
	out := pageRule{ID: f.Rule, Severity: f.Severity.String(), Title: title(f, rules)}
	if rules == nil {
		return out
	}
	if known, ok := rules.ByID(f.Rule); ok {
		out.Severity, out.CWE = known.Severity.String(), known.CWE
		out.Doc, out.Remedy = parts(known.Doc), parts(known.Remedy)
	}
	return out
}

// parts splits a text at the backquotes around code.
func parts(text string) []pagePart {
	var list []pagePart
	for i, s := range strings.Split(text, "`") {
		list = append(list, pagePart{s, i%2 == 1})
	}
	return list
}
