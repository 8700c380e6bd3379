package sensitive

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// CollectOptions configure a [Collector]. The zero value selects the defaults.
type CollectOptions struct {
	// Parts returns more secrets in the text of a secret, which are also followed. Nil
	// means only the parts that this package finds.
	Parts func(secret string) []string
}

// Collector collects the secrets of catalogs. Collect every document to be redacted:
// copies of a secret are found only if the document that declares it was collected. The
// zero value is ready to use. A Collector is not safe for concurrent use;
// [Collector.Include] combines several.
type Collector struct {
	// A closure hides the secrets from reflection.
	state func() *collector
}

// NewCollector returns an empty Collector.
func NewCollector(o CollectOptions) *Collector {
	s := &collector{learned: newLearned(o.Parts)}
	return &Collector{func() *collector { return s }}
}

func (c *Collector) collector() *collector {
	if c.state == nil {
		*c = *NewCollector(CollectOptions{})
	}
	return c.state()
}

// Collect reads a document and collects its secrets, up to the first error. Errors are
// those of src. The location in an error is masked with the secrets collected so far;
// [Redactor.Err] masks it with all secrets.
func (c *Collector) Collect(src *catalog.Reader) error {
	s := c.collector()
	return s.masked(s.document(src))
}

// CollectCatalog is [Collector.Collect] for a catalog in memory.
func (c *Collector) CollectCatalog(whole *catalog.Catalog) error {
	s := c.collector()
	return s.masked(s.catalog(whole))
}

func (s *collector) catalog(whole *catalog.Catalog) error {
	for m := range whole.Members() {
		if err := s.part(catalog.Part{Kind: catalog.PartMember, Member: &m}); err != nil {
			return err
		}
	}
	for _, r := range whole.Resources() {
		if err := s.part(catalog.Part{Kind: catalog.PartResource, Resource: r}); err != nil {
			return err
		}
	}
	for _, e := range whole.Edges() {
		if err := s.part(catalog.Part{Kind: catalog.PartEdge, Edge: e}); err != nil {
			return err
		}
	}
	s.learn(whole.Header)
	return nil
}

// masked returns an error of collecting without the secrets collected so far.
func (s *collector) masked(err error) error {
	var e *catalog.Error
	if !errors.As(err, &e) {
		return err
	}
	masked := *e
	masked.At = newStage(newLayer(s.snapshot()), NewMask()).location(e.At)
	raw := *e
	return &documentError{&masked, func() *catalog.Error { return &raw }}
}

// Add adds a secret that no document declares. It is replaced in its own location even if it
// is short or common, and followed if possible. In its own location, Spelled is replaced as
// a whole unless it contains a known form of the secret, and of few others. Since other resources refer to
// titles, the whole title is followed if the secret in it cannot be. The error is nil
// in this version.
func (c *Collector) Add(f Found) error {
	s := c.collector()
	if f.isFollowed() {
		s.undeclaredly(func() { s.take(f.Secret, origin{f.At, f.Rule}) })
	}
	o, ok := f.occurrence(s.isCrowded(&f))
	switch {
	case !ok:
	case isTitle(f.At):
		s.titles = append(s.titles, foundTitle{o, f.At})
	default:
		s.addLocation(f.At.Ref, locationName(f.At.Path), o)
	}
	return nil
}

// Include adds the secrets of another Collector, as if c collected them now. Several
// documents can be collected concurrently, each by its own Collector, and included in
// order.
func (c *Collector) Include(secrets *Secrets) {
	s := c.collector()
	for _, layer := range secrets.layers() {
		s.include(&layer.matcher().facts)
	}
}

// Secrets returns the secrets that c has collected so far. Secrets collected later do not
// change the result.
func (c *Collector) Secrets() *Secrets {
	s := c.collector()
	l := newLayer(s.snapshot())
	var last atomic.Pointer[plan]
	last.Store(s.plan)
	s.plan = nil // a Redactor changes it
	l.plan = func() *plan { return last.Swap(nil) }
	return &Secrets{last: l}
}

// collector is the state of a [Collector].
type collector struct {
	*learned
	searcher
	plan *plan // of the last document with an outline
}

