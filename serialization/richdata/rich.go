package richdata

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// rich returns the value that the members of a map with a `__ptype` stand for.
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

// wrapped returns the value of a type that is named and has value, nil when
// there is none, as its `__pvalue`; known is false for every other type.
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

// metaPrefix begins the names of the types of types.
const metaPrefix = "Pcore::"

// instanceOfMeta returns the type that is written as an instance of a meta type.
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

// known returns v and err, unless err says that the type called name is not
// known and that may be: then the members are kept as attributes.
func (b *Builder) known(v pcore.Value, err error, name string, members *pcore.Hash) (pcore.Value, error) {
	if !errors.Is(err, serialization.ErrUnknownType) || !b.opts.AllowUnknownTypes {
		return v, err
	}
	attributes := b.withoutType(members)
	for i := range attributes.Len() {
		k := attributes.At(i).Key
		if _, ok := k.(pcore.String); !ok {
			return nil, fmt.Errorf("%w: an attribute name must be a String, not %s %s", serialization.ErrValue, article(k), k.Kind())
		}
	}
	return pcore.NewObject(pcore.NewTypeReferenceType(name), attributes), nil
}

// attributesOf returns the members that are attributes: a map in `__pvalue`,
// or without one all but the type.
func (b *Builder) attributesOf(members *pcore.Hash) (attributes *pcore.Hash, ok bool) {
	value, ok := members.GetString(ValueKey)
	if !ok {
		return b.withoutType(members), true
	}
	attributes, ok = value.(*pcore.Hash)
	return attributes, ok
}

// resolve is Resolve of the types, which is asked once for a name that many
// values of a document have.
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

// resolution is what became of the name of a type.
type resolution struct {
	typ pcore.Type
	err error
}

func (b *Builder) types() serialization.Types {
	if b.opts.Types != nil {
		return b.opts.Types
	}
	return Types{}
}

// construct makes a value of a type that is known: T.new() without members,
// T.new(s) of a String in `__pvalue`, an object of anything else.
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
			// The type that the reference infers of a URI and writes with
			// it has its port as a String, which no URI matches.
			typ = &pcore.URIType{}
		}
		return b.create(typ, text)
	}
	return nil, cannotBeMade(typ, value)
}

func cannotBeMade(typ pcore.Type, of pcore.Value) error {
	return fmt.Errorf("%w: cannot create %s from %s %s", serialization.ErrValue, typ.Name(), article(of), of.Kind())
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

// withoutType returns the members of the map that is open but for its type.
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

// hashOfList returns the Hash that is written as a list of keys and values in
// turns. As in the reference a value that is missing at the end is undef, the
// last of two values at a key counts, and a map in place of the list gives
// undef for whatever is looked up in it.
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

// symbol makes `default` of its own name, which is a Symbol in the reference.
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
	switch v.Kind() {
	case pcore.KindArray, pcore.KindInteger, pcore.KindBigInteger, pcore.KindIterator, pcore.KindObject, pcore.KindUndef:
		return "an"
	}
	return "a"
}
