package pcore

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

// initAttributes returns the attributes that the constructor accepts, mandatory
// ones first.
func (t *ObjectType) initAttributes() []*objectAttribute {
	var required, optional []*objectAttribute
	all := t.allAttributes()
	for _, a := range all.list {
		switch {
		case a.kind == attributeConstant || a.kind == attributeDerived:
		case a.value == nil:
			required = append(required, a)
		default:
			optional = append(optional, a)
		}
	}
	return append(required, optional...)
}

// mayBeMissing reports whether an object can be created by name without the
// attribute: it has a default, or it becomes undef.
func (a *objectAttribute) mayBeMissing() bool { return a.value != nil || acceptsUndef(a.typ) }

// InitType returns the type of the hash from which an object is created by
// name. As in every Struct, an entry that may be undef may be missing.
func (t *ObjectType) InitType() *StructType {
	var elems []StructElement
	for _, a := range t.initAttributes() {
		elems = append(elems, NewStructElement(a.name, a.mayBeMissing(), a.typ))
	}
	return structOf(elems...)
}

func (t *ObjectType) constructors() []*TupleType {
	attrs := t.initAttributes()
	required := 0
	types := make([]Type, len(attrs))
	for i, a := range attrs {
		types[i] = a.typ
		if !a.mayBeMissing() {
			required++
		}
	}
	byPosition := params(required, types...)
	if t.isAnnotation() {
		return []*TupleType{byPosition}
	}
	return []*TupleType{params(1, t.InitType()), byPosition}
}

// isAnnotation reports whether t is the predefined type Annotation. It is the only Object type that is not made by name:
// Annotation({}) is an error.
func (t *ObjectType) isAnnotation() bool { return t.name == annotationName }

// New returns an object of type t. The arguments are either a hash of its
// attributes by name, or the values of its attributes in order: mandatory ones
// first, inherited ones before its own. Missing attributes get their defaults.
// The error describes the accepted arguments, and why args do not match.
func (t *ObjectType) New(args ...Value) (*Object, error) {
	attrs := t.initAttributes()
	ways, given := t.constructors(), NewArray(args...)
	if len(ways) > 1 && Contains(ways[0], given) {
		return t.newObject(attrs, args[0].(*Hash))
	}
	if !Contains(ways[len(ways)-1], given) {
		return nil, errors.New(DescribeSignatures("new_"+t.Name(), t.signatures(), argumentTuple(args)))
	}
	if len(args) < len(attrs) && attrs[len(args)].value == nil { // by position, undef must be explicit
		return nil, t.missing(attrs[len(args)])
	}
	b := NewHashBuilder(len(args))
	for i, v := range args {
		b.SetString(attrs[i].name, v)
	}
	return t.newObject(attrs, b.Hash())
}

func (t *ObjectType) missing(a *objectAttribute) error {
	return fmt.Errorf("%s expects a value for the attribute %s", t.Name(), literal.Quote(a.name))
}

// signatures returns the constructors with the names for messages.
func (t *ObjectType) signatures() []NamedCallable {
	var names []string
	for _, a := range t.initAttributes() {
		names = append(names, a.name)
	}
	ways := t.constructors()
	byPosition := NamedCallable{Type: NewCallableType(ways[len(ways)-1], nil, nil), Params: names}
	if len(ways) == 1 {
		return []NamedCallable{byPosition}
	}
	return []NamedCallable{{Type: NewCallableType(ways[0], nil, nil), Params: []string{"hash"}}, byPosition}
}

func argumentTuple(args []Value) Type {
	if len(args) == 0 {
		return emptyArrayType()
	}
	types := make([]Type, len(args))
	for i, v := range args {
		types[i] = InferDetailed(v)
	}
	return &TupleType{types: types}
}

// NewByName returns an object of type t from a hash of its attributes by name.
// Missing attributes get their defaults.
func (t *ObjectType) NewByName(init *Hash) (*Object, error) {
	if err := assertInstance(t.Name()+" initializer", t.InitType(), init); err != nil {
		return nil, err
	}
	return t.newObject(t.initAttributes(), init)
}

