package tabulated

import (
	"reflect"

	"github.com/pcatdev/pcat/pcore"
)

// bytesAt identifies a Binary by its bytes and their address, which is unique
// as long as raw keeps the bytes alive.
type bytesAt struct {
	address uintptr
	raw     string
}

// bareType is the name of a type without parameters.
type bareType string

// identity returns a comparable key for v: the keys of two values are equal if
// the values are the same value. It is nil for values that are never the same.
func identity(v pcore.Value) any {
	switch v := v.(type) {
	case pcore.Timestamp, pcore.Timespan:
		return nil
	case pcore.Binary:
		raw := v.Raw()
		if raw == "" {
			return bytesAt{}
		}
		return bytesAt{reflect.ValueOf(raw).Pointer(), raw}
	case pcore.Type:
		if name, ok := withoutParameters(v); ok {
			return name
		}
		return v
	default:
		return v
	}
}

// withoutParameters reports whether t is the only type with its name: a type
// without parameters, or a resource type.
func withoutParameters(t pcore.Type) (bareType, bool) {
	switch t := t.(type) {
	case *pcore.TypeAliasType, *pcore.TypeReferenceType, *pcore.ObjectTypeExtension, *pcore.TypeSetType:
		return "", false
	case *pcore.ObjectType:
		if t.Named() {
			return "", false
		}
	case *pcore.BooleanType:
		// Rich data loses the parameter of these types.
		return bareType(pcore.TypeName(t)), pcore.EqualTypes(t, &pcore.BooleanType{})
	case *pcore.SensitiveType:
		return bareType(pcore.TypeName(t)), pcore.EqualTypes(t, &pcore.SensitiveType{})
	case *pcore.ResourceType:
		_, attributes, err := pcore.MetaOf(t)
		return bareType(t.String()), err == nil && attributes.Len() < 2
	}
	_, attributes, err := pcore.MetaOf(t)
	if err != nil {
		return "", false
	}
	for _, v := range attributes.All() {
		if !isEmpty(v) {
			return "", false
		}
	}
	return bareType(pcore.TypeName(t)), true
}

func isEmpty(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.Undef:
		return true
	case *pcore.Array:
		return v.Len() == 0
	case *pcore.Hash:
		return v.Len() == 0
	default:
		return false
	}
}
