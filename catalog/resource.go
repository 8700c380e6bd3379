package catalog

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/serialization"
)

// The members of a resource with a meaning to this package.
const (
	keyType       = "type"
	keyTitle      = "title"
	keyTags       = "tags"
	keyFile       = "file"
	keyLine       = "line"
	keyExported   = "exported"
	keyKind       = "kind"
	keyParameters = "parameters"
	keySensitive  = "sensitive_parameters"
	keyContent    = "content_file"
)

// Resource is one resource of a catalog. It keeps its original bytes and
// decodes members on demand. It is immutable, so the With methods return a
// changed copy, and it is safe for concurrent use.
//
// Accessors return the zero value if a member is absent or has the wrong kind;
// [Resource.Value] and [Resource.Parameters] return an error.
type Resource struct {
	whole datum
	once  sync.Once
	found *resourceMembers // nil until load
}

// resourceMembers are the members that were found in a resource.
type resourceMembers struct {
	members []Member
	// parameters is nil if there are none. Once changed is set, the member with
	// their key in members is only a placeholder for their position.
	parameters []Member
	changed    bool
	err        error // of finding them
}

// NewResource returns a resource with the given members, which must include a
// type and a title, both Strings. The error matches [ErrShape].
func NewResource(members *pcore.Hash) (*Resource, error) {
	r := &Resource{whole: newDatum(content{value: members})}
	if _, err := r.load(); err != nil {
		return nil, err
	}
	if r.Type() == "" || r.Title() == "" {
		return nil, &Error{At: Location{Ref: r.Ref()}, Offset: -1, Err: ErrShape}
	}
	return r, nil
}

// load splits the resource into its members. If that fails, there are no
// members, and the error gives the cause.
func (r *Resource) load() (*resourceMembers, error) {
	r.once.Do(func() {
		if r.found == nil {
			members, err := splitResource(&r.whole)
			members.err = err
			r.found = &members
		}
	})
	return r.found, r.found.err
}

// Fresh returns the resource without the members that were found in it so far, or r if it was
// changed. A program that reads many resources once and keeps them for
// later reads their fresh copies, so that the members take no memory.
func (r *Resource) Fresh() *Resource {
	if r.whole.open == nil {
		return r
	}
	return &Resource{whole: r.whole}
}

func splitResource(whole *datum) (resourceMembers, error) {
	members, err := whole.split()
	if err != nil {
		return resourceMembers{}, located(err, Location{}, whole.content().offset)
	}
	found := resourceMembers{members: members}
	i := find(members, keyParameters)
	if i < 0 {
		return found, nil
	}
	p := &members[i]
	found.parameters, err = p.split()
	if err == nil && find(found.parameters, typeKey) >= 0 {
		found.parameters, err = p.decoded()
	}
	if err != nil {
		err = located(err, Location{Path: path(keyParameters)}, p.content().offset)
	}
	return found, err
}

// decoded returns the members of a map that is encoded as rich data.
func (d *datum) decoded() ([]Member, error) {
	v, err := d.Value()
	if err != nil {
		return nil, err
	}
	return membersOf(v)
}

// Bytes returns the original bytes of the resource, or nil if a program made or
// changed it. The caller must not modify them.
func (r *Resource) Bytes() []byte { return r.whole.Bytes() }

// Wire returns the syntax of Bytes, as in [serialization.Format], or "" if
// there are none.
func (r *Resource) Wire() string { return r.whole.Wire() }

// MayBeRich reports whether the resource may contain rich data, as
// [Member.MayBeRich] does.
func (r *Resource) MayBeRich() bool { return r.whole.MayBeRich() }

// IsRich reports whether the form of Bytes can represent every value.
func (r *Resource) IsRich() bool {
	c := r.whole.content()
	return c.raw != nil && c.from.format.Rich
}

// Offset returns the position of Bytes in the input, or -1 if there are none.
func (r *Resource) Offset() int64 { return r.whole.Offset() }

