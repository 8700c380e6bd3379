package dataconv

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// newObject returns the instance of typ with the given attributes.
func newObject(typ pcore.Type, attributes *pcore.Hash) (pcore.Value, error) {
	switch t := typ.(type) {
	case *pcore.ObjectType:
		if t == pcore.DeferredType() {
			return newDeferred(attributes)
		}
		return restored(t.Restore(attributes))
	case *pcore.ObjectTypeExtension:
		return restored(t.Base().Restore(attributes))
	default:
		return nil, fmt.Errorf("%w: %s has no attributes", serialization.ErrValue, pcore.TypeName(typ))
	}
}

func restored(v *pcore.Object, err error) (pcore.Value, error) {
	if err != nil {
		return nil, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	return v, nil
}

// newDeferred returns a call with a name and, if present and not undef,
// arguments.
func newDeferred(attributes *pcore.Hash) (pcore.Value, error) {
	for k := range attributes.Keys() {
		if k != pcore.String("name") && k != pcore.String("arguments") {
			return nil, fmt.Errorf("%w: a Deferred has only a name and arguments", serialization.ErrValue)
		}
	}
	value, _ := attributes.GetString("name")
	name, ok := value.(pcore.String)
	if !ok {
		return nil, fmt.Errorf("%w: a Deferred needs a name of type String", serialization.ErrValue)
	}
	switch args, _ := attributes.GetString("arguments"); args := args.(type) {
	case nil, pcore.Undef:
		return pcore.NewDeferred(string(name), nil), nil
	case *pcore.Array:
		return pcore.NewDeferred(string(name), args), nil
	default:
		return nil, fmt.Errorf("%w: the arguments of a Deferred must be an Array", serialization.ErrValue)
	}
}

// newType returns the type that an instance of a meta type represents.
func newType(name string, attributes *pcore.Hash) (pcore.Value, error) {
	v, err := pcore.FromMeta(name, attributes)
	switch {
	case errors.Is(err, pcore.ErrNoMetaType):
		return nil, fmt.Errorf("%w: %q", serialization.ErrUnknownType, name)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", serialization.ErrValue, err)
	}
	return v, nil
}
