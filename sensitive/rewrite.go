package sensitive

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// part is a resource, an edge or a member, with the bytes it was read from.
type part interface {
	Bytes() []byte
	Wire() string
}

// textIn returns the bytes of p if text can be looked for in them, as the wire
// spells a string in one piece. Escapes of JSON are undone.
func (r *Redactor) textIn(p part) (text []byte, ok bool) {
	switch p.Wire() {
	case "json":
		s := r.state()
		text, s.scratch = searchable(p.Bytes(), s.scratch)
		return text, true
	case "msgpack":
		return p.Bytes(), true
	}
	return nil, false
}

// mayHoldSecret reports whether something in p may be Sensitive, or list
// parameters that are. The name of the type has several spellings, so that
// every rich value may be one.
func (r *Redactor) mayHoldSecret(p part) bool {
	text, ok := r.textIn(p)
	return !ok || holdsRichData(text)
}

func holdsRichData(text []byte) bool {
	return holdsTypes(text) || bytes.Contains(text, []byte("sensitive_parameters"))
}

// holdsTypes reports whether there is a `__ptype` of a type whose values may be
// Sensitive, hold one, or spell their text in a manner that is not looked for.
func holdsTypes(text []byte) bool {
	key := []byte("__ptype")
	for {
		i := bytes.Index(text, key)
		if i < 0 {
			return false
		}
		text = text[i+len(key):]
		if !isHarmless(text) {
			return true
		}
	}
}

// isHarmless reports whether text, what follows a `__ptype`, names a type of
// which bytes show all there is.
func isHarmless(text []byte) bool {
	const longest = len(`":"`) + len("SemVerRange") + len(`"`)
	head := string(text[:min(len(text), longest)])
	if rest, ok := strings.CutPrefix(head, `":"`); ok {
		name, _, ended := strings.Cut(rest, `"`)
		return ended && isText(name)
	}
	// A short string of MessagePack begins with its length.
	if len(head) == 0 {
		return false
	}
	n, ok := mpwire.Short(head[0])
	return ok && n < len(head) && isText(head[1:1+n])
}

// isText reports whether what a type stands for is written in one spelling
// only, that of the value.
func isText(name string) bool {
	switch name {
	case "Default", "Deferred", "Regexp", "SemVer", "Symbol":
		return true
	}
	return false
}

// concerns reports whether p may hold anything that has to be replaced. Bytes
// do not show what stands inside a Binary, so that rich values always do.
func (r *Redactor) concerns(p part) bool {
	s := r.state()
	text, ok := r.textIn(p)
	if !ok || holdsRichData(text) || s.hits(text) {
		return true
	}
	return s.numeric && p.Wire() != "json" // its numbers are no text
}

// mayHide reports whether there is a Sensitive in p that its value does not
// have: a rich value leaves out what does not belong to it. Such a part is
// written anew, though its value is the same.
func (r *Redactor) mayHide(p part) bool {
	text, ok := r.textIn(p)
	return ok && bytes.Contains(text, []byte("Sensitive"))
}

// Resource implements [catalog.Transform].
func (r *Redactor) Resource(_ context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	found := r.foundIn(res)
	if found == nil {
		if res.Wire() == "json" && !mayHaveSites(res.Bytes()) && !r.state().hitsJSON(res.Bytes()) {
			return res, nil
		}
		if clean, done, err := r.splice(res); done || err != nil {
			return clean, err
		}
		if !r.concerns(res) {
			return res, nil
		}
	}
	ref := res.Ref()
	ref.Title = r.copyless(ref.Title)
	clean, err := r.parameters(res, ref, found)
	if err != nil {
		return nil, err
	}
	if ref.Title != res.Title() {
		clean = clean.WithTitle(ref.Title)
	}
	return r.members(clean, ref, found)
}

