package tabulated

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// sink is a flavour to which scalars and extensions are written.
type sink interface {
	// scalar writes undef, a Boolean, a number or a String.
	scalar(v pcore.Value) error
	// extension writes an extension to which the next n elements belong.
	extension(c code, n int, payload ...pcore.Value) error
	// number is extension with one integer as payload.
	number(c code, n, payload int) error
	// binary returns the representation of bytes in the flavour.
	binary(v pcore.Binary) (code, pcore.Value)
}

// serializer writes values as a stream.
type serializer struct {
	*tables
	sink sink
	opts serialization.EncodeOptions
	path pcore.Path
	// count is the number of values so far, including values without an identity.
	count int
}

// tables are the tables of a serializer, which can be reused.
type tables struct {
	// written maps the identities of the values so far to their indexes.
	written map[any]int
	// open contains the Object types being written.
	open map[any]bool
	// texts and inner map the texts, and the scalars and starts, so far to their
	// indexes. They are numbered together.
	texts map[string]int
	inner map[any]int
}

func newSerializer(s sink, o serialization.EncodeOptions) *serializer {
	return &serializer{tables: unused.Get().(*tables), sink: s, opts: o}
}

// unused contains empty tables.
var unused = sync.Pool{New: func() any {
	return &tables{written: map[any]int{}, open: map[any]bool{}, texts: map[string]int{}, inner: map[any]int{}}
}}

// release empties the tables for later use. The serializer must not be used afterwards.
func (s *serializer) release() {
	const most = 1 << 16 // larger tables are not kept
	if len(s.written)+len(s.texts)+len(s.inner) < most {
		clear(s.written)
		clear(s.open)
		clear(s.texts)
		clear(s.inner)
		unused.Put(s.tables)
	}
	s.tables = nil
}

// push assigns the next index to a value, before its contents are written.
func (s *serializer) push(id any) {
	if id != nil {
		s.written[id] = s.count
	}
	s.count++
}

func (s *serializer) value(v pcore.Value) error {
	switch v := v.(type) {
	case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.BigInteger:
		return s.fail(s.sink.scalar(v))
	case pcore.Float:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return s.fail(fmt.Errorf("%w: NaN and Infinity cannot be represented", serialization.ErrRange))
		}
		return s.fail(s.sink.scalar(v))
	case pcore.String:
		return s.text(string(v), v)
	case pcore.Default:
		return s.fail(s.sink.extension(codeDefault, 0))
	case *pcore.Sensitive:
		return s.sensitive(v)
	default:
		return s.identified(v)
	}
}

// identified writes a value, or its index if it was written before.
func (s *serializer) identified(v pcore.Value) error {
	id := identity(v)
	if i, ok := s.written[id]; ok && id != nil {
		if s.open[id] {
			return s.fail(fmt.Errorf("%w: an Object type that refers to itself", serialization.ErrUnsupported))
		}
		return s.fail(s.sink.number(codeTabulation, 0, i))
	}
	return s.first(v, id)
}

// first writes a value that was not written before.
func (s *serializer) first(v pcore.Value, id any) error {
	switch v := v.(type) {
	case *pcore.Array:
		s.push(id)
		return s.array(v)
	case *pcore.Hash:
		s.push(id)
		return s.hash(v)
	case *pcore.Deferred:
		return s.deferred(v)
	case *pcore.Object:
		return s.object(v)
	case *pcore.TypeReferenceType:
		s.push(id)
		return s.tabulated(codeType, v.Ref(), pcore.String(v.Ref()))
	case pcore.Type:
		s.push(id)
		return s.typ(v)
	default:
		s.push(id)
		return s.rich(v)
	}
}

// rich writes a scalar that the wire format does not have.
func (s *serializer) rich(v pcore.Value) error {
	text := func(c code, text string) error { return s.tabulated(c, text, pcore.String(text)) }
	switch v := v.(type) {
	case pcore.Symbol:
		return s.plain(codeSymbol, pcore.String(v))
	case pcore.Timestamp:
		return s.plain(codeTime, pcore.Integer(v.Unix()), pcore.Integer(v.Nanosecond()))
	case pcore.Timespan:
		return s.plain(codeTimespan, pcore.Integer(v.Seconds()), pcore.Integer(v.Nanosecond()))
	case *pcore.SemVer:
		return s.plain(codeVersion, pcore.String(v.Text()))
	case *pcore.SemVerRange:
		return text(codeVersionRange, v.Text())
	case *pcore.Regexp:
		return text(codeRegexp, v.Source())
	case *pcore.URI:
		return text(codeURI, v.Text())
	case pcore.Binary:
		c, payload := s.sink.binary(v)
		return s.tabulated(c, v.Raw(), payload)
	default:
		return s.fail(fmt.Errorf("%w: %s", serialization.ErrUnsupported, pcore.KindOf(v)))
	}
}

