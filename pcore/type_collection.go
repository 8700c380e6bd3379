package pcore

import (
	"errors"
	"fmt"
	"slices"
)

// CollectionType describes arrays and hashes by their size.
type CollectionType struct {
	typeKind
	size *IntegerType
}

// newCollectionType returns Collection[size]; nil means any size. Bounds below
// 0 count as 0.
func newCollectionType(size *IntegerType) *CollectionType {
	return &CollectionType{size: size.asSize()}
}

// typeName returns "Collection".
func (*CollectionType) typeName() string { return "Collection" }

func (t *CollectionType) String() string { return formatType(t) }

// ArrayType describes arrays whose elements have a common type.
type ArrayType struct {
	typeKind
	elem Type
	size *IntegerType
}

// NewArrayType returns Array[elem, size]; a nil elem means Any, a nil size any
// size. Bounds below 0 count as 0. The element type of an array that must be
// empty is [UnitType].
func NewArrayType(elem Type, size *IntegerType) *ArrayType {
	if mustBeEmpty(size) {
		elem = UnitType{}
	}
	return &ArrayType{elem: elem, size: size.asSize()}
}

func mustBeEmpty(size *IntegerType) bool {
	return size != nil && size.from == At[int64](0) && size.to == At[int64](0)
}

// Elem returns the type of the elements.
func (t *ArrayType) Elem() Type { return elemOrAny(t.elem) }

// Size returns the range of the number of elements, or nil if there is none.
func (t *ArrayType) Size() *IntegerType { return t.size }

// typeName returns "Array".
func (*ArrayType) typeName() string { return "Array" }

func (t *ArrayType) String() string { return formatType(t) }

func emptyArrayType() *ArrayType { return NewArrayType(nil, integerRange(0, 0)) }

// HashType describes hashes whose keys have a common type and whose values have
// a common type.
type HashType struct {
	typeKind
	key, val Type
	size     *IntegerType
}

// NewHashType returns Hash[key, value, size]; nil types mean Any, a nil size
// any size. Bounds below 0 count as 0. The key and value type of a hash that
// must be empty is [UnitType].
func NewHashType(key, value Type, size *IntegerType) *HashType {
	if mustBeEmpty(size) {
		key, value = UnitType{}, UnitType{}
	}
	return &HashType{key: key, val: value, size: size.asSize()}
}

// keyType returns the type of the keys.
func (t *HashType) keyType() Type { return elemOrAny(t.key) }

// Elem returns the type of the values.
func (t *HashType) Elem() Type { return elemOrAny(t.val) }

// typeName returns "Hash".
func (*HashType) typeName() string { return "Hash" }

func (t *HashType) String() string { return formatType(t) }

func emptyHashType() *HashType { return NewHashType(nil, nil, integerRange(0, 0)) }

// isEmpty reports whether only the empty hash is an instance of t.
func (t *HashType) isEmpty() bool { return mustBeEmpty(t.size) }

// TupleType describes arrays element by element. If an array may be longer than
// the list of types, the last type repeats.
type TupleType struct {
	typeKind
	types []Type
	size  *IntegerType
}

// NewTupleType returns Tuple[types..., size]. A nil size means as many elements
// as types, or any number when there are none.
func NewTupleType(types []Type, size *IntegerType) *TupleType {
	return &TupleType{types: slices.Clone(types), size: size.asSize()}
}

// Types returns a copy of the types of the elements.
func (t *TupleType) Types() []Type { return slices.Clone(t.types) }

// Size returns the range of the number of elements as given, or nil if there is
// none.
func (t *TupleType) Size() *IntegerType { return t.size }

// typeName returns "Tuple".
func (*TupleType) typeName() string { return "Tuple" }

func (t *TupleType) String() string { return formatType(t) }

// sizeRange returns the accepted numbers of elements.
func (t *TupleType) sizeRange() *IntegerType { return &IntegerType{bounds: t.acceptedBounds()} }

