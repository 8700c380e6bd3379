package pcore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Errors about type parameters, wrapped by the errors of [Parameterize].
var (
	// errNotParameterized reports parameters for a type that has none.
	errNotParameterized = errors.New("not a parameterized type")
	// errParameterCount reports too many or too few parameters.
	errParameterCount = errors.New("wrong number of type parameters")
	// errParameter reports a parameter of the wrong kind.
	errParameter = errors.New("wrong type parameter")
)

// Parameterize returns t[keys…]: the type with parameters, which replace existing ones. Puppet
// reads them in two ways. Evaluated as an expression, several titles of a Resource or names of a
// Class give an Array of types, and arrays among the keys are flattened where the reference does
// so. If evaluated is false, the keys are from a text that is only parsed, as in rich data, which
// is less strict.
func Parameterize(t Type, evaluated bool, keys ...Value) (Value, error) {
	b := brackets{parsed: !evaluated, keys: keys}
	return b.apply(t)
}

// brackets are the parameters of a type.
type brackets struct {
	parsed bool // parsed without evaluation
	keys   []Value
}

// apply returns the type with the parameters, which replace existing ones.
func (b *brackets) apply(t Type) (Value, error) {
	switch t.(type) {
	case *StructType, *CallableType, *InitType, *ResourceType, *ClassType:
	default:
		b.flatten()
	}
	switch t := t.(type) {
	case *IntegerType:
		return b.integer()
	case *FloatType:
		return b.float()
	case *TimespanType:
		return b.timespan()
	case *TimestampType:
		return b.timestamp()
	case *StringType:
		return b.text()
	case *BooleanType:
		return b.boolean()
	case *EnumType:
		return b.enum()
	case *PatternType:
		return b.pattern()
	case *RegexpType:
		return b.regexp()
	case *SemVerType:
		return b.semver()
	case *URIType:
		return b.uri()
	case *CollectionType:
		return b.collection()
	case *ArrayType:
		return b.array()
	case *HashType:
		return b.hash()
	case *TupleType:
		return b.tuple()
	case *StructType:
		return b.structType()
	case *VariantType:
		return b.variant()
	case *OptionalType:
		return b.optional()
	case *NotUndefType:
		return b.notUndef()
	case *TypeType:
		return one(b, "Type", func(elem Type) Type { return newTypeType(elem) })
	case *SensitiveType:
		return one(b, "Sensitive", func(elem Type) Type { return NewSensitiveType(elem) })
	case *IterableType:
		return one(b, "Iterable", func(elem Type) Type { return newIterableType(elem) })
	case *IteratorType:
		return one(b, "Iterator", func(elem Type) Type { return newIteratorType(elem) })
	case *InitType:
		return b.init()
	case *CallableType:
		return b.callable()
	case *RuntimeType:
		return b.runtime()
	case *ClassType:
		return b.class(t)
	case *ResourceType:
		return b.resource(t)
	case *ObjectType:
		return b.object(t)
	case *TypeSetType:
		return b.typeSet()
	case *TypeReferenceType:
		if b.parsed {
			return b.typeReference()
		}
	}
	return nil, fmt.Errorf("%w: %s", errNotParameterized, TypeName(t))
}

// flatten replaces arrays by their elements, but only in evaluation.
func (b *brackets) flatten() {
	if !b.parsed {
		b.keys = flatten(nil, b.keys)
	}
}

func flatten(to, values []Value) []Value {
	for _, v := range values {
		if a, ok := v.(*Array); ok {
			to = flatten(to, slices.Collect(a.Values()))
			continue
		}
		to = append(to, v)
	}
	return to
}

// count checks the number of parameters; a negative most means no maximum.
func (b *brackets) count(name string, least, most int) error {
	n := len(b.keys)
	switch {
	case n >= least && (most < 0 || n <= most):
		return nil
	case most < 0:
		return fmt.Errorf("%w: %s needs at least %d, not %d", errParameterCount, name, least, n)
	case least == most:
		return fmt.Errorf("%w: %s needs %d, not %d", errParameterCount, name, least, n)
	default:
		return fmt.Errorf("%w: %s needs %d to %d, not %d", errParameterCount, name, least, most, n)
	}
}

// bad returns the error for the parameter at index i.
func (b *brackets) bad(name string, i int, wanted string) error {
	got := Generalize(Infer(b.keys[i]))
	return fmt.Errorf("%w: %s needs %s, not %s", errParameter, name, wanted, got)
}

// typ returns the parameter at index i, which must be a type.
func (b *brackets) typ(name string, i int) (Type, error) {
	t, ok := b.keys[i].(Type)
	if !ok {
		return nil, b.bad(name, i, "a type")
	}
	return t, nil
}

// one creates a type from a single type parameter.
func one(b *brackets, name string, make func(Type) Type) (Type, error) {
	if err := b.count(name, 1, 1); err != nil {
		return nil, err
	}
	elem, err := b.typ(name, 0)
	if err != nil {
		return nil, err
	}
	return make(elem), nil
}

// typeOf converts a parameter to a type where any value is allowed: a string is
// the name of a Ruby class, any other value represents its own type.
func typeOf(v Value) Type {
	switch v := v.(type) {
	case Type:
		return v
	case String:
		return newRuntimeType("ruby", string(v))
	default:
		t := Generalize(Infer(v))
		if shared, ok := languageTypes()[strings.ToLower(TypeName(t))]; ok && Equal(shared, t) {
			return shared // the rich data of Puppet refers to its first occurrence
		}
		return t
	}
}

func (b *brackets) optional() (Type, error) {
	if err := b.count("Optional", 1, 1); err != nil {
		return nil, err
	}
	if s, ok := b.keys[0].(String); ok {
		return NewOptionalType(newStringValueType(string(s))), nil
	}
	elem, err := b.typ("Optional", 0)
	if err != nil {
		return nil, err
	}
	return NewOptionalType(elem), nil
}

func (b *brackets) notUndef() (Type, error) {
	if err := b.count("NotUndef", 0, 1); err != nil {
		return nil, err
	}
	if len(b.keys) == 0 {
		return newNotUndefType(nil), nil
	}
	if s, ok := b.keys[0].(String); ok {
		return newNotUndefType(newStringValueType(string(s))), nil
	}
	elem, err := b.typ("NotUndef", 0)
	if err != nil {
		return nil, err
	}
	return newNotUndefType(elem), nil
}

func (b *brackets) variant() (Type, error) {
	if err := b.count("Variant", 1, -1); err != nil {
		return nil, err
	}
	types := make([]Type, len(b.keys))
	for i := range b.keys {
		t, err := b.typ("Variant", i)
		if err != nil {
			return nil, err
		}
		types[i] = t
	}
	return NewVariantType(types...), nil
}

func (b *brackets) init() (Type, error) {
	if err := b.count("Init", 1, -1); err != nil {
		return nil, err
	}
	elem, err := b.typ("Init", 0)
	if err != nil {
		return nil, err
	}
	return newInitType(elem, b.keys[1:]...)
}

func (b *brackets) typeReference() (Type, error) {
	if err := b.count("TypeReference", 1, 1); err != nil {
		return nil, err
	}
	s, ok := b.keys[0].(String)
	if !ok {
		return nil, b.bad("TypeReference", 0, "a String")
	}
	return NewTypeReferenceType(string(s)), nil
}
