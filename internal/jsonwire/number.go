package jsonwire

import "encoding/binary"

// BeginsNumber reports whether a number may begin with c.
func BeginsNumber(c byte) bool { return c == '-' || c-'0' <= 9 }

// Number returns the end of the number at i, and whether it is an integer,
// without a fraction or an exponent. If it is not well-formed, ok is false, and
// end is the position of a missing digit or of a 0 before another digit.
func Number(data []byte, i int) (end int, integer, ok bool) {
	if i < len(data) && data[i] == '-' {
		i++
	}
	first := i
	switch i = digitsEnd(data, i); {
	case i == first:
		return i, false, false
	case i > first+1 && data[first] == '0':
		return first, false, false
	}
	integer = true
	if i < len(data) && data[i] == '.' {
		integer = false
		point := i
		if i = digitsEnd(data, i+1); i == point+1 {
			return i, false, false
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		integer = false
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		digit := i
		if i = digitsEnd(data, i); i == digit {
			return i, false, false
		}
	}
	return i, integer, true
}

func digitsEnd(data []byte, i int) int {
	for len(data)-i >= word {
		n := digits(binary.LittleEndian.Uint64(data[i:]))
		if i += n; n < word {
			return i
		}
	}
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	return i
}

// Class is the result of [SmallNumber].
type Class uint8

// The classes of numbers. NotSmall is the zero value.
const (
	NotSmall Class = iota
	SmallInteger
	SmallFloat
)

// The maximum number of digits for which arithmetic is exact, for an int64 and
// for a quotient of two floats.
const (
	maxIntegerDigits = 18
	maxFloatDigits   = 15
)

// SmallNumber returns the value of the number at i and its end, when it takes no
// more than plain arithmetic to make it: n of an integer of up to 18 digits, f of
// a number with a fraction, without an exponent and of up to 15 digits. The class
// is NotSmall for other numbers, for other bytes, and where data ends before it is
// clear that the number does.
func SmallNumber(data []byte, i int) (n int64, f float64, end int, class Class) {
	start, negative := i, i < len(data) && data[i] == '-'
	if negative {
		i++
	}
	first := i
	var v uint64
	for ; i < len(data) && data[i]-'0' <= 9; i++ {
		v = 10*v + uint64(data[i]-'0') // wraps around if there are too many
	}
	switch whole := i - first; {
	case i >= len(data), whole == 0, whole > maxIntegerDigits, whole > 1 && data[first] == '0', data[i]|0x20 == 'e':
		return 0, 0, start, NotSmall
	case data[i] == '.':
		return smallFloat(data, v, first, i, negative)
	}
	if n = int64(v); negative {
		n = -n
	}
	return n, 0, i, SmallInteger
}

// smallFloat reads the fraction of a number. The digits before the point begin
// at first and have the value v. Dividend and divisor are exact, so that the
// quotient is rounded correctly.
func smallFloat(data []byte, v uint64, first, point int, negative bool) (n int64, f float64, end int, class Class) {
	divisor := 1.0
	i := point + 1
	for ; i < len(data) && i-first <= maxFloatDigits && data[i]-'0' <= 9; i++ {
		v = 10*v + uint64(data[i]-'0')
		divisor *= 10
	}
	if i == len(data) || divisor == 1 || data[i]-'0' <= 9 || data[i]|0x20 == 'e' {
		return 0, 0, first, NotSmall
	}
	if f = float64(v) / divisor; negative {
		f = -f
	}
	return 0, f, i, SmallFloat
}
