package report

import (
	"bytes"
	"cmp"
	_ "embed" // the page
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/page"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
)

// The parts of the page that it does not share with other ones.
var (
	//go:embed page/body.html
	pageBody string
	//go:embed page/buttons.html
	pageButtons string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/model.js
	pageModel string
	//go:embed page/change.js
	pageBodies string
	//go:embed page/page.js
	pageMain string
)

const (
	maxPageLines = 1000  // of one change
	maxPageValue = 10000 // characters of one parameter of a whole resource
)

// pageData is the data of the script. Changes and nodes have indices.
type pageData struct {
	Changes []pageChange `json:"changes"`
	Sets    []pageSet    `json:"sets"`
	Nodes   []string     `json:"nodes"` // with changes
	// The other nodes, and all facts about the run that are not about changes.
	Unchanged []string  `json:"unchanged"`
	OnlyOld   []string  `json:"onlyOld"`
	OnlyNew   []string  `json:"onlyNew"`
	Alone     [2]string `json:"alone"` // the words for both
}

type pageSet struct {
	Nodes      []int  `json:"nodes"`
	Changes    []int  `json:"changes"`
	Normalized bool   `json:"normalized,omitempty"`
	Rank       string `json:"rank"`
	Name       string `json:"name"`
	Refreshes  string `json:"refreshes,omitempty"`
	Key        string `json:"key"` // for the marks that the browser stores
}

type pageChange struct {
	Op        string      `json:"op"`
	Kind      string      `json:"kind"`
	Type      string      `json:"type"`
	Ref       string      `json:"ref"`
	From      string      `json:"from,omitempty"`
	Path      string      `json:"path"`
	Rank      string      `json:"rank"`
	Declared  string      `json:"declared,omitempty"` // the line of the manifest
	Link      string      `json:"link,omitempty"`     // to that line
	Container string      `json:"container,omitempty"`
	Effects   []string    `json:"effects,omitempty"` // the notable ones, with their details
	Names     []string    `json:"names,omitempty"`   // of the effects
	Summary   string      `json:"summary"`           // all of it on a line
	Label     string      `json:"label,omitempty"`
	Note      string      `json:"note,omitempty"`
	Grave     bool        `json:"grave,omitempty"`
	Hidden    bool        `json:"hidden,omitempty"`
	Old       *pageText   `json:"old,omitempty"`
	New       *pageText   `json:"new,omitempty"`
	Minus     []string    `json:"minus,omitempty"`
	Plus      []string    `json:"plus,omitempty"`
	Data      []pageDatum `json:"data,omitempty"`
	Hunks     []pageHunk  `json:"hunks,omitempty"`
	More      int         `json:"more,omitempty"`   // lines that are left out
	Values    [][2]string `json:"values,omitempty"` // the parameters of a whole resource
}

// pageText is a text in parts, of which every second one is marked.
type pageText []string

type pageDatum struct {
	Path string    `json:"path"`
	Old  *pageText `json:"old,omitempty"`
	New  *pageText `json:"new,omitempty"`
}

type pageHunk struct {
	Old  int            `json:"old"`
	New  int            `json:"new"`
	Rows [][2]*pageText `json:"rows"` // both are one for an unchanged line
}

// writeHTML writes a page that needs no network, other file or server. Its texts are
// searched for secrets before anything is written.
func writeHTML(w io.Writer, r *diff.Report, o Options) error {
	v := newPageView(r, o)
	parts := make(map[string]string)
	for _, name := range []string{"title", "data", "state", "date", "verdict", "summary", "sets", "footer"} {
		text, err := v.guarded(name)
		if err != nil {
			return err
		}
		parts[name] = text
	}
	if parts["sets"] != "" {
		parts["sets"] = staticBegin + parts["sets"] + staticEnd
	}
	m := page.NewMarkup(w)
	p := page.Page{Body: pageBody, Buttons: pageButtons, Style: pageStyle, Script: pageModel + pageBodies + pageMain}
	err := p.Write(m, func(name string) error {
		text, ok := parts[name]
		if !ok {
			return fmt.Errorf("body.html has an unknown part %s", name)
		}
		m.Print(text)
		return nil
	})
	return cmp.Or(err, m.Flush())
}

// pageView is the content of the page.
type pageView struct {
	report  *diff.Report
	options Options
	text    *text
}

func newPageView(r *diff.Report, o Options) *pageView {
	return &pageView{report: r, options: o, text: newText(r, Options{Context: o.Context, Width: 400})}
}

