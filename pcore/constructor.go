package pcore

import (
	"slices"
	"sync"
)

// ConstructorParameters returns the parameters of the constructors of t,
// T.new(...): one Tuple for each signature, in the order in which they are
// tried. If t has no constructor, the error wraps [ErrNotCreatable].
//
// See the chapters on the types in the specification.
func ConstructorParameters(t Type) ([]*TupleType, error) { return constructorParameters(t, nil) }

// constructorParameters is ConstructorParameters after resolving the aliases in
// seen. An alias that leads back to itself, such as X = Optional[X], has no
// constructor.
func constructorParameters(t Type, seen []*TypeAliasType) ([]*TupleType, error) {
	c := constructors()
	switch t := t.(type) {
	case NumericType:
		return c.number, nil
	case *IntegerType:
		return c.integer, nil
	case *FloatType:
		return c.number, nil
	case *StringType:
		return c.text, nil
	case *BooleanType:
		return c.boolean, nil
	case *ArrayType, *TupleType:
		return c.array, nil
	case *HashType, *StructType:
		return c.hash, nil
	case *RegexpType:
		return c.regexp, nil
	case *SemVerType:
		return c.semver, nil
	case SemVerRangeType:
		return c.semverRange, nil
	case *TimespanType:
		return c.timespan, nil
	case *TimestampType:
		return c.timestamp, nil
	case *URIType:
		return c.uri, nil
	case *SensitiveType:
		return c.sensitive, nil
	case BinaryType:
		return c.binary, nil
	case *TypeType:
		return c.typ, nil
	case UnitType:
		return c.any, nil
	case *OptionalType:
		if t.elem != nil {
			return constructorParameters(t.elem, seen)
		}
	case *NotUndefType:
		if t.elem == nil {
			return c.any, nil
		}
		return constructorParameters(t.elem, seen)
	case *InitType:
		if t.elem != nil {
			return c.any, nil
		}
	case *TypeAliasType:
		if !slices.Contains(seen, t) {
			return constructorParameters(t.Resolved(), append(seen, t))
		}
	case *ObjectType:
		return t.constructors(), nil
	case *ObjectTypeExtension:
		return t.base.constructors(), nil
	}
	return nil, notCreatableError{t}
}

// notCreatableError wraps ErrNotCreatable. It formats its type only in Error:
// formatting a type that contains an Init asks the Init for its constructor,
// which may be the question that is being answered.
type notCreatableError struct{ t Type }

func (e notCreatableError) Error() string { return e.t.String() + ": " + ErrNotCreatable.Error() }

func (e notCreatableError) Unwrap() error { return ErrNotCreatable }

type constructorTable struct {
	any, number, integer, text, boolean, array, hash, regexp, semver, semverRange []*TupleType
	timespan, timestamp, uri, sensitive, binary, typ                              []*TupleType
}

var constructors = sync.OnceValue(newConstructorTable)

