package overview

import (
	"cmp"
	_ "embed" // the page
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/listing"
	"github.com/pcatdev/pcat/internal/page"
)

// The parts of the page that it does not share with other ones.
var (
	//go:embed page/body.html
	pageBody string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	pageModel string
	//go:embed page/cards.js
	pageCards string
	//go:embed page/trend.js
	pageTrend string
	//go:embed page/page.js
	pageMain string

	overviewPage = page.Page{
		Body: pageBody, Style: pageStyle, Script: pageModel + pageCards + pageTrend + pageMain, Findings: true,
		Buttons: `<button id="export-csv" type="button" title="Save the findings that are shown as CSV">CSV</button>`,
	}
)

// mostShown is the number of findings that the page has: the most severe ones.
const mostShown = 50000

// view is the content of the page.
type view struct {
	page.Markup
	*Document

	counts   map[string]int // open findings by severity
	accepted int
	affected int // nodes with open findings
	needed   int // repairs, also of findings whose texts are hidden
}

func writePage(w io.Writer, d *Document) error {
	v := view{Markup: page.NewMarkup(w), Document: d, counts: map[string]int{}, needed: len(d.Repairs)}
	hidden := map[string]bool{}
	for i := range d.Findings {
		f := &d.Findings[i]
		if !f.Accepted.IsZero() {
			v.accepted++
			continue
		}
		v.counts[f.Severity]++
		if f.Repair == "" && !hidden[f.Fingerprint] {
			hidden[f.Fingerprint] = true
			v.needed++
		}
	}
	for i := range d.Nodes {
		if d.Nodes[i].Findings > 0 {
			v.affected++
		}
	}
	if err := overviewPage.Write(v.Markup, v.part); err != nil {
		return err
	}
	return v.Flush()
}

// part writes a part of the page.
func (v *view) part(name string) error {
	switch name {
	case "title":
		v.Text("Findings of a fleet")
	case "data":
		return v.data()
	case "time":
		v.Writef(`<time datetime="%s">%s</time>`, v.Time.Format(time.RFC3339), v.Time.Format("2006-01-02 15:04 UTC"))
	case "state":
		v.Print(v.state())
	case "verdict":
		v.Text(v.verdict())
	case "summary":
		v.Text(v.summary())
	case "problems":
		v.problems()
	case "locations":
		v.repairs()
	case "decisions":
		v.decisions()
	case "footer":
		v.footer()
	default:
		return fmt.Errorf("body.html has an unknown part %s", name)
	}
	return nil
}

// open returns the number of open findings.
func (v *view) open() int { return len(v.Findings) - v.accepted }

// state returns the class of the heading: the worst severity, or "clean".
func (v *view) state() string {
	switch {
	case v.open() > 0:
		return cmp.Or(v.worst(), rule.Medium.String())
	case !v.Settled || len(v.Problems) > 0:
		return rule.Medium.String()
	}
	return "clean"
}

// severities are all severities, the highest first.
func severities() []string {
	var list []string
	for s := rule.Critical; ; s-- {
		list = append(list, s.String())
		if s == rule.Info {
			return list
		}
	}
}

func (v *view) worst() string {
	for _, s := range severities() {
		if v.counts[s] > 0 {
			return s
		}
	}
	return ""
}

// verdict returns the result in one sentence.
func (v *view) verdict() string {
	if v.open() == 0 {
		return "No findings"
	}
	return count(v.needed, "repair") + " needed on " + count(v.affected, "node")
}

