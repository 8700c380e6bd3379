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

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// packSource reads the stream from bytes. What a header promises is held against
// what is there before the decoder of msgpack/v5 gets to see it, which believes
// every header.
type packSource struct {
	data  []byte
	r     *bytes.Reader
	dec   *msgpack.Decoder
	limit int // of one string
	until int // where the payload of the extension ends that was read last
}

func newPackSource(data []byte, o serialization.DecodeOptions) *packSource {
	r := bytes.NewReader(data)
	return &packSource{data: data, r: r, dec: msgpack.NewDecoder(r), limit: o.StringLimit()}
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
	if _, err := s.extent(len(s.data)); err != nil {
		return scalar, nil, err
	}
	id, n, err := s.dec.DecodeExtHeader()
	if err != nil {
		return scalar, nil, fmt.Errorf("%w: %w", serialization.ErrSyntax, err)
	}
	s.until = s.pos() + n
	if id < 0 {
		return scalar, nil, fmt.Errorf("%w: MessagePack keeps the extension types below 0 for itself", serialization.ErrUnsupported)
	}
	return code(id), nil, nil
}

func (s *packSource) payload() (pcore.Value, error) {
	if s.pos() >= s.until {
		return nil, fmt.Errorf("%w: the payload of an extension is too short", serialization.ErrSyntax)
	}
	if msgpcode.IsExt(s.data[s.pos()]) {
		return nil, fmt.Errorf("%w: the payload of an extension is made of scalars", serialization.ErrSyntax)
	}
	return s.value(s.until)
}

func (s *packSource) endPayload(code) error {
	if s.pos() < s.until {
		return fmt.Errorf("%w: the payload of an extension is too long", serialization.ErrSyntax)
	}
	return nil
}

// value reads a scalar, all of which stands before end.
func (s *packSource) value(end int) (pcore.Value, error) {
	c, err := s.extent(end)
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
		v, err := s.dec.DecodeString()
		if err == nil && !utf8.ValidString(v) {
			err = serialization.ErrUTF8
		}
		return pcore.String(v), err
	case msgpcode.IsBin(c):
		v, err := s.dec.DecodeBytes()
		return pcore.NewBinary(v), err
	default:
		v, err := s.dec.DecodeInt64()
		return pcore.Integer(v), err
	}
}

func (s *packSource) float() (pcore.Value, error) {
	f, err := s.dec.DecodeFloat64()
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%w: NaN and Infinity are no data", serialization.ErrRange)
	}
	return pcore.Float(f), err
}

// extent returns the first byte of a scalar or extension, and an error unless
// all of it stands before end.
func (s *packSource) extent(end int) (c byte, err error) {
	rest := s.data[s.pos():end]
	c = rest[0]
	if msgpcode.IsFixedArray(c) || msgpcode.IsFixedMap(c) || c >= msgpcode.Array16 && c <= msgpcode.Map32 {
		return c, fmt.Errorf("%w: an array or map of MessagePack is none of the protocol's own", serialization.ErrSyntax)
	}
	if c == 0xc1 {
		return c, fmt.Errorf("%w: the byte 0xc1 begins nothing in MessagePack", serialization.ErrSyntax)
	}
	head, size, counted := layout(c)
	if len(rest) < 1+head {
		return c, serialization.ErrTruncated
	}
	if counted {
		for _, b := range rest[1 : 1+head] {
			size = size<<8 | int(b)
		}
		if size > s.limit {
			return c, fmt.Errorf("%w: the string has %d bytes, %d are allowed", serialization.ErrTooLarge, size, s.limit)
		}
	}
	if msgpcode.IsExt(c) {
		size++ // its code
	}
	if left := len(rest) - 1 - head; size > left {
		return c, fmt.Errorf("%w: %d bytes are promised, %d follow", serialization.ErrTruncated, size, left)
	}
	return c, nil
}

// layout tells what follows the first byte of a scalar or extension: a length of
// head bytes, if it is counted, and size bytes.
func layout(c byte) (head, size int, counted bool) {
	switch c {
	case msgpcode.Str8, msgpcode.Bin8, msgpcode.Ext8:
		return 1, 0, true
	case msgpcode.Str16, msgpcode.Bin16, msgpcode.Ext16:
		return 2, 0, true
	case msgpcode.Str32, msgpcode.Bin32, msgpcode.Ext32:
		return 4, 0, true
	case msgpcode.Uint8, msgpcode.Int8, msgpcode.FixExt1:
		return 0, 1, false
	case msgpcode.Uint16, msgpcode.Int16, msgpcode.FixExt2:
		return 0, 2, false
	case msgpcode.Uint32, msgpcode.Int32, msgpcode.Float, msgpcode.FixExt4:
		return 0, 4, false
	case msgpcode.Uint64, msgpcode.Int64, msgpcode.Double, msgpcode.FixExt8:
		return 0, 8, false
	case msgpcode.FixExt16:
		return 0, 16, false
	}
	if msgpcode.IsFixedString(c) {
		return 0, int(c & msgpcode.FixedStrMask), false
	}
	return 0, 0, false
}

func (s *packSource) offset() int64 { return int64(s.pos()) }

// end returns an error unless nothing follows.
func (s *packSource) end() error {
	if s.r.Len() > 0 {
		return serialization.ErrTrailing
	}
	return nil
}
