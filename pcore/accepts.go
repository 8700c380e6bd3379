package pcore

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Accepts reports whether every instance of u is one of t, so that a u can be
// given where a t is asked for. It is `t >= u` of the language, and the
// reference's word "assignable".
//
// Recursive aliases are compared by what they describe. The time is bounded by
// the product of the sizes of both types.
func Accepts(t, u Type) bool {
	var a acceptor
	return a.accepts(t, u)
}

// AcceptsUndef reports whether undef is an instance of t.
func AcceptsUndef(t Type) bool {
	switch t := t.(type) {
	case AnyType, UnitType, UndefType, *OptionalType:
		return true
	case *VariantType, *TypeAliasType, *InitType:
		return Accepts(t, UndefType{})
	default:
		return false
	}
}

type acceptor struct{ known memo[acceptPair] }

type acceptPair struct{ t, u Type }

// inside is accepts for types that are parts of those that were compared.
func (a *acceptor) inside(t, u Type) bool {
	a.known.level++
	ok := a.accepts(t, u)
	a.known.level--
	return ok
}

func (a *acceptor) accepts(t, u Type) bool {
	if !isAlias(t) && !isAlias(u) {
		return a.compare(t, u)
	}
	if t == u {
		return true
	}
	pair := acceptPair{t, u}
	if yes, known := a.known.answer(pair); known {
		return yes
	}
	mark := a.known.begin(pair)
	ok := a.compare(t, u)
	a.known.end(pair, mark, ok)
	return ok
}

func isAlias(t Type) bool { _, ok := t.(*TypeAliasType); return ok }

// compare takes apart u, as far as it is made of alternatives, and then asks
// t. It goes by the reference's PAnyType#assignable?.
func (a *acceptor) compare(t, u Type) bool {
	if t == Type(UnitType{}) {
		return true
	}
	switch u := u.(type) {
	case UnitType:
		return true
	case *TypeAliasType:
		return a.accepts(t, u.Resolved())
	case *VariantType:
		return a.acceptsVariant(t, u)
	case *OptionalType:
		return a.accepts(t, UndefType{}) && (u.elem == nil || a.accepts(t, u.elem))
	case *NotUndefType:
		if u.elem != nil && !AcceptsUndef(u.elem) {
			return a.accepts(t, u.elem)
		}
	}
	return a.acceptsOne(t, u)
}

func (a *acceptor) acceptsVariant(t Type, u *VariantType) bool {
	if isAny(t) {
		return true
	}
	if len(u.types) == 0 {
		switch t := t.(type) {
		case *NotUndefType:
			return t.elem == nil || a.accepts(t.elem, u)
		case *VariantType:
			return len(t.types) == 0
		}
		return false
	}
	if v, ok := t.(*VariantType); ok && len(v.types) == 0 {
		return true
	}
	for _, alternative := range u.types {
		if !a.accepts(t, alternative) {
			return false
		}
	}
	return true
}

