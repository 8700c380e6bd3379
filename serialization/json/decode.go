package json

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// name is what errors call the wire.
const name = "json"

// Decode returns the value of a whole document. What it returns does not refer
// to data. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	w := wire.NewWindowBytes(data)
	if int64(len(data)) > o.ByteLimit() {
		return nil, located(w, nil, fmt.Errorf("%w: the input has more than %d bytes", serialization.ErrTooLarge, o.ByteLimit()))
	}
	d := decoder{scanner: newScanner(w, &o), builder: richdata.NewBuilder(o)}
	v, err := d.document()
	if err != nil {
		return nil, located(w, nil, err)
	}
	if _, err := d.peek(); d.pos < len(data) && err == nil {
		return nil, located(w, nil, failAt(d.pos, serialization.ErrTrailing))
	}
	return v, nil
}

func newScanner(w *wire.Window, o *serialization.DecodeOptions) scanner {
	return scanner{data: w.Rest(), final: w.Final(), limit: o.StringLimit()}
}

// located returns err as seen by users: with the place in the input, and path
// before its own.
func located(w *wire.Window, path pcore.Path, err error) error {
	out := &serialization.Error{Format: name, Offset: w.Offset(), Path: path, Err: err}
	var pos *failure
	var inner *serialization.Error
	switch {
	case errors.As(err, &inner):
		out.Path = append(append(pcore.Path(nil), path...), inner.Path...)
		out.Err = inner.Err
		if inner.Offset >= 0 {
			out.Offset += inner.Offset
		}
	case errors.As(err, &pos):
		out.Path = append(append(pcore.Path(nil), path...), pos.path...)
		out.Err = pos.err
		out.Offset += int64(pos.pos)
	}
	out.Line, out.Column = w.Position(int(out.Offset - w.Offset()))
	return out
}

// Decoder reads values one after the other; blanks may stand between them. It
// holds one document in memory at a time.
type Decoder struct {
	window *wire.Window
	opts   serialization.DecodeOptions
	build  *richdata.Builder
	err    error
}

// NewDecoder returns a Decoder that reads from r. It reads ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) *Decoder {
	return &Decoder{window: wire.NewWindow(r, o.ByteLimit()), opts: o, build: richdata.NewBuilder(o)}
}

// Decode implements [serialization.Decoder].
func (d *Decoder) Decode() (pcore.Value, error) {
	if d.err != nil {
		return nil, d.err
	}
	v, err := d.next()
	if err != nil && err != io.EOF { //nolint:errorlint // made by blanks itself
		err = located(d.window, nil, err)
	}
	d.err = err
	return v, err
}

func (d *Decoder) next() (pcore.Value, error) {
	if err := blanks(d.window, &d.opts); err != nil {
		return nil, err
	}
	n, err := extent(d.window, &d.opts, 0)
	if err != nil {
		return nil, err
	}
	dec := decoder{scanner: newScanner(d.window, &d.opts), builder: d.build}
	dec.data, dec.final = dec.data[:n], true
	v, err := dec.document()
	if err != nil {
		return nil, err
	}
	d.window.Advance(n)
	return v, nil
}

// blanks moves the window to what comes next; io.EOF tells that nothing does.
func blanks(w *wire.Window, o *serialization.DecodeOptions) error {
	for {
		s := newScanner(w, o)
		_, err := s.peek()
		w.Advance(s.pos)
		switch {
		case err == nil:
			return nil
		case w.Final():
			return io.EOF
		}
		if err := w.More(); err != nil {
			return err
		}
	}
}

// extent returns the length of the value that comes next, which it validates,
// and reads as much of the input as that takes.
func extent(w *wire.Window, o *serialization.DecodeOptions, depth int) (int, error) {
	for {
		v := validator{scanner: newScanner(w, o), depth: o.Depth() - depth, duplicates: o.AllowDuplicates}
		err := v.value()
		if !errors.Is(err, errShort) {
			return v.pos, err
		}
		if err := w.More(); err != nil {
			return 0, err
		}
	}
}

// decoder pushes what it scans into a Builder.
type decoder struct {
	scanner
	builder *richdata.Builder
}

func (d *decoder) document() (pcore.Value, error) {
	if err := d.value(); err != nil {
		path := d.builder.Path()
		d.builder.Reset()
		return nil, withPath(err, path, d.pos)
	}
	return d.builder.Value(), nil
}

// withPath gives an error of the scanner the path of the builder; errors of
// the builder have it.
func withPath(err error, path pcore.Path, pos int) error {
	var inner *serialization.Error
	if errors.As(err, &inner) {
		if inner.Offset < 0 {
			inner.Offset = int64(pos)
		}
		return inner
	}
	var f *failure
	if errors.As(err, &f) {
		f.path = path
	}
	return err
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
		d.builder.Add(pcore.String(text))
	case 'n':
		err = d.literal("null")
		d.builder.Add(pcore.Undef{})
	case 't':
		err = d.literal("true")
		d.builder.Add(pcore.Boolean(true))
	case 'f':
		err = d.literal("false")
		d.builder.Add(pcore.Boolean(false))
	default:
		if c != '-' && (c < '0' || c > '9') {
			return d.unexpected("a value")
		}
		v, err := d.number()
		if err != nil {
			return err
		}
		d.builder.Add(v)
	}
	return err
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
		d.builder.Key(string(key), int64(start))
		if err := d.colon(); err != nil {
			return err
		}
		if err := d.value(); err != nil {
			return err
		}
	}
}
