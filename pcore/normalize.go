package pcore

import (
	"cmp"
	"slices"
	"strings"
)

// Normalize returns an equivalent type in a shorter form. It merges the types
// of a Variant where possible, and it removes an Optional around a type that
// accepts undef and a NotUndef around a type that does not. A Collection, and
// an Array of Any, lose their size. An alias is returned unchanged.
func Normalize(t Type) Type {
	switch t := t.(type) {
	case *CollectionType:
		return &CollectionType{}
	case *ArrayType:
		elem := Normalize(t.Elem())
		switch {
		case isAny(t.Elem()):
			return &ArrayType{}
		case elem != t.Elem():
			return NewArrayType(elem, t.size)
		}
	case *HashType:
		key, val := Normalize(t.keyType()), Normalize(t.Elem())
		if key != t.keyType() || val != t.Elem() {
			return NewHashType(key, val, t.size)
		}
	case *TupleType:
		if types, changed := mapTypes(t.types, Normalize); changed {
			return &TupleType{types: types, size: t.size}
		}
	case *StructType:
		if elems, changed := mapElements(t.elems, Normalize); changed {
			return t.withElements(elems)
		}
	case *CallableType:
		return mapCallable(t, Normalize)
	case *VariantType:
		return normalizeVariant(t)
	case *OptionalType:
		return normalizeOptional(t)
	case *NotUndefType:
		return normalizeNotUndef(t)
	default:
		return mapElem(t, Normalize)
	}
	return t
}

func normalizeOptional(t *OptionalType) Type {
	if t.elem == nil {
		return t
	}
	elem := Normalize(t.elem)
	if n, ok := elem.(*NotUndefType); ok {
		return Normalize(NewOptionalType(n.elem))
	}
	if acceptsUndef(elem) {
		return elem
	}
	if elem == t.elem {
		return t
	}
	return NewOptionalType(elem)
}

func normalizeNotUndef(t *NotUndefType) Type {
	if t.elem == nil {
		return t
	}
	elem := Normalize(t.elem)
	if o, ok := elem.(*OptionalType); ok {
		return Normalize(newNotUndefType(o.elem))
	}
	if !acceptsUndef(elem) {
		return elem
	}
	if elem == t.elem {
		return t
	}
	return newNotUndefType(elem)
}

func normalizeVariant(t *VariantType) Type {
	if len(t.types) == 0 {
		return t
	}
	types, changed := mapTypes(t.types, Normalize)
	if !changed {
		types = t.types
	}
	if len(types) == 1 {
		return types[0]
	}
	if slices.ContainsFunc(types, isUndefOrOptional) {
		return Normalize(NewOptionalType(NewVariantType(withoutUndef(types)...)))
	}
	joined := joinVariant(flattenVariants(types))
	switch {
	case len(joined) == 1:
		return joined[0]
	case !changed && len(joined) == len(t.types):
		return t
	}
	return NewVariantType(joined...)
}

func isUndefOrOptional(t Type) bool {
	switch t.(type) {
	case UndefType, *OptionalType:
		return true
	}
	return false
}

func withoutUndef(types []Type) []Type {
	var rest []Type
	for _, t := range types {
		switch t := t.(type) {
		case UndefType:
		case *OptionalType:
			if t.elem != nil {
				rest = append(rest, t.elem)
			}
		default:
			rest = append(rest, t)
		}
	}
	return rest
}

func flattenVariants(types []Type) []Type {
	var flat []Type
	for _, t := range types {
		if v, ok := t.(*VariantType); ok {
			flat = append(flat, v.types...)
			continue
		}
		flat = append(flat, t)
	}
	return flat
}

// joinVariant merges types of one kind that a single type can express.
func joinVariant(types []Type) []Type {
	types = joinNotUndef(types)
	types = joinStrings(types)
	types = joinEnums(types)
	types = joinPatterns(types)
	types = joinVersions(types)
	types = joinRanges(types, mergeIntegers)
	types = joinRanges(types, mergeFloats)
	types = joinRanges(types, mergeTimespans)
	return joinRanges(types, mergeTimestamps)
}

