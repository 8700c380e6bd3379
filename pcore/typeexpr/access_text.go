package typeexpr

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
)

func (b *brackets) boolean() (pcore.Type, error) {
	if err := b.count("Boolean", 1, 1); err != nil {
		return nil, err
	}
	v, ok := b.keys[0].(pcore.Boolean)
	if !ok {
		return nil, b.bad("Boolean", 0, "true or false")
	}
	return pcore.NewBooleanType(bool(v)), nil
}

// enum accepts strings and an optional final flag, true to ignore case.
func (b *brackets) enum() (pcore.Type, error) {
	fold := false
	if n := len(b.keys); n > 0 {
		if flag, ok := b.keys[n-1].(pcore.Boolean); ok {
			fold = bool(flag)
			b.keys = b.keys[:n-1]
		}
	}
	if err := b.count("Enum", 1, -1); err != nil {
		return nil, err
	}
	values := make([]string, len(b.keys))
	for i, k := range b.keys {
		s, ok := k.(pcore.String)
		if !ok {
			return nil, b.bad("Enum", i, "strings")
		}
		values[i] = string(s)
	}
	return pcore.NewEnumType(fold, values...), nil
}

func (b *brackets) pattern() (pcore.Type, error) {
	if err := b.count("Pattern", 1, -1); err != nil {
		return nil, err
	}
	var patterns []*pcore.Regexp
	for i, k := range b.keys {
		switch k := k.(type) {
		case *pcore.PatternType:
			patterns = append(patterns, k.Patterns()...)
		case *pcore.RegexpType:
			r := k.Regexp()
			if r == nil {
				r = pcore.NewRegexp("")
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
	return pcore.NewPatternType(patterns...), nil
}

// regexpAt returns the regular expression at index i, which may be a string.
func (b *brackets) regexpAt(name string, i int) (*pcore.Regexp, error) {
	switch k := b.keys[i].(type) {
	case *pcore.Regexp:
		return pcore.ParseRegexp(k.Source())
	case pcore.String:
		return pcore.ParseRegexp(string(k))
	default:
		return nil, b.bad(name, i, "a Regexp or a String")
	}
}

func (b *brackets) regexp() (pcore.Type, error) {
	if err := b.count("Regexp", 1, 1); err != nil {
		return nil, err
	}
	if _, ok := b.keys[0].(pcore.Undef); ok && b.parsed {
		return &pcore.RegexpType{}, nil
	}
	r, err := b.regexpAt("Regexp", 0)
	if err != nil {
		return nil, err
	}
	return pcore.NewRegexpType(r), nil
}

func (b *brackets) semver() (pcore.Type, error) {
	if err := b.count("SemVer", 1, -1); err != nil {
		return nil, err
	}
	ranges := make([]*pcore.SemVerRange, len(b.keys))
	for i, k := range b.keys {
		switch k := k.(type) {
		case *pcore.SemVerRange:
			ranges[i] = k
		case pcore.String:
			r, err := pcore.ParseSemVerRange(string(k))
			if err != nil {
				return nil, err
			}
			ranges[i] = r
		default:
			return nil, b.bad("SemVer", i, "a SemVerRange or the text of one")
		}
	}
	return pcore.NewSemVerType(ranges...)
}

// uri accepts a URI as text or a hash. In Parse, any other value gives an
// unparameterized URI type.
func (b *brackets) uri() (pcore.Type, error) {
	if err := b.count("URI", 1, 1); err != nil {
		return nil, err
	}
	switch k := b.keys[0].(type) {
	case pcore.String:
		return pcore.ParseURIType(string(k))
	case *pcore.Hash:
		return pcore.NewURIType(k)
	default:
		if b.parsed {
			return &pcore.URIType{}, nil
		}
		return nil, b.bad("URI", 0, "a String or a Hash")
	}
}

func (b *brackets) runtime() (pcore.Type, error) {
	if err := b.count("Runtime", 2, 2); err != nil {
		return nil, err
	}
	runtime, ok := b.keys[0].(pcore.String)
	if !ok || runtime == "" {
		return nil, b.bad("Runtime", 0, "the name of a runtime")
	}
	switch k := b.keys[1].(type) {
	case pcore.String:
		if k != "" {
			return pcore.NewRuntimeType(string(runtime), string(k)), nil
		}
	case *pcore.Array:
		if t, ok := runtimePattern(string(runtime), k); ok {
			return t, nil
		}
	default:
	}
	return nil, b.bad("Runtime", 1, "the name of a class, or a Regexp and what replaces its match")
}

func runtimePattern(runtime string, pair *pcore.Array) (pcore.Type, bool) {
	if pair.Len() != 2 {
		return nil, false
	}
	r, ok := pair.At(0).(*pcore.Regexp)
	s, both := pair.At(1).(pcore.String)
	if !ok || !both || s == "" {
		return nil, false
	}
	return pcore.NewRuntimePatternType(runtime, r, string(s)), true
}

// callable accepts the types of the arguments, a size, and the type of a block;
// or an array of these and the type of the result.
func (b *brackets) callable() (pcore.Type, error) {
	if len(b.keys) == 0 {
		return nil, b.count("Callable", 1, -1)
	}
	if params, ok := b.keys[0].(*pcore.Array); ok && (len(b.keys) > 1 || !b.parsed) {
		if err := b.count("Callable", 2, 2); err != nil {
			return nil, err
		}
		if _, ok := b.keys[1].(pcore.Type); !ok && !b.parsed {
			return nil, b.bad("Callable", 1, "the type of a result")
		}
		inner := brackets{parsed: b.parsed, resolver: b.resolver}
		for v := range params.Values() {
			inner.keys = append(inner.keys, v)
		}
		return inner.callableResult(typeOf(b.keys[1]))
	}
	return b.callableResult(nil)
}

func (b *brackets) callableResult(result pcore.Type) (pcore.Type, error) {
	var block pcore.Type
	if n := len(b.keys); n > 0 {
		if t, ok := b.keys[n-1].(pcore.Type); ok && pcore.IsCallable(t) {
			block = t
			b.keys = b.keys[:n-1]
		}
	}
	size, err := b.callableSize()
	if err != nil {
		return nil, err
	}
	types := make([]pcore.Type, len(b.keys))
	for i, k := range b.keys {
		types[i] = typeOf(k)
	}
	if len(types) == 0 && size != nil {
		if to, ok := size.To().Get(); !ok || to > 0 {
			types = append(types, pcore.UnitType{})
		}
	}
	return pcore.NewCallableType(pcore.NewTupleType(types, size), block, result), nil
}

// callableSize removes a size from the end of the parameters. A single bound is
// not a size unless it is last.
func (b *brackets) callableSize() (*pcore.IntegerType, error) {
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