func newConstructorTable() *constructorTable {
	var (
		integer   = &IntegerType{}
		boolean   = &BooleanType{}
		text      = &StringType{}
		nonEmpty  = NewStringType(atLeast(1))
		natural   = atLeast(0)
		version   = Type(&SemVerType{})
		timespan  = &TimespanType{}
		timestamp = &TimestampType{}
		qualifier = pattern(`\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z`)
		bound     = variant(DefaultType{}, version)
		formats   = variant(NewStringType(atLeast(2)), NewArrayType(NewStringType(atLeast(2)), atLeast(1)))
		radix     = variant(DefaultType{}, integerRange(2, 2), integerRange(8, 8), integerRange(10, 10), integerRange(16, 16))
		bytes     = NewArrayType(integerRange(0, 255), nil)
		base64    = NewEnumType(false, "%b", "%u", "%B", "%s", "%r")
		integral  = variant(NumericType{}, boolean, pattern(integerText), timespan, timestamp)
		number    = variant(NumericType{}, boolean, pattern(floatText), timespan, timestamp)
		container = variant(&ArrayType{}, &HashType{}, BinaryType{}, &IterableType{})
	)
	return &constructorTable{
		any: []*TupleType{params(1, AnyType{})},
		number: []*TupleType{
			params(1, number, boolean),
			params(1, structOf(entry("from", number), maybe("abs", boolean))),
		},
		integer: []*TupleType{
			params(1, integral, radix, boolean),
			params(1, structOf(entry("from", integral), maybe("radix", radix), maybe("abs", boolean))),
		},
		text: []*TupleType{params(1, AnyType{}, stringFormats())},
		boolean: []*TupleType{
			params(1, variant(integer, &FloatType{}, boolean, NewEnumType(true, "false", "true", "yes", "no", "y", "n"))),
		},
		array: []*TupleType{
			params(1, container, newBooleanType(false)),
			params(2, AnyType{}, newBooleanType(true)),
		},
		hash: []*TupleType{
			params(1, NewArrayType(tuple(&ArrayType{}, AnyType{}), atLeast(1)), NewEnumType(false, "tree", "hash_tree")),
			params(1, NewArrayType(tuple(AnyType{}, AnyType{}), atLeast(1))),
			params(1, AnyType{}),
		},
		regexp: []*TupleType{params(1, text, boolean)},
		semver: []*TupleType{
			params(1, pattern(versionText)),
			params(3, natural, natural, natural, qualifier, qualifier),
			params(1, structOf(entry("major", natural), entry("minor", natural), entry("patch", natural),
				maybe("prerelease", qualifier), maybe("build", qualifier))),
		},
		semverRange: []*TupleType{
			params(1, nonEmpty),
			params(2, bound, bound, boolean),
			params(1, structOf(entry("min", bound), maybe("max", bound), maybe("exclude_max", boolean))),
		},
		timespan: []*TupleType{
			params(1, variant(integer, &FloatType{})),
			params(1, nonEmpty, formats),
			params(4, integer, integer, integer, integer, integer, integer, integer),
			params(1, structOf(entry("string", nonEmpty), maybe("format", formats))),
			params(1, structOf(maybe("negative", boolean), maybe("days", integer), maybe("hours", integer),
				maybe("minutes", integer), maybe("seconds", integer), maybe("milliseconds", integer),
				maybe("microseconds", integer), maybe("nanoseconds", integer))),
		},
		timestamp: []*TupleType{
			params(0),
			params(1, variant(integer, &FloatType{})),
			params(1, nonEmpty, formats, nonEmpty),
			params(1, structOf(entry("string", nonEmpty), maybe("format", formats), maybe("timezone", nonEmpty))),
		},
		uri:       []*TupleType{params(1, nonEmpty), params(1, uriComponents())},
		sensitive: []*TupleType{params(1, &SensitiveType{}), params(1, AnyType{})},
		binary: []*TupleType{
			params(1, text, base64),
			params(1, bytes),
			params(1, variant(
				structOf(entry("value", text), maybe("format", NewOptionalType(base64))),
				structOf(entry("value", bytes)))),
		},
		typ: []*TupleType{params(1, nonEmpty)},
	}
}

// The patterns of strings that are converted to numbers and versions, and of
// string formats.
const (
	integerText = `\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z`
	floatText   = `\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|` +
		`(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z`
	versionText = `\A(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)` +
		`(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\Z`
	stringFormatText = `^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$`
)

func stringFormats() Type {
	format := pattern(stringFormatText)
	container := structOf(maybe("format", format), maybe("separator", &StringType{}),
		maybe("separator2", &StringType{}), maybe("string_formats", NewHashType(&TypeType{}, format, nil)))
	return variant(DefaultType{}, NewStringType(atLeast(1)), NewHashType(&TypeType{}, variant(format, container), nil))
}

func uriComponents() Type {
	text := NewStringType(atLeast(1))
	return structOf(maybe("scheme", text), maybe("userinfo", text), maybe("host", text), maybe("port", atLeast(0)),
		maybe("path", text), maybe("query", text), maybe("fragment", text), maybe("opaque", text))
}

// params returns the Tuple of parameters, of which the first required ones are
// mandatory.
func params(required int, types ...Type) *TupleType {
	if required == len(types) && required > 0 {
		return &TupleType{types: types}
	}
	return &TupleType{types: types, size: integerRange(int64(required), int64(len(types)))}
}

func pattern(source string) Type { return newPatternType(NewRegexp(source)) }

func tuple(types ...Type) Type { return &TupleType{types: types} }

func entry(name string, value Type) StructElement { return NewStructElement(name, false, value) }

func maybe(name string, value Type) StructElement { return NewStructElement(name, true, value) }

// structOf returns a Struct of valid entries.
func structOf(elems ...StructElement) *StructType {
	t := &StructType{elems: elems}
	if len(elems) > smallHash {
		t.index = make(map[string]int, len(elems))
		for i, e := range elems {
			t.index[e.name] = i
		}
	}
	return t
}
