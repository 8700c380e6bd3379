package sensitive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
	"github.com/pcatdev/pcat/serialization"
)

// Options change what a [Redactor] does. The zero value masks.
type Options struct {
	// Masker tells what stands in place of secrets. Nil means [NewMask].
	Masker Masker
	// Parts finds more secrets inside the text of one, which are followed,
	// too. Nil finds none beyond what the package knows itself.
	Parts func(secret string) []string
}

// Redactor takes the secrets out of catalogs. It needs to see everything twice:
// first [Redactor.Collect] learns the secrets of all catalogs that belong
// together, then [Redactor.Redact] writes each of them without any. Before the
// first Collect has succeeded, whatever redacts fails with [ErrNotCollected]. A
// Redactor must not be used by several goroutines at once: [Redactor.Fork] and
// [Redactor.Share] give each its own.
//
// A Redactor is a [catalog.Transform], too, for chains that write through its
// [Redactor.Guard].
type Redactor struct {
	masker Masker
	before *Redactor // whose output this one goes on with
	// Behind a closure, so that no reflection sees the secrets.
	state     func() *secrets
	collected bool // a document was, to its end
	ready     bool
	forked    bool // errors are left to the one that learns from it

	// gone stands for a value that is left out of what holds it.
	gone pcore.Value

	places, copies int
}

// New returns a Redactor.
func New(o Options) *Redactor {
	s := newSecrets(o.Parts)
	r := &Redactor{
		masker: o.Masker,
		state:  func() *secrets { return s },
		gone:   pcore.NewSensitive(pcore.Undef{}),
	}
	if r.masker == nil {
		r.masker = NewMask()
	}
	return r
}

// Next returns a Redactor that goes on where r ends: what it redacts goes through
// r first, in the same pass, with the same Masker. It is for secrets that only
// show in what r writes. r must not be used by itself any more, but to be told
// of more secrets.
func (r *Redactor) Next() *Redactor {
	next := New(Options{Masker: r.masker})
	next.before = r
	next.state().names = r.state().names
	return next
}

// chain returns the Redactors through which a document goes, in order.
func (r *Redactor) chain() []catalog.Transform {
	if r.before == nil {
		return []catalog.Transform{r}
	}
	return append(r.before.chain(), r)
}

// Collect reads a document and learns the secrets in it. Errors are those of
// src, with places that hold no secret that was seen before.
func (r *Redactor) Collect(src *catalog.Reader) error {
	s := r.state()
	r.ready = false
	if p := r.outline(src); p != nil {
		err := r.collectOutline(p)
		r.collected = r.collected || err == nil
		return r.scrub(err)
	}
	for p, err := range src.Parts() {
		if err == nil {
			err = r.collect(p)
		}
		if err != nil {
			return r.scrub(err)
		}
		if p.Kind == catalog.PartEnd && p.Catalog {
			s.learn(src.Header())
		}
	}
	r.collected = true
	return nil
}

func (r *Redactor) collect(p catalog.Part) error {
	switch p.Kind {
	case catalog.PartResource:
		r.reserve(p.Resource.Bytes())
		return r.collectResource(p.Resource)
	case catalog.PartMember:
		r.reserve(p.Member.Bytes())
		if !r.mayHoldSecret(p.Member) {
			return nil
		}
		v, err := p.Member.Value()
		if err != nil {
			return err
		}
		return r.collectValue(v, catalog.Location{}.Join(pcore.Path{}.Key(p.Member.Key)))
	case catalog.PartEdge:
		r.reserve(p.Edge.Bytes())
		return nil
	default:
		return nil
	}
}

// reserve keeps the masker from using a marker that stands there already.
func (r *Redactor) reserve(raw []byte) {
	var m *texts
	switch masker := r.masker.(type) {
	case *texts:
		m = masker
	case *dropper:
		m = masker.texts
	default:
		return
	}
	m.reserve(secret.LastMarker(raw))
}

func (r *Redactor) collectResource(res *catalog.Resource) error {
	if res.Wire() == "json" && !mayHaveSites(res.Bytes()) {
		return nil
	}
	if done, err := r.collectSites(res); done || err != nil {
		return err
	}
	if !r.mayHoldSecret(res) {
		return nil
	}
	ref, listed := res.Ref(), catalog.NamesOf(res.SensitiveParameters())
	parameters, err := res.RawParameters()
	if err != nil {
		return err
	}
	if err := plain(res); err != nil {
		return &catalog.Error{At: catalog.Location{Ref: ref}, Offset: res.Offset(), Err: fmt.Errorf("%w: %w", catalog.ErrShape, err)}
	}
	for i := range parameters {
		p := &parameters[i]
		isListed := listed.Has(p.Key)
		if !isListed && !r.mayHoldSecret(p) {
			continue
		}
		v, err := res.Decode(p)
		if err != nil {
			return err
		}
		if isListed {
			v = pcore.NewSensitive(v)
		}
		if err := r.collectValue(v, ref.Parameter(p.Key)); err != nil {
			return err
		}
	}
	members := res.RawMembers()
	for i := range members {
		m := &members[i]
		if m.Key == "parameters" || !r.mayHoldSecret(m) {
			continue
		}
		v, err := res.Decode(m)
		if err == nil {
			err = r.collectValue(v, ref.Parameter(m.Key))
		}
		if err != nil {
			return err
		}
	}
	if isTitleListed(listed, func(name string) bool { return slices.Contains(res.ParameterNames(), name) }) {
		return r.state().take(pcore.NewSensitive(pcore.String(ref.Title)), ref.Parameter("title"))
	}
	return nil
}

