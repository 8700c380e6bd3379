package richdata

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// newScalar returns the value of a scalar type of that name with that text, as
// rich data has most of them; known is false for every other name.
func newScalar(name, text string) (v pcore.Value, known bool, err error) {
	switch name {
	case "Binary":
		v, err = pcore.ParseBinary(text)
	case "Regexp":
		v = pcore.NewRegexp(text)
	case "String":
		v = pcore.String(text)
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, true, fmt.Errorf("%w: it is no %s", serialization.ErrValue, name)
	}
	return v, true, nil
}

// CoreTypes knows the types that rich data has of its own accord, by their
// plain names. It is what an empty serialization.DecodeOptions.Types stands
// for. The zero value is ready to use.
type CoreTypes struct{}

// Resolve returns the type with that name. Names that begin with a capital are
// found whatever the case of their letters, as the reference does.
func (CoreTypes) Resolve(name string) (pcore.Type, error) {
	if name == "Deferred" || name != "" && 'A' <= name[0] && name[0] <= 'Z' && strings.EqualFold(name, "Deferred") {
		return pcore.NewTypeReferenceType("Deferred"), nil
	}
	return nil, fmt.Errorf("%w: %q", serialization.ErrUnknownType, name)
}

// New constructs the scalars.
func (CoreTypes) New(t pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	if len(args) == 1 {
		if text, ok := args[0].(pcore.String); ok {
			if t.Name() == "Deferred" {
				return pcore.NewDeferred(string(text), nil), nil
			}
			if v, known, err := newScalar(t.Name(), string(text)); known {
				return v, err
			}
		}
	}
	return nil, fmt.Errorf("%w: %s has no constructor for it", serialization.ErrValue, t.Name())
}

// NewObject makes a Deferred.
func (CoreTypes) NewObject(t pcore.Type, attributes *pcore.Hash) (pcore.Value, error) {
	if t.Name() == "Deferred" {
		return newDeferred(attributes)
	}
	return nil, fmt.Errorf("%w: %s has no attributes", serialization.ErrValue, t.Name())
}

func newDeferred(attributes *pcore.Hash) (pcore.Value, error) {
	var name pcore.String
	var args *pcore.Array
	named := false
	for k, v := range attributes.All() {
		ok := false
		switch k {
		case pcore.String("name"):
			name, ok = v.(pcore.String)
			named = true
		case pcore.String("arguments"):
			if args, ok = v.(*pcore.Array); !ok {
				_, ok = v.(pcore.Undef)
			}
		}
		if !ok {
			return nil, fmt.Errorf("%w: a Deferred has a name, a String, and arguments, an Array", serialization.ErrValue)
		}
	}
	if !named {
		return nil, fmt.Errorf("%w: a Deferred needs a name", serialization.ErrValue)
	}
	return pcore.NewDeferred(string(name), args), nil
}
