package redact

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// Replacement is a location in a document that [Run] would change. It holds no secret: in
// titles and keys, secrets are replaced as in the output. Names are not: see [Options.Names].
type Replacement struct {
	// At is the resource with the parameter or member. An edge has the type Edge.
	At catalog.Location
	// Findings are the findings in this location, without their secrets, and with locations as in
	// the output. A location without findings has a declared secret, a copy of one, or only a name.
	Findings []audit.Finding
	// Declared is set if the location has a secret that is declared there.
	Declared bool
	// OnlyNames is set if the location has no secret, but a name that is replaced: see [Options.Names].
	OnlyNames bool
	// Copies are the copies of secrets in this location, each spelling once, if
	// [Options.Explain] is set.
	Copies []sensitive.Copy
}

// CheckResult has the locations of each input that [Run] would change, and its error, in
// order.
type CheckResult struct {
	Replacements [][]Replacement
	Failures     []error
}

// Clean reports whether Run would change nothing.
func (r *CheckResult) Clean() bool {
	return !slices.ContainsFunc(r.Replacements, func(locations []Replacement) bool { return len(locations) > 0 })
}

// Check finds the locations that [Run] would change, and writes nothing. It leaves out secrets
// that are encrypted already: those are safe to share, even if Run replaces them. The
// Masker and the Write and Target of the inputs are not used. An input that an audit did not search
// completely fails with a [CutError]. If an input fails, the others are still checked; the
// error is that of the context or of the audit.
func Check(ctx context.Context, inputs []Input, o Options) (*CheckResult, error) {
	o.Masker = sensitive.NewMaskUnencrypted()
	result := &Result{Failures: make([]error, len(inputs))}
	r := &run{Options: o, inputs: inputs, result: result}
	locations := make([][]Replacement, len(inputs))
	secrets, err := r.secrets(ctx)
	if err == nil {
		err = r.refuse(r.notes, secrets.Redactor(o.Masker))
	}
	if err == nil {
		r.collectNames(ctx, secrets.Redactor(o.Masker))
		for i := range inputs {
			if result.Failures[i] == nil {
				locations[i], result.Failures[i] = r.check(ctx, &inputs[i], secrets.Redactor(o.Masker))
			}
		}
		err = ctx.Err()
	}
	return &CheckResult{locations, result.Failures}, err
}

// check returns the locations of an input.
func (r *run) check(ctx context.Context, in *Input, redactor *sensitive.Redactor) (locations []Replacement, err error) {
	src, done, err := in.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := done.Close(); err == nil {
			err = closed
		}
	}()
	c := &comparison{redactor: redactor, explain: r.Explain, findings: map[member][]audit.Finding{}, secrets: map[string]bool{}}
	for _, f := range r.findings {
		if at, ok := memberOf(f.At); ok && f.Catalog == in.Name {
			f.Secret, f.Spelled = nil, nil
			c.findings[at] = append(c.findings[at], f)
		}
	}
	for p, err := range src.Parts() {
		if err != nil {
			return nil, redactor.Err(err)
		}
		to, _, err := catalog.Apply(ctx, redactor, p)
		if err != nil {
			return nil, err
		}
		clear(c.secrets)
		if err := c.part(p, to); err != nil {
			return nil, err
		}
		if r.names != nil {
			if err := c.names(ctx, r.names, to); err != nil {
				return nil, redactor.Err(err)
			}
		}
	}
	return c.locations, nil
}

// comparison lists the differences between a document and its redacted form.
type comparison struct {
	redactor  *sensitive.Redactor
	explain   bool
	findings  map[member][]audit.Finding
	locations []Replacement
	secrets   map[string]bool // the locations in this part that have a secret, as text
	named     bool            // the differences are names
}

// member identifies a parameter or another member of a resource, or a member of a
// catalog.
type member struct {
	catalog.Ref
	key pcore.String
}

// memberOf returns the member that contains a location. It returns false for an edge.
func memberOf(at catalog.Location) (member, bool) {
	if len(at.Path) == 0 {
		return member{}, false
	}
	key, ok := at.Path[0].Key.(pcore.String)
	return member{at.Ref, key}, ok
}

