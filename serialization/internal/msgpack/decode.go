package msgpack

import (
	"fmt"
	"io"
	"math"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Decode decodes a whole document. The result does not refer to data unless
// o.ShareInput is set. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return wire.Decode(syntax{}, data, o)
}

// NewDecoder returns a Decoder for a sequence of documents in r. It reads
// ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return wire.NewDecoder(syntax{}, r, o)
}

// NewReader returns a cursor at the beginning of r. It reads ahead. The
// contents of a *bytes.Buffer are not copied.
func NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return wire.NewReader(syntax{}, wire.NewWindow(r, codec.ByteLimit(&o)), o)
}

// decoder pushes the scanned data into a Builder.
type decoder struct {
	scanner
	builder *dataconv.Builder
}

func (d *decoder) value() error {
	start := d.pos
	h, err := d.header()
	if err != nil {
		if start == len(d.Data) {
			d.builder.Unbegun()
		}
		return err
	}
	switch h.kind {
	case kindArray:
		return d.array(start, h.n)
	case kindMap:
		return d.members(start, h.n)
	case kindString:
		text, err := d.bytes(h)
		if err != nil {
			return err
		}
		if d.Shared {
			d.builder.SharedText(text)
		} else {
			d.builder.Text(text)
		}
	case kindBinary:
		b, err := d.bytes(h)
		if err != nil {
			return err
		}
		d.builder.Add(pcore.NewBinary(b))
	case kindInt:
		d.builder.Integer(int64(h.bits))
	case kindFloat:
		d.builder.Float(math.Float64frombits(h.bits))
	default:
		d.builder.Add(h.scalar())
	}
	return nil
}

func (d *decoder) array(start, n int) error {
	if err := d.builder.BeginArray(); err != nil {
		d.pos = start
		return err
	}
	for range n {
		if err := d.value(); err != nil {
			return err
		}
	}
	d.builder.EndArray()
	return nil
}

func (d *decoder) members(start, n int) error {
	if err := d.builder.BeginMap(); err != nil {
		d.pos = start
		return err
	}
	for range n {
		if err := d.key(); err != nil {
			return err
		}
		if err := d.value(); err != nil {
			return err
		}
	}
	return d.builder.EndMap()
}

func (d *decoder) key() error {
	start := d.pos
	h, err := d.header()
	if err != nil {
		return err
	}
	switch h.kind {
	case kindString:
		text, err := d.bytes(h)
		if err != nil {
			return err
		}
		d.builder.Key(text, int64(start))
	case kindBinary:
		b, err := d.bytes(h)
		if err != nil {
			return err
		}
		d.builder.KeyValue(pcore.NewBinary(b), int64(start))
	case kindArray, kindMap:
		return badKey(start)
	default:
		d.builder.KeyValue(h.scalar(), int64(start))
	}
	return nil
}

func badKey(pos int) error {
	return wire.FailAt(pos, fmt.Errorf("%w: a map key is an array or a map", serialization.ErrUnsupported))
}