// Ref returns the type and title.
func (r *Resource) Ref() Ref {
	typ, title := r.TypeAndTitle()
	return Ref{string(typ), string(title)}
}

// TypeAndTitle returns the type and the title, which must not be changed. Of a resource
// in the layout that Puppet writes, it does not look at the other members.
func (r *Resource) TypeAndTitle() (typ, title []byte) {
	if r.Wire() == "json" {
		if typ, title, ok := headOf(r.Bytes()); ok {
			return typ, title
		}
	}
	return []byte(r.Type()), []byte(r.Title())
}

// headOf returns the type and the title with which the JSON of a resource begins. ok is
// false for another layout, and if there are escapes.
func headOf(raw []byte) (typ, title []byte, ok bool) {
	if typ, raw, ok = textAfter(raw, '{', `"type"`); ok {
		title, _, ok = textAfter(raw, ',', `"title"`)
	}
	return typ, title, ok
}

// textAfter returns the string that is the member key, after a bracket or a comma, and the rest.
func textAfter(raw []byte, before byte, key string) (text, rest []byte, ok bool) {
	i := jsonwire.SkipBlanks(raw, 0)
	if i == len(raw) || raw[i] != before {
		return nil, nil, false
	}
	if i = jsonwire.SkipBlanks(raw, i+1); !bytes.HasPrefix(raw[i:], []byte(key)) {
		return nil, nil, false
	}
	if i = jsonwire.SkipBlanks(raw, i+len(key)); i == len(raw) || raw[i] != ':' {
		return nil, nil, false
	}
	if i = jsonwire.SkipBlanks(raw, i+1); i == len(raw) || raw[i] != '"' {
		return nil, nil, false
	}
	text, rest, ok = bytes.Cut(raw[i+1:], []byte{'"'})
	return text, rest, ok && jsonwire.IsPlain(text)
}

// Type returns the name of the type.
func (r *Resource) Type() string { return r.text(keyType) }

// Title returns the title. One that is a number or a Boolean, as Puppet 4 wrote some, is its
// text, as for Puppet.
func (r *Resource) Title() string {
	if text := r.text(keyTitle); text != "" {
		return text
	}
	return TitleText(r.value(keyTitle))
}

// TitleText returns the text of the title of a resource, as Puppet reads it: that of a number or
// a Boolean, too. It is empty for other values.
func TitleText(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.String:
		return string(v)
	case pcore.Integer, pcore.BigInteger, pcore.Float, pcore.Boolean:
		return v.String()
	default:
		return ""
	}
}

// Tags returns the tags in their original order.
func (r *Resource) Tags() []string { return r.texts(keyTags) }

// File returns the manifest in which the resource was declared.
func (r *Resource) File() string { return r.text(keyFile) }

// Line returns the line in File, from 1, or 0 if unknown.
func (r *Resource) Line() int64 {
	n, _ := r.value(keyLine).(pcore.Integer)
	return int64(n)
}

// Exported reports whether the resource is exported to other nodes.
func (r *Resource) Exported() bool {
	b, _ := r.value(keyExported).(pcore.Boolean)
	return bool(b)
}

// Kind returns the kind of the type: `compilable_type`, `defined_type`, `class`
// or `unknown`.
func (r *Resource) Kind() string { return r.text(keyKind) }

// ContentFile returns the file whose content a parameter of the resource has, which copies the
// file by its source. Puppet does not write this member: a program that includes the contents of
// files in a catalog adds it. Otherwise it is empty.
func (r *Resource) ContentFile() string { return r.text(keyContent) }

// SensitiveParameters returns the names of the parameters whose whole value is
// a secret, although the catalog contains it in plain text. A name may refer to
// an absent parameter.
func (r *Resource) SensitiveParameters() []string { return r.texts(keySensitive) }