func (s *collector) document(src *catalog.Reader) error {
	if p := planOf(src, s.plan); p != nil {
		s.plan = p
		return s.outlined(p)
	}
	if done, err := s.pieces(src); done || err != nil {
		return err
	}
	for p, err := range src.Parts() {
		if err == nil {
			err = s.part(p)
		}
		if err != nil {
			return err
		}
		if p.MayBeCut {
			return &catalog.Error{Offset: -1, Err: errCut}
		}
		if p.Kind == catalog.PartEnd && p.Catalog {
			s.learn(src.Header())
		}
	}
	return nil
}

// errCut reports a catalog that may have been cut off before it declares its last
// secrets.
var errCut = fmt.Errorf("%w: no member follows `resources`, so the YAML may have been cut off before it declares all secrets; "+
	"if it is complete, append the line `edges: []`", serialization.ErrTruncated)

// pieces learns the secrets of a document that is streamed, piece by piece. It
// reports false if the document must be read part by part, which reports errors, too.
func (s *collector) pieces(src *catalog.Reader) (done bool, err error) {
	for o, err := range src.Pieces() {
		if err != nil {
			s.endsEarly = s.endsEarly || done
			return false, nil // the parts report it
		}
		done = true
		if err := s.outlined(newPlan(o)); err != nil {
			return true, err
		}
	}
	s.inPieces = true
	return true, nil
}

// outlined learns the secrets of a document that has a plan.
func (s *collector) outlined(p *plan) error {
	s.reserve(p.Data)
	s.expect(p.secrets)
	s.unshare()
	for i := range p.Parts {
		if p.IsResource(i) {
			s.words.AddResource(p.TypeAndTitle(i))
		}
	}
	for i := range p.declaring {
		d := &p.declaring[i]
		var err error
		if d.Unclear {
			err = s.part(p.Part(d.Part))
		} else {
			err = s.declared(p, d)
		}
		if err != nil {
			return err
		}
	}
	s.learn(p.Header())
	return nil
}

func (s *collector) part(p catalog.Part) error {
	switch p.Kind {
	case catalog.PartResource:
		s.reserve(p.Resource.Bytes())
		s.unshare()
		s.words.AddResource(p.Resource.TypeAndTitle())
		return s.resource(p.Resource)
	case catalog.PartMember:
		s.reserve(p.Member.Bytes())
		if !s.mayHoldSecret(p.Member) {
			return nil
		}
		v, err := p.Member.Value()
		if err != nil {
			return err
		}
		return s.member(p.Member, v, catalog.Location{}.Join(pcore.Path{}.Key(p.Member.Key)))
	case catalog.PartEdge:
		s.reserve(p.Edge.Bytes())
		return nil
	default:
		return nil
	}
}

// reserve keeps Maskers from using markers that a document already contains.
func (s *collector) reserve(raw []byte) {
	s.lastMarker = max(s.lastMarker, secret.LastMarker(raw))
}

func (s *collector) resource(res *catalog.Resource) error {
	if !s.mayHoldSecret(res) {
		return nil
	}
	ref, listed := res.Ref(), catalog.NamesOf(res.SensitiveParameters())
	parameters, err := res.RawParameters()
	if err != nil {
		return err
	}
	if err := checkForm(res); err != nil {
		return &catalog.Error{At: catalog.Location{Ref: ref}, Offset: res.Offset(), Err: fmt.Errorf("%w: %w", catalog.ErrShape, err)}
	}
	s.weak = false
	for i := range parameters {
		p := &parameters[i]
		isListed := listed.Has(p.Key)
		if isListed {
			s.words.AddParameter(p.Key)
		}
		if !isListed && !s.mayHoldSecret(p) {
			continue
		}
		v, err := res.Decode(p)
		if err != nil {
			return err
		}
		if isListed {
			v = pcore.NewSensitive(v)
		}
		if err := s.member(p, v, ref.Parameter(p.Key)); err != nil {
			return err
		}
	}
	members := res.RawMembers()
	for i := range members {
		m := &members[i]
		if m.Key == "parameters" || !s.mayHoldSecret(m) {
			continue
		}
		v, err := res.Decode(m)
		if err == nil {
			err = s.member(m, v, ref.Parameter(m.Key))
		}
		if err != nil {
			return err
		}
	}
	isThere := func(name string) bool { return slices.Contains(res.ParameterNames(), name) }
	return s.rest(func() *catalog.Resource { return res }, listed, isThere)
}

