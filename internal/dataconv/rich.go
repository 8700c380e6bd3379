package dataconv

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// rich decodes the members of a map with a `__ptype`.
func (b *Builder) rich(typ pcore.Value, members *pcore.Hash) (pcore.Value, error) {
	switch typ := typ.(type) {
	case pcore.String:
		return b.named(string(typ), members)
	case pcore.Type:
		return b.construct(typ, members)
	default:
		if b.opts.AllowUnknownTypes {
			return members, nil
		}
		return nil, fmt.Errorf("%w: the value of %s does not define a type", serialization.ErrUnknownType, TypeKey)
	}
}

func (b *Builder) named(name string, members *pcore.Hash) (pcore.Value, error) {
	value, _ := members.GetString(ValueKey)
	if v, known, err := b.wrapped(name, value); known {
		return v, err
	}
	if strings.HasPrefix(name, metaPrefix) {
		return b.instanceOfMeta(name, members)
	}
	typ, err := b.resolve(name)
	if err != nil {
		return b.known(nil, err, name, members)
	}
	if meta, ok := typ.(*pcore.ObjectType); ok && strings.HasPrefix(meta.Name(), metaPrefix) {
		return b.instanceOfMeta(meta.Name(), members) // in other letters: PCORE::ANYTYPE
	}
	return b.construct(typ, members)
}

// wrapped returns the value of the named type with value, which may be nil, as
// its `__pvalue`. known is false if it does not handle the type.
func (b *Builder) wrapped(name string, value pcore.Value) (v pcore.Value, known bool, err error) {
	switch name {
	case "Hash":
		v, err = hashOfList(value)
	case "Sensitive":
		v = pcore.NewSensitive(orUndef(value))
	case "Default":
		v = pcore.Default{}
	case "Symbol":
		v = symbol(value)
	case "LocalRef":
		v, err = b.localReference(value)
	default:
		text, ok := value.(pcore.String)
		if !ok {
			return nil, false, nil
		}
		return b.scalars.value(name, string(text))
	}
	return v, true, err
}

// metaPrefix is the prefix of the names of meta types.
const metaPrefix = "Pcore::"

// instanceOfMeta returns the type written as an instance of a meta type.
func (b *Builder) instanceOfMeta(name string, members *pcore.Hash) (pcore.Value, error) {
	if attributes, ok := b.attributesOf(members); ok {
		v, err := newType(name, attributes)
		return b.known(v, err, name, members)
	}
	typ, err := b.types().Resolve(name)
	if err != nil {
		return b.known(nil, err, name, members)
	}
	value, _ := members.GetString(ValueKey)
	return nil, cannotBeMade(typ, value)
}

// known returns v and err, unless err is that the type is unknown and unknown
// types are allowed: then it keeps the members as attributes.
func (b *Builder) known(v pcore.Value, err error, name string, members *pcore.Hash) (pcore.Value, error) {
	if !errors.Is(err, serialization.ErrUnknownType) || !b.opts.AllowUnknownTypes {
		return v, err
	}
	attributes := b.withoutType(members)
	for i := range attributes.Len() {
		k := attributes.At(i).Key
		if _, ok := k.(pcore.String); !ok {
			return nil, fmt.Errorf("%w: an attribute name must be a String, not %s %s", serialization.ErrValue, article(k), pcore.KindOf(k))
		}
	}
	return pcore.NewObject(pcore.NewTypeReferenceType(name), attributes), nil
}

// attributesOf returns the attributes among the members: a map in `__pvalue`
// or, without `__pvalue`, all members except the type.
func (b *Builder) attributesOf(members *pcore.Hash) (attributes *pcore.Hash, ok bool) {
	value, ok := members.GetString(ValueKey)
	if !ok {
		return b.withoutType(members), true
	}
	attributes, ok = value.(*pcore.Hash)
	return attributes, ok
}

// resolve resolves a type name. It caches the result, because many values of a
// document have the same type.
func (b *Builder) resolve(name string) (pcore.Type, error) {
	if r, ok := b.resolved[name]; ok {
		return r.typ, r.err
	}
	const most = 256
	typ, err := b.types().Resolve(name)
	switch {
	case b.resolved == nil:
		b.resolved = map[string]resolution{}
	case len(b.resolved) == most:
		clear(b.resolved)
	}
	b.resolved[name] = resolution{typ, err}
	return typ, err
}

