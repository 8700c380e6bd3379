package sensitive

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// CollectOptions change the work of a [Collector]. The zero value is fine.
type CollectOptions struct {
	// Parts finds more secrets inside the text of one, which are followed,
	// too. Nil finds none beyond those that the package knows itself.
	Parts func(secret string) []string
}

// Collector learns the secrets of catalogs. Collect every document that will be
// redacted: copies of a secret are found only when the document that declares it
// was collected. The zero value is ready to use. A Collector is used by one
// goroutine; [Collector.Include] brings the work of several together.
type Collector struct {
	// Behind a closure, so that no reflection sees the secrets.
	state func() *collector
}

// NewCollector returns a Collector that has learned nothing yet.
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

// Collect reads a document and learns the secrets in it, up to the error if there
// is one. Errors are those of src. The location in one is masked by the secrets
// that are known by then; [Redactor.Err] masks it by all secrets.
func (c *Collector) Collect(src *catalog.Reader) error {
	s := c.collector()
	err := s.document(src)
	var e *catalog.Error
	if !errors.As(err, &e) {
		return err
	}
	masked := *e
	masked.At = newStage(newLayer(s.snapshot()), NewMask()).location(e.At)
	raw := *e
	return &documentError{&masked, func() *catalog.Error { return &raw }}
}

// Add learns a secret that no document declares. It is replaced in its own place,
// however short or common it is, and followed as others are when that is possible.
// In its own place, Spelled is replaced as a whole where no form of the secret is
// known in it. Other resources refer to a title: when the secret in one cannot be
// followed, the title is followed as a whole. The error is about the values of
// Found.
func (c *Collector) Add(f Found) error {
	s := c.collector()
	if err := s.take(f.Secret, f.At); err != nil {
		return err
	}
	o, ok := f.occurrence()
	switch {
	case !ok:
	case isTitle(f.At):
		s.titles = append(s.titles, foundTitle{o, f.At})
	default:
		s.addPlace(f.At.Ref, placeOf(f.At.Path), o)
	}
	return nil
}

// Include learns all that another Collector knew when it made secrets, as if c
// learned it now: several documents can be collected at the same time, each by its
// own Collector, and included in order.
func (c *Collector) Include(secrets *Secrets) {
	s := c.collector()
	for _, layer := range secrets.layers() {
		s.include(&layer.matcher().facts)
	}
}

// Secrets returns all secrets that c has learned so far. Those that it learns later do
// not change them.
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
	unescaper
	plan *plan // of the document that was outlined last
}

// outline returns the plan of the document that src reads, nil when it is to be
// read part by part, because it is no catalog in memory.
func (s *collector) outline(src *catalog.Reader) *plan {
	p := planOf(src, s.plan)
	if p != nil && p != s.plan {
		s.settle()
		s.plan = p
	}
	return p
}

func (s *collector) document(src *catalog.Reader) error {
	if p := s.outline(src); p != nil {
		return s.outlined(p)
	}
	if done, err := s.pieces(src); done || err != nil {
		return err
	}
	s.inParts = true
	for p, err := range src.Parts() {
		if err == nil {
			err = s.part(p)
		}
		if err != nil {
			return err
		}
		if p.Kind == catalog.PartEnd && p.Catalog {
			s.learn(src.Header())
		}
	}
	return nil
}

// pieces learns the secrets of a document that is streamed, piece by piece. It
// reports false if the document must be read part by part, which reports errors, too.
func (s *collector) pieces(src *catalog.Reader) (done bool, err error) {
	for o, err := range src.Pieces() {
		if err != nil {
			return false, nil // the parts report it
		}
		if err := s.outlined(newPlan(o)); err != nil {
			return true, err
		}
		s.settle()
	}
	s.inPieces = true
	return true, nil
}

// outlined learns the secrets of a document that has a plan.
func (s *collector) outlined(p *plan) error {
	s.reserve(p.Data)
	s.expect(p.secrets)
	for i := range p.special {
		special := &p.special[i]
		own := special.sites
		if own == nil {
			if err := s.part(p.Part(special.part)); err != nil {
				return err
			}
			continue
		}
		if err := s.takeSites(own); err != nil {
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
		return s.value(v, catalog.Location{}.Join(pcore.Path{}.Key(p.Member.Key)))
	case catalog.PartEdge:
		s.reserve(p.Edge.Bytes())
		return nil
	default:
		return nil
	}
}

// reserve keeps Maskers from using a marker that a document has already.
func (s *collector) reserve(raw []byte) {
	s.lastMarker = max(s.lastMarker, secret.LastMarker(raw))
}

func (s *collector) resource(res *catalog.Resource) error {
	if res.Wire() == "json" && !mayHaveSites(res.Bytes()) {
		return nil
	}
	if p, ok := sitesIn(res); ok {
		return s.takeSites(p)
	}
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
	for i := range parameters {
		p := &parameters[i]
		isListed := listed.Has(p.Key)
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
		if err := s.value(v, ref.Parameter(p.Key)); err != nil {
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
			err = s.value(v, ref.Parameter(m.Key))
		}
		if err != nil {
			return err
		}
	}
	if isTitleListed(listed, func(name string) bool { return slices.Contains(res.ParameterNames(), name) }) {
		return s.take(pcore.NewSensitive(pcore.String(ref.Title)), ref.Parameter("title"))
	}
	return nil
}

// checkForm returns nil for a resource that is a map, no value of another type that
// may be Sensitive, and lists names of parameters in an array if it lists any.
func checkForm(res *catalog.Resource) error {
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

func (s *collector) value(v pcore.Value, at catalog.Location) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		secret, ok := c.Value().(*pcore.Sensitive)
		if !ok {
			return nil
		}
		if err := s.take(secret, at.Join(c.Path())); err != nil {
			return err
		}
		return pcore.SkipChildren
	})
}

// takeSites learns the secrets of a resource that stand in the places.
func (s *collector) takeSites(p *sites) error {
	if len(p.found)+len(p.names) == 0 {
		return nil
	}
	var ref catalog.Ref
	if p.doc == nil || len(p.names) > 0 {
		var err error
		if ref, err = p.ref(); err != nil {
			return err
		}
	}
	for i := range p.found {
		f := &p.found[i]
		var at seen = f
		if p.doc == nil { // only p holds the bytes
			at = located(f.at(ref))
		}
		if text, ok := p.secretAt(f); ok {
			s.takeText(text, at)
			continue
		}
		v, err := p.from().ValueAt(f.inner, f.innerEnd)
		if err != nil {
			return err
		}
		if err := s.take(pcore.NewSensitive(v), at.location()); err != nil {
			return err
		}
	}
	if isTitleListed(p.listed, p.has) {
		return s.take(pcore.NewSensitive(pcore.String(ref.Title)), ref.Parameter("title"))
	}
	return nil
}