// guarded returns a part of the page that contains no secret.
func (v *pageView) guarded(name string) (string, error) {
	var b strings.Builder
	wire := ""
	if name == "data" {
		wire = "json"
	}
	g := v.report.Guard(&b, wire, func() []byte {
		var own bytes.Buffer
		_ = newPageView(blank(v.report), v.options).part(&own, name) // the buffer accepts all
		return own.Bytes()
	})
	err := cmp.Or(v.part(g, name), g.Close())
	return b.String(), err
}

// part writes a part of the page.
func (v *pageView) part(w io.Writer, name string) error {
	m := page.NewMarkup(w)
	var err error
	switch name {
	case "title":
		m.Text("Catalog diff: " + headline(v.report))
	case "data":
		var data []byte
		if data, err = page.JSON(v.data()); err == nil {
			m.Print(string(data))
		}
	case "state":
		m.Print(v.state())
	case "date":
		if !v.options.Time.IsZero() {
			m.Writef(" <time>%s</time>", v.date())
		}
	case "verdict":
		m.Text(v.verdict())
	case "summary":
		for _, line := range v.summary() {
			m.Writef("<p>%s</p>", strings.TrimSuffix(line, "\n"))
		}
	case "sets":
		v.sets(m)
	case "footer":
		v.footer(m)
	}
	return cmp.Or(err, m.Flush())
}

// state returns the class of the heading: the gravest rank, or "clean".
func (v *pageView) state() string {
	if v.report.Equal() {
		return "clean"
	}
	return v.report.Rank().String()
}

func (v *pageView) verdict() string {
	text := headline(v.report)
	return strings.ToUpper(text[:1]) + text[1:]
}

func (v *pageView) date() string {
	if v.options.Time.IsZero() {
		return ""
	}
	return v.options.Time.UTC().Format(time.DateOnly)
}

// summary returns the lines at the end of the text report, without the words of the
// verdict.
func (v *pageView) summary() []string {
	v.text.out.Reset()
	v.text.summary()
	text := strings.TrimPrefix(strings.TrimPrefix(v.text.out.String(), "no differences: "), "no differences in ")
	return slices.Collect(strings.Lines(text))
}

// staticSets is the number of sets on the page without its script.
const staticSets = 20

// sets writes the first sets, for a browser that runs no script.
func (v *pageView) sets(m page.Markup) {
	for i := range v.report.Sets[:min(len(v.report.Sets), staticSets)] {
		s := &v.report.Sets[i]
		m.Writef("\n"+`<li><span class="badge %s">%s</span> %s: %s</li>`, s.Rank.String(), s.Rank.String(), setName(v.report, s), outcome(v.text.changes(s)))
	}
}

// The beginning and the end of the sets. The script replaces all of it.
const (
	staticBegin = `
<div id="static">
<p>This page needs its script to show and filter the changes. Where scripts are disabled, open the file in another browser, or use another format. The first sets of changes are:</p>
<ol>`
	staticEnd = "\n</ol>\n</div>"
)

// footer writes the facts about the run.
func (v *pageView) footer(m page.Markup) {
	fact := func(name, value string) {
		if value != "" {
			m.Writef("\n<div><dt>%s</dt><dd>%s</dd></div>", name, value)
		}
	}
	profiles := make([]string, len(v.report.Profiles))
	for i, p := range v.report.Profiles {
		profiles[i] = string(p)
	}
	fact("Made by", strings.TrimSpace("pcat "+v.options.Version))
	fact("Date", v.date())
	fact("Profiles", strings.Join(profiles, ", "))
}

func (v *pageView) data() pageData {
	r := v.report
	d := pageData{Changes: []pageChange{}, Sets: []pageSet{}, Nodes: list(r.Changed), Unchanged: list(r.Unchanged), OnlyOld: list(r.OnlyOld), OnlyNew: list(r.OnlyNew), Alone: v.options.alone()}
	numbers := make(map[string]int, len(r.Changed))
	for i, n := range r.Changed {
		numbers[n] = i
	}
	secret := make([]bool, len(r.Sets))
	var all []string
	for i := range r.Sets {
		s := &r.Sets[i]
		changes := v.text.changes(s)
		set := pageSet{Normalized: s.Normalized, Rank: s.Rank.String(), Name: nodeList(s.Nodes), Refreshes: strings.TrimPrefix(consequences(changes), "would refresh ")}
		for _, n := range s.Nodes {
			set.Nodes = append(set.Nodes, numbers[n])
		}
		var keys []string
		for _, c := range changes {
			set.Changes = append(set.Changes, len(d.Changes))
			d.Changes = append(d.Changes, v.change(c))
			keys = append(keys, fingerprint(c))
			secret[i] = secret[i] || c.OldSecret || c.NewSecret
		}
		if set.Key = digest(strings.Join(keys, " ")); slices.Contains(all, set.Key) {
			set.Key = digest(set.Key + " " + set.Name)
		}
		all = append(all, set.Key)
		d.Sets = append(d.Sets, set)
	}
	// All changes of a secret look the same: they are acknowledged in one report only.
	for i := range d.Sets {
		if secret[i] {
			d.Sets[i].Key = digest(strings.Join(append(all, d.Sets[i].Key, v.date()), " "))
		}
	}
	return d
}

