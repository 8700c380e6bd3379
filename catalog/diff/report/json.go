package report

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// formatVersion is the version of the JSON. A new member changes the second number, and
// another meaning the first.
const formatVersion = "1.0"

type document struct {
	envelope.Envelope

	Profiles      []string  `json:"profiles"`
	Rank          string    `json:"rank"`
	Changes       []change  `json:"changes"`
	Sets          []set     `json:"sets"`
	OnlyOld       []string  `json:"only_old"`
	OnlyNew       []string  `json:"only_new"`
	Failed        []failed  `json:"failed"`
	NewWarnings   []warning `json:"new_warnings"`
	Unchanged     []string  `json:"unchanged"`
	Nodes         []node    `json:"nodes"`
	Ignored       []ignored `json:"ignored"`
	Rules         []rule    `json:"rules"`
	Filtered      int       `json:"filtered"`
	NotComparable []string  `json:"not_comparable"`
}

// failed is a node that does not compile.
type failed struct {
	Name string   `json:"name"`
	Old  *failure `json:"old"` // null if it compiles
	New  *failure `json:"new"`
	// Known reports that both sides have the same message.
	Known bool `json:"known"`
}

type failure struct {
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int64  `json:"line,omitempty"`
}

type warning struct {
	Text  string   `json:"text"`
	Nodes []string `json:"nodes"`
}

type change struct {
	ID           string       `json:"id"`
	Op           string       `json:"op"`
	Ref          string       `json:"ref"`
	Path         string       `json:"path"`
	From         string       `json:"from,omitempty"`
	Kind         string       `json:"kind"`
	Old          *value       `json:"old"`
	New          *value       `json:"new"`
	OldSensitive any          `json:"old_sensitive"` // a mask; see sensitiveMask
	NewSensitive any          `json:"new_sensitive"`
	SameValue    bool         `json:"same_value,omitempty"`
	IsContainer  bool         `json:"is_container,omitempty"`
	Alike        bool         `json:"alike,omitempty"`
	Detail       string       `json:"detail,omitempty"`
	Structured   []structured `json:"structured,omitempty"`
	Format       string       `json:"format,omitempty"`
	Diff         *textDiff    `json:"diff,omitempty"`
	Manifest     string       `json:"manifest,omitempty"`
	Line         int64        `json:"line,omitempty"`
	Container    string       `json:"container,omitempty"`
	Effects      []effect     `json:"effects"`
	Rank         string       `json:"rank"`
}

// value is a value with the name of its type. A secret has no value, but it may have a
// digest.
type value struct {
	Type   string          `json:"type"`
	Value  json.RawMessage `json:"value,omitempty"`
	Digest string          `json:"digest,omitempty"`
}

// identified adds the digest of a secret.
func (v *value) identified(digest string) *value {
	if v != nil {
		v.Digest = digest
	}
	return v
}

type structured struct {
	Op   string `json:"op"`
	Path string `json:"path"`
	Old  *value `json:"old"`
	New  *value `json:"new"`
}

// textDiff is the difference of two texts by lines, as in a unified diff.
type textDiff struct {
	Style    string     `json:"style"`
	Encoding string     `json:"encoding,omitempty"` // of the values that contain the texts
	Partial  bool       `json:"partial,omitempty"`  // not all lines were compared
	Hunks    []textHunk `json:"hunks"`
}

type textHunk struct {
	OldStart int      `json:"old_start"`
	OldLines int      `json:"old_lines"`
	NewStart int      `json:"new_start"`
	NewLines int      `json:"new_lines"`
	Lines    []string `json:"lines"`
}

type effect struct {
	Effect string    `json:"effect"`
	Ref    string    `json:"ref"`
	Via    string    `json:"via,omitempty"`
	Rank   string    `json:"rank"`
	Detail string    `json:"detail,omitempty"`
	Diff   *textDiff `json:"diff,omitempty"`
}

type set struct {
	Nodes      []string `json:"nodes"`
	Changes    []string `json:"changes"`
	Normalized bool     `json:"normalized"`
	Rank       string   `json:"rank"`
}

type ignored struct {
	Profile string `json:"profile,omitempty"`
	What    string `json:"what,omitempty"`
	Rule    string `json:"rule,omitempty"`
	Count   int    `json:"count"`
}