// text writes a text, or its index if it was written before. v is the text as a
// value.
func (s *serializer) text(text string, v pcore.Value) error {
	if i, ok := s.texts[text]; ok {
		return s.fail(s.sink.number(codeInner, 0, i))
	}
	if !utf8.ValidString(text) {
		return s.fail(fmt.Errorf("%w; use a Binary for bytes", serialization.ErrUTF8))
	}
	s.texts[text] = s.indexes()
	return s.fail(s.sink.scalar(v))
}

// indexes returns the number of texts, scalars and starts so far.
func (s *serializer) indexes() int { return len(s.texts) + len(s.inner) }

// scalarKey identifies a scalar.
type scalarKey struct {
	code code
	text string
}

// tabulated writes a scalar, or its index if it was written before.
func (s *serializer) tabulated(c code, text string, payload pcore.Value) error {
	key := scalarKey{c, text}
	if i, ok := s.inner[key]; ok {
		return s.fail(s.sink.number(codeInner, 0, i))
	}
	if err := s.plain(c, payload); err != nil {
		return err
	}
	s.inner[key] = s.indexes()
	return nil
}

// plain writes an extension that has no index.
func (s *serializer) plain(c code, payload ...pcore.Value) error {
	for _, v := range payload {
		if text, ok := v.(pcore.String); ok && !utf8.ValidString(string(text)) {
			return s.fail(serialization.ErrUTF8)
		}
	}
	return s.fail(s.sink.extension(c, 0, payload...))
}

func (s *serializer) array(v *pcore.Array) error {
	if err := s.fail(s.sink.number(codeArray, v.Len(), v.Len())); err != nil {
		return err
	}
	for i := range v.Len() {
		elem := v.At(i)
		if done, err := s.simple(elem); done {
			if err != nil {
				return err
			}
			continue
		}
		if err := s.within(pcore.Step{Kind: pcore.StepIndex, Index: i}, elem); err != nil {
			return err
		}
	}
	return nil
}

// simple writes v if it is one of the values that most members are, which every
// flavour can represent, so that no path is needed.
func (s *serializer) simple(v pcore.Value) (done bool, err error) {
	switch text := v.(type) {
	case pcore.String:
		if i, ok := s.texts[string(text)]; ok {
			return true, s.sink.number(codeInner, 0, i)
		}
		if !utf8.ValidString(string(text)) {
			return false, nil
		}
		s.texts[string(text)] = s.indexes()
		return true, s.sink.scalar(v) // not text, which would be allocated
	case pcore.Undef, pcore.Boolean, pcore.Integer:
		return true, s.sink.scalar(v)
	default:
		return false, nil
	}
}