// names adds the locations of the names in a part without secrets.
func (c *comparison) names(ctx context.Context, masker *nameMasker, p catalog.Part) error {
	to, _, err := catalog.Apply(ctx, masker, p)
	if err != nil {
		return err
	}
	c.named = true
	defer func() { c.named = false }()
	return c.part(p, to)
}

func (c *comparison) part(p, to catalog.Part) error {
	switch p.Kind {
	case catalog.PartResource:
		if p.Resource != to.Resource {
			return c.resource(p.Resource, to.Resource)
		}
	case catalog.PartEdge:
		if p.Edge != to.Edge {
			at := catalog.Ref{Type: "Edge", Title: p.Edge.Source().String() + " -> " + p.Edge.Target().String()}
			c.add(catalog.Location{Ref: at}, pcore.String(at.Title), false)
		}
	case catalog.PartMember:
		if p.Member == to.Member {
			return nil
		}
		return c.members(catalog.Ref{}, []catalog.Member{*p.Member}, []catalog.Member{*to.Member}, nil)
	case catalog.PartMap, catalog.PartArray, catalog.PartEnd:
	}
	return nil
}

func (c *comparison) resource(from, to *catalog.Resource) error {
	ref := from.Ref()
	before, err := from.RawParameters()
	if err != nil {
		return err
	}
	after, err := to.RawParameters()
	if err != nil {
		return err
	}
	others := func(r *catalog.Resource) []catalog.Member { // the title is one of them
		return slices.DeleteFunc(slices.Clone(r.RawMembers()), func(m catalog.Member) bool { return m.Key == "parameters" })
	}
	if err := c.members(ref, others(from), others(to), nil); err != nil {
		return err
	}
	return c.members(ref, before, after, from.SensitiveParameters())
}

// members adds the members that differ. Masks keep the number of members.
func (c *comparison) members(ref catalog.Ref, before, after []catalog.Member, sensitive []string) error {
	listed := catalog.NamesOf(sensitive)
	for i := range before {
		b := &before[i]
		if i < len(after) && b.Key == after[i].Key {
			if same, err := equal(b, &after[i]); same || err != nil {
				if err != nil {
					return err
				}
				continue
			}
		}
		v, err := b.Value()
		if err != nil {
			return err
		}
		c.add(ref.Parameter(b.Key), v, listed.Has(b.Key) || bytes.Contains(b.Bytes(), []byte("Sensitive")))
	}
	return nil
}

// equal reports whether two members have the same value.
func equal(a, b *catalog.Member) (bool, error) {
	if raw := a.Bytes(); raw != nil && a.Wire() == b.Wire() && bytes.Equal(raw, b.Bytes()) {
		return true, nil
	}
	v, err := a.Value()
	if err != nil {
		return false, err
	}
	w, err := b.Value()
	return err == nil && pcore.Identical(v, w), err
}

// add adds a location with its findings.
func (c *comparison) add(at catalog.Location, v pcore.Value, declared bool) {
	if c.named {
		if !c.secrets[at.String()] {
			c.locations = append(c.locations, Replacement{At: at, OnlyNames: true})
		}
		return
	}
	p := Replacement{At: c.redactor.Location(at), Declared: declared}
	c.secrets[p.At.String()] = true
	if in, ok := memberOf(at); ok {
		for _, f := range c.findings[in] {
			f.At = c.redactor.Location(f.At)
			p.Findings = append(p.Findings, f)
		}
	}
	if c.explain {
		p.Copies = c.copies(p.At, v)
	}
	c.locations = append(c.locations, p)
}

// copies returns the copies of secrets in a value, except for the secrets that are its own.
func (c *comparison) copies(at catalog.Location, v pcore.Value) (all []sensitive.Copy) {
	own := at.String()
	_ = pcore.Walk(v, func(in *pcore.Cursor) error { // returns the errors of this function only
		text := ""
		switch v := in.Value().(type) {
		case pcore.String:
			text = string(v)
		case pcore.Binary:
			text = v.Raw()
		default:
		}
		for _, found := range c.redactor.Explain(text) {
			of := found.Of.String()
			known := func(other sensitive.Copy) bool {
				return other.Of.String() == of && slices.Equal(other.Layers, found.Layers)
			}
			isSecret := len(found.Layers) == 0 && strings.HasPrefix(of, own)
			if !isSecret && !slices.ContainsFunc(all, known) {
				all = append(all, found)
			}
		}
		return nil
	})
	return all
}
