package json

import (
	"io"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Decode returns the value of a whole document. What it returns does not refer
// to data. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return wire.Decode(syntax{}, data, o)
}

// NewDecoder returns a Decoder that reads documents from r, one after the
// other; blanks may stand between them. It reads ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return wire.NewDecoder(syntax{}, r, o)
}

// NewReader returns a cursor at the beginning of what r gives. It reads ahead.
// What a *bytes.Buffer holds is not copied.
func NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return wire.NewReader(syntax{}, wire.NewWindow(r, o.ByteLimit()), o)
}

// decoder pushes what it scans into a Builder.
type decoder struct {
	scanner
	builder *richdata.Builder
}

func (d *decoder) value() error {
	c, err := d.peek()
	if err != nil {
		return err
	}
	switch c {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		text, err := d.text()
		if err != nil {
			return err
		}
		d.builder.Text(text)
	case 'n':
		return d.literal("null", pcore.Undef{})
	case 't':
		return d.literal("true", pcore.Boolean(true))
	case 'f':
		return d.literal("false", pcore.Boolean(false))
	default:
		if !isNumeral(c) {
			return d.unexpected("a value")
		}
		return d.number()
	}
	return nil
}

func (d *decoder) literal(text string, v pcore.Value) error {
	if err := d.scanner.literal(text); err != nil {
		return err
	}
	d.builder.Add(v)
	return nil
}

func (d *decoder) array() error {
	if err := d.builder.BeginArray(); err != nil {
		return err
	}
	d.pos++
	for first := true; ; first = false {
		end, err := d.separator(']', first)
		if err != nil {
			return err
		}
		if end {
			d.builder.EndArray()
			return nil
		}
		if err := d.value(); err != nil {
			return err
		}
	}
}

func (d *decoder) object() error {
	if err := d.builder.BeginMap(); err != nil {
		return err
	}
	d.pos++
	for first := true; ; first = false {
		end, err := d.separator('}', first)
		if err != nil {
			return err
		}
		if end {
			return d.builder.EndMap()
		}
		start := d.pos
		key, err := d.key()
		if err != nil {
			return err
		}
		d.builder.Key(key, int64(start))
		if err := d.colon(); err != nil {
			return err
		}
		if err := d.value(); err != nil {
			return err
		}
	}
}
