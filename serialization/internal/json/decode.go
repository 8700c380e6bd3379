package json

import (
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Decode decodes a whole document. The result does not refer to data unless
// o.ShareInput is set. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return wire.Decode(syntax{}, data, o)
}

// NewDecoder returns a Decoder for a sequence of documents in r, optionally
// separated by whitespace. It reads ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return wire.NewDecoder(syntax{}, r, o)
}

// NewReader returns a cursor at the beginning of r. It reads ahead. The
// contents of a *bytes.Buffer are not copied.
func NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return wire.NewReader(syntax{}, wire.NewWindow(r, codec.ByteLimit(&o)), o)
}

// decoder pushes the scanned data into a Builder. For speed, its methods take
// the position of a token and return its end; pos, which every token would have
// to wait for, is set only in rare cases and for errors of the Builder.
type decoder struct {
	scanner
	builder *dataconv.Builder
}

func (d *decoder) value(i int) (end int, err error) {
	if i >= len(d.Data) || d.Data[i] <= ' ' {
		if i, err = d.skip(i); err != nil {
			d.builder.Unbegun()
			return i, err
		}
	}
	switch c := d.Data[i]; c {
	case '"':
		text, end, err := d.textAt(i)
		switch {
		case err != nil:
			return i, err
		case d.Shared && end-i == len(text)+2: // it has no escapes
			d.builder.SharedText(text)
		default:
			d.builder.Text(text)
		}
		return end, nil
	case '{':
		return d.object(i)
	case '[':
		return d.array(i)
	case 'n':
		return d.literal(i, "null", pcore.Undef{})
	case 't':
		return d.literal(i, "true", pcore.Boolean(true))
	case 'f':
		return d.literal(i, "false", pcore.Boolean(false))
	}
	return d.number(i)
}

// skip skips whitespace.
func (d *decoder) skip(i int) (int, error) {
	d.pos = i
	_, err := d.peek()
	return d.pos, err
}

func (d *decoder) literal(i int, text string, v pcore.Value) (int, error) {
	end, ok := jsonwire.Literal(d.Data, i, text)
	if !ok {
		d.pos = i
		return i, d.scanner.literal(text)
	}
	d.builder.Add(v)
	return end, nil
}

func (d *decoder) array(i int) (int, error) {
	if err := d.builder.BeginArray(); err != nil {
		d.pos = i
		return i, err
	}
	i, closed, err := d.first(i+1, ']')
	for !closed && err == nil {
		if i, err = d.value(i); err == nil {
			i, closed, err = d.next(i, ']')
		}
	}
	if err == nil {
		d.builder.EndArray()
	}
	return i, err
}

func (d *decoder) object(i int) (int, error) {
	if err := d.builder.BeginMap(); err != nil {
		d.pos = i
		return i, err
	}
	i, closed, err := d.first(i+1, '}')
	for !closed && err == nil {
		if i, err = d.key(i); err == nil {
			if i, err = d.value(i); err == nil {
				i, closed, err = d.next(i, '}')
			}
		}
	}
	if err == nil {
		d.pos = i
		err = d.builder.EndMap()
	}
	return i, err
}

// key pushes a key and moves to its value.
func (d *decoder) key(i int) (int, error) {
	if d.Data[i] != '"' {
		d.pos = i
		return i, d.noKey()
	}
	text, end, err := d.textAt(i)
	if err != nil {
		return i, err
	}
	d.builder.Key(text, int64(i))
	if end < len(d.Data) && d.Data[end] == ':' {
		return end + 1, nil
	}
	d.pos = end
	if err = d.colon(); err != nil {
		d.builder.Unbegun()
	}
	return d.pos, err
}

// first moves to the first member of an array or map, or reports that it is
// closed and moves past the end.
func (d *decoder) first(i int, closing byte) (at int, closed bool, err error) {
	if i < len(d.Data) {
		switch d.Data[i] {
		case closing:
			return i + 1, true, nil
		case '"', '{':
			return i, false, nil
		}
	}
	d.pos = i
	closed, err = d.separator(closing, true)
	return d.pos, closed, err
}

// next is first for later members, which follow commas.
func (d *decoder) next(i int, closing byte) (at int, closed bool, err error) {
	if i+1 < len(d.Data) {
		switch c := d.Data[i+1]; {
		case d.Data[i] == closing:
			return i + 1, true, nil
		case d.Data[i] == ',' && c > ' ' && c != ']' && c != '}':
			return i + 1, false, nil
		}
	}
	d.pos = i
	closed, err = d.separator(closing, false)
	return d.pos, closed, err
}