// Member returns the value of any member, or false if it is absent.
func (r *Resource) Member(key string) (pcore.Value, bool) {
	m, _ := r.load()
	if i := find(m.members, key); i >= 0 {
		return r.value(key), true
	}
	return nil, false
}

// RawMembers returns the members, in order, without decoding them. The member
// with the parameters is only a placeholder for their position; use
// [Resource.RawParameters] for their values.
func (r *Resource) RawMembers() []Member {
	m, _ := r.load()
	return slices.Clip(m.members)
}

// Keys returns the names of the members, in order.
func (r *Resource) Keys() []string {
	m, _ := r.load()
	return keysOf(m.members)
}

// ParameterNames returns the names of the parameters, in order.
func (r *Resource) ParameterNames() []string {
	m, _ := r.load()
	return keysOf(m.parameters)
}

func keysOf(members []Member) []string {
	keys := make([]string, len(members))
	for i := range members {
		keys[i] = members[i].Key
	}
	return keys
}

// RawParameters returns the parameters, in order, without decoding them.
func (r *Resource) RawParameters() ([]Member, error) {
	m, err := r.load()
	return slices.Clip(m.parameters), r.blame(err)
}

// Parameter returns the value of a parameter, or false if it is absent. A
// parameter named in [Resource.SensitiveParameters] is returned as a
// *[pcore.Sensitive]; [Resource.RevealParameter] returns it in plain text.
func (r *Resource) Parameter(name string) (pcore.Value, bool, error) {
	v, ok, err := r.RevealParameter(name) //nolint:forbidigo // wrapped below
	if ok && slices.Contains(r.SensitiveParameters(), name) {
		v = sensitive(v)
	}
	return v, ok, err
}

// RevealParameter returns the value of a parameter as it is in the catalog, or
// false if it is absent. The value of a parameter named in
// [Resource.SensitiveParameters] is a secret in plain text: do not print it.
func (r *Resource) RevealParameter(name string) (pcore.Value, bool, error) {
	m, err := r.load()
	if err != nil {
		return nil, false, r.blame(err)
	}
	i := find(m.parameters, name)
	if i < 0 {
		return nil, false, nil
	}
	v, err := r.Decode(&m.parameters[i])
	return v, err == nil, err
}

// sensitive wraps v in a Sensitive unless it is one.
func sensitive(v pcore.Value) pcore.Value {
	if pcore.Is[*pcore.Sensitive](v) {
		return v
	}
	return pcore.NewSensitive(v)
}

// Decode returns the value of one of [Resource.RawParameters] as it is in the
// catalog, with a listed secret in plain text. Errors have the location of the
// parameter.
func (r *Resource) Decode(parameter *Member) (pcore.Value, error) {
	v, err := parameter.Value()
	if err != nil {
		err = r.blame(located(err, Location{Path: path(keyParameters, parameter.Key)}, -1))
	}
	return v, err
}

// Parameters returns all parameters by name. The result is nil only if there is
// an error. A parameter named in [Resource.SensitiveParameters] is returned as
// a *[pcore.Sensitive]; [Resource.RevealParameters] returns it in plain text.
func (r *Resource) Parameters() (*pcore.Hash, error) { return r.parametersAs(r.listed()) }

// Unmarshal stores the parameters in the struct that dst points to, as package
// native does: the parameter backup_port in the field BackupPort. A parameter
// named in [Resource.SensitiveParameters] needs a field that is a
// native.Secret. A field without a parameter stays as it is. The error is an
// *[Error] with the location, and may quote a number that is out of range.
func (r *Resource) Unmarshal(dst any) error {
	parameters, err := r.Parameters()
	if err != nil {
		return err
	}
	err = native.Unmarshal(parameters, dst)
	if e, ok := errors.AsType[*native.Error](err); ok {
		return &Error{At: Location{Ref: r.Ref(), Path: e.Path}, Offset: -1, Err: e.Err}
	}
	return err
}

