package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/sarif"
	"github.com/pcatdev/pcat/internal/tally"
)

// sarifExtra are the properties of a result, which is a change, or all changes of a kind at one line of a
// manifest.
type sarifExtra struct {
	IDs     []string `json:"ids"` // of the changes in JSON
	Op      string   `json:"op"`  // of the first one
	Rank    string   `json:"rank"`
	Effects []string `json:"effects"`
	Nodes   []string `json:"nodes"`
}

// located is a change with the nodes that have it.
type located struct {
	*diff.Change

	in *diff.Set
}

func writeSARIF(w io.Writer, r *diff.Report, o Options) error {
	rules, index := sarifRules(r)
	log := sarif.New[sarifExtra](o.Version, rules, sarif.Invocation{Successful: true})
	t := newText(r, Options{Width: o.Width})
	results := &log.Runs[0].Results
	var all []located
	for i := range r.Sets {
		for _, c := range t.changes(&r.Sets[i]) {
			all = append(all, located{c, &r.Sets[i]})
		}
	}
	for _, of := range sarif.Group(all, func(c located) sarif.Site { return sarif.Site{Rule: ruleOf(c.Change), File: c.File, Line: c.Line} }) {
		first := slices.MaxFunc(of, func(a, b located) int { return cmp.Compare(a.Rank, b.Rank) })
		rule := ruleOf(first.Change)
		result := sarif.Result[sarifExtra]{
			RuleID: rule, RuleIndex: index[rule], Level: sarifLevel(first.Rank),
			Message:      sarif.Text{Text: t.grouped(r, first, of)},
			Locations:    []sarif.Location{sarifLocation(first, &o.Locator)},
			Fingerprints: map[string]string{"pcatDiff/v1": slices.Min(tally.Distinct(of, func(c located) string { return fingerprint(c.Change) }))},
			Viewer:       o.Locator.URL(first.File, first.Line),
			Properties:   sarifExtra{Op: string(first.Op), Rank: first.Rank.String(), Effects: []string{}},
		}
		p := &result.Properties
		for _, c := range of {
			if c.Change != first.Change && len(result.Related) < sarif.MaxRelated {
				result.Related = append(result.Related, sarifLocation(c, &o.Locator))
			}
			p.IDs = append(p.IDs, c.ID)
			p.Nodes = append(p.Nodes, c.in.Nodes...)
			for _, e := range c.Effects {
				p.Effects = append(p.Effects, effectText(c.Change, &e))
			}
		}
		text := func(s string) string { return s }
		p.IDs, p.Nodes, p.Effects = tally.Distinct(p.IDs, text), tally.Distinct(p.Nodes, text), tally.Distinct(p.Effects, text)
		*results = append(*results, result)
	}
	for _, f := range r.Failed {
		if f.New == nil {
			continue
		}
		level := "error"
		if f.IsKnown() {
			level = "note"
		}
		*results = append(*results, sarif.Result[sarifExtra]{
			RuleID: notCompiled, RuleIndex: index[notCompiled], Level: level, Message: sarif.Text{Text: f.Name + " does not compile: " + f.New.Message},
			Locations:    []sarif.Location{sarif.Line(cmp.Or(o.Locator.Path(f.New.File), f.Name), f.New.Line)},
			Fingerprints: map[string]string{"pcatDiff/v1": digest(strings.Join([]string{notCompiled, f.Name, f.New.Message}, " "))},
			Viewer:       o.Locator.URL(f.New.File, f.New.Line),
			Properties:   sarifExtra{IDs: []string{}, Rank: diff.RankDanger.String(), Effects: []string{}, Nodes: []string{f.Name}},
		})
	}
	e := encoder(w)
	e.SetIndent("", " ")
	return e.Encode(log)
}

// notCompiled is the ID of the rule about nodes that do not compile.
const notCompiled = "compile"

// ruleOf returns the ID of the rule of a change: its kind or, for whole resources, the
// operation.
func ruleOf(c *diff.Change) string {
	switch {
	case c.Kind != kind.Resource:
		return string(c.Kind)
	case c.Op == diff.OpAdd:
		return "resource-added"
	default:
		return "resource-removed"
	}
}

// ruleTexts describe the rules.
func ruleTexts(id string) string {
	switch diff.Kind(id) {
	case notCompiled:
		return "A catalog does not compile"
	case "resource-added":
		return "A resource was added"
	case "resource-removed":
		return "A resource is no longer managed"
	case kind.Rename:
		return "A resource was renamed"
	case kind.Content:
		return "The content of a file changed"
	case kind.Type:
		return "The type of a value changed"
	case kind.Secret:
		return "A Sensitive value changed"
	case kind.Sensitivity:
		return "A value became Sensitive, or is no longer Sensitive"
	case kind.Relation:
		return "A relationship changed"
	case kind.Container:
		return "A resource is contained elsewhere"
	case kind.Tags:
		return "The tags of a resource changed"
	case kind.Static:
		return "The source of a file changed"
	case kind.Deferred:
		return "A Deferred call changed"
	case kind.Catalog:
		return "A property of the catalog changed"
	default:
		return "A value changed"
	}
}

