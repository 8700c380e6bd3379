package pcore

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Accepts reports whether every instance of u is an instance of t, so that a u
// can be given where a t is required. It is `t >= u` in the language; the
// reference implementation calls it "assignable".
//
// Recursive aliases are compared by structure. The time is bounded by the
// product of the sizes of both types.
func Accepts(t, u Type) bool { return (*acceptor)(nil).accepts(t, u) }

// acceptsUndef reports whether undef is an instance of t.
func acceptsUndef(t Type) bool { return Accepts(t, UndefType{}) }

type acceptor struct{ known memo[acceptPair] }

type acceptPair struct{ t, u Type }

// inside is accepts for components of the types being compared.
func (a *acceptor) inside(t, u Type) bool {
	a.known.level++
	ok := a.accepts(t, u)
	a.known.level--
	return ok
}

// accepts compares the facts of both types, and creates the acceptor only if
// they do not decide.
func (a *acceptor) accepts(t, u Type) bool {
	switch factsOf(t).accepts.answer(factsOf(u).parts) {
	case yes:
		return true
	case no:
		return false
	}
	if a == nil {
		a = &acceptor{}
	}
	return a.acceptsUnsure(t, u)
}

// acceptsUnsure is accepts for types whose facts do not decide.
func (a *acceptor) acceptsUnsure(t, u Type) bool {
	if isAny(t) {
		return true
	}
	if mayComeBack(t) || isAlias(u) {
		return a.acceptsAlias(t, u)
	}
	return a.compare(t, u)
}

// mayComeBack reports whether comparing t may lead back to t, because t is an
// alias. Data and RichData are excluded: they recur only with a component of
// the other type.
func mayComeBack(t Type) bool {
	alias, ok := t.(*TypeAliasType)
	return ok && !alias.inward
}

