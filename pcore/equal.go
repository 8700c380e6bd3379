package pcore

import (
	"math/big"
)

// Equal reports whether a == b in the language. Strings compare without regard
// to the case of ASCII letters, numbers by value regardless of type, arrays
// element by element, hashes by key and value. Types are equal if they accept
// each other. See the chapter on expressions in the specification.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case String:
		b, ok := b.(String)
		return ok && equalFoldASCII(string(a), string(b))
	case Integer, BigInteger, Float:
		switch b.(type) {
		case Timespan, Timestamp:
			return Equal(b, a)
		default:
			return equalNumbers(a, b)
		}
	case *Array:
		b, ok := b.(*Array)
		return ok && equalArrays(a, b)
	case *Hash:
		b, ok := b.(*Hash)
		return ok && equalHashes(a, b)
	case *Object:
		b, ok := b.(*Object)
		return ok && equalObjects(a, b)
	case *SemVer:
		b, ok := b.(*SemVer)
		return ok && a.v == b.v
	case *URI:
		b, ok := b.(*URI)
		return ok && a.equal(b)
	case Timespan, Timestamp:
		c, err := Compare(a, b) // also with a number of seconds
		return err == nil && c == 0
	case Type:
		b, ok := b.(Type)
		return ok && (EqualTypes(a, b) || Accepts(a, b) && Accepts(b, a))
	default:
		return Identical(a, b)
	}
}

func equalArrays(a, b *Array) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i, e := range a.All() {
		if !Equal(e, b.At(i)) {
			return false
		}
	}
	return true
}

// equalHashes looks keys up with Identical, like the reference implementation;
// only values are compared with Equal. A missing key counts as undef.
func equalHashes(a, b *Hash) bool {
	if a.Len() != b.Len() {
		return false
	}
	for k, e := range a.All() {
		other, ok := b.Get(k)
		if !ok {
			other = Undef{}
		}
		if !Equal(other, e) {
			return false
		}
	}
	return true
}

// equalNumbers compares values exactly: 2**53+1 is not 2.0**53.
func equalNumbers(a, b Value) bool {
	if x, ok := a.(Integer); ok {
		if y, ok := b.(Integer); ok {
			return x == y
		}
	}
	x, y := bigFloat(a), bigFloat(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

// bigFloat returns the exact value of a number, or nil for NaN and other
// values.
func bigFloat(v Value) *big.Float {
	switch v := v.(type) {
	case Integer:
		return new(big.Float).SetInt64(int64(v))
	case BigInteger:
		return new(big.Float).SetInt(v.Big())
	case Float:
		if v != v {
			return nil
		}
		return big.NewFloat(float64(v))
	default:
		return nil
	}
}

func equalFoldASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerASCII(a[i]) != lowerASCII(b[i]) {
			return false
		}
	}
	return true
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