// plain returns nil for a resource that is a map, no value of another type that
// may be Sensitive, and lists names of parameters in an array if it lists any.
func plain(res *catalog.Resource) error {
	if res.IsRich() && slices.Contains(res.Keys(), typeKey) {
		return errors.New("expected a resource")
	}
	list, ok := res.Member(listKey)
	if !ok || list.Kind() == pcore.KindUndef {
		return nil
	}
	names, ok := list.(*pcore.Array)
	for name := range names.Values() {
		ok = ok && name.Kind() == pcore.KindString
	}
	if !ok {
		return errors.New("`sensitive_parameters` must be a list of names")
	}
	return nil
}

// isTitleListed reports whether one of the parameters is listed that Puppet leaves
// out because their value is the title, and is not there.
func isTitleListed(listed catalog.Names, isThere func(name string) bool) bool {
	return slices.ContainsFunc([]string{"name", "path", "command"}, func(name string) bool {
		return listed.Has(name) && !isThere(name)
	})
}

func (r *Redactor) collectValue(v pcore.Value, at catalog.Location) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		secret, ok := c.Value().(*pcore.Sensitive)
		if !ok {
			return nil
		}
		if err := r.state().take(secret, at.Join(c.Path())); err != nil {
			return err
		}
		return pcore.SkipChildren
	})
}

// Redact writes the document of src to dst without the secrets that were
// collected, in the given form, which may be another than that of src. What it
// did not change keeps its bytes. All output is searched before it is written,
// as a [Redactor.Guard] does. Copies of a secret are found only when the document
// that declares it was collected: collect every document that is redacted.
func (r *Redactor) Redact(ctx context.Context, dst io.Writer, form serialization.Format, src *catalog.Reader) error {
	return r.RedactAs(ctx, dst, form, src, catalog.WriteOptions{Indent: src.Layout().Indent})
}

// RedactAs does what [Redactor.Redact] does, laid out as o says.
func (r *Redactor) RedactAs(ctx context.Context, dst io.Writer, form serialization.Format, src *catalog.Reader, o catalog.WriteOptions) error {
	if err := r.begin(); err != nil {
		return err
	}
	if p := r.outline(src); p != nil && o.Indent == "" && !o.Reformat && form.Name == src.Format().Name {
		if done, err := r.redactOutline(ctx, dst, p); done || err != nil {
			return r.scrub(err)
		}
	}
	g, err := r.Guard(dst, form.Wire)
	if err != nil {
		return err
	}
	o.Secrets = serialization.ClearSecrets // there are none left
	if err := catalog.Copy(ctx, catalog.NewWriter(g, form, o), src, r.chain()...); err != nil {
		return r.scrub(err)
	}
	return g.Close()
}

// Guard returns a writer that searches all that is written to it for the
// secrets that were collected so far, in all their forms, before it passes it
// on to dst. When it finds one, the error of Write or Close matches [ErrLeak],
// and what was passed on so far is clean, but incomplete. Output below one
// mebibyte is searched as a whole before its first byte is passed on. wire is
// the syntax of the output, such as "json", for escapes to be seen through;
// empty for other text. Close passes on what is held back; it does not close
// dst.
func (r *Redactor) Guard(dst io.Writer, wire string) (io.WriteCloser, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	g := r.state().guard(dst, wire)
	if r.before == nil {
		return g, nil
	}
	first, err := r.before.Guard(g, wire)
	if err != nil {
		return nil, err
	}
	return guards{first, g}, nil
}

// begin prepares to redact. It fails with [ErrNotCollected] while nothing was collected.
func (r *Redactor) begin() error {
	first := r
	for first.before != nil && !first.collected {
		first = first.before
	}
	if !first.collected {
		return ErrNotCollected
	}
	r.prepare()
	return nil
}

// prepare makes what was learned ready to be searched for.
func (r *Redactor) prepare() {
	if !r.ready {
		r.ready = true
		r.state().compile()
	}
}

// Report tells what was done since the Redactor was made.
func (r *Redactor) Report() Report {
	s := r.state()
	report := Report{Places: r.places, NotFollowed: []NotFollowed{}}
	if r.before != nil {
		report = r.before.Report() // the places of this one are the same
	}
	report.Secrets += len(s.followed)
	report.Copies += r.copies
	for _, l := range s.left {
		at := r.Location(l.at)
		report.NotFollowed = append(report.NotFollowed, NotFollowed{at, at.String(), l.reason})
	}
	return report
}

// scrub takes the secrets out of the place that an error names.
func (r *Redactor) scrub(err error) error {
	var e *catalog.Error
	if r.forked || !errors.As(err, &e) || errors.Is(err, ErrLeak) {
		return err
	}
	clean := *e
	clean.At = r.Location(e.At)
	return &clean
}

// Location returns a place in a catalog as it is called in the output: titles
// and keys come without the secrets that were collected so far.
func (r *Redactor) Location(at catalog.Location) catalog.Location {
	r.prepare()
	if r.before != nil {
		at = r.before.Location(at)
	}
	clean := catalog.Location{Ref: catalog.Ref{Type: at.Ref.Type, Title: r.text(at.Ref.Title)}}
	for _, step := range at.Path {
		if key, ok := step.Key.(pcore.String); ok {
			step.Key = pcore.String(r.text(string(key)))
		}
		clean.Path = append(clean.Path, step)
	}
	return clean
}

// Err returns err without the secrets that were collected so far in its text; what it
// wraps keeps them. Nil stays nil.
func (r *Redactor) Err(err error) error {
	r.prepare()
	if r.before != nil {
		err = r.before.Err(err)
	}
	return secret.MaskError(err, r.text)
}

// text returns text with the copies of secrets in it replaced.
func (r *Redactor) text(text string) string {
	replaced, _ := r.state().replace(text, r.masker)
	return replaced
}