// members returns the resource with the secrets beside its parameters replaced, all
// at once as well.
func (r *Redactor) members(res *catalog.Resource, ref catalog.Ref, found places) (*catalog.Resource, error) {
	members := res.RawMembers()
	clean := make([]catalog.Member, 0, len(members))
	changed := false
	for i := range members {
		m := &members[i]
		to, err := r.member(res, m, ref, found)
		if err != nil {
			return nil, err
		}
		if to != nil {
			clean = append(clean, *to)
		}
		changed = changed || to != m
	}
	if !changed {
		return res, nil
	}
	return res.WithMembers(clean), nil
}

// member returns what becomes of a member of a resource, m itself when nothing does,
// and nil when it is left out.
func (r *Redactor) member(res *catalog.Resource, m *catalog.Member, ref catalog.Ref, found places) (*catalog.Member, error) {
	if m.Key == "parameters" || found == nil && !r.concerns(m) {
		return m, nil
	}
	v, err := res.Decode(m)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(pcore.String); ok && (m.Key == "type" || m.Key == "title" || m.Key == "kind") {
		return m, nil
	}
	at := ref.Parameter(m.Key)
	to, err := r.value(v, place{at, found, r.shaped})
	switch {
	case err != nil || to == r.gone:
		return nil, err
	case to == v && !r.mayHide(m):
		return m, nil
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, r.verify(to, at)
}

// parameters returns the resource with the secrets in its parameters replaced. They
// are changed all at once: a resource can have very many.
func (r *Redactor) parameters(res *catalog.Resource, ref catalog.Ref, found places) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	list := res.SensitiveParameters()
	listed := catalog.NamesOf(list)
	clean := make([]catalog.Member, 0, len(parameters))
	changed := false
	gone := map[string]bool{}
	for i := range parameters {
		p := &parameters[i]
		to, err := r.parameter(res, p, ref, found, listed.Has(p.Key))
		switch {
		case err != nil:
			return nil, err
		case to == nil:
			gone[p.Key] = true
		default:
			clean = append(clean, *to)
		}
		changed = changed || to != p
	}
	if changed {
		res = res.WithParameters(clean)
	}
	left := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return gone[name] })
	if len(left) < len(list) {
		res = res.WithSensitiveParameters(left...)
	}
	return res, nil
}

// parameter returns what becomes of a parameter, p itself when nothing does, and
// nil when it is left out.
func (r *Redactor) parameter(res *catalog.Resource, p *catalog.Member, ref catalog.Ref, found places, isListed bool) (*catalog.Member, error) {
	if !isListed && found == nil && !r.concerns(p) && !r.state().hits([]byte(p.Key)) {
		return p, nil
	}
	v, err := res.Decode(p)
	if err != nil {
		return nil, err
	}
	at := ref.Parameter(p.Key)
	var to pcore.Value
	if isListed {
		to, err = r.secret(pcore.NewSensitive(v), at)
	} else {
		to, err = r.value(v, place{at, found, r.secret})
	}
	if err != nil || to == nil || to == r.gone {
		return nil, err
	}
	clean := p
	if !pcore.Identical(to, v) || r.mayHide(p) {
		if err := r.verify(to, at); err != nil {
			return nil, err
		}
		m := catalog.NewMember(p.Key, to)
		clean = &m
	}
	if name := r.copyless(p.Key); name != p.Key {
		m := *clean
		m.Key = name
		clean = &m
	}
	return clean, nil
}

// secret returns what stands in the place of a secret of its own; nil leaves
// it out.
func (r *Redactor) secret(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	r.places++
	return r.standInFor(secret, at)
}

// Edge implements [catalog.EdgeTransform].
func (r *Redactor) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	if !r.concerns(e) {
		return e, nil
	}
	if secret, err := r.holdsSecret(e); secret || err != nil {
		return nil, cmp.Or(err, error(&catalog.Error{Offset: e.Offset(), Err: ErrLeak})) // nothing can replace it
	}
	source, target := e.Source(), e.Target()
	to := e.With(r.ref(source), r.ref(target))
	if to.Source() == source && to.Target() == target {
		return e, nil
	}
	return to, nil
}

