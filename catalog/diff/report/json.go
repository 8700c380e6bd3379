package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// formatVersion is the version of the JSON. A new member changes the second number, and
// another meaning the first.
const formatVersion = "1.1"

type document struct {
	FormatVersion string    `json:"format_version"`
	Profiles      []string  `json:"profiles"`
	Rank          string    `json:"rank"`
	Changes       []change  `json:"changes"`
	Sets          []set     `json:"sets"`
	OnlyOld       []string  `json:"only_old"`
	OnlyNew       []string  `json:"only_new"`
	Unchanged     []string  `json:"unchanged"`
	Nodes         []node    `json:"nodes"`
	Ignored       []ignored `json:"ignored"`
	Rules         []rule    `json:"rules"`
	Filtered      int       `json:"filtered"`
	NotComparable []string  `json:"not_comparable"`
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
	OldSensitive bool         `json:"old_sensitive"`
	NewSensitive bool         `json:"new_sensitive"`
	SameValue    bool         `json:"same_value,omitempty"`
	Detail       string       `json:"detail,omitempty"`
	Structured   []structured `json:"structured,omitempty"`
	Format       string       `json:"format,omitempty"`
	At           *at          `json:"at,omitempty"`
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

type at struct {
	File      string `json:"file,omitempty"`
	Line      int64  `json:"line,omitempty"`
	Container string `json:"container,omitempty"`
}

type structured struct {
	Op   string `json:"op"`
	Path string `json:"path"`
	Old  *value `json:"old"`
	New  *value `json:"new"`
}

type effect struct {
	Effect string `json:"effect"`
	Ref    string `json:"ref"`
	Via    string `json:"via,omitempty"`
	Rank   string `json:"rank"`
	Detail string `json:"detail,omitempty"`
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
}

func newDocument(r *diff.Report) document {
	d := document{
		FormatVersion: formatVersion, Rank: r.Rank().String(), Profiles: []string{}, Changes: []change{}, Sets: []set{}, Ignored: []ignored{},
		Nodes: []node{}, Rules: []rule{}, Filtered: r.Filtered,
		OnlyOld: list(r.OnlyOld), OnlyNew: list(r.OnlyNew), Unchanged: list(r.Unchanged), NotComparable: list(r.NotComparable),
	}
	for _, p := range r.Profiles {
		d.Profiles = append(d.Profiles, string(p))
	}
	for _, n := range r.Nodes {
		percent := math.Round(10*n.Percent()) / 10
		d.Nodes = append(d.Nodes, node{n.Name, n.Resources, n.Changed, n.Added, n.Removed, n.Renamed, percent, n.Rank.String()})
	}
	for _, u := range r.Rules {
		d.Rules = append(d.Rules, rule(u))
	}
	for i := range r.Changes {
		d.Changes = append(d.Changes, newChange(&r.Changes[i]))
	}
	for _, s := range r.Sets {
		d.Sets = append(d.Sets, set{s.Nodes, s.Changes, s.Normalized, s.Rank.String()})
	}
	for _, i := range r.Ignored {
		d.Ignored = append(d.Ignored, ignored{string(i.Profile), i.What, i.Rule, i.Count})
	}
	return d
}

func newChange(c *diff.Change) change {
	d := change{
		ID: c.ID, Op: string(c.Op), Ref: c.Ref, Path: c.Path, From: c.From, Kind: string(c.Kind), Old: newValue(c.Old).identified(c.OldDigest), New: newValue(c.New).identified(c.NewDigest),
		OldSensitive: c.OldSecret, NewSensitive: c.NewSecret, SameValue: c.Same, Detail: c.Detail, Format: c.Format, Effects: []effect{}, Rank: c.Rank.String(),
	}
	for _, s := range c.Data {
		d.Structured = append(d.Structured, structured{string(s.Op), s.Path, newValue(s.Old), newValue(s.New)})
	}
	if c.File != "" || c.Container != "" {
		d.At = &at{c.File, c.Line, c.Container}
	}
	for _, e := range c.Effects {
		d.Effects = append(d.Effects, effect{e.Effect, e.Ref, e.Via, e.Rank.String(), e.Detail})
	}
	return d
}

// newValue returns v as rich data, with its type. Sensitives in it are hidden.
func newValue(v pcore.Value) *value {
	if v == nil {
		return nil
	}
	if v.Kind() == pcore.KindSensitive {
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
	return v.Kind().String()
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func writeJSON(w io.Writer, r *diff.Report) error {
	e := encoder(w)
	e.SetIndent("", " ")
	return e.Encode(newDocument(r))
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	return e
}

// writeLines writes one object a line, with the name of its kind as the only key.
func writeLines(w io.Writer, r *diff.Report) error {
	d := newDocument(r)
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