// RevealParameters returns all parameters by name as they are in the catalog.
// The result is nil only if there is an error. The value of a parameter named
// in [Resource.SensitiveParameters] is a secret in plain text: do not print it.
func (r *Resource) RevealParameters() (*pcore.Hash, error) { return r.parametersAs(Names{}) }

func (r *Resource) listed() Names { return NamesOf(r.SensitiveParameters()) }

// parametersAs returns all parameters and wraps the parameters named in secret
// in a Sensitive.
func (r *Resource) parametersAs(secret Names) (*pcore.Hash, error) {
	m, err := r.load()
	if err != nil {
		return nil, r.blame(err)
	}
	b := pcore.NewHashBuilder(len(m.parameters))
	for i := range m.parameters {
		p := &m.parameters[i]
		v, err := r.Decode(p)
		if err != nil {
			return nil, err
		}
		if secret.Has(p.Key) {
			v = sensitive(v)
		}
		b.SetString(p.Key, v)
	}
	return b.Hash(), nil
}

// Value returns the whole resource, with all members, as a Hash. Its parameters
// are as [Resource.Parameters] returns them, with listed secrets hidden;
// [Resource.RevealValue] includes them.
func (r *Resource) Value() (*pcore.Hash, error) {
	if len(r.SensitiveParameters()) == 0 {
		return r.RevealValue() //nolint:forbidigo // it lists no secrets
	}
	return r.valueAs(r.listed())
}

// RevealValue returns the whole resource, with all members, as a Hash, as it is
// in the catalog. The value of a parameter named in
// [Resource.SensitiveParameters] is a secret in plain text: do not print it.
func (r *Resource) RevealValue() (*pcore.Hash, error) {
	if h, ok := r.decodeWhole(); ok {
		return h, nil
	}
	return r.valueAs(Names{})
}

// valueAs returns the whole resource and wraps the parameters named in secret
// in a Sensitive.
func (r *Resource) valueAs(secret Names) (*pcore.Hash, error) {
	m, err := r.load()
	if err != nil {
		return nil, r.blame(err)
	}
	b := pcore.NewHashBuilder(len(m.members))
	for i := range m.members {
		key := m.members[i].Key
		var v pcore.Value
		if key == keyParameters {
			v, err = r.parametersAs(secret)
		} else {
			v, err = m.members[i].Value()
		}
		if err != nil {
			return nil, r.blame(located(err, Location{Path: path(key)}, -1))
		}
		b.SetString(key, v)
	}
	return b.Hash(), nil
}

// decodeWhole implements RevealValue by decoding the original bytes in one
// pass. It reports false if there are no bytes, if they may decode to something
// other than their members, or if they do not decode: the error must name the
// member.
func (r *Resource) decodeWhole() (h *pcore.Hash, ok bool) {
	if r.whole.Bytes() == nil {
		return nil, false
	}
	v, err := r.whole.Value()
	if err != nil {
		return nil, false
	}
	if h, ok = v.(*pcore.Hash); !ok {
		return nil, false
	}
	if v, ok = h.GetString(keyParameters); !ok {
		return h, true
	}
	parameters, ok := v.(*pcore.Hash)
	return h, ok && hasNames(parameters)
}

// hasNames reports whether all keys are Strings.
func hasNames(h *pcore.Hash) bool {
	for k := range h.Keys() {
		if !pcore.Is[pcore.String](k) {
			return false
		}
	}
	return true
}

// blame adds the resource to err. In a parameter that is secret as a whole, the
// path ends at the parameter.
func (r *Resource) blame(err error) error {
	if err == nil {
		return nil
	}
	err = ofResource(located(err, Location{}, r.Offset()), r.Ref())
	e, ok := err.(*Error) //nolint:errorlint // made by ofResource, never wrapped
	var inner *serialization.Error
	if !ok || len(e.At.Path) == 0 || !errors.As(e.Err, &inner) {
		return err
	}
	name, _ := e.At.Path[0].Key.(pcore.String)
	if !slices.Contains(r.SensitiveParameters(), string(name)) {
		return err
	}
	at := Location{Ref: e.At.Ref, Path: e.At.Path[:1]}
	return &Error{At: at, Offset: e.Offset, Err: discreet(inner, nil)}
}

