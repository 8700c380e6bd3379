package formats

import (
	"errors"
	"fmt"

	vmihailenco "github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/msgpack"
)

// decodeNested decodes the next value of d, which it reads one header at a time, within the limits of
// the options.
func decodeNested(d *vmihailenco.Decoder, o serialization.DecodeOptions) (pcore.Value, error) {
	c := collector{from: d, opts: &o}
	if err := c.value(codec.Depth(&o)); err != nil && !errors.Is(err, errRefused) {
		return nil, codec.InFormat("msgpack", err)
	}
	return msgpack.Decode(c.b, o)
}

// errRefused ends the collection behind a header that the decoder refuses, with a reason.
var errRefused = errors.New("a header that the decoder refuses")

// collector reads the bytes of one value.
type collector struct {
	from *vmihailenco.Decoder
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

// value reads a value with at most depth levels.
func (c *collector) value(depth int) error {
	start := len(c.b)
	if err := c.read(1); err != nil {
		return err
	}
	form := mpwire.First(c.b[start])
	if form.Kind == mpwire.Invalid || form.Kind == mpwire.Ext {
		return errRefused
	}
	if err := c.read(int(form.Width)); err != nil {
		return err
	}
	n, _ := form.Number(c.b, start)
	switch form.Kind {
	case mpwire.String, mpwire.Binary:
		if n > uint64(codec.StringLimit(c.opts)) {
			return errRefused
		}
		return c.read(int(n))
	case mpwire.Map:
		n *= 2
	case mpwire.Array:
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