type rule struct {
	Rule     string `json:"rule"`
	Count    int    `json:"count"`
	Failures int    `json:"failures,omitempty"`
	Failure  string `json:"failure,omitempty"`
}

type node struct {
	Node      string  `json:"node"`
	Resources int     `json:"resources"`
	Changed   int     `json:"changed"`
	Added     int     `json:"added"`
	Removed   int     `json:"removed"`
	Renamed   int     `json:"renamed"`
	Percent   float64 `json:"percent"`
	Rank      string  `json:"rank"`
	OldFormat string  `json:"old_format,omitempty"`
	NewFormat string  `json:"new_format,omitempty"`

	OldEnvironment string `json:"old_environment,omitempty"`
	NewEnvironment string `json:"new_environment,omitempty"`
}

func newDocument(r *diff.Report, o Options) document {
	d := document{
		Envelope: envelope.New(o.Version, formatVersion), Rank: r.Rank().String(), Profiles: []string{}, Changes: []change{}, Sets: []set{}, Ignored: []ignored{},
		Nodes: []node{}, Rules: []rule{}, Failed: []failed{}, NewWarnings: []warning{}, Filtered: r.Filtered,
		OnlyOld: list(r.OnlyOld), OnlyNew: list(r.OnlyNew), Unchanged: list(r.Unchanged), NotComparable: list(r.NotComparable),
	}
	for _, f := range r.Failed {
		d.Failed = append(d.Failed, failed{f.Name, (*failure)(f.Old), (*failure)(f.New), f.IsKnown()})
	}
	for _, w := range r.NewWarnings {
		d.NewWarnings = append(d.NewWarnings, warning(w))
	}
	for _, p := range r.Profiles {
		d.Profiles = append(d.Profiles, string(p))
	}
	for _, n := range r.Nodes {
		percent := math.Round(10*n.Percent()) / 10
		d.Nodes = append(d.Nodes, node{n.Name, n.Resources, n.Changed, n.Added, n.Removed, n.Renamed, percent, n.Rank.String(), n.OldFormat, n.NewFormat, n.OldEnvironment, n.NewEnvironment})
	}
	for _, u := range r.Rules {
		d.Rules = append(d.Rules, rule(u))
	}
	for i := range r.Changes {
		d.Changes = append(d.Changes, newChange(&r.Changes[i], &o))
	}
	for _, s := range r.Sets {
		d.Sets = append(d.Sets, set{s.Nodes, s.Changes, s.Normalized, s.Rank.String()})
	}
	for _, i := range r.Ignored {
		d.Ignored = append(d.Ignored, ignored{string(i.Profile), i.What, i.Rule, i.Count})
	}
	return d
}

func newChange(c *diff.Change, o *Options) change {
	context := o.context()
	d := change{
		ID: c.ID, Op: string(c.Op), Ref: c.Ref, Path: c.Path, From: c.From, Kind: string(c.Kind), Old: newValue(c.Old).identified(c.OldDigest), New: newValue(c.New).identified(c.NewDigest),
		OldSensitive: c.OldSecret, NewSensitive: c.NewSecret, SameValue: c.Same, IsContainer: c.IsContainer, Alike: c.Alike, Detail: c.Detail, Format: c.Format, Effects: []effect{}, Rank: rankName(c), Diff: newTextDiff(c, context),
		Manifest: o.Locator.Path(c.File), Line: c.Line, Container: c.Container,
	}
	if !c.OldSecret && !c.NewSecret { // otherwise both values are hidden
		d.OldSensitive, d.NewSensitive = sensitiveMask(c.Old), sensitiveMask(c.New)
	}
	for _, s := range c.Data {
		d.Structured = append(d.Structured, structured{string(s.Op), s.Path, newValue(s.Old), newValue(s.New)})
	}
	for _, e := range c.Effects {
		d.Effects = append(d.Effects, effect{e.Effect, e.Ref, e.Via, e.Rank.String(), e.Detail, newAssembledDiff(&e, context)})
	}
	return d
}

// rankName returns the rank of a change. One that means the same to Puppet has none.
func rankName(c *diff.Change) string {
	if c.Alike {
		return "none"
	}
	return c.Rank.String()
}

