package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
)

// kind is what a header announces.
type kind mpwire.Kind

const (
	kindNil    = kind(mpwire.Nil)
	kindBool   = kind(mpwire.Bool)
	kindInt    = kind(mpwire.Int)
	kindUint   = kind(mpwire.Uint) // above the signed ones
	kindFloat  = kind(mpwire.Float)
	kindString = kind(mpwire.String)
	kindBinary = kind(mpwire.Binary)
	kindArray  = kind(mpwire.Array)
	kindMap    = kind(mpwire.Map)
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
	if n, ok := mpwire.Short(s.Data[s.pos]); ok { // as most are
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

// scalar reads the header of a scalar, of so many bytes.
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

// promised holds what a header promises against what is there: each byte,
// element, key and value takes at least a byte.
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
