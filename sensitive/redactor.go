package sensitive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Redactor writes catalogs without the secrets that a [Collector] collected. Use
// [Secrets.Redactor] to create one. It is not safe for concurrent use. The zero value has
// no secrets and replaces declared ones only in their own locations.
//
// A Redactor is also a [catalog.Transform], for chains that write through its
// [Redactor.Guard].
type Redactor struct {
	// A closure hides the secrets from reflection.
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

// Redact writes the document of src to dst without the secrets, in the given format,
// which may differ from that of src. Everything else keeps its bytes. All output is
// searched before it is written, as by [Redactor.Guard].
func (r *Redactor) Redact(ctx context.Context, dst io.Writer, format serialization.Format, src *catalog.Reader) error {
	return r.RedactAs(ctx, dst, format, src, catalog.WriteOptions{Indent: src.Layout().Indent})
}

// RedactAs is [Redactor.Redact] with another layout.
func (r *Redactor) RedactAs(ctx context.Context, dst io.Writer, format serialization.Format, src *catalog.Reader, o catalog.WriteOptions) error {
	if o.Indent == src.Layout().Indent && !o.Reformat && format.Name == src.Format().Name {
		if done, err := r.redactInPlace(ctx, dst, src); done || err != nil {
			return r.masked(err)
		}
	}
	g := r.guard(dst, format.Wire, nil)
	o.Secrets = serialization.PlainSecrets // no secrets are left
	if err := catalog.Copy(ctx, catalog.NewWriter(g, format, o), src, r); err != nil {
		return r.masked(err)
	}
	return g.Close()
}

// redactInPlace writes a document that has an index, with the bytes of everything that does not
// change. It returns false, and has written nothing, if the values of the document must be
// decoded. Of several sets of secrets, each is replaced in the output for the one before.
func (r *Redactor) redactInPlace(ctx context.Context, dst io.Writer, src *catalog.Reader) (done bool, err error) {
	stages := r.stages()
	last := stages[len(stages)-1]
	if len(stages) == 1 {
		if done, err = last.redactOutline(ctx, dst, src); !done && err == nil {
			done, err = last.redactPieces(ctx, dst, src)
		}
		return done, err
	}
	before := &Redactor{func() []*stage { return stages[:len(stages)-1] }}
	for _, s := range before.stages() {
		var out bytes.Buffer
		if done, err = s.redactOutline(ctx, &out, src); !done || err != nil {
			return done, err
		}
		src = catalog.NewReaderBytes(out.Bytes(), src.Format(), serialization.DecodeOptions{})
	}
	g := before.guard(dst, src.Format().Wire, nil)
	if done, err = last.redactOutline(ctx, g, src); !done || err != nil {
		return done, err
	}
	return true, g.Close()
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

// through applies all stages to a part. The result is nil if a stage removes the part.
func through[T any](ctx context.Context, r *Redactor, part *T, redact func(*stage, context.Context, *T) (*T, error)) (*T, error) {
	for _, s := range r.stages() {
		var err error
		if part, err = redact(s, ctx, part); err != nil || part == nil {
			return nil, err
		}
	}
	return part, nil
}

// Guard returns a writer that searches its input for the secrets, in all their forms,
// before it writes to dst. If it finds one, the error of Write or Close matches
// [ErrLeak]; the output written so far is clean but incomplete. Output below one mebibyte
// is searched as a whole before its first byte is written. wire is the syntax of the
// output, such as "json", whose escapes are decoded for the search, or empty for other
// text. Close writes the rest; it does not close dst.
func (r *Redactor) Guard(dst io.Writer, wire string) io.WriteCloser {
	return r.GuardAround(dst, wire, nil)
}

// GuardAround is [Redactor.Guard] for a document with own text around the texts of catalogs,
// such as a table or a report. own, which may be nil, returns own text; it is only called if
// a secret is found. Where the output has words of it, alone, a secret that is a part of them
// is no copy: they are the same for all catalogs. A secret that own words and those of a
// catalog make up together is found.
//
// The writer also has a method WriteOwn, with the arguments and results of Write, for text
// that does not depend on catalogs, such as a style or a script: a secret that is a part of it
// is none, whatever is around it.
func (r *Redactor) GuardAround(dst io.Writer, wire string, own func() []byte) io.WriteCloser {
	return r.guard(dst, wire, func(s *stage, g *guard) {
		g.own, g.shown = newOwnText(own), s.shown
	})
}

// guard returns a guard with the secrets of all stages. set, which may be nil, completes
// that of a stage.
func (r *Redactor) guard(dst io.Writer, wire string, set func(*stage, *guard)) io.WriteCloser {
	var first *guard
	for _, s := range slices.Backward(r.stages()) {
		g := s.guard(dst, wire)
		g.clean, g.next = r.clean, first
		if set != nil {
			set(s, g)
		}
		first, dst = g, g
	}
	return first
}

// Report returns the report of this Redactor. NotFollowed takes time and may use up
// markers, so call [Redactor.Counts] on the other Redactors of the same Secrets.
func (r *Redactor) Report() Report {
	report := Report{Counts: r.Counts(), NotFollowed: []NotFollowed{}}
	for _, s := range r.stages() {
		report.Secrets += s.followed
		for _, l := range s.left {
			at := r.Location(l.at.Location)
			report.NotFollowed = append(report.NotFollowed, NotFollowed{at, at.String(), string(l.reason)})
		}
	}
	return report
}

// Counts returns the number of replacements so far.
func (r *Redactor) Counts() (c Counts) {
	for _, s := range r.stages() {
		c.Add(s.counts)
	}
	return c
}

// Location returns a location as it is named in the output, without secrets in titles and
// keys.
func (r *Redactor) Location(at catalog.Location) catalog.Location {
	for _, s := range r.stages() {
		at = s.location(at)
	}
	return at
}

// Value returns a value at a location, which may be part of a parameter, without its
// secrets, as [Redactor.Resource] has it in the resource. Of an undeclared secret that was
// found elsewhere in the same parameter, copies are replaced as well. The result is nil if
// the Masker leaves the value out.
func (r *Redactor) Value(v pcore.Value, at catalog.Location) (pcore.Value, error) {
	for _, s := range r.stages() {
		to, err := s.value(v, valueContext{at, s.foundAt(at), s.secret})
		if err != nil {
			return nil, r.masked(err)
		}
		if to == s.omitted {
			return nil, nil //nolint:nilnil // the documented result
		}
		if err := s.verify(to, at); err != nil {
			return nil, r.masked(err)
		}
		v = to
	}
	return v, nil
}

// TextAt is [Redactor.Text] for a text about a location, such as a message that quotes the
// value there. It also replaces the undeclared secrets of that location, of what it is a part
// of, and of its parts, which are not followed.
func (r *Redactor) TextAt(text string, at catalog.Location) string {
	for _, s := range r.stages() {
		text = s.textAt(text, at)
	}
	return text
}

// Text returns text with the copies of secrets replaced.
func (r *Redactor) Text(text string) string {
	for _, s := range r.stages() {
		text = s.masked(text)
	}
	return text
}

// Copy is an occurrence of a secret in a text.
type Copy struct {
	// Of is the location where the secret was collected first, as it is named in the output.
	Of catalog.Location
	// Layers are the notations, encodings and escapes in which the text spells the secret, such
	// as "base64", the outermost one first. None means that it has the secret as it is.
	Layers []string
}

// Explain returns the copies of secrets that [Redactor.Text] replaces in a text, in order. It
// is for people, who ask why a text changes: it takes longer than the replacement.
func (r *Redactor) Explain(text string) (all []Copy) {
	for _, s := range r.stages() {
		for _, c := range s.set.Explain([]byte(text)) {
			all = append(all, Copy{r.Location(s.texts[c.Pattern].Location), c.Layers})
		}
		text = s.masked(text)
	}
	return all
}

// Err returns err without the secrets in its text; the wrapped errors keep them. The
// location in an error of [Collector.Collect] is masked with all secrets, including ones
// collected later. Err returns nil if err is nil.
func (r *Redactor) Err(err error) error {
	var e *documentError
	if errors.As(err, &e) {
		err = r.masked(e.raw())
	}
	return secret.MaskError(err, r.Text)
}

// clean returns a location without secrets in titles and keys, or none if some are left.
func (r *Redactor) clean(at catalog.Location) catalog.Location {
	at = r.Location(at)
	if r.hit([]byte(at.String())) {
		return catalog.Location{}
	}
	return at
}

// ErrAt is [Redactor.Err] for an error about a location, whose text may quote the value there;
// see [Redactor.TextAt].
func (r *Redactor) ErrAt(err error, at catalog.Location) error {
	return secret.MaskError(r.Err(err), func(text string) string { return r.TextAt(text, at) })
}

// masked masks the location in an error.
func (r *Redactor) masked(err error) error {
	var leak *LeakError
	if errors.As(err, &leak) {
		return &LeakError{r.clean(leak.At), leak.Offset, r.clean(leak.Secret), leak.Rule}
	}
	var e *catalog.Error
	if !errors.As(err, &e) {
		return err
	}
	clean := *e
	clean.At = r.Location(e.At)
	return &clean
}
