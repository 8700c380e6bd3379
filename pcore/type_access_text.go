package pcore

import (
	"fmt"
)

func (b *brackets) boolean() (Type, error) {
	if err := b.count("Boolean", 1, 1); err != nil {
		return nil, err
	}
	v, ok := b.keys[0].(Boolean)
	if !ok {
		return nil, b.bad("Boolean", 0, "true or false")
	}
	return newBooleanType(bool(v)), nil
}

// enum accepts strings and an optional final flag, true to ignore case.
func (b *brackets) enum() (Type, error) {
	fold := false
	if n := len(b.keys); n > 0 {
		if flag, ok := b.keys[n-1].(Boolean); ok {
			fold = bool(flag)
			b.keys = b.keys[:n-1]
		}
	}
	if err := b.count("Enum", 1, -1); err != nil {
		return nil, err
	}
	values := make([]string, len(b.keys))
	for i, k := range b.keys {
		s, ok := k.(String)
		if !ok {
			return nil, b.bad("Enum", i, "strings")
		}
		values[i] = string(s)
	}
	return NewEnumType(fold, values...), nil
}

func (b *brackets) pattern() (Type, error) {
	if err := b.count("Pattern", 1, -1); err != nil {
		return nil, err
	}
	var patterns []*Regexp
	for i, k := range b.keys {
		switch k := k.(type) {
		case *PatternType:
			patterns = append(patterns, k.Patterns()...)
		case *RegexpType:
			r := k.Regexp()
			if r == nil {
				r = NewRegexp("")
			}
			patterns = append(patterns, r)
		default:
			r, err := b.regexpAt("Pattern", i)
			if err != nil {
				return nil, err
			}
			patterns = append(patterns, r)
		}
	}
	return newPatternType(patterns...), nil
}

// regexpAt returns the regular expression at index i, which may be a string.
func (b *brackets) regexpAt(name string, i int) (*Regexp, error) {
	switch k := b.keys[i].(type) {
	case *Regexp:
		return ParseRegexp(k.Source())
	case String:
		return ParseRegexp(string(k))
	default:
		return nil, b.bad(name, i, "a Regexp or a String")
	}
}

func (b *brackets) regexp() (Type, error) {
	if err := b.count("Regexp", 1, 1); err != nil {
		return nil, err
	}
	if _, ok := b.keys[0].(Undef); ok && b.parsed {
		return &RegexpType{}, nil
	}
	r, err := b.regexpAt("Regexp", 0)
	if err != nil {
		return nil, err
	}
	return newRegexpType(r), nil
}

func (b *brackets) semver() (Type, error) {
	if err := b.count("SemVer", 1, -1); err != nil {
		return nil, err
	}
	ranges := make([]*SemVerRange, len(b.keys))
	for i, k := range b.keys {
		switch k := k.(type) {
		case *SemVerRange:
			ranges[i] = k
		case String:
			r, err := ParseSemVerRange(string(k))
			if err != nil {
				return nil, err
			}
			ranges[i] = r
		default:
			return nil, b.bad("SemVer", i, "a SemVerRange or the text of one")
		}
	}
	return newSemVerType(ranges...)
}

// uri accepts a URI as text or a hash. In Parse, any other value gives an
// unparameterized URI type.
func (b *brackets) uri() (Type, error) {
	if err := b.count("URI", 1, 1); err != nil {
		return nil, err
	}
	switch k := b.keys[0].(type) {
	case String:
		return parseURIType(string(k))
	case *Hash:
		return newURIType(k)
	default:
		if b.parsed {
			return &URIType{}, nil
		}
		return nil, b.bad("URI", 0, "a String or a Hash")
	}
}

func (b *brackets) runtime() (Type, error) {
	if err := b.count("Runtime", 2, 2); err != nil {
		return nil, err
	}
	runtime, ok := b.keys[0].(String)
	if !ok || runtime == "" {
		return nil, b.bad("Runtime", 0, "the name of a runtime")
	}
	switch k := b.keys[1].(type) {
	case String:
		if k != "" {
			return newRuntimeType(string(runtime), string(k)), nil
		}
	case *Array:
		if t, ok := runtimePattern(string(runtime), k); ok {
			return t, nil
		}
	default:
	}
	return nil, b.bad("Runtime", 1, "the name of a class, or a Regexp and what replaces its match")
}

func runtimePattern(runtime string, pair *Array) (Type, bool) {
	if pair.Len() != 2 {
		return nil, false
	}
	r, ok := pair.At(0).(*Regexp)
	s, both := pair.At(1).(String)
	if !ok || !both || s == "" {
		return nil, false
	}
	return newRuntimePatternType(runtime, r, string(s)), true
}

// callable accepts the types of the arguments, a size, and the type of a block;
// or an array of these and the type of the result.
func (b *brackets) callable() (Type, error) {
	if len(b.keys) == 0 {
		return nil, b.count("Callable", 1, -1)
	}
	if params, ok := b.keys[0].(*Array); ok && (len(b.keys) > 1 || !b.parsed) {
		if err := b.count("Callable", 2, 2); err != nil {
			return nil, err
		}
		if _, ok := b.keys[1].(Type); !ok && !b.parsed {
			return nil, b.bad("Callable", 1, "the type of a result")
		}
		inner := brackets{parsed: b.parsed}
		for v := range params.Values() {
			inner.keys = append(inner.keys, v)
		}
		return inner.callableResult(typeOf(b.keys[1]))
	}
	return b.callableResult(nil)
}

func (b *brackets) callableResult(result Type) (Type, error) {
	var block Type
	if n := len(b.keys); n > 0 {
		if t, ok := b.keys[n-1].(Type); ok && isCallable(t, nil) {
			block = t
			b.keys = b.keys[:n-1]
		}
	}
	size, err := b.callableSize()
	if err != nil {
		return nil, err
	}
	types := make([]Type, len(b.keys))
	for i, k := range b.keys {
		types[i] = typeOf(k)
	}
	if len(types) == 0 && size != nil {
		if to, ok := size.To().Get(); !ok || to > 0 {
			types = append(types, UnitType{})
		}
	}
	return NewCallableType(NewTupleType(types, size), block, result), nil
}

// callableSize removes a size from the end of the parameters. A single bound is
// not a size unless it is last.
func (b *brackets) callableSize() (*IntegerType, error) {
	n := len(b.keys)
	var start int
	switch {
	case n >= 2 && isRange(b.keys[n-2]) && isRange(b.keys[n-1]):
		start = n - 2
	case n >= 1 && isRange(b.keys[n-1]):
		start = n - 1
	default:
		return nil, nil
	}
	lenient := brackets{parsed: true, keys: b.keys}
	size, err := lenient.size("Callable", start)
	b.keys = b.keys[:start]
	if err != nil {
		return nil, fmt.Errorf("type Callable: %w", err)
	}
	return size, nil
}