// summary returns the numbers behind the verdict.
func (v *view) summary() string {
	var parts []string
	for _, s := range severities() {
		if n := v.counts[s]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+s)
		}
	}
	text := count(v.open(), "finding")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if v.accepted > 0 {
		text += "; " + strconv.Itoa(v.accepted) + " accepted"
	}
	text += ". " + count(len(v.Nodes), "node")
	switch {
	case v.Settled:
		return text + ", all audited."
	case v.Stale > 0:
		return text + "; the audit of " + strconv.Itoa(v.Stale) + " goes on."
	}
	return text + "; the audit goes on."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func (v *view) problems() {
	if len(v.Problems) == 0 {
		return
	}
	v.Print("\n<section id=\"problems\" class=\"remarks\" aria-labelledby=\"problems-title\">\n<h2 id=\"problems-title\">Degraded</h2>\n<ul>")
	for _, one := range v.Problems {
		v.Writef("<li>%s</li>", one.String())
	}
	v.Print("</ul>\n</section>")
}

// staticRepairs is the number of repairs on the page without its script.
const staticRepairs = 20

// repairs writes the first repairs, for a browser that runs no script. The script replaces them.
func (v *view) repairs() {
	switch {
	case len(v.Findings) == 0 && len(v.Nodes) > 0 && v.Settled:
		v.Writef(`
<div class="nothing clean"><p><strong>No secret in plain text, and no practice that makes leaks likely, was found on %s.</strong></p></div>`, count(len(v.Nodes), "node"))
	case len(v.Repairs) > 0:
		v.Print("\n<div id=\"static\">\n<p>This page needs its script to show and filter all findings. Repair first:</p>\n<ol>")
		for i := range v.Repairs[:min(len(v.Repairs), staticRepairs)] {
			r := &v.Repairs[i]
			v.Writef("\n<li><span class=\"badge %s\">%s</span> <code>%s</code>: %s <span class=\"quiet\">on %s</span></li>",
				r.Severity, r.Severity, cmp.Or((&manifest.Locator{}).Line(r.Manifest, r.Line), r.Location), r.Message, count(r.Nodes, "node"))
		}
		v.Print("\n</ol>\n</div>")
	}
}

// decisions writes the decisions that accept findings: those that need attention first.
func (v *view) decisions() {
	if len(v.Decisions) == 0 {
		return
	}
	list := slices.Clone(v.Decisions)
	active := func(s decisions.State) int {
		if s.Use == decisions.Active {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b decisions.State) int {
		return cmp.Or(active(a)-active(b), cmp.Compare(b.Findings, a.Findings))
	})
	v.Writef("\n<details id=\"decisions\" class=\"decisions\">\n<summary>Accepted findings <span class=\"quiet\">%s, by %s</span></summary>\n<ul>", strconv.Itoa(v.accepted), count(len(list), "decision"))
	for i := range list {
		s := &list[i]
		v.Writef("\n<li><p><span class=\"use %s\">%s</span> <strong>%s</strong></p><p class=\"quiet\">%s</p></li>",
			s.Use, s.Use, cmp.Or(s.Reason, "no reason is given"), describe(s))
	}
	v.Print("\n</ul>\n</details>")
}

// describe describes a decision without its reason.
func describe(s *decisions.State) string {
	parts := []string{count(s.Findings, "finding"), listing.Accepts(s)}
	if s.By != "" {
		parts = append(parts, "by "+s.By)
	}
	if !s.At.IsZero() {
		parts = append(parts, "since "+s.At.UTC().Format(time.DateOnly))
	}
	if s.Until != "" {
		parts = append(parts, "until "+s.Until)
	}
	return strings.Join(append(parts, cmp.Or(s.ID, s.From)), " · ")
}

func (v *view) footer() {
	made := "pcatd"
	if v.Version != "devel" {
		made += " " + v.Version
	}
	v.fact("Made by", made)
	v.fact("Time", v.Time.Format("2006-01-02 15:04:05 UTC"))
	if v.Dead > 0 {
		v.fact("Audits that were given up", strconv.Itoa(v.Dead))
	}
	if left := len(v.Findings) - mostShown; left > 0 {
		v.fact("Left out", strconv.Itoa(left)+" findings of the lowest severities; findings.json has all")
	}
}

func (v *view) fact(name, value string) { v.Writef("\n<div><dt>%s</dt><dd>%s</dd></div>", name, value) }
