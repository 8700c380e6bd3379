package pcore

import (
	"cmp"
	"errors"
)

// errNotComparable indicates that two values have no order.
var errNotComparable = errors.New("only Strings, Numbers, Timespans, Timestamps, and Versions are comparable, with their like")

// Compare returns -1, 0 or 1 if a is less than, equal to or greater than b in
// the language. Strings compare without regard to the case of ASCII letters,
// numbers by value. A time also compares with a number, by its seconds. It
// fails for other values; NaN is not comparable with any value.
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
	return 0, errNotComparable
}

func compareNumbers(a, b Value) (int, error) {
	x, y := bigFloat(a), bigFloat(b)
	if x == nil || y == nil {
		return 0, errNotComparable
	}
	return x.Cmp(y), nil
}

// compareSeconds compares a time with a number: with an Integer by whole
// seconds, with a Float including the fraction. If the number is the left
// operand, the fraction always counts, as in the reference implementation.
func compareSeconds(sec int64, nsec int, b Value) (int, error) {
	switch b.(type) {
	case Integer, BigInteger:
		return compareNumbers(Integer(sec), b)
	case Float:
		return compareNumbers(seconds(sec, nsec), b)
	default:
		return 0, errNotComparable
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
