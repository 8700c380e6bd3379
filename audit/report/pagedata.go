package report

import (
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/page"
)

// pageData is the data of the script: the same members as in the form json, but
// with the findings split up, because a page can have 50,000 of them:
//
//	texts         all texts, once; other members have their indices
//	kinds         the facts that a finding shares with the same finding on other nodes
//	sources       the sources of copies: kinds have their indices from 1, and 0 if there is none
//	findings      kind, catalog and pointer of each finding; then its offset if its
//	              kind is hidden
//	catalogNames  name and node of each catalog
//
// Texts are numbered in the order of their use. The order does not depend on
// their content, so that [audit.Report.Frame] has the same numbers.
type pageData struct {
	document
	Findings *struct{}   `json:"findings,omitempty"` // hides the member of document
	Keyed    bool        `json:"keyed"`
	Rules    []page.Rule `json:"rules"`
}

// pageKind are the facts that the same finding on several nodes has in common.
type pageKind struct {
	rule                                                                     string
	class                                                                    rule.Class
	severity                                                                 rule.Severity
	confidence                                                               rule.Confidence
	typ, title, parameter, fingerprint, tag, name, shown, message, encodings string
	fix, manifest, link, location, repair, owner                             string
	line                                                                     int64
	hidden                                                                   bool
	repeats                                                                  audit.Element // of a title of the location; otherwise InValue
	source                                                                   int
}

// kindOf returns the kind of a finding that belongs to a repair.
func (w pageWriter) kindOf(f *audit.Finding, in member, sources *page.Numbers[audit.Source]) pageKind {
	l := &w.page.options.Locator
	k := pageKind{
		rule: f.Rule, class: f.Class, severity: f.Severity, confidence: f.Confidence, typ: f.Type, title: f.Title, parameter: f.Parameter,
		line: f.Line, manifest: l.Path(f.File), link: l.URL(f.File, f.Line), fix: fixOf(w.page.report, f), location: in.key.String(), fingerprint: f.Fingerprint, tag: f.Tag,
		name: f.Name, shown: f.Shown, message: f.Message, repair: f.Repair, owner: f.Owner, encodings: strings.Join(f.Encodings, " "), hidden: f.Hidden,
	}
	if in.repeats {
		k.repeats = f.Element
	}
	if f.Source != nil {
		k.source = sources.Of(*f.Source) + 1
	}
	return k
}

// data writes the data of the script.
func (w pageWriter) data() error {
	r := w.page.report
	d := pageData{document: documentOf(r, w.page.options), Keyed: r.Keyed, Rules: []page.Rule{}}
	rules, kinds := page.Numbers[string]{}, page.Numbers[pageKind]{}
	sources := page.Numbers[audit.Source]{}
	kindOf := make([]int, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		kindOf[i] = kinds.Of(w.kindOf(f, w.page.repairs.of[i], &sources))
		if rules.Of(f.Rule) == len(d.Rules) {
			d.Rules = append(d.Rules, pageRuleOf(f, r.Rules))
		}
	}
	frame, err := page.JSON(d)
	if err != nil {
		return err
	}
	w.Print(string(frame[:len(frame)-1]))
	texts, catalogs := page.Numbers[string]{}, page.Numbers[[2]string]{}
	w.Print(`,"kinds":[`)
	for i, k := range kinds.List {
		w.Comma(i)
		w.Row(rules.Of(k.rule), int(k.class), int(k.severity), int(k.confidence), texts.Of(k.typ), texts.Of(k.title), texts.Of(k.parameter), texts.Of(k.manifest), int(k.line),
			texts.Of(k.fingerprint), texts.Of(k.tag), texts.Of(k.name), texts.Of(k.shown), texts.Of(k.message), texts.Of(k.encodings), number(k.hidden),
			texts.Of(k.fix), texts.Of(k.link), texts.Of(k.location), int(k.repeats), texts.Of(k.repair), texts.Of(k.owner), k.source)
	}
	w.Print(`],"sources":[`)
	for i, s := range sources.List {
		w.Comma(i)
		w.Row(number(s.Declared), texts.Of(s.Ref), texts.Of(s.Pointer), texts.Of(w.page.options.Locator.Path(s.File)), int(s.Line), s.Others)
	}
	w.Print(`],"findings":[`)
	for i := range r.Findings {
		f := &r.Findings[i]
		w.Comma(i)
		row := []int{kindOf[i], catalogs.Of([2]string{f.Catalog, f.Node}), texts.Of(f.Pointer)}
		if f.Hidden {
			row = append(row, int(f.Offset))
		}
		w.Row(row...)
	}
	w.Print(`],"catalogNames":[`)
	for i, c := range catalogs.List {
		w.Comma(i)
		w.Row(texts.Of(c[0]), texts.Of(c[1]))
	}
	w.Print(`],"texts":[`)
	if err := w.Texts(texts.List); err != nil {
		return err
	}
	w.Print("]}")
	return nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func pageRuleOf(f *audit.Finding, rules *rule.Registry) page.Rule {
	out := page.Rule{ID: f.Rule, Class: f.Class.String(), Severity: f.Severity.String(), Title: title(f, rules)}
	if rules == nil {
		return out
	}
	if known, ok := rules.ByID(f.Rule); ok {
		out.Severity, out.CWE = known.Severity.String(), known.CWE
		out.Doc, out.Remedy, out.Wrong, out.Right = known.Doc, known.Remedy, known.Wrong, known.Right
	}
	return out
}

// fixOf returns the fix of a finding, with another one as a comment.
func fixOf(r *audit.Report, f *audit.Finding) string {
	fix := r.Fix(f)
	if setting := f.Setting(); setting != "" {
		fix += "  # or " + setting
	}
	return fix
}
