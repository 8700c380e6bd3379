package pcore

import (
	"errors"
	"fmt"
	"sync"
)

// TypeAliasType is a name for a type: type Port = Integer[1, 65535]. The type
// may refer to the alias itself, as Data does.
type TypeAliasType struct {
	typeKind
	name      string
	resolved  Type
	recursive func() bool // nil until resolved
	// inward indicates that every recursion to the alias passes into an element
	// of an array or a hash, and so ends with the value or type being checked.
	inward   bool
	composed typeFacts
}

// errUnresolvedAlias is wrapped by the error for an alias that resolves only to
// itself.
var errUnresolvedAlias = errors.New("the alias cannot be resolved to a real type")

// NewTypeAliasType returns an incomplete alias, and the function that completes
// it with its type, which may refer to the alias. The function must be called
// once. Before that call, the alias may only be used as a component of other
// types.
func NewTypeAliasType(name string) (alias *TypeAliasType, resolve func(Type) error) {
	alias = &TypeAliasType{name: name}
	return alias, alias.resolve
}

func (t *TypeAliasType) resolve(to Type) error {
	if t.resolved != nil {
		return fmt.Errorf("type %s: the alias is resolved already", t.name)
	}
	t.resolved = dropUnreal(to, t)
	if !isReal(t.resolved, nil) {
		t.resolved = nil
		return fmt.Errorf("type %s: %w", t.name, errUnresolvedAlias)
	}
	t.composed = aliasFacts(t.resolved)
	// computed on demand: nested aliases may not be complete yet
	t.recursive = sync.OnceValue(func() bool { return refersTo(t.resolved, t) })
	return nil
}

// Resolved returns the type that the alias names, or a reference to the name of
// an alias that is not complete.
func (t *TypeAliasType) Resolved() Type {
	if t.resolved == nil {
		return NewTypeReferenceType(t.name)
	}
	return t.resolved
}

// isRecursive reports whether the type refers to the alias itself.
func (t *TypeAliasType) isRecursive() bool { return t.recursive != nil && t.recursive() }

// typeName returns the name of the alias.
func (t *TypeAliasType) typeName() string { return t.name }

func (t *TypeAliasType) String() string { return formatType(t) }

// isReal reports whether t resolves to a type other than itself.
func isReal(t Type, seen []*TypeAliasType) bool {
	switch t := t.(type) {
	case *TypeAliasType:
		for _, s := range seen {
			if s == t {
				return false
			}
		}
		return t.resolved == nil || isReal(t.resolved, append(seen, t))
	case *VariantType:
		for _, v := range t.types {
			if isReal(v, seen) {
				return true
			}
		}
		return false
	}
	return true
}

// dropUnreal removes alias from t if t is a Variant.
func dropUnreal(t Type, alias *TypeAliasType) Type {
	v, ok := t.(*VariantType)
	if !ok {
		return t
	}
	var kept []Type
	for _, inner := range v.types {
		if inner != Type(alias) {
			kept = append(kept, inner)
		}
	}
	switch len(kept) {
	case len(v.types), 0:
		return t
	}
	return NewVariantType(kept...)
}

// refersTo reports whether alias occurs in t.
func refersTo(t Type, alias *TypeAliasType) bool {
	found := false
	WalkType(t, func(u Type) bool {
		found = found || u == Type(alias)
		return !found
	})
	return found
}

// resolveAlias returns the type that t names, following aliases of aliases.
func resolveAlias(t Type) Type {
	for {
		a, ok := t.(*TypeAliasType)
		if !ok {
			return t
		}
		t = a.Resolved()
	}
}

// The predefined aliases. Their constructors avoid the functions that examine
// types, because these functions need the predefined types.
var (
	dataType        = sync.OnceValue(newDataType)
	richDataKeyType = sync.OnceValue(newRichDataKeyType)
	richDataType    = sync.OnceValue(newRichDataType)
)

func newDataType() *TypeAliasType {
	t := &TypeAliasType{name: "Data", recursive: func() bool { return true }, inward: true}
	t.describe(ScalarDataType{}, UndefType{}, &HashType{key: &StringType{}, val: t}, &ArrayType{elem: t})
	return t
}

func newRichDataKeyType() *TypeAliasType {
	t := &TypeAliasType{name: "RichDataKey", inward: true}
	t.describe(&StringType{}, NumericType{})
	return t
}

func newRichDataType() *TypeAliasType {
	t := &TypeAliasType{name: "RichData", recursive: func() bool { return true }, inward: true}
	t.describe(
		ScalarType{}, SemVerRangeType{}, BinaryType{}, &SensitiveType{}, &TypeType{}, &TypeSetType{}, &URIType{},
		&ObjectType{}, UndefType{}, DefaultType{}, &HashType{key: richDataKeyType(), val: t}, &ArrayType{elem: t},
	)
	return t
}

// describe resolves t to Variant[types...], which may contain t.
func (t *TypeAliasType) describe(types ...Type) {
	v := variant(types...)
	t.resolved, t.composed = v, v.composed
}

// isBuiltin reports whether t is a predefined alias, which is never expanded.
func (t *TypeAliasType) isBuiltin() bool {
	switch t.name {
	case "Data", "RichData", "RichDataKey", "Puppet::LookupKey", "Puppet::LookupValue":
		return true
	}
	return false
}