// partition returns the types of kind T for which f holds, and all others. If
// fewer than two match, it returns nil and all types.
func partition[T Type](types []Type, f func(T) bool) (of []T, others []Type) {
	for _, t := range types {
		if u, ok := t.(T); ok && f(u) {
			of = append(of, u)
			continue
		}
		others = append(others, t)
	}
	if len(of) < 2 {
		return nil, types
	}
	return of, others
}

func always[T any](T) bool { return true }

func joinNotUndef(types []Type) []Type {
	of, others := partition(types, always[*NotUndefType])
	if of == nil {
		return types
	}
	var inner []Type
	for _, t := range of {
		if t.elem != nil {
			inner = append(inner, t.elem)
			continue
		}
		return append(others, t)
	}
	return append(others, newNotUndefType(Normalize(NewVariantType(inner...))))
}

// joinStrings merges literal strings and case-sensitive Enums into one Enum.
func joinStrings(types []Type) []Type {
	of, others := partition(types, func(t Type) bool {
		switch t := t.(type) {
		case *EnumType:
			return len(t.values) > 0 && !t.fold
		case *StringType:
			return t.literal != nil
		}
		return false
	})
	if of == nil {
		return types
	}
	var values []string
	for _, t := range of {
		switch t := t.(type) {
		case *EnumType:
			values = append(values, t.values...)
		case *StringType:
			values = append(values, *t.literal)
		}
	}
	return append(others, NewEnumType(false, values...))
}

func joinEnums(types []Type) []Type {
	of, others := partition(types, func(t *EnumType) bool { return len(t.values) > 0 && t.fold })
	if of == nil {
		return types
	}
	var values []string
	for _, t := range of {
		for _, v := range t.values {
			values = append(values, strings.ToLower(v))
		}
	}
	return append(others, NewEnumType(true, values...))
}

func joinPatterns(types []Type) []Type {
	of, others := partition(types, always[*PatternType])
	if of == nil {
		return types
	}
	var patterns []*Regexp
	for _, t := range of {
		patterns = append(patterns, t.Patterns()...)
	}
	return append(others, newPatternType(patterns...))
}

func joinVersions(types []Type) []Type {
	of, others := partition(types, always[*SemVerType])
	if of == nil {
		return types
	}
	var ranges []*SemVerRange
	for _, t := range of {
		ranges = append(ranges, t.ranges...)
	}
	joined, err := newSemVerType(ranges...)
	if err != nil { // too many to merge
		return types
	}
	return append([]Type{joined}, others...)
}

// joinRanges merges ranges that overlap or are adjacent, starting with the
// last.
func joinRanges[T Type](types []Type, merge func(a, b T) (T, bool)) []Type {
	of, others := partition(types, always[T])
	var joined []Type
	for len(of) > 0 {
		last := len(of) - 1
		one, rest := of[last], of[:0]
		for _, t := range of[:last] {
			if m, ok := merge(one, t); ok {
				one = m
			} else {
				rest = append(rest, t)
			}
		}
		joined, of = append(joined, one), rest
	}
	return append(joined, others...)
}

func mergeIntegers(a, b *IntegerType) (*IntegerType, bool) {
	if !a.intersects(b.bounds, cmp.Compare[int64]) && !adjacent(a, b) && !adjacent(b, a) {
		return nil, false
	}
	return &IntegerType{bounds: a.hull(b.bounds, cmp.Compare[int64])}, true
}

func adjacent(a, b *IntegerType) bool {
	return a.to.set && b.from.set && a.to.value < b.from.value && a.to.value+1 == b.from.value
}

func mergeFloats(a, b *FloatType) (*FloatType, bool) {
	if !a.intersects(b.bounds, compareFloats) {
		return nil, false
	}
	return &FloatType{bounds: a.hull(b.bounds, compareFloats)}, true
}

func mergeTimespans(a, b *TimespanType) (*TimespanType, bool) {
	if !a.intersects(b.bounds, Timespan.Compare) {
		return nil, false
	}
	return &TimespanType{bounds: a.hull(b.bounds, Timespan.Compare)}, true
}

func mergeTimestamps(a, b *TimestampType) (*TimestampType, bool) {
	if !a.intersects(b.bounds, Timestamp.Compare) {
		return nil, false
	}
	return &TimestampType{bounds: a.hull(b.bounds, Timestamp.Compare)}, true
}
