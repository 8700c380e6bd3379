package pcore

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
)

// Contains reports whether v is an instance of t, like `=~` in the language.
// The time is bounded by the size of the value times the size of the type, also
// for recursive types.
func Contains(t Type, v Value) bool { return (*container)(nil).contains(t, v) }

// container remembers the answers for aliases, so that a type that refers to
// others many times is not checked repeatedly against the same value.
type container struct{ known memo[containsPair] }

type containsPair struct {
	alias *TypeAliasType
	value Value
}

// contains compares the facts of t with the kind of v, and creates the
// container only if that does not decide.
func (c *container) contains(t Type, v Value) bool {
	switch factsOf(t).contains.answer(kindsOf(v)) {
	case yes:
		return true
	case no:
		return false
	}
	if c == nil {
		c = &container{}
	}
	return c.containsUnsure(t, v)
}

// containsUnsure is contains for types whose facts do not decide.
func (c *container) containsUnsure(t Type, v Value) bool {
	switch t := t.(type) {
	case *VariantType:
		return slices.ContainsFunc(t.types, func(t Type) bool { return c.contains(t, v) })
	case *OptionalType:
		return isUndef(v) || t.elem != nil && c.contains(t.elem, v)
	case *NotUndefType:
		return !isUndef(v) && (t.elem == nil || c.contains(t.elem, v))
	case *TypeAliasType:
		return c.containsAlias(t, v)
	case *InitType:
		return c.containsInit(t, v)
	case *IterableType:
		return containsIterable(t, v)
	case *CollectionType:
		return t.containsCollection(v)
	case *ArrayType:
		a, ok := v.(*Array)
		return ok && c.containsArray(t, a)
	case *HashType:
		h, ok := v.(*Hash)
		return ok && c.containsHash(t, h)
	case *TupleType:
		a, ok := v.(*Array)
		return ok && c.containsTuple(t, a)
	case *StructType:
		h, ok := v.(*Hash)
		return ok && c.containsStruct(t, h)
	case *SensitiveType:
		s, ok := v.(*Sensitive)
		return ok && c.contains(t.elemType(), s.Reveal()) //nolint:forbidigo // only a Boolean is returned
	default:
		return containsPlain(t, v)
	}
}

// containsPlain handles the types of values without parts.
func containsPlain(t Type, v Value) bool {
	switch t := t.(type) {
	case *IntegerType:
		return t.containsNumber(v)
	case *FloatType:
		f, ok := v.(Float)
		return ok && !math.IsNaN(float64(f)) && t.contains(float64(f), compareFloats)
	case NumericType: // NaN is a Float, but no Numeric
		f, ok := v.(Float)
		return ok && !math.IsNaN(float64(f))
	case *StringType:
		s, ok := v.(String)
		return ok && t.containsText(string(s))
	case *EnumType:
		s, ok := v.(String)
		return ok && t.has(string(s))
	case *PatternType:
		s, ok := v.(String)
		return ok && t.matches(string(s))
	case *BooleanType:
		b, ok := v.(Boolean)
		return ok && (t.literal == nil || *t.literal == bool(b))
	case *RegexpType:
		r, ok := v.(*Regexp)
		return ok && (t.regexp == nil || t.regexp.source == r.source)
	case *SemVerType:
		version, ok := v.(*SemVer)
		return ok && t.containsVersion(version)
	case *TimespanType:
		s, ok := v.(Timespan)
		return ok && t.contains(s, Timespan.Compare)
	case *TimestampType:
		s, ok := v.(Timestamp)
		return ok && t.contains(s, Timestamp.Compare)
	case *URIType:
		u, ok := v.(*URI)
		return ok && t.containsURI(u)
	case *TypeType:
		u, ok := v.(Type)
		return ok && (t.elem == nil || Accepts(t.elem, u))
	case *TypeSetType:
		_, ok := v.(*TypeSetType)
		return ok
	case *IteratorType:
		i, ok := v.(*Iterator)
		return ok && (t.elem == nil || Accepts(t.elem, i.Elem()))
	case *ObjectType:
		return t.containsObject(v)
	case *ObjectTypeExtension:
		return t.containsObject(v)
	default: // the kind decides all other types
		return false
	}
}

