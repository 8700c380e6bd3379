package roundtrip

import (
	"bytes"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// codec reads and writes documents in memory that it reuses: what it returns is
// valid until the next call of the same method for the same format.
type codec struct {
	opts     serialization.DecodeOptions
	decoders map[string]serialization.Recycler // by format; nil for one that has none
	written  []byte
	again    []byte
}

func newCodec(o Options) *codec {
	return &codec{opts: o.Decode, decoders: map[string]serialization.Recycler{}}
}

// decode decodes a whole document.
func (c *codec) decode(f serialization.Format, data []byte) (pcore.Value, error) {
	d, known := c.decoders[f.Name]
	if !known {
		d, _ = f.NewDecoder(bytes.NewReader(nil), c.opts).(serialization.Recycler)
		c.decoders[f.Name] = d
	}
	if d == nil {
		return f.Decode(data, c.opts)
	}
	return d.Recycle(data)
}

// append writes a whole document.
func (c *codec) append(f serialization.Format, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
	out, err := f.Append(c.written[:0], v, o)
	if err == nil {
		c.written = out
	}
	return out, err
}

// appendAgain is append for a document that is compared with the last one.
func (c *codec) appendAgain(f serialization.Format, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
	out, err := f.Append(c.again[:0], v, o)
	if err == nil {
		c.again = out
	}
	return out, err
}