// resolution is the cached result of resolving a type name.
type resolution struct {
	typ pcore.Type
	err error
}

func (b *Builder) types() serialization.Types {
	if b.opts.Types != nil {
		return b.opts.Types
	}
	return richdata.Types{}
}

// construct returns a value of a known type: T.new() without members, T.new(s)
// for a String in `__pvalue`, and otherwise an object.
func (b *Builder) construct(typ pcore.Type, members *pcore.Hash) (pcore.Value, error) {
	attributes, ok := b.attributesOf(members)
	if ok {
		if attributes.Len() == 0 {
			return b.create(typ)
		}
		return newObject(typ, attributes)
	}
	value, _ := members.GetString(ValueKey)
	if text, ok := value.(pcore.String); ok {
		if _, ok := typ.(*pcore.URIType); ok {
			// The type that the reference infers for a URI and writes with it
			// has its port as a String, which matches no URI.
			typ = &pcore.URIType{}
		}
		return b.create(typ, text)
	}
	return nil, cannotBeMade(typ, value)
}

func cannotBeMade(typ pcore.Type, of pcore.Value) error {
	return fmt.Errorf("%w: cannot create %s from %s %s", serialization.ErrValue, pcore.TypeName(typ), article(of), pcore.KindOf(of))
}

// create calls the constructor of a type.
func (b *Builder) create(typ pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	t, ok := typ.(*pcore.ObjectType)
	if !ok {
		return b.types().New(typ, args...)
	}
	v, err := t.New(args...)
	if err == nil && t == pcore.DeferredType() {
		return newDeferred(v.Attributes())
	}
	return restored(v, err)
}

// withoutType returns the members of the open map except its type.
func (b *Builder) withoutType(members *pcore.Hash) *pcore.Hash {
	if f := &b.frames[len(b.frames)-1]; !f.doubtful && members.At(0).Key == pcore.String(TypeKey) {
		return b.slab.Hash(b.members[f.start+2:])
	}
	h := pcore.NewHashBuilder(members.Len())
	for k, v := range members.All() {
		if k != pcore.String(TypeKey) {
			h.Set(k, v)
		}
	}
	return h.Hash()
}

// hashOfList returns the Hash that list contains as keys and values in turn. As
// in the reference, a missing last value is undef, the last of two values at a
// key is kept, and a map instead of the list gives a Hash in which every lookup
// is undef.
func hashOfList(list pcore.Value) (pcore.Value, error) {
	switch list := list.(type) {
	case *pcore.Array:
		h := pcore.NewHashBuilder((list.Len() + 1) / 2)
		for i := 0; i < list.Len(); i += 2 {
			value := pcore.Value(pcore.Undef{})
			if i+1 < list.Len() {
				value = list.At(i + 1)
			}
			h.Set(list.At(i), value)
		}
		return h.Hash(), nil
	case *pcore.Hash:
		if list.Len() == 0 {
			return list, nil
		}
		return pcore.NewHash(pcore.Entry{Key: pcore.Undef{}, Value: pcore.Undef{}}), nil
	default:
		return nil, fmt.Errorf("%w: the %s of a Hash must be a list of keys and values", serialization.ErrValue, ValueKey)
	}
}

// symbol returns a Symbol, or Default for the name `default`, which is a Symbol
// in the reference.
func symbol(name pcore.Value) pcore.Value {
	switch name := name.(type) {
	case pcore.String:
		if name == "default" {
			return pcore.Default{}
		}
		return pcore.Symbol(name)
	case nil, pcore.Undef:
		return pcore.Symbol("")
	default:
		return pcore.Symbol(rubytext.Inspect(name))
	}
}

func orUndef(v pcore.Value) pcore.Value {
	if v == nil {
		return pcore.Undef{}
	}
	return v
}

func article(v pcore.Value) string {
	switch v.(type) {
	case *pcore.Array, pcore.Integer, pcore.BigInteger, *pcore.Iterator, *pcore.Object, pcore.Undef:
		return "an"
	default:
		return "a"
	}
}
