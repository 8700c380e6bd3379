package pcore

import (
	"hash/maphash"
	"slices"
	"strings"
)

// EqualTypes reports whether a and b are the same type, and so the same key of
// a hash. Types that accept the same values may still differ: an alias is not
// equal to the type that it names, and Array[Integer, 0] is not equal to
// Array[Integer]. The operator `==` of the language, [Equal], treats them as
// equal. The order of the types of a Variant is ignored.
func EqualTypes(a, b Type) bool {
	if a == b {
		return true
	}
	var e typeEquality
	return e.equal(a, b)
}

// typeEquality is the state of one comparison. Object types that are being
// compared count as equal, so that recursive types terminate.
type typeEquality struct{ open []objectPair }

type objectPair struct{ a, b *ObjectType }

func (e *typeEquality) equal(a, b Type) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	switch a := a.(type) {
	case *IntegerType:
		b, ok := b.(*IntegerType)
		return ok && a.bounds == b.bounds
	case *FloatType:
		b, ok := b.(*FloatType)
		return ok && a.equal(b.bounds, compareFloats)
	case *TimespanType:
		b, ok := b.(*TimespanType)
		return ok && a.bounds == b.bounds
	case *TimestampType:
		b, ok := b.(*TimestampType)
		return ok && a.bounds == b.bounds
	case *StringType:
		b, ok := b.(*StringType)
		return ok && equalSizes(a.size, b.size) && equalPointers(a.literal, b.literal)
	case *BooleanType:
		b, ok := b.(*BooleanType)
		return ok && equalPointers(a.literal, b.literal)
	case *EnumType:
		b, ok := b.(*EnumType)
		return ok && a.fold == b.fold && slices.Equal(a.values, b.values)
	case *RegexpType:
		b, ok := b.(*RegexpType)
		return ok && equalRegexps(a.regexp, b.regexp)
	case *PatternType:
		b, ok := b.(*PatternType)
		return ok && equalPatterns(a, b)
	case *SemVerType:
		b, ok := b.(*SemVerType)
		return ok && slices.EqualFunc(a.ranges, b.ranges, (*SemVerRange).equal)
	case *URIType:
		b, ok := b.(*URIType)
		return ok && (a.params == nil) == (b.params == nil) && identicalHashes(a.params, b.params)
	case *CollectionType:
		b, ok := b.(*CollectionType)
		return ok && equalSizes(a.size, b.size)
	case *ArrayType:
		b, ok := b.(*ArrayType)
		return ok && equalSizes(a.size, b.size) && e.equal(a.Elem(), b.Elem())
	case *HashType:
		b, ok := b.(*HashType)
		return ok && equalSizes(a.size, b.size) && e.equal(a.keyType(), b.keyType()) && e.equal(a.Elem(), b.Elem())
	case *TupleType:
		b, ok := b.(*TupleType)
		return ok && equalSizes(a.size, b.size) && slices.EqualFunc(a.types, b.types, e.equal)
	case *StructType:
		b, ok := b.(*StructType)
		return ok && slices.EqualFunc(a.elems, b.elems, e.elements)
	case *VariantType:
		b, ok := b.(*VariantType)
		return ok && e.variants(a, b)
	case *OptionalType:
		b, ok := b.(*OptionalType)
		return ok && e.equal(a.elem, b.elem)
	case *NotUndefType:
		b, ok := b.(*NotUndefType)
		return ok && e.equal(a.elem, b.elem)
	case *TypeType:
		b, ok := b.(*TypeType)
		return ok && e.equal(a.elem, b.elem)
	case *SensitiveType:
		b, ok := b.(*SensitiveType)
		return ok && e.equal(a.elemType(), b.elemType())
	case *IterableType:
		b, ok := b.(*IterableType)
		return ok && e.equal(a.elem, b.elem)
	case *IteratorType:
		b, ok := b.(*IteratorType)
		return ok && e.equal(a.elem, b.elem)
	case *InitType:
		b, ok := b.(*InitType)
		return ok && e.equal(a.elem, b.elem) && slices.EqualFunc(a.args, b.args, Identical)
	case *CallableType:
		b, ok := b.(*CallableType)
		return ok && e.callables(a, b)
	case *ClassType:
		b, ok := b.(*ClassType)
		return ok && a.class == b.class
	case *ResourceType:
		b, ok := b.(*ResourceType)
		return ok && strings.EqualFold(a.resource, b.resource) && equalPointers(a.title, b.title)
	case *RuntimeType:
		b, ok := b.(*RuntimeType)
		return ok && a.runtime == b.runtime && a.class == b.class && equalRegexps(a.pattern, b.pattern)
	case *TypeReferenceType:
		b, ok := b.(*TypeReferenceType)
		return ok && a.ref == b.ref
	case *TypeAliasType:
		b, ok := b.(*TypeAliasType)
		return ok && a.name == b.name
	case *ObjectType:
		b, ok := b.(*ObjectType)
		return ok && e.objects(a, b)
	case *ObjectTypeExtension:
		b, ok := b.(*ObjectTypeExtension)
		return ok && e.objects(a.base, b.base) && identicalHashes(a.params, b.params)
	case *TypeSetType:
		b, ok := b.(*TypeSetType)
		return ok && equalTypeSets(a, b)
	default: // a type without parameters
		return false
	}
}

