package report

import (
	"strconv"
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
//	findings      kind, catalog and pointer of each finding; then its offset if its
//	              kind is hidden
//	catalogNames  name and node of each catalog
//
// Texts are numbered in the order of their use. The order does not depend on
// their content, so that [audit.Report.Frame] has the same numbers.
type pageData struct {
	document
	Findings *struct{}  `json:"findings,omitempty"` // hides the member of document
	Keyed    bool       `json:"keyed"`
	Rules    []pageRule `json:"rules"`
}

// pageRule is a rule in the data of the page.
type pageRule struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Class    string `json:"class"`
	Severity string `json:"severity"`
	CWE      int    `json:"cwe,omitempty"`
	Doc      string `json:"doc,omitempty"`
	Remedy   string `json:"remedy,omitempty"`
	Wrong    string `json:"wrong,omitempty"`
	Right    string `json:"right,omitempty"`
}

// pageKind are the facts that the same finding on several nodes has in common.
type pageKind struct {
	rule                                                                     string
	class                                                                    rule.Class
	severity                                                                 rule.Severity
	confidence                                                               rule.Confidence
	typ, title, parameter, fingerprint, tag, name, shown, message, encodings string
	fix, manifest, link, place, repair, owner                                string
	line                                                                     int64
	hidden                                                                   bool
	repeats                                                                  audit.Element // of a title of the place; otherwise InValue
}

// kindOf returns the kind of a finding that belongs to a repair.
func (w pageWriter) kindOf(f *audit.Finding, in member) pageKind {
	l := &w.page.options.Locator
	k := pageKind{
		rule: f.Rule, class: f.Class, severity: f.Severity, confidence: f.Confidence, typ: f.Type, title: f.Title, parameter: f.Parameter,
		line: f.Line, manifest: l.Path(f.File), link: l.URL(f.File, f.Line), fix: fixOf(w.page.report, f), place: in.key.String(), fingerprint: f.Fingerprint, tag: f.Tag,
		name: f.Name, shown: f.Shown, message: f.Message, repair: f.Repair, owner: f.Owner, encodings: strings.Join(f.Encodings, " "), hidden: f.Hidden,
	}
	if in.repeats {
		k.repeats = f.Element
	}
	return k
}

// data writes the data of the script.
func (w pageWriter) data() error {
	r := w.page.report
	d := pageData{document: documentOf(r, w.page.options), Keyed: r.Keyed, Rules: []pageRule{}}
	rules, kinds := numbers[string]{}, numbers[pageKind]{}
	kindOf := make([]int, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		kindOf[i] = kinds.of(w.kindOf(f, w.page.repairs.of[i]))
		if rules.of(f.Rule) == len(d.Rules) {
			d.Rules = append(d.Rules, pageRuleOf(f, r.Rules))
		}
	}
	frame, err := page.JSON(d)
	if err != nil {
		return err
	}
	w.Print(string(frame[:len(frame)-1]))
	texts, catalogs := numbers[string]{}, numbers[[2]string]{}
	w.Print(`,"kinds":[`)
	for i, k := range kinds.list {
		w.comma(i)
		w.row(rules.of(k.rule), int(k.class), int(k.severity), int(k.confidence), texts.of(k.typ), texts.of(k.title), texts.of(k.parameter), texts.of(k.manifest), int(k.line),
			texts.of(k.fingerprint), texts.of(k.tag), texts.of(k.name), texts.of(k.shown), texts.of(k.message), texts.of(k.encodings), number(k.hidden),
			texts.of(k.fix), texts.of(k.link), texts.of(k.place), int(k.repeats), texts.of(k.repair), texts.of(k.owner))
	}
	w.Print(`],"findings":[`)
	for i := range r.Findings {
		f := &r.Findings[i]
		w.comma(i)
		row := []int{kindOf[i], catalogs.of([2]string{f.Catalog, f.Node}), texts.of(f.Pointer)}
		if f.Hidden {
			row = append(row, int(f.Offset))
		}
		w.row(row...)
	}
	w.Print(`],"catalogNames":[`)
	for i, c := range catalogs.list {
		w.comma(i)
		w.row(texts.of(c[0]), texts.of(c[1]))
	}
	w.Print(`],"texts":[`)
	if err := w.texts(texts.list); err != nil {
		return err
	}
	w.Print("]}")
	return nil
}

func (w pageWriter) comma(i int) {
	if i > 0 {
		w.Print(",")
	}
}

func (w pageWriter) row(numbers ...int) {
	var b []byte
	for i, n := range numbers {
		b = strconv.AppendInt(append(b, "[,"[min(i, 1)]), int64(n), 10)
	}
	w.Print(string(append(b, ']')))
}

func (w pageWriter) texts(list []string) error {
	for i, s := range list {
		w.comma(i)
		text, err := page.JSON(s)
		if err != nil {
			return err
		}
		w.Print(string(text))
	}
	return nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// numbers numbers different values in the order of their first use.
type numbers[T comparable] struct {
	list  []T
	known map[T]int
}

func (n *numbers[T]) of(v T) int {
	i, ok := n.known[v]
	if !ok {
		if n.known == nil {
			n.known = map[T]int{}
		}
		i = len(n.list)
		n.known[v], n.list = i, append(n.list, v)
	}
	return i
}

func pageRuleOf(f *audit.Finding, rules *rule.Registry) pageRule {
	out := pageRule{ID: f.Rule, Class: f.Class.String(), Severity: f.Severity.String(), Title: title(f, rules)}
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
