package pcore

// The element types of String and Integer. They are always the same pointers:
// these types can be iterated in turn without end, and the recursion is
// detected by identity.
var (
	charType  = &StringType{size: integerRange(1, 1)}
	timesType = &IntegerType{}
)

// unitPairType is the element type of some hashes. A type whose facts reject
// it rejects every pair.
var unitPairType = &TupleType{types: []Type{UnitType{}, UnitType{}}, size: integerRange(2, 2)}

// elementType returns the type of the elements of an iteration over an instance
// of t, and false if the instances cannot be iterated. The element type is nil
// if nothing is known about the elements.
//
// A String is iterated by characters, an Integer n from 0 to n-1, and a Hash by
// pairs. A type that enumerates its values, such as Integer[1, 5] or an Enum,
// is iterated by its values.
func elementType(t Type) (elem Type, ok bool) {
	switch t := t.(type) {
	case *IntegerType:
		return timesType, true
	case *StringType, *EnumType:
		return charType, true
	case *CollectionType:
		return nil, true
	case *ArrayType:
		if isAny(t.Elem()) {
			return nil, true
		}
		return t.Elem(), true
	case *HashType:
		if isAny(t.keyType()) && isAny(t.Elem()) && t.size == nil {
			return pairType(UnitType{}, UnitType{}), true
		}
		return pairType(t.keyType(), t.Elem()), true
	case *StructType:
		return structPairType(t), true
	case *TupleType:
		return NewVariantType(t.types...), true
	case *IterableType:
		return t.elem, true
	case *IteratorType:
		return t.elem, true
	case *TypeType:
		return listedType(t.elem)
	case *TypeAliasType:
		if r := resolveAlias(t); !isAlias(r) {
			return elementType(r)
		}
	case *ObjectType:
		if t.parent != nil {
			return elementType(t.parent)
		}
	}
	return nil, false
}

// listedType returns t if it enumerates its values and so can be iterated.
func listedType(t Type) (Type, bool) {
	switch t := t.(type) {
	case *EnumType:
		return t, true
	case *IntegerType:
		return t, t.from.set && t.to.set
	}
	return nil, false
}

func pairType(key, val Type) Type { return NewTupleType([]Type{key, val}, integerRange(2, 2)) }

func structPairType(t *StructType) Type {
	if len(t.elems) == 0 {
		return pairType(UnitType{}, UnitType{})
	}
	keys, vals := make([]Type, len(t.elems)), make([]Type, len(t.elems))
	for i, e := range t.elems {
		keys[i], vals[i] = e.key, e.value
	}
	return pairType(NewVariantType(keys...), NewVariantType(vals...))
}

func (a *acceptor) acceptsIterable(t *IterableType, u Type) bool {
	elem, ok := elementType(u)
	switch {
	case !ok:
		return false
	case t.elem == nil || a.accepts(t.elem, AnyType{}):
		return true
	default:
		return elem != nil && a.inside(t.elem, elem)
	}
}

// iteratesOver reports whether t accepts the type of v. It does not infer the
// type if v itself decides.
func iteratesOver(t *IterableType, v Value) bool {
	switch v := v.(type) {
	case String:
		return Accepts(t.elem, charType)
	case Integer:
		return Accepts(t.elem, timesType)
	case *Hash:
		if factsOf(t.elem).accepts.answer(factsOf(unitPairType).parts) == no {
			return false
		}
	case *Array:
		if first, ok := firstWithoutUndef(v); ok && v.Len() > 1 && !Accepts(t.elem, Infer(first)) {
			return false
		}
	default: // any other value, such as an Iterator
	}
	return Accepts(t, Infer(v))
}

// firstWithoutUndef returns the first element that is not undef and cannot contain it. The
// common type of the elements accepts the type of such an element, but ignores undef beside
// other values, at any depth: that of [[undef], [1]] is Array[Integer].
func firstWithoutUndef(v *Array) (Value, bool) {
	for e := range v.Values() {
		switch e.kind() {
		case kindUndef, kindArray, kindHash, kindSensitive, kindType, kindIterator:
		default:
			return e, true
		}
	}
	return nil, false
}

// containsIterable infers the type of v only if the element type matters.
func containsIterable(t *IterableType, v Value) bool {
	if t.elem != nil && !Accepts(t.elem, AnyType{}) {
		return iteratesOver(t, v)
	}
	switch v := v.(type) {
	case *Iterator, String, *Hash, *Array:
		return true
	case Integer:
		return v >= 0
	case BigInteger:
		return v.Big().Sign() >= 0
	case Type:
		_, ok := listedType(resolveAlias(v))
		return ok
	default:
		return false
	}
}
