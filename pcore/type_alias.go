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
	recursive func() bool // nil before it is complete
	// inward tells that every way back to the alias itself leads into what is
	// asked about, an element of an array or a hash, so that it ends there.
	inward  bool
	outline outline
}

// ErrUnresolvedAlias is wrapped by the error about an alias that ends in no
// type, because it stands for itself only.
var ErrUnresolvedAlias = errors.New("the alias cannot be resolved to a real type")

// NewTypeAliasType returns an alias and the function that completes it with
// the type that it stands for, in which the alias may occur. Until that is
// called, once, the alias must not be used but as a part of types.
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
		return fmt.Errorf("type %s: %w", t.name, ErrUnresolvedAlias)
	}
	t.outline = outlineAlias(t.resolved)
	// late: the aliases inside may not be complete yet
	t.recursive = sync.OnceValue(func() bool { return refersTo(t.resolved, t) })
	return nil
}

// Resolved returns the type that the alias stands for; for an alias that is
// not complete, a reference to its name.
func (t *TypeAliasType) Resolved() Type {
	if t.resolved == nil {
		return NewTypeReferenceType(t.name)
	}
	return t.resolved
}

// Recursive reports whether the type refers to the alias itself.
func (t *TypeAliasType) Recursive() bool { return t.recursive != nil && t.recursive() }

// Name returns the name of the alias.
func (t *TypeAliasType) Name() string { return t.name }

func (t *TypeAliasType) String() string { return formatType(t) }

// isReal reports whether t is more than aliases and Variants of themselves.
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
		if len(t.types) == 0 {
			return true
		}
		for _, v := range t.types {
			if isReal(v, seen) {
				return true
			}
		}
		return false
	}
	return true
}

// dropUnreal leaves out of a Variant the alias that stands for it.
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

// resolveAlias follows aliases to the type that they stand for.
func resolveAlias(t Type) Type {
	for {
		a, ok := t.(*TypeAliasType)
		if !ok {
			return t
		}
		t = a.Resolved()
	}
}

// The aliases that the language has from the beginning. They are made without
// the functions that look at types, which themselves need them.
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

// describe makes t stand for Variant[types...], which accepts itself.
func (t *TypeAliasType) describe(types ...Type) {
	v := variant(types...)
	t.resolved, t.outline = v, v.outline
}

// DataType returns Data: what JSON can hold.
func DataType() *TypeAliasType { return dataType() }

// RichDataType returns RichData: what Pcore can write.
func RichDataType() *TypeAliasType { return richDataType() }

// RichDataKeyType returns RichDataKey: the keys of a hash of RichData.
func RichDataKeyType() *TypeAliasType { return richDataKeyType() }

// isBuiltin reports whether t is one of the aliases that the language has from
// the beginning, whose names say enough.
func (t *TypeAliasType) isBuiltin() bool {
	switch t.name {
	case "Data", "RichData", "RichDataKey", "Puppet::LookupKey", "Puppet::LookupValue":
		return true
	}
	return false
}
