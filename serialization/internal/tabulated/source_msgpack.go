package tabulated

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// packSource reads the stream from bytes. It checks each length in a header
// before it calls the decoder of msgpack/v5, which trusts headers.
type packSource struct {
	data  []byte
	r     *bytes.Reader
	dec   *msgpack.Decoder
	slab  *pcore.Slab
	limit int // of one string
	until int // the end of the payload of the last extension
}

func newPackSource(data []byte, o serialization.DecodeOptions, slab *pcore.Slab) *packSource {
	r := bytes.NewReader(data)
	return &packSource{data: data, r: r, dec: msgpack.NewDecoder(r), slab: slab, limit: codec.StringLimit(&o)}
}

func (s *packSource) pos() int { return len(s.data) - s.r.Len() }

func (s *packSource) next() (code, pcore.Value, error) {
	if s.r.Len() == 0 {
		return scalar, nil, io.EOF
	}
	if !msgpcode.IsExt(s.data[s.pos()]) {
		v, err := s.value(len(s.data))
		return scalar, v, err
	}
	if _, _, err := s.extent(len(s.data)); err != nil {
		return scalar, nil, err
	}
	id, n, err := s.dec.DecodeExtHeader()
	if err != nil {
		return scalar, nil, fmt.Errorf("%w: %w", serialization.ErrSyntax, err)
	}
	s.until = s.pos() + n
	if id < 0 {
		return scalar, nil, fmt.Errorf("%w: extension types below 0 are reserved by MessagePack", serialization.ErrUnsupported)
	}
	return code(id), nil, nil
}

func (s *packSource) payload() (pcore.Value, error) {
	if s.pos() >= s.until {
		return nil, fmt.Errorf("%w: the payload of an extension is too short", serialization.ErrSyntax)
	}
	if msgpcode.IsExt(s.data[s.pos()]) {
		return nil, fmt.Errorf("%w: the payload of an extension must contain only scalars", serialization.ErrSyntax)
	}
	return s.value(s.until)
}

func (s *packSource) endPayload(code) error {
	if s.pos() < s.until {
		return fmt.Errorf("%w: the payload of an extension is too long", serialization.ErrSyntax)
	}
	return nil
}

// value reads a scalar, which must end at or before end.
func (s *packSource) value(end int) (pcore.Value, error) {
	c, body, err := s.extent(end)
	if err != nil {
		return nil, err
	}
	switch {
	case c == msgpcode.Nil:
		return pcore.Undef{}, s.dec.DecodeNil()
	case c == msgpcode.True || c == msgpcode.False:
		v, err := s.dec.DecodeBool()
		return pcore.Boolean(v), err
	case c == msgpcode.Float || c == msgpcode.Double:
		return s.float()
	case c == msgpcode.Uint64:
		v, err := s.dec.DecodeUint64()
		return pcore.NewBigInteger(new(big.Int).SetUint64(v)), err
	case msgpcode.IsString(c):
		if !utf8.Valid(body) {
			return nil, serialization.ErrUTF8
		}
		end := cap(s.data) - cap(body) + len(body)
		_, err := s.r.Seek(int64(end), io.SeekStart)
		return s.slab.Text(body), err
	case msgpcode.IsBin(c):
		v, err := s.dec.DecodeBytes()
		return pcore.NewBinary(v), err
	default:
		v, err := s.dec.DecodeInt64()
		return s.slab.Integer(v), err
	}
}

func (s *packSource) float() (pcore.Value, error) {
	f, err := s.dec.DecodeFloat64()
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%w: NaN and Infinity cannot be represented", serialization.ErrRange)
	}
	return pcore.Float(f), err
}

// extent returns the first byte of a scalar or extension, and the bytes behind its
// header. It returns an error if the element extends beyond end.
func (s *packSource) extent(end int) (c byte, body []byte, err error) {
	rest := s.data[s.pos():end]
	c = rest[0]
	f := mpwire.First(c)
	switch f.Kind {
	case mpwire.Array, mpwire.Map:
		return c, nil, fmt.Errorf("%w: MessagePack arrays and maps are not part of the protocol", serialization.ErrSyntax)
	case mpwire.Invalid:
		return c, nil, fmt.Errorf("%w: the byte 0xc1 is unused in MessagePack", serialization.ErrSyntax)
	}
	head, size := 0, int(f.Width)
	if f.Kind == mpwire.String || f.Kind == mpwire.Binary || f.Kind == mpwire.Ext {
		n, ok := f.Number(rest, 0)
		if !ok {
			return c, nil, serialization.ErrTruncated
		}
		if head, size = int(f.Width), int(n); head > 0 && size > s.limit {
			return c, nil, fmt.Errorf("%w: a string of %d bytes, the maximum is %d", serialization.ErrTooLarge, size, s.limit)
		}
	}
	switch left := len(rest) - 1 - head; {
	case f.Kind == mpwire.Ext && size >= left: // for there is its code, too
		return c, nil, fmt.Errorf("%w: expected %d bytes, got %d", serialization.ErrTruncated, size+1, left)
	case size > left:
		return c, nil, fmt.Errorf("%w: expected %d bytes, got %d", serialization.ErrTruncated, size, left)
	}
	return c, rest[1+head:][:size], nil
}

func (s *packSource) offset() int64 { return int64(s.pos()) }

// end returns an error if data follows the document.
func (s *packSource) end() error {
	if s.r.Len() > 0 {
		return serialization.ErrTrailing
	}
	return nil
}
