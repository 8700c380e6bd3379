package msgpack

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Value is a field type for structs that github.com/vmihailenco/msgpack/v5
// encodes and decodes; it uses rich data. The zero value encodes undef, rejects
// secrets and decodes strictly. It must not be decoded into concurrently.
//
// msgpack/v5 cannot decode into a field of type [pcore.Value], and it would
// encode one without its type.
type Value struct {
	// Value is the encoded or decoded value. Nil means undef.
	pcore.Value
	// Encode and Decode are the options for encoding and decoding.
	Encode serialization.EncodeOptions
	Decode serialization.DecodeOptions
}

var (
	_ msgpack.CustomEncoder = Value{}
	_ msgpack.CustomDecoder = (*Value)(nil)
)

// EncodeMsgpack writes the value to e.
func (v Value) EncodeMsgpack(e *msgpack.Encoder) error {
	var out pcore.Value = pcore.Undef{}
	if v.Value != nil {
		out = v.Value
	}
	b, err := Append(nil, out, richdata.Rich, v.Encode)
	if err != nil {
		return err
	}
	return e.Encode(msgpack.RawMessage(b))
}

// DecodeMsgpack reads the next value from d, one header at a time, within the
// limits of the options.
func (v *Value) DecodeMsgpack(d *msgpack.Decoder) error {
	c := collector{from: d, opts: &v.Decode}
	if err := c.value(v.Decode.Depth()); err != nil {
		return serialization.InFormat(name, err)
	}
	value, err := Decode(c.b, v.Decode)
	if err != nil {
		return err
	}
	v.Value = value
	return nil
}

// collector reads the bytes of one value from a decoder.
type collector struct {
	from *msgpack.Decoder
	opts *serialization.DecodeOptions
	b    []byte
}

// chunk is the maximum number of bytes allocated before reading them.
const chunk = 1 << 20

func (c *collector) read(n int) error {
	for n > 0 {
		start, size := len(c.b), min(n, chunk)
		if int64(start+size) > c.opts.ByteLimit() {
			return fmt.Errorf("%w: the value has more than %d bytes", serialization.ErrTooLarge, c.opts.ByteLimit())
		}
		c.b = append(c.b, make([]byte, size)...)
		if err := c.from.ReadFull(c.b[start:]); err != nil {
			return fmt.Errorf("%w: %w", serialization.ErrTruncated, err)
		}
		n -= size
	}
	return nil
}

// header reads a header.
func (c *collector) header() (header, error) {
	start := len(c.b)
	if err := c.read(1); err != nil {
		return header{}, err
	}
	if f := mpwire.First(c.b[start]); f.Kind != mpwire.Ext { // the scanner rejects Ext
		if err := c.read(int(f.Width)); err != nil {
			return header{}, err
		}
	}
	s := newScanner(wire.Input{Data: c.b[start:], Opts: c.opts})
	return s.header()
}

// value reads a value with at most depth levels.
func (c *collector) value(depth int) error {
	h, err := c.header()
	if err != nil {
		return err
	}
	n := h.n
	switch h.kind {
	case kindString, kindBinary:
		return c.read(n)
	case kindMap:
		n *= 2
	case kindArray:
	default:
		return nil
	}
	if depth == 0 {
		return fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, c.opts.Depth())
	}
	for range n {
		if err := c.value(depth - 1); err != nil {
			return err
		}
	}
	return nil
}