// newObject reads the attributes from init in the order of attrs.
func (t *ObjectType) newObject(attrs []*objectAttribute, init *Hash) (*Object, error) {
	b := NewHashBuilder(len(attrs))
	for _, a := range attrs {
		v, given := init.GetString(a.name)
		if !given {
			switch {
			case !a.mayBeMissing():
				return nil, t.missing(a)
			case a.value == nil:
				v = Undef{}
			default:
				v = a.value
			}
		} else if err := assertInstance(a.owner.Name()+"["+a.name+"]", a.typ, v); err != nil {
			return nil, err
		}
		b.SetString(a.name, v)
	}
	return &Object{typ: t, attrs: b.Hash()}, nil
}

// attribute returns the value of an attribute or a constant.
func (v *Object) attribute(name string) (Value, bool) {
	if got, ok := v.attrs.GetString(name); ok {
		return got, true
	}
	t, ok := v.objectType()
	if !ok {
		return nil, false
	}
	all := t.allAttributes()
	a, ok := all.get(name)
	if !ok || a.value == nil {
		return nil, false
	}
	return a.value, true
}

// objectType returns the type of the object, if it is known.
func (v *Object) objectType() (*ObjectType, bool) {
	switch t := v.typ.(type) {
	case *ObjectType:
		return t, true
	case *ObjectTypeExtension:
		return t.base, true
	}
	return nil, false
}

// inferType returns the type of the object, including the values of its type
// parameters, which are the attributes of the same names.
func (v *Object) inferType() Type {
	t, ok := v.typ.(*ObjectType)
	if !ok {
		return v.typ
	}
	params := t.allParams()
	if len(params.list) == 0 {
		return t
	}
	var b HashBuilder
	for _, p := range params.list {
		got, ok := v.attribute(p.name)
		if !ok {
			got = Undef{}
		}
		b.SetString(p.name, got)
	}
	return &ObjectTypeExtension{base: t, params: b.Hash()}
}

// Parameterize returns the type with values for its type parameters: either in
// order, with default for an omitted one, or as one hash by name.
func (t *ObjectType) Parameterize(args ...Value) (*ObjectTypeExtension, error) {
	params := t.allParams()
	if len(params.list) == 0 {
		return nil, fmt.Errorf("the %s-Type cannot be parameterized using []", t.Name())
	}
	var given HashBuilder
	if h, ok := oneHash(args); ok && !Contains(params.list[0].typ, h) {
		for k, v := range h.All() {
			name, _ := k.(String)
			p, ok := params.get(string(name))
			if !ok {
				return nil, fmt.Errorf("%s is not a known type parameter for %s-Type", k, t.Name())
			}
			if err := p.setParameter(&given, v); err != nil {
				return nil, err
			}
		}
	} else {
		for i, v := range args[:min(len(args), len(params.list))] {
			if err := params.list[i].setParameter(&given, v); err != nil {
				return nil, err
			}
		}
	}
	if given.Len() == 0 {
		return nil, fmt.Errorf("the %s-Type cannot be parameterized using an empty parameter list", t.Name())
	}
	return &ObjectTypeExtension{base: t, params: given.Hash()}, nil
}

func oneHash(args []Value) (*Hash, bool) {
	if len(args) != 1 {
		return nil, false
	}
	h, ok := args[0].(*Hash)
	return h, ok
}

func (a *objectAttribute) setParameter(b *HashBuilder, v Value) error {
	if _, ok := v.(Default); ok {
		return nil
	}
	b.SetString(a.name, v)
	return assertInstance(a.label(), a.typ, v)
}

// initParameters returns the values of the type parameters as given in
// brackets: by position, or by name if there are more than two.
func (t *ObjectTypeExtension) initParameters() Value {
	params := t.base.allParams()
	if len(params.list) > 2 {
		return t.params
	}
	var values []Value
	last := 0
	for _, p := range params.list {
		v, ok := t.params.GetString(p.name)
		if !ok {
			v = Default{}
		}
		values = append(values, v)
		if _, ok := v.(Default); !ok {
			last = len(values)
		}
	}
	return NewArray(values[:last]...)
}
