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
	switch t.containsPlain(v) {
	case yes:
		return true
	case no:
		return false
	}
	var c container
	return c.containsInside(t, v)
}

// container remembers what it found out about aliases, so that a type which
// refers to others in many ways is not tried again and again on the same value.
type container struct{ known memo[containsPair] }

type containsPair struct {
	alias *TypeAliasType
	value Value
}

func (c *container) contains(t Type, v Value) bool {
	switch t.containsPlain(v) {
	case yes:
		return true
	case no:
		return false
	}
	return c.containsInside(t, v)
}

// containsInside goes on where t.containsPlain was not sure.
func (c *container) containsInside(t Type, v Value) bool {
	switch t := t.(type) {
	case *ArrayType:
		a, ok := v.(*Array)
		return ok && c.containsAll(t.Elem(), a)
	case *HashType:
		h, ok := v.(*Hash)
		return ok && c.containsEntries(t, h)
	case *TupleType:
		a, ok := v.(*Array)
		return ok && c.containsTuple(t, a)
	case *StructType:
		h, ok := v.(*Hash)
		return ok && c.containsStruct(t, h)
	case *VariantType:
		for _, alternative := range t.types {
			if alternative.containsPlain(v) == unsure && c.containsInside(alternative, v) {
				return true
			}
		}
		return false
	case *OptionalType:
		return c.containsInside(t.elem, v)
	case *NotUndefType:
		return c.containsInside(t.elem, v)
	case *TypeAliasType:
		return c.containsAlias(t, v)
	case *TypeType:
		u, ok := v.(Type)
		return ok && Accepts(t.elem, u)
	case *SensitiveType:
		s, ok := v.(*Sensitive)
		return ok && c.contains(t.Elem(), s.Reveal()) //nolint:forbidigo // looked at, only yes or no comes out
	case *IterableType:
		return containsIterable(t, v)
	case *IteratorType:
		i, ok := v.(*Iterator)
		return ok && Accepts(t.elem, i.Elem())
	case *InitType:
		return c.containsInit(t, v)
	default:
		return false
	}
}

func isScalar(v Value) bool {
	switch v.(type) {
	case *Regexp, *SemVer, *SemVerRange, Timestamp, Timespan:
		return true
	default:
		return isScalarData(v)
	}
}

func isScalarData(v Value) bool {
	switch v.(type) {
	case String, Integer, BigInteger, Float, Boolean:
		return true
	default:
		return false
	}
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

func (c *container) containsAll(elem Type, a *Array) bool {
	for _, e := range a.slice() {
		if !c.contains(elem, e) {
			return false
		}
	}
	return true
}

func (c *container) containsEntries(t *HashType, h *Hash) bool {
	key, val := t.Key(), t.Elem()
	for i := range h.Len() {
		if e := h.At(i); !c.contains(key, e.Key) || !c.contains(val, e.Value) {
			return false
		}
	}
	return true
}

func (c *container) containsTuple(t *TupleType, a *Array) bool {
	for i, e := range a.slice() {
		if !c.contains(t.at(i), e) {
			return false
		}
	}
	return true
}

// takes reports whether an array of n elements is long enough, and not too long.
func (t *TupleType) takes(n int) bool {
	if t.size != nil {
		return t.size.hasSize(n)
	}
	return len(t.types) == 0 || len(t.types) == n
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
		return c.containsInside(t.resolved, v)
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
