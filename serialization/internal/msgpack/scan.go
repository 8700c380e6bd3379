package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// kind is the kind of value that a header begins.
type kind mpwire.Kind

const (
	kindNil    = kind(mpwire.Nil)
	kindBool   = kind(mpwire.Bool)
	kindInt    = kind(mpwire.Int)
	kindUint   = kind(mpwire.Uint) // larger than the maximum int64
	kindFloat  = kind(mpwire.Float)
	kindString = kind(mpwire.String)
	kindBinary = kind(mpwire.Binary)
	kindArray  = kind(mpwire.Array)
	kindMap    = kind(mpwire.Map)
)

// header is the first bytes of a value: the whole value for a scalar, and the
// length or count for others.
type header struct {
	kind kind
	// bits is the value of a number or a boolean.
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
	return scanner{Input: in, limit: codec.StringLimit(in.Opts)}
}

// header reads a header but not the data that follows.
func (s *scanner) header() (header, error) {
	if s.pos >= len(s.Data) {
		return header{}, s.Short()
	}
	if n, ok := mpwire.Short(s.Data[s.pos]); ok { // the most frequent header
		s.pos++
		return s.promised(s.pos-1, header{kind: kindString, n: n})
	}
	f := mpwire.First(s.Data[s.pos])
	n, whole := f.Number(s.Data, s.pos)
	switch start := s.pos; {
	case f.Kind == mpwire.Invalid:
		return header{}, wire.FailAt(start, fmt.Errorf("%w: the byte 0xc1 is unused in MessagePack", serialization.ErrSyntax))
	case f.Kind == mpwire.Ext:
		return header{}, wire.FailAt(start, fmt.Errorf("%w: extension types are not part of rich data", serialization.ErrUnsupported))
	case !whole:
		return header{}, s.Short()
	case f.Kind >= mpwire.String:
		s.pos += 1 + int(f.Width)
		return s.promised(start, header{kind: kind(f.Kind), n: int(n)})
	}
	return s.scalar(header{kind: kind(f.Kind), bits: f.Value(n)}, 1+int(f.Width))
}

// scalar reads a scalar of size bytes.
func (s *scanner) scalar(h header, size int) (header, error) {
	if h.kind == kindUint && h.bits <= math.MaxInt64 {
		h.kind = kindInt
	}
	if f := math.Float64frombits(h.bits); h.kind == kindFloat && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return header{}, wire.FailAt(s.pos, fmt.Errorf("%w: NaN and Infinity cannot be represented", serialization.ErrRange))
	}
	s.pos += size
	return h, nil
}

// promised checks the length in a header against the remaining input: each
// byte, element, key and value takes at least one byte.
func (s *scanner) promised(start int, h header) (header, error) {
	n := h.n
	switch h.kind {
	case kindString, kindBinary:
		if n > s.limit {
			return h, wire.FailAt(start, fmt.Errorf("%w: a string of %d bytes, the maximum is %d", serialization.ErrTooLarge, n, s.limit))
		}
	case kindMap:
		n *= 2
	default:
	}
	if left := len(s.Data) - s.pos; n > left && s.Final {
		return h, wire.FailAt(start, fmt.Errorf("%w: expected at least %d bytes, got %d", serialization.ErrTruncated, n, left))
	}
	return h, nil
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

// ascii reports whether text has at most 16 bytes, is followed by enough
// capacity to read 16 bytes, and is ASCII, as most texts are. The bytes behind
// it are masked out, so that no branch depends on its length.
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

// scalar returns the value of a header of a scalar.
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