// acceptsOne is for a u that is not made of alternatives.
func (a *acceptor) acceptsOne(t, u Type) bool {
	switch t := t.(type) {
	case AnyType:
		return true
	case UndefType, DefaultType, BinaryType, SemVerRangeType:
		return t == u
	case ScalarType:
		return isScalarType(u)
	case ScalarDataType:
		return isScalarDataType(u)
	case NumericType:
		return isNumericType(u)
	case CatalogEntryType:
		return isCatalogEntryType(u)
	case *IntegerType:
		u, ok := u.(*IntegerType)
		return ok && t.coversSize(u)
	case *FloatType:
		u, ok := u.(*FloatType)
		return ok && t.covers(u.bounds, compareFloats)
	case *TimespanType:
		u, ok := u.(*TimespanType)
		return ok && t.covers(u.bounds, Timespan.Compare)
	case *TimestampType:
		u, ok := u.(*TimestampType)
		return ok && t.covers(u.bounds, Timestamp.Compare)
	case *StringType:
		return t.acceptsType(u)
	case *EnumType:
		return t.acceptsType(u)
	case *PatternType:
		return t.acceptsType(u)
	case *BooleanType:
		u, ok := u.(*BooleanType)
		return ok && (t.literal == nil || equalPointers(t.literal, u.literal))
	case *RegexpType:
		u, ok := u.(*RegexpType)
		return ok && (t.regexp == nil || equalRegexps(t.regexp, u.regexp))
	case *SemVerType:
		u, ok := u.(*SemVerType)
		return ok && t.covers(u)
	case *URIType:
		u, ok := u.(*URIType)
		return ok && acceptsParameters(t.params, u.params)
	case *CollectionType:
		return t.acceptsType(u)
	case *ArrayType:
		return a.acceptsArray(t, u)
	case *HashType:
		return a.acceptsHash(t, u)
	case *TupleType:
		if a.acceptsTuple(t, u) {
			return true
		}
		_, same := u.(*TupleType)
		return same && EqualTypes(t, u)
	case *StructType:
		return a.acceptsStruct(t, u)
	case *VariantType:
		return a.anyAccepts(t.types, u)
	case *OptionalType:
		return u == Type(UndefType{}) || t.elem == nil || a.accepts(t.elem, u)
	case *NotUndefType:
		return !AcceptsUndef(u) && (t.elem == nil || a.accepts(t.elem, u))
	case *TypeAliasType:
		return a.accepts(t.Resolved(), u)
	case *TypeType:
		u, ok := u.(*TypeType)
		return ok && (t.elem == nil || u.elem != nil && a.inside(t.elem, u.elem))
	case *SensitiveType:
		u, ok := u.(*SensitiveType)
		return ok && a.inside(t.Elem(), u.Elem())
	case *IterableType:
		return a.acceptsIterable(t, u)
	case *IteratorType:
		u, ok := u.(*IteratorType)
		return ok && (t.elem == nil || u.elem != nil && a.inside(t.elem, u.elem))
	case *InitType:
		return a.acceptsInit(t, u)
	case *CallableType:
		u, ok := u.(*CallableType)
		return ok && a.acceptsCallable(t, u)
	case *ClassType:
		u, ok := u.(*ClassType)
		return ok && (t.class == "" || t.class == u.class)
	case *ResourceType:
		u, ok := u.(*ResourceType)
		return ok && t.acceptsResource(u)
	case *RuntimeType:
		u, ok := u.(*RuntimeType)
		return ok && t.acceptsRuntime(u)
	case *ObjectType:
		return t.acceptsObjectType(u)
	case *ObjectTypeExtension:
		return t.acceptsObjectType(u)
	case *TypeSetType:
		u, ok := u.(*TypeSetType)
		return ok && (t.isDefault() || equalTypeSets(t, u))
	case *TypeReferenceType:
		return EqualTypes(t, u)
	default:
		return false
	}
}

func (a *acceptor) anyAccepts(types []Type, u Type) bool {
	return slices.ContainsFunc(types, func(t Type) bool { return a.accepts(t, u) })
}

func isScalarType(u Type) bool {
	switch u.(type) {
	case ScalarType, *RegexpType, *SemVerType, SemVerRangeType, *TimespanType, *TimestampType:
		return true
	}
	return isScalarDataType(u)
}

func isScalarDataType(u Type) bool {
	switch u.(type) {
	case ScalarDataType, *StringType, *EnumType, *PatternType, *BooleanType:
		return true
	}
	return isNumericType(u)
}

func isNumericType(u Type) bool {
	switch u.(type) {
	case NumericType, *IntegerType, *FloatType:
		return true
	}
	return false
}

func isCatalogEntryType(u Type) bool {
	switch u.(type) {
	case CatalogEntryType, *ClassType, *ResourceType:
		return true
	}
	return false
}