// holdsSecret reports whether an edge holds a Sensitive. Where bytes tell, any
// rich value counts: real edges have none.
func (r *Redactor) holdsSecret(e *catalog.Edge) (holds bool, err error) {
	if text, ok := r.textIn(e); ok {
		return holdsTypes(text), nil
	}
	v, err := e.Value()
	if err != nil {
		return false, err
	}
	return holds, pcore.Walk(v, func(c *pcore.Cursor) error {
		holds = holds || c.Value().Kind() == pcore.KindSensitive
		return nil
	})
}

func (r *Redactor) ref(ref catalog.Ref) catalog.Ref {
	ref.Title = r.copyless(ref.Title)
	return ref
}

// Member implements [catalog.MemberTransform].
func (r *Redactor) Member(_ context.Context, m *catalog.Member) (*catalog.Member, error) {
	if err := r.begin(); err != nil {
		return nil, err
	}
	found := r.state().places[catalog.Ref{}]
	if found == nil && !r.concerns(m) {
		return m, nil
	}
	v, err := m.Value()
	if err != nil {
		return nil, err
	}
	at := catalog.Location{Path: pcore.Path{}.Key(m.Key)}
	to, err := r.value(v, place{at, found, r.shaped})
	switch {
	case err != nil:
		return nil, err
	case to == v && !r.mayHide(m):
		return m, nil
	case to == r.gone:
		return nil, nil
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, r.verify(to, at)
}

// copyless returns text with the copies of secrets in it replaced, and the parts
// in own, and counts them. In a reference to a resource, the title is replaced
// as it is in the resource.
func (r *Redactor) copyless(text string, own ...secret.Span) string {
	s := r.state()
	replaced, n := s.replace(text, r.masker, own...)
	if n == 0 {
		return text
	}
	r.copies += n
	if ref, ok := catalog.ParseRef(text); ok && len(own) == 0 {
		ref.Title, _ = s.replace(ref.Title, r.masker)
		if spelled := ref.String(); !s.hits([]byte(spelled)) {
			return spelled
		}
	}
	return replaced
}

// place is where a value stands that is rewritten.
type place struct {
	catalog.Location
	found places // in the resource
	// secret returns what stands in place of a secret that is all there is,
	// nil to leave it out.
	secret func(*pcore.Sensitive, catalog.Location) (pcore.Value, error)
}

// value returns v with secrets replaced: those that have their own place in
// it, and copies of all. It returns r.gone when v itself is left out.
func (r *Redactor) value(v pcore.Value, at place) (pcore.Value, error) {
	return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if c.Secret() {
			return c.Value(), nil // replaced as a whole
		}
		if secret, ok := c.Value().(*pcore.Sensitive); ok {
			return r.nested(secret, c, at)
		}
		return r.open(c, at)
	})
}

// open returns what becomes of a value that is not Sensitive: one that was found
// to be a secret is replaced as if it were.
func (r *Redactor) open(c *pcore.Cursor, at place) (pcore.Value, error) {
	v := c.Value()
	if at.found == nil {
		return r.plain(v), nil
	}
	text, ok := textOf(v)
	if !ok {
		return r.plain(v), nil
	}
	here := at.Join(c.Path())
	own, whole := r.state().own(at.found[placeOf(here.Path)], text)
	switch {
	case whole && c.IsKey():
		return pcore.String(r.mark(text)), nil
	case whole:
		return r.standIn(pcore.NewSensitive(v), c, at)
	}
	return r.plain(v, own...), nil
}

// shaped returns what stands in the place of a secret where no resource can do
// anything about it: its shape.
func (r *Redactor) shaped(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	r.places++
	return shape(secret, r.mark)
}

// standIn returns what stands in the place of a secret, or r.gone.
func (r *Redactor) standIn(secret *pcore.Sensitive, c *pcore.Cursor, at place) (pcore.Value, error) {
	to, err := at.secret(secret, at.Join(c.Path()))
	if err != nil || to != nil {
		return to, err
	}
	if last, ok := c.Last(); !ok || last.Kind != pcore.StepArgument && last.Kind != pcore.StepAttribute {
		return r.gone, nil
	}
	return shape(secret, r.mark)
}

