// Package rubyorder compares and sorts values as Ruby does.
//
// The order of Ruby's <=> belongs here, and the algorithm of its sort; not the comparisons of the Puppet language, which
// ignore case.
package rubyorder

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// Compare compares as Ruby's <=> does: numbers, texts by bytes, arrays by
// elements, versions and times. Other values are comparable only if they are
// equal. It returns false if Ruby's result is nil.
func Compare(a, b pcore.Value) (int, bool) {
	switch x := a.(type) {
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		return Numbers(a, b)
	case pcore.String:
		y, ok := b.(pcore.String)
		return strings.Compare(string(x), string(y)), ok
	case *pcore.Array:
		if y, ok := b.(*pcore.Array); ok {
			return orderArrays(x, y)
		}
		return 0, false
	case pcore.Timestamp:
		if y, ok := b.(pcore.Timestamp); ok {
			return x.Compare(y), true
		}
		return orderSeconds(x.Unix(), x.Nanosecond(), b)
	case pcore.Timespan:
		if y, ok := b.(pcore.Timespan); ok {
			return x.Compare(y), true
		}
		return orderSeconds(x.Seconds(), x.Nanosecond(), b)
	case *pcore.SemVer:
		if y, ok := b.(*pcore.SemVer); ok {
			return x.Compare(y), true
		}
		return 0, false
	default:
		return 0, pcore.Identical(a, b)
	}
}

func orderArrays(a, b *pcore.Array) (int, bool) {
	for i := range min(a.Len(), b.Len()) {
		if n, ok := Compare(a.At(i), b.At(i)); !ok || n != 0 {
			return n, ok
		}
	}
	return cmp.Compare(a.Len(), b.Len()), true
}

// Numbers compares two numbers without rounding, or a number and a time as Floats, as Ruby coerces them. It returns
// false for other values, and for NaN.
func Numbers(a, b pcore.Value) (int, bool) {
	switch t := b.(type) {
	case pcore.Timestamp:
		b = seconds(t.Unix(), t.Nanosecond())
	case pcore.Timespan:
		b = seconds(t.Seconds(), t.Nanosecond())
	default:
	}
	if x, ok := a.(pcore.Integer); ok {
		if y, ok := b.(pcore.Integer); ok {
			return cmp.Compare(x, y), true
		}
	}
	x, okX := exactNumber(a)
	y, okY := exactNumber(b)
	if !okX || !okY {
		return 0, false
	}
	return x.Cmp(y), true
}

// exactNumber returns a number without rounding. It rejects NaN, which is
// unordered.
func exactNumber(v pcore.Value) (*big.Float, bool) {
	switch v := v.(type) {
	case pcore.Integer:
		return new(big.Float).SetInt64(int64(v)), true
	case pcore.BigInteger:
		return new(big.Float).SetInt(v.Big()), true
	case pcore.Float:
		if math.IsNaN(float64(v)) {
			return nil, false
		}
		return big.NewFloat(float64(v)), true
	default:
		return nil, false
	}
}

// orderSeconds compares a time with a number of seconds: with an Integer by whole seconds, with a Float including the
// fraction.
func orderSeconds(sec int64, nsec int, b pcore.Value) (int, bool) {
	if pcore.Is[pcore.Float](b) {
		return Numbers(seconds(sec, nsec), b)
	}
	return Numbers(pcore.Integer(sec), b)
}

func seconds(sec int64, nsec int) pcore.Float { return pcore.Float(float64(sec) + float64(nsec)/1e9) }

// Error returns Ruby's error about two values that Compare cannot compare. Like Ruby, it prints the second one if it is a
// number, undef, true, false or default, and only the class of other values.
func Error(a, b pcore.Value) error {
	second := rubytext.Class(b)
	switch b.(type) {
	case pcore.Integer, pcore.Float, pcore.Undef, pcore.Boolean, pcore.Default, pcore.Symbol:
		second = rubytext.Inspect(b)
	default:
	}
	return fmt.Errorf("comparison of %s with %s failed", rubytext.Class(a), second)
}