// ofResource turns a location in the members of a resource into a location in
// the resource, in which the step to `parameters` is dropped.
func ofResource(err error, ref Ref) error {
	e, ok := err.(*Error) //nolint:errorlint // made by located, never wrapped
	if !ok || !e.At.Ref.IsZero() {
		return err
	}
	at := e.At.Path
	if len(at) > 1 && at[0].Key == pcore.String(keyParameters) {
		at = at[1:]
	}
	return &Error{At: Location{Ref: ref, Path: at}, Offset: e.Offset, Err: e.Err}
}

func (r *Resource) datum(key string) *datum {
	m, _ := r.load()
	i := find(m.members, key)
	if i < 0 {
		return &datum{}
	}
	return &m.members[i].datum
}

func (r *Resource) text(key string) string    { return r.datum(key).text() }
func (r *Resource) texts(key string) []string { return r.datum(key).texts() }

func (r *Resource) value(key string) pcore.Value {
	if key == keyParameters {
		if h, err := r.Parameters(); err == nil {
			return h
		}
		return pcore.Undef{}
	}
	v, err := r.datum(key).Value()
	if err != nil {
		return pcore.Undef{}
	}
	return v
}

// With returns a copy of the resource with another value of a member. An absent
// member is inserted at its position in Puppet's order. Use
// [Resource.WithParameter] to change a parameter.
func (r *Resource) With(key string, value pcore.Value) *Resource {
	if h, ok := value.(*pcore.Hash); ok && key == keyParameters {
		if members, err := membersOf(h); err == nil {
			return r.WithParameters(members)
		}
	}
	return r.change(func(m *resourceMembers) { m.set(NewMember(key, value)) })
}

// Without returns a copy of the resource without a member.
func (r *Resource) Without(key string) *Resource {
	return r.change(func(m *resourceMembers) {
		m.members = slices.DeleteFunc(m.members, func(e Member) bool { return e.Key == key })
		if key == keyParameters {
			m.parameters = nil
		}
	})
}

// WithMembers returns a copy of the resource with other members, in the given
// order; the list must not be modified afterwards. Members from
// [Resource.RawMembers] are written with their original bytes, and the
// parameters are kept if the list has a member for them. This copies the list
// once for any number of changes; the methods for a single member copy it for
// each change.
func (r *Resource) WithMembers(members []Member) *Resource {
	return r.change(func(m *resourceMembers) {
		m.members = members
		if find(members, keyParameters) < 0 {
			m.parameters = nil
		}
	})
}

// WithTitle returns a copy of the resource with another title.
func (r *Resource) WithTitle(title string) *Resource { return r.With(keyTitle, pcore.String(title)) }

// WithContentFile returns a copy of the resource with another [Resource.ContentFile].
func (r *Resource) WithContentFile(path string) *Resource {
	return r.With(keyContent, pcore.String(path))
}

// WithTags returns a copy of the resource with other tags.
func (r *Resource) WithTags(tags ...string) *Resource { return r.With(keyTags, textArray(tags)) }

// WithSensitiveParameters returns a copy of the resource with other names of
// sensitive parameters. Without names, the member is removed, as Puppet does.
func (r *Resource) WithSensitiveParameters(names ...string) *Resource {
	if len(names) == 0 {
		return r.Without(keySensitive)
	}
	return r.With(keySensitive, textArray(names))
}

// WithParameter returns a copy of the resource with another value of a
// parameter, which is appended if it is absent. The other parameters keep their
// bytes.
func (r *Resource) WithParameter(name string, value pcore.Value) *Resource {
	m, _ := r.load()
	parameters := slices.Clone(m.parameters)
	if i := find(parameters, name); i >= 0 {
		parameters[i] = NewMember(name, value)
	} else {
		parameters = append(parameters, NewMember(name, value))
	}
	return r.WithParameters(parameters)
}