// newTextDiff returns the difference of the texts in a change, or nil if it has none.
func newTextDiff(c *diff.Change, context int) *textDiff {
	if c.OldText != "" {
		return textDiffOf(c.OldText, c.NewText, "base64", context)
	}
	old, okOld := c.Old.(pcore.String)
	new, okNew := c.New.(pcore.String)
	if !okOld || !okNew || old == new || !isText(string(old)) && !isText(string(new)) {
		return nil
	}
	return textDiffOf(string(old), string(new), "", context)
}

// newAssembledDiff returns the difference of a file that is assembled of fragments, or nil.
func newAssembledDiff(e *diff.Effect, context int) *textDiff {
	old, ok := e.Old.(pcore.String)
	new, also := e.New.(pcore.String)
	if !ok || !also {
		return nil
	}
	return textDiffOf(string(old), string(new), "", context)
}

func textDiffOf(old, new, encoding string, context int) *textDiff {
	d := &textDiff{Style: "unified", Encoding: encoding, Hunks: []textHunk{}}
	all, complete := lineDiff(old, new)
	d.Partial = !complete
	for _, h := range hunks(all, context) {
		one := textHunk{h.old, h.oldLines, h.new, h.newLines, []string{}}
		for _, l := range h.lines {
			text, ended := strings.CutSuffix(l.text, "\n")
			one.Lines = append(one.Lines, string(l.op)+text)
			if !ended {
				one.Lines = append(one.Lines, `\ No newline at end of file`)
			}
		}
		d.Hunks = append(d.Hunks, one)
	}
	return d
}

// sensitiveMask returns true for a secret, false for a value without one, or the shape of
// a value with secrets in it: true in the location of each, nothing for the other values of a
// hash, and false for the other elements of an array. A value of another type, such as an
// object or a call, is secret if any part of it is.
func sensitiveMask(v pcore.Value) any {
	switch v := v.(type) {
	case nil:
		return false
	case *pcore.Sensitive:
		return true
	case *pcore.Hash:
		mask := make(map[string]any)
		for k, e := range v.All() {
			if m := sensitiveMask(e); m != false {
				mask[scalar(k)] = m
			}
		}
		if len(mask) > 0 {
			return mask
		}
	case *pcore.Array:
		mask, found := []any{}, false
		for e := range v.Values() {
			m := sensitiveMask(e)
			mask, found = append(mask, m), found || m != false
		}
		if found {
			return mask
		}
	default:
		return errors.Is(pcore.Walk(v, sensitiveInside), errSensitive)
	}
	return false
}

// errSensitive ends a walk.
var errSensitive = errors.New("the value is Sensitive")

func sensitiveInside(c *pcore.Cursor) error {
	if pcore.Is[*pcore.Sensitive](c.Value()) {
		return errSensitive
	}
	return nil
}

// newValue returns v as rich data, with its type. Sensitives in it are hidden.
func newValue(v pcore.Value) *value {
	if v == nil {
		return nil
	}
	if pcore.Is[*pcore.Sensitive](v) {
		return &value{Type: "Sensitive"}
	}
	text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
	if err != nil {
		text, _ = json.Marshal(v.String())
	}
	return &value{Type: typeName(v), Value: text}
}

// typeName returns the name of the type of a value.
func typeName(v pcore.Value) string {
	if o, ok := v.(*pcore.Object); ok {
		return o.TypeName()
	}
	return pcore.KindOf(v).String()
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func writeJSON(w io.Writer, r *diff.Report, o Options) error {
	e := encoder(w)
	e.SetIndent("", " ")
	return e.Encode(newDocument(r, o))
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	return e
}

// writeLines writes one object a line, with the name of its kind as the only key.
func writeLines(w io.Writer, r *diff.Report, o Options) error {
	d := newDocument(r, o)
	e := encoder(w)
	for i := range d.Changes {
		if err := e.Encode(map[string]any{"change": d.Changes[i]}); err != nil {
			return err
		}
	}
	for i := range d.Sets {
		if err := e.Encode(map[string]any{"set": d.Sets[i]}); err != nil {
			return err
		}
	}
	d.Changes, d.Sets = []change{}, []set{}
	return e.Encode(map[string]any{"end": d})
}
