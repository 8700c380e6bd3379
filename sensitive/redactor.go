package sensitive

import (
	"context"
	"errors"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive/secret"
	"github.com/pcatdev/pcat/serialization"
)

// Redactor writes catalogs without the secrets that a [Collector] learned:
// [Secrets.Redactor] returns one. It is used by one goroutine. The zero value knows
// no secrets, and replaces declared ones in their own places only.
//
// A Redactor is a [catalog.Transform], too, for chains that write through its
// [Redactor.Guard].
type Redactor struct {
	// Behind a closure, so that no reflection sees the secrets.
	state func() []*stage
}

func newRedactor(layers []*layer, m Masker) *Redactor {
	stages := make([]*stage, 0, len(layers))
	for _, l := range layers {
		stages = append(stages, newStage(l, m))
	}
	return &Redactor{func() []*stage { return stages }}
}

// stages returns a stage for each set of secrets, in order.
func (r *Redactor) stages() []*stage {
	if r.state == nil {
		*r = *newRedactor([]*layer{newLayer(facts{})}, NewMask())
	}
	return r.state()
}

// Redact writes the document of src to dst without the secrets, in the given form,
// which may be another than that of src. Everything else keeps its bytes. All output
// is searched before it is written, as a [Redactor.Guard] does.
func (r *Redactor) Redact(ctx context.Context, dst io.Writer, form serialization.Format, src *catalog.Reader) error {
	return r.RedactAs(ctx, dst, form, src, catalog.WriteOptions{Indent: src.Layout().Indent})
}

// RedactAs is [Redactor.Redact] with another layout.
func (r *Redactor) RedactAs(ctx context.Context, dst io.Writer, form serialization.Format, src *catalog.Reader, o catalog.WriteOptions) error {
	if stages := r.stages(); len(stages) == 1 && o.Indent == "" && !o.Reformat && form.Name == src.Format().Name {
		done, err := stages[0].redactOutline(ctx, dst, src)
		if !done && err == nil {
			done, err = stages[0].redactPieces(ctx, dst, src)
		}
		if done || err != nil {
			return r.masked(err)
		}
	}
	g := r.Guard(dst, form.Wire)
	o.Secrets = serialization.ClearSecrets // there are none left
	if err := catalog.Copy(ctx, catalog.NewWriter(g, form, o), src, r); err != nil {
		return r.masked(err)
	}
	return g.Close()
}

// Resource implements [catalog.Transform].
func (r *Redactor) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	return through(ctx, r, res, (*stage).Resource)
}

// Edge implements [catalog.EdgeTransform].
func (r *Redactor) Edge(ctx context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	return through(ctx, r, e, (*stage).Edge)
}

// Member implements [catalog.MemberTransform].
func (r *Redactor) Member(ctx context.Context, m *catalog.Member) (*catalog.Member, error) {
	return through(ctx, r, m, (*stage).Member)
}

// through returns what a part becomes in all stages, nil when one leaves it out.
func through[T any](ctx context.Context, r *Redactor, part *T, redact func(*stage, context.Context, *T) (*T, error)) (*T, error) {
	for _, s := range r.stages() {
		var err error
		if part, err = redact(s, ctx, part); err != nil || part == nil {
			return nil, err
		}
	}
	return part, nil
}

// Guard returns a writer that searches all that is written to it for the secrets, in
// all their forms, before it passes it on to dst. When it finds one, the error of
// Write or Close matches [ErrLeak]; the output that was passed on by then is clean,
// but incomplete. Output below one mebibyte is searched as a whole before its first
// byte is passed on. wire is the syntax of the output, such as "json", for escapes to
// be seen through; empty for other text. Close passes on the rest; it does not close
// dst.
func (r *Redactor) Guard(dst io.Writer, wire string) io.WriteCloser {
	stages := r.stages()
	var g io.WriteCloser = stages[len(stages)-1].guard(dst, wire)
	for i := len(stages) - 2; i >= 0; i-- {
		g = guards{stages[i].guard(g, wire), g}
	}
	return g
}

// Report returns the work of this Redactor. NotFollowed takes time, and may take
// markers: [Redactor.Counts] is for the other Redactors of the same Secrets.
func (r *Redactor) Report() Report {
	report := Report{Counts: r.Counts(), NotFollowed: []NotFollowed{}}
	for _, s := range r.stages() {
		report.Secrets += s.followed
		for _, l := range s.left {
			at := r.Location(l.at)
			report.NotFollowed = append(report.NotFollowed, NotFollowed{at, at.String(), l.reason})
		}
	}
	return report
}

// Counts returns the numbers of the replacements so far.
func (r *Redactor) Counts() (c Counts) {
	stages := r.stages()
	c.Places = stages[0].counts.Places // those of the others are the same
	for _, s := range stages {
		c.Copies += s.counts.Copies
	}
	return c
}

// Location returns a place in a catalog as it is called in the output: titles and
// keys come without the secrets.
func (r *Redactor) Location(at catalog.Location) catalog.Location {
	for _, s := range r.stages() {
		at = s.location(at)
	}
	return at
}

// Text returns text with the copies of secrets in it replaced.
func (r *Redactor) Text(text string) string {
	for _, s := range r.stages() {
		text = s.masked(text)
	}
	return text
}

// Err returns err without the secrets in its text; the errors that it wraps keep
// them. The place that an error of [Collector.Collect] names is masked by all
// secrets, not only those that the Collector knew by then. Nil stays nil.
func (r *Redactor) Err(err error) error {
	var e *documentError
	if errors.As(err, &e) {
		err = r.masked(e.raw())
	}
	return secret.MaskError(err, r.Text)
}

// masked takes the secrets out of the place that an error names.
func (r *Redactor) masked(err error) error {
	var e *catalog.Error
	if !errors.As(err, &e) || errors.Is(err, ErrLeak) {
		return err
	}
	clean := *e
	clean.At = r.Location(e.At)
	return &clean
}
