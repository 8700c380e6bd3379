package pcore

import "unicode/utf8"

// Generalize returns the type without the details of single values: ranges,
// sizes and literal strings. Integer[1, 5] becomes Integer, Array[Integer[1],
// 2, 3] becomes Array[Integer]. Types without such details are returned
// unchanged.
func Generalize(t Type) Type {
	switch t := t.(type) {
	case *IntegerType:
		if t.unbounded() {
			return t
		}
		return &IntegerType{}
	case *FloatType:
		if t.unbounded() {
			return t
		}
		return &FloatType{}
	case *TimespanType:
		return &TimespanType{}
	case *TimestampType:
		return &TimestampType{}
	case *StringType:
		if t.size == nil && t.literal == nil {
			return t
		}
		return &StringType{}
	case *BooleanType:
		return &BooleanType{}
	case *EnumType:
		return generalizeEnum(t)
	case *URIType:
		return &URIType{}
	case *CollectionType:
		return &CollectionType{}
	case *ArrayType:
		elem := Generalize(t.Elem())
		if t.size == nil && elem == t.Elem() {
			return t
		}
		return NewArrayType(elem, nil)
	case *HashType:
		return generalizeHash(t)
	case *TupleType:
		if types, changed := mapTypes(t.types, Generalize); changed {
			return &TupleType{types: types, size: t.size}
		}
	case *StructType:
		if elems, changed := mapElements(t.elems, Generalize); changed {
			return t.withElements(elems)
		}
	case *VariantType:
		if types, changed := mapTypes(t.types, Generalize); changed {
			return NewVariantType(types...)
		}
	case *CallableType:
		return mapCallable(t, Generalize)
	case *ObjectTypeExtension:
		return t.base
	default:
		return mapElem(t, Generalize)
	}
	return t
}

// generalizeEnum returns a String type with the range of the lengths of the
// values.
func generalizeEnum(t *EnumType) Type {
	if len(t.values) == 0 {
		return &StringType{}
	}
	return NewStringType(t.lengths())
}

// lengths returns the range of the lengths of the values, in characters.
func (t *EnumType) lengths() *IntegerType {
	shortest := utf8.RuneCountInString(t.values[0])
	longest := shortest
	for _, v := range t.values[1:] {
		n := utf8.RuneCountInString(v)
		shortest, longest = min(shortest, n), max(longest, n)
	}
	return integerRange(int64(shortest), int64(longest))
}

func generalizeHash(t *HashType) Type {
	if t.isEmpty() && isUnit(t.keyType()) && isUnit(t.Elem()) {
		return t
	}
	key, val := Generalize(t.keyType()), Generalize(t.Elem())
	if t.size == nil && key == t.keyType() && val == t.Elem() {
		return t
	}
	return NewHashType(key, val, nil)
}

// mapTypes returns the results of f for all types, or nil and false if f
// changes none of them.
func mapTypes(types []Type, f func(Type) Type) ([]Type, bool) {
	var mapped []Type
	for i, t := range types {
		to := f(t)
		if to != t && mapped == nil {
			mapped = append(make([]Type, 0, len(types)), types[:i]...)
		}
		if mapped != nil {
			mapped = append(mapped, to)
		}
	}
	return mapped, mapped != nil
}

func mapElements(elems []StructElement, f func(Type) Type) ([]StructElement, bool) {
	mapped := make([]StructElement, len(elems))
	changed := false
	for i, e := range elems {
		to := f(e.value)
		changed = changed || to != e.value
		mapped[i] = StructElement{e.key, e.name, to}
	}
	return mapped, changed
}

func mapCallable(t *CallableType, f func(Type) Type) Type {
	mapOrNil := func(t Type) Type {
		if t == nil {
			return nil
		}
		return f(t)
	}
	to := &CallableType{block: mapOrNil(t.block), result: mapOrNil(t.result)}
	if t.params != nil {
		to.params, _ = f(t.params).(*TupleType)
	}
	if to.params == t.params && to.block == t.block && to.result == t.result {
		return t
	}
	return to
}

// mapElem applies f to the inner type of t, if t has one.
func mapElem(t Type, f func(Type) Type) Type {
	elem := innerType(t)
	if elem == nil {
		return t
	}
	to := f(elem)
	if to == elem {
		return t
	}
	switch t := t.(type) {
	case *OptionalType:
		return NewOptionalType(to)
	case *NotUndefType:
		return newNotUndefType(to)
	case *TypeType:
		return newTypeType(to)
	case *SensitiveType:
		return NewSensitiveType(to)
	case *IterableType:
		return newIterableType(to)
	case *IteratorType:
		return newIteratorType(to)
	case *InitType:
		return initType(to, t.args)
	default:
		return t
	}
}

// innerType returns the type parameter of a type that has exactly one, nil for
// other types.
func innerType(t Type) Type {
	switch t := t.(type) {
	case *OptionalType:
		return t.elem
	case *NotUndefType:
		return t.elem
	case *TypeType:
		return t.elem
	case *SensitiveType:
		return t.elem
	case *IterableType:
		return t.elem
	case *IteratorType:
		return t.elem
	case *InitType:
		return t.elem
	}
	return nil
}