// acceptsAlias remembers the answers, so that recursive types terminate.
func (a *acceptor) acceptsAlias(t, u Type) bool {
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

// compare splits u into its alternatives, if it has any, and compares t with
// each. It follows PAnyType#assignable? of the reference implementation.
func (a *acceptor) compare(t, u Type) bool {
	if isUnit(t) || isUnit(u) {
		return true
	}
	if u, ok := u.(*VariantType); ok {
		return a.acceptsVariant(t, u)
	}
	if u, ok := u.(*OptionalType); ok {
		return a.accepts(t, UndefType{}) && (u.elem == nil || a.accepts(t, u.elem))
	}
	if u, ok := u.(*NotUndefType); ok && u.elem != nil && !acceptsUndef(u.elem) {
		return a.accepts(t, u.elem)
	}
	if u, ok := u.(*TypeAliasType); ok {
		return a.accepts(t, u.Resolved())
	}
	return a.acceptsPart(t, u)
}

func (a *acceptor) acceptsVariant(t Type, u *VariantType) bool {
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

// acceptsPart compares t with a u that has no alternatives.
func (a *acceptor) acceptsPart(t, u Type) bool {
	switch t := t.(type) {
	case *VariantType:
		return slices.ContainsFunc(t.types, func(t Type) bool { return a.accepts(t, u) })
	case *OptionalType:
		return t.elem == nil || isUndefType(u) || a.accepts(t.elem, u)
	case *NotUndefType:
		return !acceptsUndef(u) && (t.elem == nil || a.accepts(t.elem, u))
	case *TypeAliasType:
		return a.accepts(t.Resolved(), u)
	case *InitType:
		return a.acceptsInit(t, u)
	case *IterableType:
		return a.acceptsIterable(t, u)
	case *ArrayType:
		return a.acceptsArray(t, u)
	case *HashType:
		return a.acceptsHash(t, u)
	case *TupleType:
		return a.acceptsTuple(t, u) || EqualTypes(t, u)
	case *StructType:
		return a.acceptsStruct(t, u)
	case *CollectionType:
		return t.acceptsType(u)
	case *StringType:
		return t.acceptsType(u)
	case *EnumType:
		return t.acceptsType(u)
	case *PatternType:
		return t.acceptsType(u)
	case *ObjectType:
		return t.acceptsObjectType(u)
	case *ObjectTypeExtension:
		return t.acceptsObjectType(u)
	default:
		return a.acceptsSame(t, u)
	}
}

// acceptsSame handles types that accept only types of their own kind.
func (a *acceptor) acceptsSame(t, u Type) bool {
	switch t := t.(type) {
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
	case *TypeType:
		u, ok := u.(*TypeType)
		return ok && a.acceptsElem(t.elem, u.elem)
	case *IteratorType:
		u, ok := u.(*IteratorType)
		return ok && a.acceptsElem(t.elem, u.elem)
	case *SensitiveType:
		u, ok := u.(*SensitiveType)
		return ok && a.inside(t.elemType(), u.elemType())
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
	case *TypeSetType:
		u, ok := u.(*TypeSetType)
		return ok && (t.isDefault() || equalTypeSets(t, u))
	case *TypeReferenceType:
		u, ok := u.(*TypeReferenceType)
		return ok && t.ref == u.ref
	default: // the facts decide all other types
		return false
	}
}

// acceptsElem is inside for optional parameters: a nil t accepts everything,
// and a nil u is accepted by a nil t only.
func (a *acceptor) acceptsElem(t, u Type) bool { return t == nil || u != nil && a.inside(t, u) }

// acceptsType assumes nothing about the length of strings that match a Pattern.
func (t *StringType) acceptsType(u Type) bool {
	switch u := u.(type) {
	case *StringType:
		switch {
		case t.literal != nil:
			return equalPointers(t.literal, u.literal)
		case t.size != nil:
			return t.size.coversRange(u.lengthBounds())
		}
		return true
	case *EnumType:
		switch {
		case t.literal != nil: // the reference implementation does not compare the string
			return len(u.values) == 1 && !u.fold
		case t.size == nil:
			return true
		case len(u.values) == 0:
			return t.size.coversRange(sizeBounds(nil))
		}
		return t.size.coversSize(u.lengths())
	case *PatternType:
		return t.literal == nil && (t.size == nil || t.size.coversRange(sizeBounds(nil)))
	}
	return false
}

// lengthBounds returns the range of the lengths of the strings, in characters.
func (t *StringType) lengthBounds() bounds[int64] {
	if t.literal == nil {
		return sizeBounds(t.size)
	}
	return exactly(utf8.RuneCountInString(*t.literal))
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

// hasAll reports whether t contains all values. If t ignores case, it looks
// them up in a set of lower-case strings.
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
	switch u := u.(type) {
	case *CollectionType:
		return coversSizes(t.size, u.size)
	case *ArrayType:
		return coversSizes(t.size, u.size)
	case *HashType:
		return coversSizes(t.size, u.size)
	case *TupleType:
		return coversBounds(sizeBounds(t.size), u.givenBounds())
	case *StructType:
		return t.size.hasSize(len(u.elems))
	}
	return false
}

// givenSize returns the declared size, or the number of types if there is none.
func (t *TupleType) givenSize() *IntegerType { return &IntegerType{bounds: t.givenBounds()} }

func (t *TupleType) givenBounds() bounds[int64] {
	if t.size != nil {
		return t.size.bounds
	}
	return exactly(len(t.types))
}

func (a *acceptor) acceptsArray(t *ArrayType, u Type) bool {
	switch u := u.(type) {
	case *ArrayType:
		return coversSizes(t.size, u.size) && a.inside(t.Elem(), u.Elem())
	case *TupleType:
		if !coversBounds(sizeBounds(t.size), u.givenBounds()) {
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
	switch u := u.(type) {
	case *HashType:
		if u.isEmpty() && t.size.hasSize(0) && isUnit(u.keyType()) && isUnit(u.Elem()) {
			return true
		}
		return coversSizes(t.size, u.size) && a.inside(t.keyType(), u.keyType()) && a.inside(t.Elem(), u.Elem())
	case *StructType:
		if !t.size.hasSize(len(u.elems)) {
			return false
		}
		key := t.keyType()
		for _, e := range u.elems {
			if !containsString(key, e.name) || !a.inside(t.Elem(), e.value) {
				return false
			}
		}
		return true
	}
	return false
}

// containsString is Contains for a String. It avoids the conversion to a Value
// for the usual types of keys.
func containsString(t Type, s string) bool {
	switch t := t.(type) {
	case AnyType:
		return true
	case *StringType:
		return t.containsText(s)
	default:
		return Contains(t, String(s))
	}
}

func isUnit(t Type) bool { _, ok := t.(UnitType); return ok }

func isUndefType(t Type) bool { _, ok := t.(UndefType); return ok }

func (a *acceptor) acceptsTuple(t *TupleType, u Type) bool {
	switch u := u.(type) {
	case *TupleType:
		size := t.acceptedBounds()
		if !coversBounds(size, u.acceptedBounds()) {
			return false
		}
		if len(t.types) == 0 {
			return true
		}
		if len(u.types) == 0 {
			return size.from == At[int64](0)
		}
		for i, elem := range u.types {
			if !a.inside(t.at(i), elem) {
				return false
			}
		}
		return true
	case *ArrayType:
		size := sizeBounds(u.size)
		if !coversBounds(t.acceptedBounds(), size) {
			return false
		}
		for i, elem := range t.types {
			if size.to.set && int64(i) >= size.to.value {
				break
			}
			if !a.inside(elem, u.Elem()) {
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

// acceptsHashAsStruct compares a Struct with a Hash whose keys are unknown.
// Like the reference implementation, it ignores optional entries.
func (a *acceptor) acceptsHashAsStruct(t *StructType, u *HashType) bool {
	required := int64(0)
	for _, e := range t.elems {
		if e.Optional() {
			continue
		}
		required++
		if !a.inside(e.value, u.Elem()) || !a.inside(&StringType{}, u.keyType()) {
			return false
		}
	}
	return coversBounds(bounds[int64]{At(required), At(int64(len(t.elems)))}, sizeBounds(u.size))
}

// acceptsCallable compares parameters in reverse: u must accept the arguments
// that t accepts.
func (a *acceptor) acceptsCallable(t, u *CallableType) bool {
	if t.result != nil && !a.inside(t.result, u.resultType()) {
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

// acceptsRuntime compares class names only: the inheritance between the classes
// of a runtime is unknown.
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
