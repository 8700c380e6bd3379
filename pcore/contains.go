package pcore

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
)

// Contains reports whether v is an instance of t, as `=~` does in the
// language. The time is bounded by the size of the value times that of the
// type, for recursive types as well.
func Contains(t Type, v Value) bool {
	var c container
	return c.contains(t, v)
}

// container remembers what it found out about aliases, so that a type which
// refers to others in many ways is not tried again and again on the same value.
type container struct{ known memo[containsPair] }

type containsPair struct {
	alias *TypeAliasType
	value Value
}

func (c *container) contains(t Type, v Value) bool {
	switch t := t.(type) {
	case AnyType, UnitType:
		return true
	case UndefType:
		return v == Value(Undef{})
	case DefaultType:
		return v == Value(Default{})
	case ScalarType:
		return isScalar(v)
	case ScalarDataType:
		return isScalarData(v)
	case NumericType:
		return isNumber(v)
	case *IntegerType:
		return t.containsValue(v)
	case *FloatType:
		f, ok := v.(Float)
		return ok && !math.IsNaN(float64(f)) && t.contains(float64(f), compareFloats)
	case *StringType:
		return t.containsValue(v)
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
	case SemVerRangeType:
		return v.Kind() == KindSemVerRange
	case *TimespanType:
		s, ok := v.(Timespan)
		return ok && t.contains(s, Timespan.Compare)
	case *TimestampType:
		s, ok := v.(Timestamp)
		return ok && t.contains(s, Timestamp.Compare)
	case BinaryType:
		return v.Kind() == KindBinary
	case *URIType:
		u, ok := v.(*URI)
		return ok && t.containsURI(u)
	case *CollectionType:
		n, ok := sizeOf(v)
		return ok && t.size.hasSize(n)
	case *ArrayType:
		a, ok := v.(*Array)
		return ok && t.size.hasSize(a.Len()) && c.containsAll(t.Elem(), a)
	case *HashType:
		h, ok := v.(*Hash)
		return ok && t.size.hasSize(h.Len()) && c.containsEntries(t, h)
	case *TupleType:
		a, ok := v.(*Array)
		return ok && c.containsTuple(t, a)
	case *StructType:
		h, ok := v.(*Hash)
		return ok && c.containsStruct(t, h)
	case *VariantType:
		return slices.ContainsFunc(t.types, func(u Type) bool { return c.contains(u, v) })
	case *OptionalType:
		return v == Value(Undef{}) || t.elem != nil && c.contains(t.elem, v)
	case *NotUndefType:
		return v != Value(Undef{}) && (t.elem == nil || c.contains(t.elem, v))
	case *TypeAliasType:
		return c.containsAlias(t, v)
	case *TypeType:
		u, ok := v.(Type)
		return ok && (t.elem == nil || Accepts(t.elem, u))
	case *SensitiveType:
		s, ok := v.(*Sensitive)
		return ok && c.contains(t.Elem(), s.Reveal()) //nolint:forbidigo // looked at, only yes or no comes out
	case *IterableType:
		return containsIterable(t, v)
	case *IteratorType:
		i, ok := v.(*Iterator)
		return ok && (t.elem == nil || Accepts(t.elem, i.Elem()))
	case *InitType:
		return c.containsInit(t, v)
	case *ObjectType:
		return t.containsObject(v)
	case *ObjectTypeExtension:
		return t.containsObject(v)
	case *TypeSetType:
		_, ok := v.(*TypeSetType)
		return ok
	default:
		// Callable, CatalogEntry, Class, Resource, Runtime and references
		// to types: no value of the language is an instance.
		return false
	}
}

func isScalar(v Value) bool {
	switch v.Kind() {
	case KindRegexp, KindSemVer, KindSemVerRange, KindTimestamp, KindTimespan:
		return true
	}
	return isScalarData(v)
}

func isScalarData(v Value) bool {
	switch v.Kind() {
	case KindString, KindInteger, KindBigInteger, KindFloat, KindBoolean:
		return true
	}
	return false
}

func isNumber(v Value) bool {
	switch v := v.(type) {
	case Integer, BigInteger:
		return true
	case Float:
		return !math.IsNaN(float64(v))
	default:
		return false
	}
}

func (t *IntegerType) containsValue(v Value) bool {
	switch v := v.(type) {
	case Integer:
		return t.has(int64(v))
	case BigInteger:
		return t.containsBig(v.i)
	default:
		return false
	}
}

// containsBig looks at a number that is beyond all bounds that are set.
func (t *IntegerType) containsBig(i *big.Int) bool {
	if i == nil {
		return false
	}
	return i.Sign() > 0 && !t.to.set || i.Sign() < 0 && !t.from.set
}

func (t *StringType) containsValue(v Value) bool {
	s, ok := v.(String)
	return ok && t.containsText(string(s))
}

func (t *StringType) containsText(s string) bool {
	if t.literal != nil {
		return s == *t.literal
	}
	return t.size == nil || t.size.hasSize(utf8.RuneCountInString(s))
}

// matches reports whether s matches one of the patterns. A pattern that cannot
// be run matches nothing.
func (t *PatternType) matches(s string) bool {
	return len(t.patterns) == 0 || slices.ContainsFunc(t.patterns, func(p *RegexpType) bool {
		ok, err := p.regexp.Match(s)
		return err == nil && ok
	})
}

func (t *SemVerType) containsVersion(v *SemVer) bool {
	return len(t.ranges) == 0 || slices.ContainsFunc(t.ranges, func(r *SemVerRange) bool { return r.Contains(v) })
}

func sizeOf(v Value) (int, bool) {
	switch v := v.(type) {
	case *Array:
		return v.Len(), true
	case *Hash:
		return v.Len(), true
	default:
		return 0, false
	}
}

func (c *container) containsAll(elem Type, a *Array) bool {
	if isAny(elem) {
		return true
	}
	for _, e := range a.All() {
		if !c.contains(elem, e) {
			return false
		}
	}
	return true
}

func (c *container) containsEntries(t *HashType, h *Hash) bool {
	key, val := t.Key(), t.Elem()
	for k, v := range h.All() {
		if !c.contains(key, k) || !c.contains(val, v) {
			return false
		}
	}
	return true
}

func (c *container) containsTuple(t *TupleType, a *Array) bool {
	switch {
	case t.size != nil:
		if !t.size.hasSize(a.Len()) {
			return false
		}
	case len(t.types) > 0 && len(t.types) != a.Len():
		return false
	}
	if len(t.types) == 0 {
		return true
	}
	for i, e := range a.All() {
		if !c.contains(t.at(i), e) {
			return false
		}
	}
	return true
}

func (c *container) containsStruct(t *StructType, h *Hash) bool {
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

// containsAlias remembers the answers, and answers no for an alias that comes
// back to itself on the same value.
func (c *container) containsAlias(t *TypeAliasType, v Value) bool {
	if t.inward {
		return c.contains(t.Resolved(), v)
	}
	pair := containsPair{t, v}
	if f, ok := v.(Float); ok && math.IsNaN(float64(f)) {
		pair.value = Symbol("NaN") // is equal to itself
	}
	if known, ok := c.known.answer(pair); ok {
		return known
	}
	mark := c.known.begin(pair)
	ok := c.contains(t.Resolved(), v)
	c.known.end(pair, mark, ok)
	return ok
}
