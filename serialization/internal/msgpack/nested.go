package msgpack

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// DecodeFrom decodes the next value of d, which it reads one header at a time, within the limits
// of the options.
func DecodeFrom(d *msgpack.Decoder, o serialization.DecodeOptions) (pcore.Value, error) {
	c := collector{from: d, opts: &o}
	if err := c.value(codec.Depth(&o)); err != nil {
		return nil, codec.InFormat(name, err)
	}
	return Decode(c.b, o)
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
		if int64(start+size) > codec.ByteLimit(c.opts) {
			return fmt.Errorf("%w: the value has more than %d bytes", serialization.ErrTooLarge, codec.ByteLimit(c.opts))
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
		return fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, codec.Depth(c.opts))
	}
	for range n {
		if err := c.value(depth - 1); err != nil {
			return err
		}
	}
	return nil
}