// sarifRules returns the rules of the changes, and their indexes.
func sarifRules(r *diff.Report) ([]sarif.Rule, map[string]int) {
	var ids []string
	for i := range r.Changes {
		ids = append(ids, ruleOf(&r.Changes[i]))
	}
	if len(r.Failed) > 0 {
		ids = append(ids, notCompiled)
	}
	slices.Sort(ids)
	rules, index := []sarif.Rule{}, make(map[string]int)
	for _, id := range slices.Compact(ids) {
		index[id] = len(rules)
		text := sarif.Text{Text: ruleTexts(id)}
		rules = append(rules, sarif.Rule{
			ID: id, Name: sarif.Pascal(id), Short: text, Full: text, Help: sarif.Help{Text: "Compare the catalogs with pcat diff to see all of the change."},
			Default: sarif.Level{Level: "note"}, Properties: sarif.Properties{Tags: []string{"catalog"}},
		})
	}
	return rules, index
}

// sarifLevel returns the SARIF level of a rank.
func sarifLevel(r diff.Rank) string {
	switch r {
	case diff.RankDanger:
		return "error"
	case diff.RankRestart:
		return "warning"
	default:
		return "note"
	}
}

// sarifLocation returns the location of a change. Code hosts refuse results without a file:
// without a manifest, it has the name of a node.
func sarifLocation(c located, locator *manifest.Locator) sarif.Location {
	line := c.Line
	if c.File == "" {
		line = 0
	}
	l := sarif.Line(cmp.Or(locator.Path(c.File), c.in.Nodes[0]), line)
	if c.Ref != "" {
		l.Logical = append(l.Logical, sarif.Logical{Name: c.Ref, Full: c.Ref, Kind: "resource"})
	}
	if c.Path != "" {
		l.Logical = append(l.Logical, sarif.Logical{Name: pathName(c.Path), Full: c.Ref + c.Path, Kind: "member"})
	}
	return l
}

// grouped describes the first one of several changes on one line, with the number of the others.
func (t *text) grouped(r *diff.Report, first located, all []located) string {
	text := fmt.Sprintf("%s (%s)", t.sentence(first.Change), setName(r, first.in))
	if len(all) > 1 {
		text += fmt.Sprintf(", and %s at this line", count(len(all)-1, "more change"))
	}
	return text
}

// sentence describes a change on one line.
func (t *text) sentence(c *diff.Change) string {
	name := cmp.Or(c.Ref, "the catalog")
	switch {
	case c.Path != "":
		if values := t.values(c); values != "" {
			return name + " " + pathName(c.Path) + ": " + values
		}
		return name + " " + pathName(c.Path)
	case c.Op == diff.OpMove:
		return name + " renamed from " + c.From
	case c.Op == diff.OpAdd:
		return name + " added"
	default:
		return name + " removed"
	}
}

// values describes the values of a change on one line.
func (t *text) values(c *diff.Change) string {
	v := viewOf(c)
	switch {
	case v.note != "" || v.hidden:
		return v.note
	case v.data != nil:
		d := v.data[0]
		more := ""
		if len(v.data) > 1 {
			more = fmt.Sprintf(" and %d more", len(v.data)-1)
		}
		return d.Path + " " + t.oneLine(d.Op, d.Old, d.New) + more
	case v.isText:
		all, _ := lineDiff(v.old, v.new)
		return count(changedLines(all), "changed line")
	case v.isList:
		return t.elements(v.minus, v.plus)
	default:
		return t.oneLine(c.Op, c.Old, c.New)
	}
}

// markers are the replacements of secrets, which have a number.
var markers = lazyregexp.New(`redacted-\d+-by-pcat`)

// fingerprint identifies a change in the reports of several runs: by all that a report
// shows of it, but its nodes, its location in a manifest and its effects. So it contains
// nothing of a secret, and other changes of a secret have the same fingerprint.
func fingerprint(c *diff.Change) string {
	text, err := json.Marshal([]any{c.Op, c.Kind, c.Ref, c.From, c.Path, newValue(c.Old), newValue(c.New), c.OldSecret, c.NewSecret, c.Detail})
	if err != nil {
		text = []byte(strings.Join([]string{string(c.Op), c.Ref, c.Path}, "\x00"))
	}
	return digest(markers.Get().ReplaceAllString(string(text), "redacted"))
}

// digest returns the beginning of the hash of a text, which suffices to distinguish texts.
func digest(text string) string {
	const size = 16
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:size])
}