func (s *serializer) hash(v *pcore.Hash) error {
	if err := s.fail(s.sink.number(codeMap, 2*v.Len(), v.Len())); err != nil {
		return err
	}
	listed := !v.HasPlainKeys()
	for i := range v.Len() {
		e := v.At(i)
		done, err := s.simple(e.Key)
		if !done {
			err = s.within(pcore.Step{Kind: pcore.StepKey, Index: i, Key: e.Key, Listed: listed}, e.Key)
		}
		if err != nil {
			return err
		}
		if done, err = s.simple(e.Value); !done {
			err = s.within(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: e.Key, Listed: listed}, e.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sensitive writes a secret according to the options.
func (s *serializer) sensitive(v *pcore.Sensitive) error {
	switch s.opts.Secrets {
	case serialization.PlainSecrets:
	case serialization.RedactSecrets:
		return s.text(pcore.RedactedText, pcore.String(pcore.RedactedText))
	default:
		return s.fail(serialization.ErrSecret)
	}
	if err := s.fail(s.sink.extension(codeSensitive, 0)); err != nil {
		return err
	}
	secret := v.Reveal() //nolint:forbidigo // the options ask for secrets in clear
	return s.within(pcore.Step{Kind: pcore.StepSecret}, secret)
}

func (s *serializer) deferred(v *pcore.Deferred) error {
	b := pcore.NewHashBuilder(2)
	b.SetString("name", pcore.String(v.Name()))
	if args := v.Arguments(); args != nil {
		b.SetString("arguments", args)
	}
	return s.instance(v, pcore.DeferredType(), b.Hash())
}

func (s *serializer) object(v *pcore.Object) error {
	switch t := v.Type().(type) {
	case *pcore.ObjectType:
		return s.instance(v, t, v.Arguments())
	case *pcore.ObjectTypeExtension:
		return s.instance(v, t.Base(), v.Arguments())
	}
	if strings.HasPrefix(v.TypeName(), metaPrefix) {
		return s.byName(v, v.TypeName(), v.Attributes())
	}
	return s.undeclared(v)
}

// instance writes an object of a known type.
func (s *serializer) instance(v pcore.Value, t *pcore.ObjectType, attributes *pcore.Hash) error {
	if s.opts.EmbedTypes || !t.Named() {
		return s.embedded(v, t, attributes)
	}
	return s.byName(v, t.Name(), attributes)
}

// byName writes an object with the name of its type and the values of its
// attributes.
func (s *serializer) byName(v pcore.Value, name string, attributes *pcore.Hash) error {
	s.push(identity(v))
	if err := s.pcoreObject(name, attributes.Len()); err != nil {
		return err
	}
	return s.attributes(attributes)
}

// embedded writes an object after its type.
func (s *serializer) embedded(v pcore.Value, t *pcore.ObjectType, attributes *pcore.Hash) error {
	if err := s.objectStart(1 + attributes.Len()); err != nil {
		return err
	}
	if err := s.value(t); err != nil {
		return err
	}
	s.push(identity(v))
	return s.attributes(attributes)
}

// undeclared writes an object of an unknown type: a type reference and the
// attributes by name.
func (s *serializer) undeclared(v *pcore.Object) error {
	if err := s.objectStart(2); err != nil {
		return err
	}
	if err := s.value(v.Type()); err != nil {
		return err
	}
	s.push(identity(v))
	return s.value(v.Attributes())
}

func (s *serializer) attributes(attributes *pcore.Hash) error {
	for i := range attributes.Len() {
		e := attributes.At(i)
		if err := s.within(pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: e.Key}, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// startKey identifies the start of an object.
type startKey struct {
	name string // empty for an object start
	n    int
}

func (s *serializer) objectStart(n int) error {
	key := startKey{n: n}
	if i, ok := s.inner[key]; ok {
		return s.fail(s.sink.number(codeInner, 0, i))
	}
	s.inner[key] = s.indexes()
	return s.fail(s.sink.number(codeObject, n, n))
}

// pcoreObject writes the start of an object with n attributes. The parts of the
// name are tabulated like other texts.
func (s *serializer) pcoreObject(name string, n int) error {
	key := startKey{name, n}
	if i, ok := s.inner[key]; ok {
		return s.fail(s.sink.number(codeInner, 0, i))
	}
	if !utf8.ValidString(name) {
		return s.fail(serialization.ErrUTF8)
	}
	parts := strings.Split(name, "::")
	payload := make([]pcore.Value, 0, 2+len(parts))
	payload = append(payload, pcore.Integer(len(parts)))
	for _, part := range parts {
		i, ok := s.texts[part]
		if ok {
			payload = append(payload, pcore.Integer(i))
			continue
		}
		s.texts[part] = s.indexes()
		payload = append(payload, pcore.String(part))
	}
	s.inner[key] = s.indexes()
	return s.fail(s.sink.extension(codePcore, n, append(payload, pcore.Integer(n))...))
}

// typ writes a type as an instance of its meta type.
func (s *serializer) typ(t pcore.Type) error {
	name, attributes, err := metaOf(t)
	if err != nil {
		return s.fail(fmt.Errorf("%w: %w", serialization.ErrUnsupported, err))
	}
	if s.opts.OnLoss != nil && dataconv.LosesParameter(t) {
		codec.Lose(&s.opts, s.path, serialization.LostType, t, pcore.String(pcore.TypeName(t)))
	}
	if t, ok := t.(*pcore.ObjectType); ok {
		s.open[t] = true
		defer delete(s.open, any(t))
	}
	if err := s.pcoreObject(name, attributes.Len()); err != nil {
		return err
	}
	return s.attributes(attributes)
}

// metaOf is pcore.MetaOf that also supports types that refer to themselves.
func metaOf(t pcore.Type) (name string, attributes *pcore.Hash, err error) {
	switch t := t.(type) {
	case *pcore.TypeAliasType:
		return pcore.MetaName(t), pcore.NewHash(
			pcore.Entry{Key: pcore.String("name"), Value: pcore.String(pcore.TypeName(t))},
			pcore.Entry{Key: pcore.String("type_expr"), Value: pcore.Undef{}},
			pcore.Entry{Key: pcore.String("resolved_type"), Value: t.Resolved()},
		), nil
	case *pcore.ObjectType:
		return pcore.MetaName(t), pcore.NewHash(pcore.Entry{Key: pcore.String("_pcore_init_hash"), Value: t.InitHash()}), nil
	}
	return pcore.MetaOf(t)
}

func (s *serializer) within(step pcore.Step, v pcore.Value) error {
	s.path = append(s.path, step)
	if err := s.value(v); err != nil {
		return err
	}
	s.path = s.path[:len(s.path)-1]
	return nil
}

// fail returns err with the path to the current value. It returns nil if err is
// nil.
func (s *serializer) fail(err error) error {
	if err == nil {
		return nil
	}
	return &serialization.Error{Offset: -1, Path: untilSecret(s.path), Err: cause(err)}
}

// untilSecret returns a copy of path that ends at the outermost Sensitive,
// because the keys inside may be secret.
func untilSecret(path pcore.Path) pcore.Path {
	shown := make(pcore.Path, 0, len(path))
	for _, step := range path {
		shown = append(shown, step)
		if step.Kind == pcore.StepSecret {
			break
		}
	}
	return shown
}

// cause returns the cause of an error without its location.
func cause(err error) error {
	var placed *serialization.Error
	if errors.As(err, &placed) {
		return placed.Err
	}
	return err
}
