package convert

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// constructor implements T.new for a type T.
type constructor struct {
	name string // for errors
	ways []way
	// refuse returns a type-specific error for arguments that no way accepts,
	// or nil if it has none for these arguments.
	refuse func(args []pcore.Value) error
}

// way is one of the signatures of a constructor.
type way struct {
	accepts *pcore.TupleType
	params  []string
	make    maker
}

// maker creates a value from arguments whose types have been checked.
type maker func(c *Converter, args []pcore.Value) (pcore.Value, error)

// by returns a way with the given parameter names, without the types it
// accepts.
func by(make maker, params ...string) way { return way{params: params, make: make} }

// constructorOf returns the constructor of a type. The parameter types of its
// ways come from package pcore, in the same order.
func constructorOf(t pcore.Type) (constructor, error) {
	accepts, err := pcore.ConstructorParameters(t)
	if err != nil {
		return constructor{}, err
	}
	k := constructorFor(t)
	for i := range k.ways {
		k.ways[i].accepts = accepts[i]
	}
	return k, nil
}

// constructorFor returns the constructor of a type that has one.
func constructorFor(t pcore.Type) constructor {
	switch t := t.(type) {
	case pcore.NumericType:
		return numericConstructor()
	case *pcore.IntegerType:
		return integerConstructor()
	case *pcore.FloatType:
		return floatConstructor()
	case *pcore.BooleanType:
		return booleanConstructor()
	case *pcore.StringType:
		return constructor{name: "new_string", ways: []way{by(newString, "from", "string_formats")}}
	case *pcore.ArrayType, *pcore.TupleType:
		return arrayConstructor()
	case *pcore.HashType, *pcore.StructType:
		return hashConstructor()
	case *pcore.TimespanType:
		return timespanConstructor()
	case *pcore.TimestampType:
		return timestampConstructor()
	case *pcore.SemVerType:
		return semVerConstructor()
	case pcore.SemVerRangeType:
		return semVerRangeConstructor()
	case pcore.BinaryType:
		return binaryConstructor()
	case *pcore.URIType:
		return constructor{name: "new_URI", ways: []way{by(newURI, "uri"), by(newURIOfHash, "hash")}}
	case *pcore.RegexpType:
		return constructor{name: "new_regexp", ways: []way{by(newRegexp, "pattern", "escape")}}
	case *pcore.SensitiveType:
		return constructor{name: "new_Sensitive", ways: []way{by(same, "value"), by(newSensitive, "value")}}
	case *pcore.TypeType:
		return constructor{name: "new_type", ways: []way{by(newType, "type_string")}}
	case *pcore.InitType:
		return initConstructor(t)
	case *pcore.ObjectType:
		return objectConstructor(t)
	case *pcore.ObjectTypeExtension:
		return objectConstructor(t.Base())
	case *pcore.TypeAliasType:
		return constructorFor(t.Resolved())
	case *pcore.OptionalType:
		return constructorFor(t.Elem())
	case *pcore.NotUndefType:
		if t.Elem() != nil {
			return constructorFor(t.Elem())
		}
	}
	return constructor{name: "new_unit", ways: []way{by(same, "from")}}
}

// same returns its argument unchanged.
func same(_ *Converter, args []pcore.Value) (pcore.Value, error) { return args[0], nil }

// reject returns the error for arguments that no way accepts.
func (k constructor) reject(t pcore.Type, args []pcore.Value) error {
	if k.refuse != nil {
		if err := k.refuse(args); err != nil {
			if errors.As(err, new(*argumentError)) {
				err = &Error{Type: t, Err: err, Constructor: k.name}
			}
			return err
		}
	}
	signatures := make([]pcore.NamedCallable, len(k.ways))
	for i, w := range k.ways {
		signatures[i] = pcore.NamedCallable{Type: pcore.NewCallableType(w.accepts, nil, nil), Params: w.params}
	}
	given := pcore.InferDetailed(pcore.NewArray(args...))
	return &argumentError{pcore.DescribeSignatures(k.name, signatures, given)}
}
