package pcore

import (
	"cmp"
	"errors"
)

// ErrNotComparable tells that two values have no order.
var ErrNotComparable = errors.New("only Strings, Numbers, Timespans, Timestamps, and Versions are comparable, with their like")

// Compare returns -1, 0 or 1 as a is less than, equal to or greater than b in
// the language: strings without regard to the case of ASCII letters, numbers by
// value, times and versions. A time compares with a number, too, by its
// seconds. The error is [ErrNotComparable]; NaN compares with nothing.
func Compare(a, b Value) (int, error) {
	switch a := a.(type) {
	case String:
		if b, ok := b.(String); ok {
			return compareFoldASCII(string(a), string(b)), nil
		}
	case Integer, BigInteger, Float:
		switch b := b.(type) {
		case Timespan:
			return compareNumbers(a, seconds(b.Seconds(), b.Nanosecond()))
		case Timestamp:
			return compareNumbers(a, seconds(b.Unix(), b.Nanosecond()))
		default:
			return compareNumbers(a, b)
		}
	case Timespan:
		if b, ok := b.(Timespan); ok {
			return a.Compare(b), nil
		}
		return compareSeconds(a.Seconds(), a.Nanosecond(), b)
	case Timestamp:
		if b, ok := b.(Timestamp); ok {
			return a.Compare(b), nil
		}
		return compareSeconds(a.Unix(), a.Nanosecond(), b)
	case *SemVer:
		if b, ok := b.(*SemVer); ok {
			return a.Compare(b), nil
		}
	default:
	}
	return 0, ErrNotComparable
}

func compareNumbers(a, b Value) (int, error) {
	x, y := bigFloat(a), bigFloat(b)
	if x == nil || y == nil {
		return 0, ErrNotComparable
	}
	return x.Cmp(y), nil
}

// compareSeconds compares a time with a number: by whole seconds with an
// Integer, with the fraction with a Float. The other way round a number counts
// the fraction in either case, as in the reference.
func compareSeconds(sec int64, nsec int, b Value) (int, error) {
	switch b.(type) {
	case Integer, BigInteger:
		return compareNumbers(Integer(sec), b)
	case Float:
		return compareNumbers(seconds(sec, nsec), b)
	default:
		return 0, ErrNotComparable
	}
}

func seconds(sec int64, nsec int) Float { return Float(float64(sec) + float64(nsec)/1e9) }

func compareFoldASCII(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := lowerASCII(a[i]), lowerASCII(b[i]); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}
