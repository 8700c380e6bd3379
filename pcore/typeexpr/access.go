package typeexpr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/pcore"
)

// Errors about type parameters. The errors of [Access], [Parse] and [Evaluate]
// wrap them.
var (
	// errNotParameterized reports parameters for a type that has none.
	errNotParameterized = errors.New("not a parameterized type")
	// errParameterCount reports too many or too few parameters.
	errParameterCount = errors.New("wrong number of type parameters")
	// errParameter reports a parameter of the wrong kind.
	errParameter = errors.New("wrong type parameter")
)

// Access returns the result of evaluating t[keys…]: the type with parameters
// or, for several titles of a Resource or names of a Class, an Array of types.
// Arrays among the keys are flattened where the reference does so.
func Access(t pcore.Type, keys ...pcore.Value) (pcore.Value, error) {
	b := brackets{keys: slices.Clone(keys)}
	return b.apply(t)
}

// brackets are the parameters of a type.
type brackets struct {
	parsed   bool // parsed without evaluation, as by Parse
	keys     []pcore.Value
	resolver Resolver
}

// apply returns the type with the parameters, which replace existing ones.
func (b *brackets) apply(t pcore.Type) (pcore.Value, error) {
	switch t.(type) {
	case *pcore.HashType, *pcore.ArrayType:
		b.flatten()
	case *pcore.StructType, *pcore.CallableType, *pcore.InitType, *pcore.ResourceType, *pcore.ClassType:
	default:
		b.flatten()
	}
	switch t := t.(type) {
	case *pcore.IntegerType:
		return b.integer()
	case *pcore.FloatType:
		return b.float()
	case *pcore.TimespanType:
		return b.timespan()
	case *pcore.TimestampType:
		return b.timestamp()
	case *pcore.StringType:
		return b.text()
	case *pcore.BooleanType:
		return b.boolean()
	case *pcore.EnumType:
		return b.enum()
	case *pcore.PatternType:
		return b.pattern()
	case *pcore.RegexpType:
		return b.regexp()
	case *pcore.SemVerType:
		return b.semver()
	case *pcore.URIType:
		return b.uri()
	case *pcore.CollectionType:
		return b.collection()
	case *pcore.ArrayType:
		return b.array()
	case *pcore.HashType:
		return b.hash()
	case *pcore.TupleType:
		return b.tuple()
	case *pcore.StructType:
		return b.structType()
	case *pcore.VariantType:
		return b.variant()
	case *pcore.OptionalType:
		return b.optional()
	case *pcore.NotUndefType:
		return b.notUndef()
	case *pcore.TypeType:
		return one(b, "Type", func(elem pcore.Type) pcore.Type { return pcore.NewTypeType(elem) })
	case *pcore.SensitiveType:
		return one(b, "Sensitive", func(elem pcore.Type) pcore.Type { return pcore.NewSensitiveType(elem) })
	case *pcore.IterableType:
		return one(b, "Iterable", func(elem pcore.Type) pcore.Type { return pcore.NewIterableType(elem) })
	case *pcore.IteratorType:
		return one(b, "Iterator", func(elem pcore.Type) pcore.Type { return pcore.NewIteratorType(elem) })
	case *pcore.InitType:
		return b.init()
	case *pcore.CallableType:
		return b.callable()
	case *pcore.RuntimeType:
		return b.runtime()
	case *pcore.ClassType:
		return b.class(t)
	case *pcore.ResourceType:
		return b.resource(t)
	case *pcore.ObjectType:
		return b.object(t)
	case *pcore.TypeSetType:
		return b.typeSet()
	case *pcore.TypeReferenceType:
		if b.parsed {
			return b.typeReference()
		}
		return nil, fmt.Errorf("%w: %s", ErrUnknownType, t.Ref())
	}
	return nil, fmt.Errorf("%w: %s", errNotParameterized, pcore.TypeName(t))
}

// flatten replaces arrays by their elements, but only in evaluation.
func (b *brackets) flatten() {
	if !b.parsed {
		b.keys = flatten(nil, b.keys)
	}
}

func flatten(to, values []pcore.Value) []pcore.Value {
	for _, v := range values {
		if a, ok := v.(*pcore.Array); ok {
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
	got := pcore.Generalize(pcore.Infer(b.keys[i]))
	return fmt.Errorf("%w: %s needs %s, not %s", errParameter, name, wanted, got)
}

// typ returns the parameter at index i, which must be a type.
func (b *brackets) typ(name string, i int) (pcore.Type, error) {
	t, ok := b.keys[i].(pcore.Type)
	if !ok {
		return nil, b.bad(name, i, "a type")
	}
	return t, nil
}

// one creates a type from a single type parameter.
func one(b *brackets, name string, make func(pcore.Type) pcore.Type) (pcore.Type, error) {
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
func typeOf(v pcore.Value) pcore.Type {
	switch v := v.(type) {
	case pcore.Type:
		return v
	case pcore.String:
		return pcore.NewRuntimeType("ruby", string(v))
	default:
		return pcore.Generalize(pcore.Infer(v))
	}
}

func (b *brackets) optional() (pcore.Type, error) {
	if err := b.count("Optional", 1, 1); err != nil {
		return nil, err
	}
	if s, ok := b.keys[0].(pcore.String); ok {
		return pcore.NewOptionalType(pcore.NewStringValueType(string(s))), nil
	}
	elem, err := b.typ("Optional", 0)
	if err != nil {
		return nil, err
	}
	return pcore.NewOptionalType(elem), nil
}

func (b *brackets) notUndef() (pcore.Type, error) {
	if err := b.count("NotUndef", 0, 1); err != nil {
		return nil, err
	}
	if len(b.keys) == 0 {
		return pcore.NewNotUndefType(nil), nil
	}
	if s, ok := b.keys[0].(pcore.String); ok {
		return pcore.NewNotUndefType(pcore.NewStringValueType(string(s))), nil
	}
	elem, err := b.typ("NotUndef", 0)
	if err != nil {
		return nil, err
	}
	return pcore.NewNotUndefType(elem), nil
}

func (b *brackets) variant() (pcore.Type, error) {
	if err := b.count("Variant", 1, -1); err != nil {
		return nil, err
	}
	types := make([]pcore.Type, len(b.keys))
	for i := range b.keys {
		t, err := b.typ("Variant", i)
		if err != nil {
			return nil, err
		}
		types[i] = t
	}
	return pcore.NewVariantType(types...), nil
}

func (b *brackets) init() (pcore.Type, error) {
	if err := b.count("Init", 1, -1); err != nil {
		return nil, err
	}
	elem, err := b.typ("Init", 0)
	if err != nil {
		return nil, err
	}
	return pcore.NewInitType(elem, b.keys[1:]...)
}

func (b *brackets) typeReference() (pcore.Type, error) {
	if err := b.count("TypeReference", 1, 1); err != nil {
		return nil, err
	}
	s, ok := b.keys[0].(pcore.String)
	if !ok {
		return nil, b.bad("TypeReference", 0, "a String")
	}
	return pcore.NewTypeReferenceType(string(s)), nil
}
