package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/page"
)

// pageWriter writes the parts of a page that depend on the report.
type pageWriter struct {
	page.Markup

	page view
}

// part writes the named part of page.html.
func (w pageWriter) part(name string) error {
	switch name {
	case "title":
		w.Text("Audit of " + documents(w.page.report).String())
		if w.page.report.Compared {
			w.Text(", compared with an earlier run")
		}
	case "data":
		return w.data()
	case "date":
		w.unlessEmpty(` <time>%s</time>`, w.page.date())
	case "state":
		w.Print(w.page.state())
	case "verdict":
		w.Text(w.page.verdict())
	case "summary":
		w.Writef("%s.", summary(w.page.report))
	case "locations":
		w.locations()
	case "failures":
		w.failures()
	case "notes":
		w.notes()
	case "footer":
		w.footer()
	default:
		return fmt.Errorf("page.html has an unknown part %s", name)
	}
	return nil
}

// state returns the class of the heading: the worst severity, or "clean".
func (p *view) state() string {
	switch {
	case len(p.repairs.list) > 0:
		return p.repairs.list[0].first.Severity.String()
	case len(p.report.Failures) > 0:
		return "medium"
	}
	return "clean"
}

// staticLocations is the number of locations on the page without its script.
const staticLocations = 20

// locations writes the first locations, for a browser that runs no script. The script
// replaces them.
func (w pageWriter) locations() {
	p := &w.page
	if len(p.repairs.list) == 0 {
		w.clean()
		return
	}
	w.Print(`
<div id="static">
<p>This page needs its script to show and filter all findings. Where scripts are disabled, open the file in another browser, or use another form of report. Repair first:</p>
<ol>`)
	for _, one := range p.repairs.list[:min(len(p.repairs.list), staticLocations)] {
		f := one.first
		w.Writef(`
<li><span class="badge %s">%s</span> `, f.Severity.String(), f.Severity.String())
		w.location(f)
		w.Writef(`: %s <span class="quiet">on %s</span></li>`, strings.Join(one.titles(p.report.Rules), "; "), count(len(one.nodes), "node"))
	}
	w.Print("\n</ol>\n</div>")
}

// location writes the line of the manifest of a finding, as a link if its address is known, or else
// the location.
func (w pageWriter) location(f *audit.Finding) {
	l := &w.page.options.Locator
	text, link := cmp.Or(l.Line(f.File, f.Line), at(f)), l.URL(f.File, f.Line)
	if link == "" {
		w.Writef("<code>%s</code>", text)
		return
	}
	w.Writef(`<a href="%s" rel="noreferrer"><code>%s</code></a>`, link, text)
}

// clean says that there are no findings, and in how many catalogs.
func (w pageWriter) clean() {
	r := w.page.report
	audited := audited(r)
	if audited.Sum() <= 0 {
		return
	}
	w.Writef(`
<div class="nothing clean"><p><strong>No secret in plain text, and no practice that makes leaks likely, was found in %s.</strong></p>`, audited.String())
	if r.Accepted > 0 {
		w.Writef("<p>Not shown: %s, accepted in the configuration or the baseline.</p>", count(r.Accepted, "finding"))
	}
	w.Print("</div>")
}

func (w pageWriter) unlessEmpty(format, value string) {
	if value != "" {
		w.Writef(format, value)
	}
}

func (w pageWriter) failures() {
	failures := w.page.report.Failures
	if len(failures) == 0 {
		return
	}
	w.Print(`
<section id="failures" class="remarks" aria-labelledby="failures-title">
<h2 id="failures-title">Not audited</h2>
<ul>`)
	for _, f := range failures {
		w.Writef("<li>%s</li>", f.Error())
	}
	w.Print(`</ul>
</section>`)
}

func (w pageWriter) notes() {
	notes := w.page.report.Notes
	if len(notes) == 0 {
		return
	}
	w.Print(`
<section class="remarks" aria-labelledby="notes-title">
<h2 id="notes-title">Searched in part</h2>
<ul>`)
	for _, n := range notes {
		w.Writef("<li><code>%s</code> <code>%s</code>: %s</li>", n.Catalog, n.Pointer, n.Message)
	}
	w.Print(`</ul>
</section>`)
}

// footer writes the facts about the run.
func (w pageWriter) footer() {
	r := w.page.report
	made := "pcat"
	if v := w.page.options.Version; v != "" {
		made += " " + v
	}
	w.fact("Made by", made)
	w.fact("Date", w.page.date())
	w.fact("Inputs", w.page.inputs())
	w.number("Not audited", len(r.Failures))
	w.number("Accepted findings", r.Accepted)
	w.number("Omitted findings", r.Omitted)
	if r.Unfollowed > 0 {
		w.fact("Not searched for", count(r.Unfollowed, "Sensitive value")+", too short or too common")
	}
	keyed := "without a key: they do not change with the secret"
	if r.Keyed {
		keyed = "with a key: they change with the secret"
	}
	w.fact("Fingerprints", keyed)
}

func (w pageWriter) number(name string, n int) {
	if n > 0 {
		w.fact(name, strconv.Itoa(n))
	}
}

func (w pageWriter) fact(name, value string) {
	if value != "" {
		w.Writef("\n<div><dt>%s</dt><dd>%s</dd></div>", name, value)
	}
}