// rest collects what belongs to the secrets of a resource: names of accounts beside a weak one,
// and the title if it is the value of a listed parameter.
func (s *collector) rest(res func() *catalog.Resource, listed catalog.Names, isThere func(name string) bool) error {
	if s.weak {
		if err := s.accounts(res()); err != nil {
			return err
		}
	}
	if isTitleListed(listed, isThere) {
		ref := res().Ref()
		s.take(pcore.NewSensitive(pcore.String(ref.Title)), origin{Location: ref.Parameter("title")})
	}
	return nil
}

// accounts adds the names of the accounts in the Hashes with secrets of a resource: a weak
// password is often the name of its user.
func (s *collector) accounts(res *catalog.Resource) error {
	parameters, err := res.Parameters()
	if err != nil || parameters == nil {
		return err
	}
	return pcore.Walk(parameters, func(c *pcore.Cursor) error {
		switch v := c.Value().(type) {
		case *pcore.Sensitive:
			return pcore.SkipChildren
		case *pcore.Hash:
			s.words.AddAccounts(v)
		default:
		}
		return nil
	})
}

// checkForm returns an error unless the resource is a plain map, as a rich value could be
// Sensitive, and `sensitive_parameters`, if present, is an array of names.
func checkForm(res *catalog.Resource) error {
	if res.IsRich() && slices.Contains(res.Keys(), typeKey) {
		return errors.New("expected a resource")
	}
	list, ok := res.Member(listKey)
	if !ok || pcore.Is[pcore.Undef](list) {
		return nil
	}
	names, ok := list.(*pcore.Array)
	for name := range names.Values() {
		ok = ok && pcore.Is[pcore.String](name)
	}
	if !ok {
		return errors.New("`sensitive_parameters` must be a list of names")
	}
	return nil
}

// isTitleListed reports whether a listed parameter is absent because Puppet omits it if
// it equals the title.
func isTitleListed(listed catalog.Names, isThere func(name string) bool) bool {
	return slices.ContainsFunc([]string{"name", "path", "command"}, func(name string) bool {
		return listed.Has(name) && !isThere(name)
	})
}

// member collects the secrets of a member with the value v.
func (s *collector) member(m *catalog.Member, v pcore.Value, at catalog.Location) error {
	s.value(v, at)
	_, isSecret := v.(*pcore.Sensitive)
	if !m.MayBeRich() || !isSecret && !s.mayHide(m) {
		return nil
	}
	plain, err := m.PlainValue()
	if err != nil {
		return err
	}
	return s.takePlain(plain, isSecret, at)
}

// value collects the secrets in a value.
func (s *collector) value(v pcore.Value, at catalog.Location) {
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // never fails
		secret, ok := c.Value().(*pcore.Sensitive)
		if !ok {
			return nil
		}
		s.take(secret, origin{Location: at.Join(c.Path())})
		return pcore.SkipChildren
	})
}

// declared collects the secrets that a resource declares by its bytes.
func (s *collector) declared(p *plan, d *declaring) error {
	s.weak = false
	for i := range d.Secrets {
		own := &d.Secrets[i]
		if own.Listed {
			s.words.AddParameter(own.parameter())
		}
		if text, ok := own.text(); ok {
			s.takeText(string(text), own)
			continue
		}
		if err := s.declaredValue(own); err != nil {
			return err
		}
	}
	isThere := func(name string) bool {
		return slices.ContainsFunc(d.Secrets, func(own declaredSecret) bool { return own.Listed && own.parameter() == name })
	}
	return s.rest(func() *catalog.Resource { return p.Part(d.Part).Resource }, catalog.NamesOf(d.Listed), isThere)
}

// declaredValue collects a declared secret that is not a String.
func (s *collector) declaredValue(own *declaredSecret) error {
	v, err := own.reveal() // collected to be looked for
	if err != nil {
		return err
	}
	at := own.origin()
	s.take(pcore.NewSensitive(v), at)
	if !own.mayBeRich() {
		return nil
	}
	if v, err = own.revealPlain(); err != nil { // collected to be looked for
		return err
	}
	return s.takePlain(v, true, at.Location)
}