func isUndef(v Value) bool { _, ok := v.(Undef); return ok }

func (t *IntegerType) containsNumber(v Value) bool {
	switch v := v.(type) {
	case Integer:
		return t.has(int64(v))
	case BigInteger:
		return t.containsBig(v.i)
	default:
		return false
	}
}

// containsBig handles numbers outside 64 bits: only a missing bound contains
// them.
func (t *IntegerType) containsBig(i *big.Int) bool {
	if i == nil {
		return false
	}
	return i.Sign() > 0 && !t.to.set || i.Sign() < 0 && !t.from.set
}

func (t *StringType) containsText(s string) bool {
	if t.literal != nil {
		return s == *t.literal
	}
	return t.size == nil || t.size.hasSize(utf8.RuneCountInString(s))
}

// matches reports whether s matches one of the patterns, or t has none. A
// pattern that fails to run matches nothing.
func (t *PatternType) matches(s string) bool {
	return len(t.patterns) == 0 || slices.ContainsFunc(t.patterns, func(p *RegexpType) bool {
		ok, err := p.regexp.Match(s)
		return err == nil && ok
	})
}

func (t *SemVerType) containsVersion(v *SemVer) bool {
	return len(t.ranges) == 0 || slices.ContainsFunc(t.ranges, func(r *SemVerRange) bool { return r.Contains(v) })
}

func (t *CollectionType) containsCollection(v Value) bool {
	switch v := v.(type) {
	case *Array:
		return t.size.hasSize(v.Len())
	case *Hash:
		return t.size.hasSize(v.Len())
	default:
		return false
	}
}

func (c *container) containsArray(t *ArrayType, a *Array) bool {
	if !t.size.hasSize(a.Len()) {
		return false
	}
	if t.elem == nil || isAny(t.elem) {
		return true
	}
	for _, e := range a.slice() {
		if !c.contains(t.elem, e) {
			return false
		}
	}
	return true
}

func (c *container) containsHash(t *HashType, h *Hash) bool {
	if !t.size.hasSize(h.Len()) {
		return false
	}
	if t.key == nil && t.val == nil {
		return true
	}
	key, val := t.keyType(), t.Elem()
	for i := range h.Len() {
		if e := h.At(i); !c.contains(key, e.Key) || !c.contains(val, e.Value) {
			return false
		}
	}
	return true
}

func (c *container) containsTuple(t *TupleType, a *Array) bool {
	if !t.takes(a.Len()) {
		return false
	}
	if len(t.types) == 0 {
		return true
	}
	for i, e := range a.slice() {
		if !c.contains(t.at(i), e) {
			return false
		}
	}
	return true
}

// takes reports whether an array of n elements has a valid length.
func (t *TupleType) takes(n int) bool {
	if t.size != nil {
		return t.size.hasSize(n)
	}
	return len(t.types) == 0 || len(t.types) == n
}

func (c *container) containsStruct(t *StructType, h *Hash) bool {
	if h.Len() > len(t.elems) {
		return false
	}
	matched := 0
	for _, e := range t.elems {
		v, ok := h.GetString(e.name)
		if !ok {
			if !e.Optional() {
				return false
			}
			continue
		}
		if !c.contains(e.value, v) {
			return false
		}
		matched++
	}
	return matched == h.Len()
}

// containsAlias remembers the answers, and returns false for an alias that
// refers back to itself for the same value.
func (c *container) containsAlias(t *TypeAliasType, v Value) bool {
	if t.inward {
		return c.contains(t.resolved, v)
	}
	pair := containsPair{t, v}
	if f, ok := v.(Float); ok && math.IsNaN(float64(f)) {
		pair.value = Symbol("NaN") // unlike NaN, equal to itself
	}
	if known, ok := c.known.answer(pair); ok {
		return known
	}
	mark := c.known.begin(pair)
	ok := c.contains(t.Resolved(), v)
	c.known.end(pair, mark, ok)
	return ok
}