func equalPointers[T comparable](a, b *T) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

func equalRegexps(a, b *Regexp) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Source() == b.Source())
}

// equalPatterns ignores the order. The regular expressions of a Pattern are
// distinct.
func equalPatterns(a, b *PatternType) bool {
	if len(a.patterns) != len(b.patterns) {
		return false
	}
	sources := make(map[string]bool, len(b.patterns))
	for _, p := range b.patterns {
		sources[p.regexp.Source()] = true
	}
	for _, p := range a.patterns {
		if !sources[p.regexp.Source()] {
			return false
		}
	}
	return true
}

func (e *typeEquality) elements(a, b StructElement) bool {
	return e.equal(a.key, b.key) && e.equal(a.value, b.value)
}

func (e *typeEquality) variants(a, b *VariantType) bool {
	if len(a.types) != len(b.types) {
		return false
	}
	set := distinctTypes{equality: e}
	set.add(b.types...)
	for _, t := range a.types {
		if !set.has(t) {
			return false
		}
	}
	return true
}

func (e *typeEquality) callables(a, b *CallableType) bool {
	if (a.params == nil) != (b.params == nil) || a.params != nil && !e.equal(a.params, b.params) {
		return false
	}
	return e.equal(a.block, b.block) && e.equal(a.resultType(), b.resultType())
}

// distinctTypes is a list of types, no two of which are equal. The zero value
// is empty.
type distinctTypes struct {
	types    []Type
	index    map[uint64][]int // by hash, above smallHash types
	equality *typeEquality    // nil to use a new one
}

func (d *distinctTypes) add(types ...Type) {
	for _, t := range types {
		if d.has(t) {
			continue
		}
		d.types = append(d.types, t)
		switch n := len(d.types); {
		case d.index != nil:
			d.enter(n - 1)
		case n > smallHash:
			d.index = make(map[uint64][]int)
			for i := range n {
				d.enter(i)
			}
		}
	}
}

func (d *distinctTypes) enter(i int) {
	sum := hashOf(d.types[i])
	d.index[sum] = append(d.index[sum], i)
}

func (d *distinctTypes) has(t Type) bool {
	e := d.equality
	if e == nil {
		e = new(typeEquality)
	}
	if d.index == nil {
		return slices.ContainsFunc(d.types, func(u Type) bool { return e.equal(u, t) })
	}
	for _, i := range d.index[hashOf(t)] {
		if e.equal(d.types[i], t) {
			return true
		}
	}
	return false
}

// writeTypeIdentity writes t to h so that equal types have the same hash.
func writeTypeIdentity(h *maphash.Hash, t Type) {
	switch t := t.(type) {
	case nil:
	case *ResourceType:
		writeText(h, strings.ToLower(t.resource))
	case *TypeAliasType, *TypeReferenceType, *TypeSetType, *ObjectType, *ObjectTypeExtension:
		writeText(h, t.typeName())
	case *VariantType:
		writeUint64(h, uint64(len(t.types)))
	case *StringType:
		writeText(h, "String")
		if t.literal != nil {
			writeText(h, *t.literal)
		}
	case *PatternType:
		writeUint64(h, uint64(len(t.patterns)))
	case *EnumType:
		for _, v := range t.values {
			writeText(h, v)
		}
	case *ArrayType:
		writeText(h, "Array")
		writeTypeIdentity(h, t.Elem())
	case *HashType:
		writeText(h, "Hash")
		writeTypeIdentity(h, t.keyType())
		writeTypeIdentity(h, t.Elem())
	case *StructType:
		for _, e := range t.elems {
			writeText(h, e.name)
			writeTypeIdentity(h, e.value)
		}
	case *IntegerType:
		from, to := t.limits()
		writeUint64(h, uint64(from))
		writeUint64(h, uint64(to))
	default:
		writeText(h, t.typeName())
		for _, inner := range children(t) {
			writeTypeIdentity(h, inner)
		}
	}
}