// nested returns what becomes of a Sensitive: one that holds something else, a
// Deferred that gives the secret back, or r.gone.
func (r *Redactor) nested(secret *pcore.Sensitive, c *pcore.Cursor, at place) (pcore.Value, error) {
	at.secret = r.secret
	to, err := r.standIn(secret, c, at)
	if err != nil || to == r.gone {
		return to, err
	}
	switch to.(type) {
	case *pcore.Sensitive, *pcore.Deferred:
		return to, nil
	default:
	}
	if wrapped := pcore.NewSensitive(to); !pcore.Identical(wrapped, secret) {
		return wrapped, nil
	}
	return secret, nil
}

func (r *Redactor) mark(text string) string {
	return r.masker.Text(pcore.NewSensitive(pcore.String(text)))
}

// plain returns what becomes of a value that is not Sensitive, whose parts
// were replaced already. Own are the parts of its text that go in any case.
func (r *Redactor) plain(v pcore.Value, own ...secret.Span) pcore.Value {
	switch v := v.(type) {
	case pcore.Undef, pcore.Default, pcore.Boolean, pcore.Float:
		return v
	case pcore.String:
		return pcore.String(r.copyless(string(v), own...))
	case pcore.Binary:
		if s := v.Raw(); len(own) > 0 || r.state().hits([]byte(s)) {
			return pcore.NewBinaryString(r.copyless(s, own...))
		}
		return v
	case pcore.Integer, pcore.BigInteger:
		if text, _ := textOf(v); (len(own) > 0 || r.state().numeric) && r.copyless(text, own...) != text {
			return pcore.Integer(0)
		}
		return v
	case *pcore.Array:
		return r.withoutGone(v)
	case *pcore.Hash:
		return r.withoutGoneEntries(v)
	case *pcore.Deferred:
		if name := r.copyless(v.Name()); name != v.Name() {
			return pcore.NewDeferred(name, v.Arguments())
		}
		return v
	case *pcore.Object:
		return r.object(v)
	default:
		return r.asText(v, own...)
	}
}

// asText replaces copies in the text of a value that is nothing else. It
// becomes a String where the text is not one of its kind any more.
func (r *Redactor) asText(v pcore.Value, own ...secret.Span) pcore.Value {
	text, ok := textOf(v)
	if !ok {
		text = v.String()
	}
	clean := r.copyless(text, own...)
	if clean == text {
		return v
	}
	switch v.Kind() {
	case pcore.KindRegexp:
		return pcore.NewRegexp(clean)
	case pcore.KindURI:
		if uri, err := pcore.ParseURI(clean); err == nil {
			return uri
		}
	default:
	}
	return pcore.String(clean)
}

func (r *Redactor) withoutGone(v *pcore.Array) pcore.Value {
	left := slices.DeleteFunc(slices.Collect(v.Values()), func(e pcore.Value) bool { return e == r.gone })
	if len(left) == v.Len() {
		return v
	}
	return pcore.NewArray(left...)
}

func (r *Redactor) withoutGoneEntries(v *pcore.Hash) pcore.Value {
	b := pcore.NewHashBuilder(v.Len())
	for k, e := range v.All() {
		if k != r.gone && e != r.gone {
			b.Set(k, e)
		}
	}
	if b.Len() == v.Len() {
		return v
	}
	return b.Hash()
}

// object replaces copies in the names of attributes.
func (r *Redactor) object(v *pcore.Object) pcore.Value {
	b := pcore.NewHashBuilder(v.Attributes().Len())
	changed := false
	for k, e := range v.Attributes().All() {
		if name, ok := k.(pcore.String); ok && r.state().hits([]byte(name)) {
			k, changed = pcore.String(r.copyless(string(name))), true
		}
		b.Set(k, e)
	}
	if !changed {
		return v
	}
	return pcore.NewObject(v.Type(), b.Hash())
}

// verify returns an error where a secret is left in v.
func (r *Redactor) verify(v pcore.Value, at catalog.Location) error {
	s := r.state()
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		if text, ok := textOf(c.Value()); ok && s.hits([]byte(text)) {
			return &catalog.Error{At: r.Location(at.Join(c.Path())), Offset: -1, Err: ErrLeak}
		}
		return nil
	})
}
