// Package pack appends the values of MessagePack, each in its smallest form.
package pack

import (
	"encoding/binary"
	"math"
)

// The first bytes of arrays and maps: for up to 15 members, which are added to
// it, and for more.
const (
	FixArray = 0x90
	Array16  = 0xdc
	FixMap   = 0x80
	Map16    = 0xde
)

// The values that are one byte.
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

// Uint appends an integer without a sign.
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

// Float appends a float, always one of 64 bits.
func Float(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v))
}

// Text appends the header of a string of n bytes, which follow it.
func Text(b []byte, n int) []byte {
	switch {
	case n < 32:
		return append(b, 0xa0|byte(n))
	case n <= math.MaxUint8:
		return append(b, 0xd9, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 0xda), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, 0xdb), uint32(n))
}

// Fixed is the number of members up to which the header of an array or a map
// is one byte.
const Fixed = 15

// Count appends the header of an array or a map: fix is what the small ones
// begin with, medium those with a count of 16 bits.
func Count(b []byte, n int, fix, medium byte) []byte {
	switch {
	case n <= Fixed:
		return append(b, fix|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, medium), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, medium+1), uint32(n))
}