// acceptsType does not know how long the strings are that match a pattern.
func (t *StringType) acceptsType(u Type) bool {
	switch u := u.(type) {
	case *StringType:
		switch {
		case t.literal != nil:
			return equalPointers(t.literal, u.literal)
		case t.size != nil:
			return t.size.coversSize(u.lengths())
		}
		return true
	case *EnumType:
		switch {
		case t.literal != nil: // the reference does not look which string it is
			return len(u.values) == 1 && !u.fold
		case t.size == nil:
			return true
		case len(u.values) == 0:
			return t.size.coversSize(atLeast(0))
		}
		return t.size.coversSize(u.lengths())
	case *PatternType:
		return t.literal == nil && (t.size == nil || t.size.coversSize(atLeast(0)))
	}
	return false
}

// lengths returns the range of the numbers of characters of the strings.
func (t *StringType) lengths() *IntegerType {
	if t.literal == nil {
		return sizeOrDefault(t.size)
	}
	n := int64(utf8.RuneCountInString(*t.literal))
	return integerRange(n, n)
}

func (t *EnumType) acceptsType(u Type) bool {
	switch u := u.(type) {
	case *StringType:
		return len(t.values) == 0 || u.literal != nil && t.has(*u.literal)
	case *PatternType:
		return len(t.values) == 0
	case *EnumType:
		if len(t.values) == 0 {
			return true
		}
		return len(u.values) > 0 && (t.fold || !u.fold) && t.hasAll(u.values)
	}
	return false
}

// hasAll looks up each value in a set that knows no case when t does not.
func (t *EnumType) hasAll(values []string) bool {
	if !t.fold {
		return len(values) <= len(t.values) && !slices.ContainsFunc(values, func(v string) bool { return !t.has(v) })
	}
	lower := make(map[string]bool, len(t.values))
	for _, v := range t.values {
		lower[lowerTextASCII(v)] = true
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !lower[lowerTextASCII(v)] })
}

func lowerTextASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return rune(lowerASCII(byte(r)))
		}
		return r
	}, s)
}

func (t *PatternType) acceptsType(u Type) bool {
	if len(t.patterns) == 0 {
		switch u.(type) {
		case *StringType, *EnumType, *PatternType:
			return true
		}
		return false
	}
	switch u := u.(type) {
	case *StringType:
		return u.literal != nil && t.matches(*u.literal)
	case *EnumType:
		return len(u.values) > 0 && !slices.ContainsFunc(u.values, func(v string) bool { return !t.matches(v) })
	case *PatternType:
		return equalPatterns(t, u)
	}
	return false
}

func (t *CollectionType) acceptsType(u Type) bool {
	size := sizeOrDefault(t.size)
	switch u := u.(type) {
	case *CollectionType:
		return size.coversSize(sizeOrDefault(u.size))
	case *ArrayType:
		return size.coversSize(sizeOrDefault(u.size))
	case *HashType:
		return size.coversSize(sizeOrDefault(u.size))
	case *TupleType:
		return size.coversSize(u.givenSize())
	case *StructType:
		return size.hasSize(len(u.elems))
	}
	return false
}

// givenSize returns the size that was given, or the number of types.
func (t *TupleType) givenSize() *IntegerType {
	if t.size != nil {
		return t.size
	}
	n := int64(len(t.types))
	return integerRange(n, n)
}

func (a *acceptor) acceptsArray(t *ArrayType, u Type) bool {
	size := sizeOrDefault(t.size)
	switch u := u.(type) {
	case *ArrayType:
		return size.coversSize(sizeOrDefault(u.size)) && a.inside(t.Elem(), u.Elem())
	case *TupleType:
		if !size.coversSize(u.givenSize()) {
			return false
		}
		for _, elem := range u.types {
			if !a.inside(t.Elem(), elem) {
				return false
			}
		}
		return true
	}
	return false
}

