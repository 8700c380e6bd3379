package report

import (
	"fmt"
	"strconv"
)

// pageWriter writes the parts of a page that depend on the report.
type pageWriter struct {
	markup
	page page
}

// part writes the named part of page.html.
func (w pageWriter) part(name string) error {
	switch name {
	case "policy":
		w.text(policy())
	case "style":
		w.print(pageStyle)
	case "script":
		w.print(pageScript)
	case "catalogs":
		w.text(w.page.Catalogs)
	case "summary":
		w.summary()
	case "filters":
		w.filters()
	case "nothing":
		if len(w.page.Groups) == 0 {
			w.print("\n<p>No findings.</p>")
		}
	case "findings":
		for i := range w.page.Groups {
			w.group(i, &w.page.Groups[i])
		}
	case "failures":
		w.failures()
	case "notes":
		w.notes()
	case "rules":
		w.rules()
	default:
		return fmt.Errorf("page.html has an unknown part %s", name)
	}
	return nil
}

func (w pageWriter) summary() {
	w.writef("%s.", w.page.Summary)
	if len(w.page.Failures) > 0 {
		w.writef(` <a href="#failures">%s not be audited</a>.`, w.page.Unaudited)
	}
}

// filters writes the form that the script makes visible.
func (w pageWriter) filters() {
	if len(w.page.Groups) == 0 {
		return
	}
	w.print(`
<form id="filters" role="search" aria-label="Filter the findings" autocomplete="off" hidden>
<label>Search <input type="search" name="text"></label>
<label>Rule <select name="rule"><option value="">all</option>`)
	for i := range w.page.Rules {
		w.writef("<option>%s</option>", w.page.Rules[i].ID)
	}
	w.print(`</select></label>
<label>Type of resource <select name="type"><option value="">all</option>`)
	w.each("<option>%s</option>", w.page.Types)
	w.print(`</select></label>
<label>Node <input name="node" list="nodes"></label><datalist id="nodes">`)
	w.each(`<option value="%s"></option>`, w.page.Nodes)
	w.print(`</datalist>
<fieldset><legend>Severity</legend>`)
	for _, s := range w.page.Severities {
		w.writef(`<label><input type="checkbox" name="severity" value="%s" checked> %s</label>`, s, s)
	}
	w.print(`</fieldset>
<div class="end"><output id="count" aria-live="polite"></output><button type="reset">Show all</button></div>
</form>
<p class="keys quiet" hidden>Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>o</kbd> open, <kbd>Esc</kbd> show all.</p>`)
}

// each writes format once for each value.
func (w pageWriter) each(format string, values []string) {
	for _, v := range values {
		w.writef(format, v)
	}
}

// group writes one secret.
func (w pageWriter) group(i int, g *pageGroup) {
	id := strconv.Itoa(i)
	w.writef(`
<article class="secret" tabindex="-1" aria-labelledby="s%s">
<h3 id="s%s"><span class="badge %s">%s</span> `, id, id, g.Severity, g.Severity)
	if g.Secret != "" {
		w.writef("<code>%s</code>", g.Secret)
	} else {
		w.text(g.Title)
	}
	w.writef(` <span class="quiet">%s</span></h3>
<ol>`, g.Spread)
	for i := range g.Places {
		w.place(g, &g.Places[i])
	}
	w.print(`
</ol>
</article>`)
}

// place writes one location of a secret.
func (w pageWriter) place(g *pageGroup, p *pagePlace) {
	w.writef(`
<li class="place" data-severity="%s" data-rule="%s" data-type="%s">
<code>%s</code>`, p.Severity, p.Rule, p.Type, p.At)
	w.unlessEmpty(" as <code>%s</code>", p.Name)
	w.unlessEmpty(` <span class="quiet">%s</span>`, p.More)
	w.unlessEmpty(` <span class="manifest">declared in <code>%s</code></span>`, p.Manifest)
	w.print("\n<p>")
	if p.Severity != g.Severity {
		w.writef(`<span class="badge %s">%s</span> `, p.Severity, p.Severity)
	}
	w.writef(`<a href="#rule-%s">%s</a>: %s</p>
<details><summary>%s</summary>
<ul class="nodes">`, p.Rule, p.Rule, p.Message, p.Where)
	w.each("<li>%s</li>", p.Nodes)
	w.writef(`</ul>
<dl><dt>catalog</dt><dd><code>%s</code></dd>`, p.Catalog)
	w.unlessEmpty("<dt>pointer</dt><dd><code>%s</code></dd>", p.Pointer)
	w.writef(`<dt>fingerprint</dt><dd><code>%s</code></dd><dt>confidence</dt><dd>%s</dd></dl>
</details>
</li>`, p.Fingerprint, p.Confidence)
}

func (w pageWriter) unlessEmpty(format, value string) {
	if value != "" {
		w.writef(format, value)
	}
}

func (w pageWriter) failures() {
	if len(w.page.Failures) == 0 {
		return
	}
	w.print(`
<section id="failures" aria-labelledby="failures-title">
<h2 id="failures-title">Not audited</h2>
<ul>`)
	w.each("<li>%s</li>", w.page.Failures)
	w.print(`</ul>
</section>`)
}

func (w pageWriter) notes() {
	if len(w.page.Notes) == 0 {
		return
	}
	w.print(`
<section aria-labelledby="notes-title">
<h2 id="notes-title">Looked at in part</h2>
<ul>`)
	for _, n := range w.page.Notes {
		w.writef("<li><code>%s</code> <code>%s</code>: %s</li>", n.Catalog, n.Pointer, n.Message)
	}
	w.print(`</ul>
</section>`)
}

func (w pageWriter) rules() {
	if len(w.page.Rules) == 0 {
		return
	}
	w.print(`
<section aria-labelledby="rules-title">
<h2 id="rules-title">What the rules mean</h2>`)
	for i := range w.page.Rules {
		r := &w.page.Rules[i]
		w.writef(`
<article class="rule" id="rule-%s">
<h3><span class="badge %s">%s</span> %s <span class="quiet">%s`, r.ID, r.Severity, r.Severity, r.ID, r.Title)
		if r.CWE != 0 {
			w.writef(", CWE-%s", strconv.Itoa(r.CWE))
		}
		w.print("</span></h3>\n<p>")
		w.prose(r.Doc)
		w.print("</p>\n<p><strong>Remedy:</strong> ")
		w.prose(r.Remedy)
		w.print("</p>\n</article>")
	}
	w.print("\n</section>")
}

// prose writes a text that contains code.
func (w pageWriter) prose(parts []pagePart) {
	for _, p := range parts {
		if p.Code {
			w.writef("<code>%s</code>", p.Text)
		} else {
			w.text(p.Text)
		}
	}
}
