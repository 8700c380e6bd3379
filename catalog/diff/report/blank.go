package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/pcore"
)

// blank returns a report of the same shape without the texts of catalogs and of users:
// only the fixed words of a format are left when it is written. References and names of
// nodes become different ones, so that the same changes belong together.
func blank(r *diff.Report) *diff.Report {
	b := blanker{make(map[string]string)}
	c := *r
	for _, list := range []*[]string{&c.Changed, &c.Unchanged, &c.OnlyOld, &c.OnlyNew, &c.NotComparable} {
		*list = b.names(*list)
	}
	c.Failed = slices.Clone(r.Failed)
	for i := range c.Failed {
		f := &c.Failed[i]
		f.Name, f.Old, f.New = b.name(f.Name), b.failure(f.Old), b.failure(f.New)
	}
	c.NewWarnings = slices.Clone(r.NewWarnings)
	for i := range c.NewWarnings {
		w := &c.NewWarnings[i]
		w.Text, w.Nodes = b.name(w.Text), b.names(w.Nodes)
	}
	c.Nodes = slices.Clone(r.Nodes)
	for i := range c.Nodes {
		c.Nodes[i].Name = b.name(c.Nodes[i].Name)
	}
	c.Sets = slices.Clone(r.Sets)
	for i := range c.Sets {
		c.Sets[i].Nodes = b.names(c.Sets[i].Nodes)
	}
	c.Ignored = slices.Clone(r.Ignored)
	for i := range c.Ignored {
		c.Ignored[i].Rule = b.name(c.Ignored[i].Rule)
	}
	c.Rules = slices.Clone(r.Rules)
	for i := range c.Rules {
		c.Rules[i].Rule, c.Rules[i].Failure = b.name(c.Rules[i].Rule), b.name(c.Rules[i].Failure)
	}
	c.Changes = slices.Clone(r.Changes)
	for i := range c.Changes {
		b.change(&c.Changes[i])
	}
	return &c
}

// blanker replaces texts. It maps names to other names.
type blanker struct{ known map[string]string }

func (b *blanker) name(s string) string {
	if s == "" {
		return ""
	}
	if b.known[s] == "" {
		b.known[s] = "x[" + strconv.Itoa(len(b.known)) + "]"
	}
	return b.known[s]
}

func (b *blanker) names(list []string) []string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = b.name(s)
	}
	return names
}

func (b *blanker) failure(f *diff.Failure) *diff.Failure {
	if f == nil {
		return nil
	}
	return &diff.Failure{Message: b.name(f.Message), File: b.name(f.File), Line: f.Line}
}

// manifest keeps the folder of environments in a path, so that the links are the same.
func (b *blanker) manifest(file string) string {
	below, name := environment.Cut(file)
	if name == "" {
		return b.name(file)
	}
	return "environments/" + b.name(name) + "/" + b.name(below)
}

func (b *blanker) change(c *diff.Change) {
	c.Ref, c.From, c.Container, c.File = b.name(c.Ref), b.name(c.From), b.name(c.Container), b.manifest(c.File)
	c.Path, c.OldText, c.NewText = b.path(c.Path), b.text(c.OldText), b.text(c.NewText)
	c.Detail, c.OldDigest, c.NewDigest = b.name(c.Detail), b.name(c.OldDigest), b.name(c.NewDigest)
	c.Old, c.New = b.value(c.Old), b.value(c.New)
	c.Data = slices.Clone(c.Data)
	for i := range c.Data {
		d := &c.Data[i]
		d.Path, d.Old, d.New = b.name(d.Path), b.value(d.Old), b.value(d.New)
	}
	c.Effects = slices.Clone(c.Effects)
	for i := range c.Effects {
		e := &c.Effects[i]
		e.Ref, e.Via, e.Detail = b.name(e.Ref), b.name(e.Via), b.name(e.Detail)
	}
}

// path replaces all but the first step of a path, which is a member of a resource.
func (b *blanker) path(s string) string {
	first, rest, found := strings.Cut(strings.TrimPrefix(s, "/"), "/")
	if !found {
		return s
	}
	return "/" + first + "/" + b.name(rest)
}

// text replaces the lines of a text: equal ones become equal.
func (b *blanker) text(s string) string {
	var t strings.Builder
	for line := range strings.Lines(s) {
		line, end := strings.CutSuffix(line, "\n")
		t.WriteString(b.name(line))
		if end {
			t.WriteByte('\n')
		}
	}
	return t.String()
}

// value replaces the texts in a value, and other scalars by 0.
func (b *blanker) value(v pcore.Value) pcore.Value {
	if v == nil {
		return nil
	}
	blank, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		switch v := c.Value().(type) {
		case pcore.String:
			return pcore.String(b.text(string(v))), nil
		case *pcore.Array, *pcore.Hash, *pcore.Sensitive, pcore.Undef, pcore.Boolean:
			return v, nil
		default:
			return pcore.Integer(0), nil
		}
	})
	if err != nil {
		return pcore.Undef{}
	}
	return blank
}
