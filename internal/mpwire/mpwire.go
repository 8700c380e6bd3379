// Package mpwire reads the headers of MessagePack: the first byte of a value,
// and the number that follows. Its users implement grammars, limits, errors and
// values, and read the bytes of strings.
//
//	First    the Form of a value: its kind, and the length of the rest of its
//	         header
//	Number   the number in the header, a count or the bits of a scalar
//	Value    the bits of a scalar, extended to 64 bits
//	Short    the header of a short string, for loops that see mostly these
//
// The package does not allocate or keep state, and is safe for concurrent use.
//
// Only the lexical level of MessagePack belongs here.
package mpwire

import (
	"encoding/binary"
	"math"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values. Invalid, the zero value, is the kind of 0xc1, which
// begins no value.
const (
	Invalid Kind = iota
	Nil
	Bool
	Int
	Uint
	Float
	String
	Binary
	Array
	Map
	Ext
)

// Form is the meaning of the first byte of a value.
type Form struct {
	Kind Kind
	// Width is the length of the number behind the first byte: a scalar, or the
	// count of bytes or members that follow. It is 0 when the first byte has the
	// number in it.
	Width uint8
	// Few is the number in the first byte: the value of an Int, the number of
	// bytes of a String or Ext, of elements of an Array or of members of a Map,
	// or 1 for true.
	Few int8
}

// long contains the forms of the bytes from 0xc0 to 0xdf.
var long = [32]Form{
	{Kind: Nil}, {Kind: Invalid}, {Kind: Bool}, {Kind: Bool, Few: 1}, {Kind: Binary, Width: 1}, {Kind: Binary, Width: 2}, {Kind: Binary, Width: 4},
	{Kind: Ext, Width: 1}, {Kind: Ext, Width: 2}, {Kind: Ext, Width: 4}, {Kind: Float, Width: 4}, {Kind: Float, Width: 8},
	{Kind: Uint, Width: 1}, {Kind: Uint, Width: 2}, {Kind: Uint, Width: 4}, {Kind: Uint, Width: 8},
	{Kind: Int, Width: 1}, {Kind: Int, Width: 2}, {Kind: Int, Width: 4}, {Kind: Int, Width: 8},
	{Kind: Ext, Few: 1}, {Kind: Ext, Few: 2}, {Kind: Ext, Few: 4}, {Kind: Ext, Few: 8}, {Kind: Ext, Few: 16},
	{Kind: String, Width: 1}, {Kind: String, Width: 2}, {Kind: String, Width: 4},
	{Kind: Array, Width: 2}, {Kind: Array, Width: 4}, {Kind: Map, Width: 2}, {Kind: Map, Width: 4},
}

// First returns the form of the value with the first byte c.
func First(c byte) Form {
	switch {
	case c >= 0xe0 || c < 0x80:
		return Form{Kind: Int, Few: int8(c)}
	case c >= 0xc0:
		return long[c-0xc0]
	case c >= 0xa0:
		return Form{Kind: String, Few: int8(c - 0xa0)}
	case c >= 0x90:
		return Form{Kind: Array, Few: int8(c - 0x90)}
	}
	return Form{Kind: Map, Few: int8(c - 0x80)}
}

// Size returns the length of the header in bytes, including the code of an
// extension type.
func (f Form) Size() int {
	if f.Kind == Ext {
		return 2 + int(f.Width)
	}
	return 1 + int(f.Width)
}

// Number returns the number in the header at i, which has the form f: the count of bytes or
// members that follow, or the bits of a scalar as they are. It reports false where data
// ends before the number does.
func (f Form) Number(data []byte, i int) (n uint64, ok bool) {
	if len(data)-i <= int(f.Width) {
		return 0, false
	}
	switch b := data[i+1:]; f.Width {
	case 0:
		return uint64(int64(f.Few)), true
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.BigEndian.Uint16(b)), true
	case 4:
		return uint64(binary.BigEndian.Uint32(b)), true
	default:
		return binary.BigEndian.Uint64(b), true
	}
}

// Short returns the length of a string whose length is in its first byte c, and
// reports whether c begins such a string.
func Short(c byte) (n int, ok bool) { return int(c & 0x1f), c&0xe0 == 0xa0 }

// Value returns the bits of a scalar with the given Number: the bits of an
// int64, uint64 or float64, or 1 for true.
func (f Form) Value(n uint64) uint64 {
	switch {
	case f.Kind == Int && f.Width > 0:
		shift := 64 - 8*f.Width
		return uint64(int64(n) << shift >> shift)
	case f.Kind == Float && f.Width == 4:
		return math.Float64bits(float64(math.Float32frombits(uint32(n))))
	}
	return n
}