// WithoutParameter returns a copy of the resource without a parameter.
func (r *Resource) WithoutParameter(name string) *Resource {
	m, _ := r.load()
	return r.WithParameters(slices.DeleteFunc(slices.Clone(m.parameters), func(e Member) bool { return e.Key == name }))
}

// WithParameters returns a copy of the resource with other parameters, in the
// given order; the list must not be modified afterwards. Parameters from
// [Resource.RawParameters] are written with their original bytes. This copies
// the list once for any number of changes; the methods for a single parameter
// copy it for each change.
func (r *Resource) WithParameters(parameters []Member) *Resource {
	return r.change(func(m *resourceMembers) {
		if find(m.members, keyParameters) < 0 {
			m.set(NewMember(keyParameters, pcore.NewHash()))
		}
		m.parameters, m.changed = parameters, true
	})
}

func (r *Resource) change(f func(*resourceMembers)) *Resource {
	m, _ := r.load()
	changed := *m
	changed.members = slices.Clone(m.members)
	f(&changed)
	return &Resource{found: &changed}
}

// rank returns the position of a member in Puppet's order, or -1 if Puppet does
// not write the member.
func rank(key string) int {
	return slices.Index([]string{
		keyType, keyTitle, keyTags, keyFile, keyLine, keyExported, keyKind, keyParameters, keySensitive,
	}, key)
}

// set replaces a member, or inserts it at its position in Puppet's order.
func (m *resourceMembers) set(member Member) {
	if i := find(m.members, member.Key); i >= 0 {
		m.members[i] = member
		return
	}
	at := len(m.members)
	if own := rank(member.Key); own >= 0 {
		for at > 0 && (rank(m.members[at-1].Key) < 0 || rank(m.members[at-1].Key) > own) {
			at--
		}
	}
	m.members = slices.Insert(m.members, at, member)
}

// write writes the resource, with the original bytes of unchanged parts.
func (r *Resource) write(w *Writer) error {
	if written, err := r.whole.writeBytes(w); written || err != nil {
		return r.blame(err)
	}
	m, err := r.load()
	if err == nil {
		err = r.writeMembers(w, m)
	}
	return r.blame(err)
}

func (r *Resource) writeMembers(w *Writer, m *resourceMembers) error {
	if err := w.out.BeginMap(len(m.members)); err != nil {
		return err
	}
	for i := range m.members {
		e := &m.members[i]
		if err := w.out.Key(e.Key); err != nil {
			return err
		}
		write := e.write
		if e.Key == keyParameters && (m.changed || !w.clear()) {
			write = func(w *Writer) error { return r.writeParameters(w, m) }
		}
		if err := write(w); err != nil {
			return located(err, Location{Path: path(e.Key)}, -1)
		}
	}
	return w.out.End()
}

func (r *Resource) writeParameters(w *Writer, m *resourceMembers) error {
	parameters := m.parameters
	if !w.clear() {
		var err error
		if parameters, err = wrap(parameters, r.SensitiveParameters()); err != nil {
			return err
		}
	}
	return writeMembers(w, parameters)
}

// wrap wraps the parameters with the given names in a Sensitive, so that the
// secret policy of the encoder applies to them.
func wrap(parameters []Member, names []string) ([]Member, error) {
	listed := NamesOf(names)
	wrapped := slices.Clone(parameters)
	for i := range wrapped {
		p := &wrapped[i]
		if !listed.Has(p.Key) {
			continue
		}
		v, err := p.Value()
		if err != nil {
			return nil, located(err, Location{Path: path(p.Key)}, -1)
		}
		*p = NewMember(p.Key, pcore.NewSensitive(v))
	}
	return wrapped, nil
}
