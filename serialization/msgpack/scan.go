package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
)

// kind is what a header announces.
type kind uint8

const (
	kindNil kind = iota
	kindBool
	kindInt
	kindUint // above the signed ones
	kindFloat
	kindString
	kindBinary
	kindArray
	kindMap
)

// header is the first bytes of a value: all of a scalar, the length or count
// of what follows for others.
type header struct {
	kind kind
	// bits are those of a number or a boolean.
	bits uint64
	// n is the number of bytes of a string, of elements of an array or of
	// members of a map.
	n int
}

// scanner reads the values of the MessagePack specification.
type scanner struct {
	wire.Input
	pos   int
	limit int // of one string
}

func newScanner(in wire.Input) scanner {
	return scanner{Input: in, limit: in.Opts.StringLimit()}
}

// header reads a header. It does not look at what follows.
func (s *scanner) header() (header, error) {
	if s.pos >= len(s.Data) {
		return header{}, s.Short()
	}
	c := s.Data[s.pos]
	switch {
	case c <= 0x7f:
		return s.one(header{kind: kindInt, bits: uint64(c)})
	case c <= 0x8f:
		return s.one(header{kind: kindMap, n: int(c & 0x0f)})
	case c <= 0x9f:
		return s.one(header{kind: kindArray, n: int(c & 0x0f)})
	case c <= 0xbf:
		return s.one(header{kind: kindString, n: int(c & 0x1f)})
	case c >= 0xe0:
		return s.one(header{kind: kindInt, bits: uint64(int64(int8(c)))})
	}
	switch c {
	case 0xc0:
		return s.one(header{kind: kindNil})
	case 0xc2, 0xc3:
		return s.one(header{kind: kindBool, bits: uint64(c & 1)})
	case 0xc4, 0xc5, 0xc6:
		return s.counted(kindBinary, 1<<(c-0xc4))
	case 0xca, 0xcb:
		return s.float(4 << (c - 0xca))
	case 0xcc, 0xcd, 0xce, 0xcf:
		return s.unsigned(1 << (c - 0xcc))
	case 0xd0, 0xd1, 0xd2, 0xd3:
		return s.signed(1 << (c - 0xd0))
	case 0xd9, 0xda, 0xdb:
		return s.counted(kindString, 1<<(c-0xd9))
	case 0xdc, 0xdd:
		return s.counted(kindArray, 2<<(c-0xdc))
	case 0xde, 0xdf:
		return s.counted(kindMap, 2<<(c-0xde))
	case 0xc1:
		return header{}, wire.FailAt(s.pos, fmt.Errorf("%w: the byte 0xc1 begins nothing in MessagePack", serialization.ErrSyntax))
	}
	return header{}, wire.FailAt(s.pos, fmt.Errorf("%w: there is an extension type, which rich data does not use", serialization.ErrUnsupported))
}

// one reads a header of one byte.
func (s *scanner) one(h header) (header, error) {
	s.pos++
	return s.promised(s.pos-1, h)
}

// bits reads the big endian number of n bytes behind the first byte.
func (s *scanner) bits(n int) (uint64, error) {
	if len(s.Data)-s.pos <= n {
		return 0, s.Short()
	}
	b := s.Data[s.pos+1:]
	s.pos += 1 + n
	switch n {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(binary.BigEndian.Uint16(b)), nil
	case 4:
		return uint64(binary.BigEndian.Uint32(b)), nil
	}
	return binary.BigEndian.Uint64(b), nil
}

// counted reads a length or count of n bytes.
func (s *scanner) counted(k kind, n int) (header, error) {
	start := s.pos
	bits, err := s.bits(n)
	if err != nil {
		return header{}, err
	}
	return s.promised(start, header{kind: k, n: int(bits)})
}

// promised holds what a header promises against what is there: each byte,
// element, key and value takes at least a byte.
func (s *scanner) promised(start int, h header) (header, error) {
	n := h.n
	switch h.kind {
	case kindString, kindBinary:
		if n > s.limit {
			return h, wire.FailAt(start, fmt.Errorf("%w: the string has %d bytes, %d are allowed", serialization.ErrTooLarge, n, s.limit))
		}
	case kindMap:
		n *= 2
	default:
	}
	if left := len(s.Data) - s.pos; n > left && s.Final {
		return h, wire.FailAt(start, fmt.Errorf("%w: %d bytes or more are promised, %d follow", serialization.ErrTruncated, n, left))
	}
	return h, nil
}

func (s *scanner) unsigned(n int) (header, error) {
	bits, err := s.bits(n)
	if bits > math.MaxInt64 {
		return header{kind: kindUint, bits: bits}, err
	}
	return header{kind: kindInt, bits: bits}, err
}

func (s *scanner) signed(n int) (header, error) {
	bits, err := s.bits(n)
	shift := 64 - 8*n
	return header{kind: kindInt, bits: uint64(int64(bits) << shift >> shift)}, err
}

func (s *scanner) float(n int) (header, error) {
	start := s.pos
	bits, err := s.bits(n)
	if err != nil {
		return header{}, err
	}
	f := math.Float64frombits(bits)
	if n == 4 {
		f = float64(math.Float32frombits(uint32(bits)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return header{}, wire.FailAt(start, fmt.Errorf("%w: NaN and Infinity are no data", serialization.ErrRange))
	}
	return header{kind: kindFloat, bits: math.Float64bits(f)}, nil
}

// bytes reads the bytes of a string or byte string.
func (s *scanner) bytes(h header) ([]byte, error) {
	if len(s.Data)-s.pos < h.n {
		return nil, s.Short()
	}
	b := s.Data[s.pos : s.pos+h.n]
	if h.kind == kindString && !ascii(b) && !utf8.Valid(b) {
		return nil, wire.FailAt(s.pos+wire.InvalidUTF8(b), serialization.ErrUTF8)
	}
	s.pos += h.n
	return b, nil
}

// ascii reports whether a text of which up to 16 bytes surely can be read is
// ASCII, as most are. What stands behind it in the input is masked out, so that
// no branch depends on how long it is.
func ascii(text []byte) bool {
	n := uint(len(text))
	if n > 16 || cap(text) < 16 {
		return false
	}
	two := text[:16]
	low := binary.LittleEndian.Uint64(two) & (1<<(8*min(n, 8)) - 1)
	high := binary.LittleEndian.Uint64(two[8:]) & (1<<(8*(max(n, 8)-8)) - 1)
	return !jsonwire.Wide(low | high)
}

// scalar returns the value of a header that is all of a value.
func (h header) scalar() pcore.Value {
	switch h.kind {
	case kindBool:
		return pcore.Boolean(h.bits == 1)
	case kindInt:
		return pcore.Integer(h.bits)
	case kindUint:
		return pcore.NewBigInteger(new(big.Int).SetUint64(h.bits))
	case kindFloat:
		return pcore.Float(math.Float64frombits(h.bits))
	default:
		return pcore.Undef{}
	}
}