func (v *pageView) change(c *diff.Change) pageChange {
	view := viewOf(c)
	typ, _, _ := strings.Cut(c.Ref, "[")
	d := pageChange{
		Op: string(c.Op), Kind: string(c.Kind), Type: cmp.Or(typ, "catalog"), Ref: c.Ref, From: c.From, Path: c.Path, Rank: c.Rank.String(), Container: c.Container,
		Label: view.label, Note: view.note, Grave: view.grave, Hidden: view.hidden, Minus: view.minus, Plus: view.plus,
	}
	d.Declared, d.Link = v.options.Locator.Line(c.File, c.Line), v.options.Locator.URL(c.File, c.Line)
	said, refreshed := notable(c)
	d.Effects = said
	for _, ref := range refreshed {
		d.Effects = append(d.Effects, "would refresh "+ref)
	}
	for _, e := range c.Effects {
		d.Names = append(d.Names, e.Effect)
	}
	for _, one := range view.data {
		datum := pageDatum{Path: one.Path}
		datum.Old, datum.New, _ = v.values(one.Old, one.New) // the hunks below say if they are not complete
		d.Data = append(d.Data, datum)
	}
	complete := true
	switch {
	case c.Path == "":
		d.Values = v.parameters(c)
		return d
	case view.data != nil || view.isText:
		d.Hunks, d.More, complete = v.hunks(view.old, view.new)
	case view.note == "" && !view.hidden && !view.isList:
		d.Old, d.New, complete = v.values(c.Old, c.New)
	}
	if !complete {
		d.Label = strings.TrimPrefix(d.Label+"; "+notCompared, "; ")
	}
	d.Summary = v.text.values(c)
	if _, binary := c.Old.(pcore.Binary); binary && c.New != nil {
		d.Note = d.Summary
	}
	return d
}

// values returns two values with the different words marked. complete is false if they were
// compared in part.
func (v *pageView) values(old, new pcore.Value) (a, b *pageText, complete bool) {
	switch {
	case old == nil:
		return nil, marked([]part{{scalar(new), false}}), true
	case new == nil:
		return marked([]part{{scalar(old), false}}), nil, true
	}
	x, y := typed(old, new)
	p, q, complete := wordDiff(x, y)
	return marked(p), marked(q), complete
}

// marked returns parts for the page.
func marked(parts []part) *pageText {
	t := pageText{}
	for _, p := range parts {
		if (len(t)%2 == 1) != p.changed {
			t = append(t, "")
		}
		t = append(t, p.text)
	}
	return &t
}

func (v *pageView) hunks(old, new string) (all []pageHunk, more int, complete bool) {
	most := v.options.MaxLines
	if most == 0 {
		most = maxPageLines
	}
	diff, complete := lineDiff(old, new)
	for _, h := range hunks(diff, v.text.context) {
		one := pageHunk{Old: h.old, New: h.new, Rows: [][2]*pageText{}}
		for _, r := range h.rows() {
			if most--; most == -1 {
				more = changedLines(diff)
				break
			}
			complete = complete && !r.partial
			var pair [2]*pageText
			if r.old != nil {
				pair[0] = marked(r.old)
			}
			if r.new != nil {
				pair[1] = marked(r.new)
			}
			one.Rows = append(one.Rows, pair)
		}
		all = append(all, one)
		if more > 0 {
			break
		}
	}
	return all, more, complete
}

// parameters returns the parameters of a whole resource.
func (v *pageView) parameters(c *diff.Change) [][2]string {
	value := c.New
	if c.Op == diff.OpRemove {
		value = c.Old
	}
	h, ok := value.(*pcore.Hash)
	if !ok {
		return nil
	}
	var all [][2]string
	for k, e := range h.All() {
		value := scalar(e)
		if s, ok := e.(pcore.String); ok && isText(string(s)) {
			value = terminal.Text(string(s))
		}
		all = append(all, [2]string{scalar(k), clipped(value, maxPageValue)})
	}
	return all
}