func (a *acceptor) acceptsHash(t *HashType, u Type) bool {
	size := sizeOrDefault(t.size)
	switch u := u.(type) {
	case *HashType:
		if from, _ := size.limits(); from == 0 && u.isEmpty() && isUnit(u.Key()) && isUnit(u.Elem()) {
			return true
		}
		return size.coversSize(sizeOrDefault(u.size)) && a.inside(t.Key(), u.Key()) && a.inside(t.Elem(), u.Elem())
	case *StructType:
		if !size.hasSize(len(u.elems)) {
			return false
		}
		for _, e := range u.elems {
			if !Contains(t.Key(), String(e.name)) || !a.inside(t.Elem(), e.value) {
				return false
			}
		}
		return true
	}
	return false
}

func isUnit(t Type) bool { return t == Type(UnitType{}) }

func (a *acceptor) acceptsTuple(t *TupleType, u Type) bool {
	size := t.sizeRange()
	switch u := u.(type) {
	case *TupleType:
		if !size.coversSize(u.sizeRange()) {
			return false
		}
		if len(t.types) == 0 {
			return true
		}
		if len(u.types) == 0 {
			from, _ := size.limits()
			return from == 0
		}
		for i, elem := range u.types {
			if !a.inside(t.at(i), elem) {
				return false
			}
		}
		return true
	case *ArrayType:
		if !size.coversSize(sizeOrDefault(u.size)) {
			return false
		}
		_, most := sizeOrDefault(u.size).limits()
		for i := range min(int64(len(t.types)), most) {
			if !a.inside(t.types[i], u.Elem()) {
				return false
			}
		}
		return true
	}
	return false
}

func (a *acceptor) acceptsStruct(t *StructType, u Type) bool {
	switch u := u.(type) {
	case *StructType:
		matched := 0
		for _, e := range t.elems {
			other, ok := u.Element(e.name)
			if !ok {
				if !e.Optional() {
					return false
				}
				continue
			}
			if other.Optional() && !e.Optional() || !a.inside(e.value, other.value) {
				return false
			}
			matched++
		}
		return matched == len(u.elems)
	case *HashType:
		return a.acceptsHashAsStruct(t, u)
	}
	return false
}

// acceptsHashAsStruct does not know which keys a hash has; entries that may be
// missing are not looked at, as in the reference.
func (a *acceptor) acceptsHashAsStruct(t *StructType, u *HashType) bool {
	required := int64(0)
	for _, e := range t.elems {
		if e.Optional() {
			continue
		}
		required++
		if !a.inside(e.value, u.Elem()) || !a.inside(&StringType{}, u.Key()) {
			return false
		}
	}
	return integerRange(required, int64(len(t.elems))).coversSize(sizeOrDefault(u.size))
}

// acceptsCallable asks in reverse: what is called must take what t is given.
func (a *acceptor) acceptsCallable(t, u *CallableType) bool {
	if t.result != nil && !a.inside(t.result, u.Result()) {
		return false
	}
	if t.params == nil {
		return true
	}
	if u.params == nil || !a.inside(u.params, t.params) {
		return false
	}
	return a.inside(blockOrUndef(u.block), blockOrUndef(t.block))
}

func blockOrUndef(t Type) Type {
	if t == nil {
		return UndefType{}
	}
	return t
}

func (t *ResourceType) acceptsResource(u *ResourceType) bool {
	return t.resource == "" ||
		strings.EqualFold(t.resource, u.resource) && (t.title == nil || equalPointers(t.title, u.title))
}

// acceptsRuntime cannot know which class of a runtime inherits from which,
// except that in Ruby all do from Object.
func (t *RuntimeType) acceptsRuntime(u *RuntimeType) bool {
	switch {
	case t.runtime != "" && t.runtime != u.runtime:
		return false
	case t.class == "":
		return true
	case t.pattern != nil || u.pattern != nil:
		return EqualTypes(t, u)
	default:
		return t.class == u.class
	}
}
