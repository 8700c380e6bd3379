package json

import (
	"io"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Decode returns the value of a whole document. What it returns does not refer
// to data, unless o lets it. Errors are *[serialization.Error].
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
	case '"':
		text, err := d.text()
		if err != nil {
			return err
		}
		if d.Shared && !d.unescaped {
			d.builder.SharedText(text)
		} else {
			d.builder.Text(text)
		}
		return nil
	case '{':
		return d.object()
	case '[':
		return d.array()
	case 'n':
		return d.literal("null", pcore.Undef{})
	case 't':
		return d.literal("true", pcore.Boolean(true))
	case 'f':
		return d.literal("false", pcore.Boolean(false))
	}
	if !isNumeral(c) {
		return d.unexpected("a value")
	}
	return d.number()
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
		if !first && d.comma() {
			d.pos++
		} else if end, err := d.edge(']', first); err != nil {
			return err
		} else if end {
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
		if !first && d.comma() {
			d.pos++
		} else if end, err := d.edge('}', first); err != nil {
			return err
		} else if end {
			return d.builder.EndMap()
		}
		start := d.pos
		if d.Data[start] != '"' {
			return d.noKey()
		}
		key, err := d.text()
		if err != nil {
			return err
		}
		d.builder.Key(key, int64(start))
		if d.pos < len(d.Data) && d.Data[d.pos] == ':' {
			d.pos++
		} else if err := d.colon(); err != nil {
			return err
		}
		if err := d.value(); err != nil {
			return err
		}
	}
}

// comma reports whether a comma stands here with what is neither blank nor a
// closing bracket right behind it, which needs no closer look.
func (d *decoder) comma() bool {
	if d.pos+1 >= len(d.Data) || d.Data[d.pos] != ',' {
		return false
	}
	c := d.Data[d.pos+1]
	return c > ' ' && c != ']' && c != '}'
}

// edge is separator, which it calls only when there is more to look at than one
// byte.
func (d *decoder) edge(closing byte, first bool) (end bool, err error) {
	if d.pos < len(d.Data) {
		switch c := d.Data[d.pos]; {
		case c == closing:
			d.pos++
			return true, nil
		case first && c == '"':
			return false, nil
		}
	}
	return d.separator(closing, first)
}