func (t *TupleType) acceptedBounds() bounds[int64] {
	if t.size != nil || len(t.types) == 0 {
		return sizeBounds(t.size)
	}
	return exactly(len(t.types))
}

// at returns the type of the element at index i; the last one repeats.
func (t *TupleType) at(i int) Type { return t.types[min(i, len(t.types)-1)] }

// StructType describes hashes entry by entry: Struct[{a => Integer}].
type StructType struct {
	typeKind
	elems []StructElement
	index map[string]int // nil up to smallHash entries
}

// StructElement describes one entry of a Struct.
type StructElement struct {
	key   Type // a StringType with a value, or an Optional of it
	name  string
	value Type
}

// NewStructElement returns an entry with the given key. An optional entry may
// be missing.
func NewStructElement(name string, optional bool, value Type) StructElement {
	var key Type = newStringValueType(name)
	if optional {
		key = NewOptionalType(key)
	}
	return StructElement{key, name, value}
}

// newStructElementKey returns an entry with a key given as a type: String,
// Optional or NotUndef of one string, or an Enum of one. Any other type is an
// error.
func newStructElementKey(key, value Type) (StructElement, error) {
	inner := key
	switch t := key.(type) {
	case *NotUndefType:
		key, inner = t.elem, t.elem
	case *OptionalType:
		inner = t.elem
	case *EnumType:
		if len(t.values) == 1 {
			inner = newStringValueType(t.values[0])
		}
	case *StringType:
	default:
		return StructElement{}, fmt.Errorf("a key of a Struct must be NotUndef, Optional, String or Enum, not %s", key)
	}
	s, ok := inner.(*StringType)
	if !ok || s.literal == nil {
		return StructElement{}, fmt.Errorf("the key type %s of a Struct does not match exactly one string", key)
	}
	if _, ok := key.(*EnumType); ok {
		key = s
	}
	return StructElement{key, *s.literal, value}, nil
}

// Name returns the key of the entry.
func (e StructElement) Name() string { return e.name }

// Optional reports whether the entry may be missing.
func (e StructElement) Optional() bool { _, ok := e.key.(*OptionalType); return ok }

// Value returns the type of the value.
func (e StructElement) Value() Type { return e.value }

// NewStructType returns a Struct of the entries. An empty key is an error. If a
// key occurs several times, its last entry counts.
func NewStructType(elems ...StructElement) (*StructType, error) {
	t := &StructType{elems: make([]StructElement, 0, len(elems))}
	if len(elems) > smallHash {
		t.index = make(map[string]int, len(elems))
	}
	for _, e := range elems {
		if e.name == "" {
			return nil, errors.New("a key of a Struct must not be the empty string")
		}
		if i := t.find(e.name); i >= 0 {
			t.elems[i] = e
			continue
		}
		if t.index != nil {
			t.index[e.name] = len(t.elems)
		}
		t.elems = append(t.elems, e)
	}
	return t, nil
}

// find returns the index of the entry with the given key, or -1 if there is
// none.
func (t *StructType) find(name string) int {
	if t.index != nil {
		if i, ok := t.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range t.elems {
		if t.elems[i].name == name {
			return i
		}
	}
	return -1
}

// Elements returns a copy of the entries.
func (t *StructType) Elements() []StructElement { return slices.Clone(t.elems) }

// Element returns the entry with the given key.
func (t *StructType) Element(name string) (StructElement, bool) {
	if i := t.find(name); i >= 0 {
		return t.elems[i], true
	}
	return StructElement{}, false
}

// typeName returns "Struct".
func (*StructType) typeName() string { return "Struct" }

func (t *StructType) String() string { return formatType(t) }

// withElements returns the Struct with other entries for the same keys.
func (t *StructType) withElements(elems []StructElement) *StructType {
	return &StructType{elems: elems, index: t.index}
}
