// Package pack appends MessagePack values, each in its smallest encoding.
//
// Only the encoding of single values belongs here; package mpwire reads them.
package pack

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// First bytes of arrays and maps. FixArray and FixMap are for up to 15 members,
// whose number is added; Array16 and Map16 are for more.
const (
	FixArray = 0x90
	Array16  = 0xdc
	FixMap   = 0x80
	Map16    = 0xde
)

// Values of one byte.
const (
	Nil   = 0xc0
	False = 0xc2
	True  = 0xc3
)

// Int appends an integer.
func Int(b []byte, v int64) []byte {
	switch {
	case v >= 0:
		return Uint(b, uint64(v))
	case v >= -32:
		return append(b, byte(v))
	case v >= math.MinInt8:
		return append(b, 0xd0, byte(v))
	case v >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(v))
	case v >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
}

// Uint appends an unsigned integer.
func Uint(b []byte, v uint64) []byte {
	switch {
	case v <= math.MaxInt8:
		return append(b, byte(v))
	case v <= math.MaxUint8:
		return append(b, 0xcc, byte(v))
	case v <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(v))
	case v <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xcf), v)
}

// Float appends a float 64.
func Float(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v))
}

// Text appends the header of a string of n bytes.
func Text(b []byte, n int) []byte {
	switch {
	case n < 32:
		return append(b, 0xa0|byte(n))
	}
	return length(b, 0xd9, n)
}

// Binary appends the header of n bytes.
func Binary(b []byte, n int) []byte { return length(b, 0xc4, n) }

// Extension appends the header of an extension of n bytes.
func Extension(b []byte, kind byte, n int) []byte {
	const fixed = 0xd4 // for one byte; the next are for 2, 4, 8 and 16
	if n > 0 && n <= 16 && n&(n-1) == 0 {
		return append(b, fixed+byte(bits.TrailingZeros(uint(n))), kind)
	}
	return append(length(b, 0xc7, n), kind)
}

// length appends n with the first byte for 8 bits, or one of the next two, for 16 and 32
// bits.
func length(b []byte, first byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(b, first, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, first+1), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, first+2), uint32(n))
}

// Fixed is the maximum number of members of an array or a map with a header of
// one byte.
const Fixed = 15

// Count appends the header of an array or a map with n members: fix is its
// first byte with up to Fixed members, and medium with a count of 16 bits.
func Count(b []byte, n int, fix, medium byte) []byte {
	switch {
	case n <= Fixed:
		return append(b, fix|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, medium), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, medium+1), uint32(n))
}
