package wire

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Decode returns the value of data, a whole document.
func Decode(s Syntax, data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return decodeAll(NewWindowBytes(data), s, &o, dataconv.NewBuilder(o))
}

// decodeAll decodes the whole contents of w.
func decodeAll(w *Window, s Syntax, o *serialization.DecodeOptions, b *dataconv.Builder) (pcore.Value, error) {
	if int64(len(w.buf)) > codec.ByteLimit(o) {
		return nil, w.locate(s, nil, tooLarge(codec.ByteLimit(o)))
	}
	v, err := decode(w, s, o, b)
	if err != nil {
		return nil, err
	}
	switch err := start(w, s, o); {
	case err == nil:
		return nil, w.locate(s, nil, serialization.ErrTrailing)
	case err != io.EOF: //nolint:errorlint // the contract of Syntax
		return nil, w.locate(s, nil, err)
	}
	return v, nil
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: the input has more than %d bytes", serialization.ErrTooLarge, limit)
}

func decode(w *Window, s Syntax, o *serialization.DecodeOptions, b *dataconv.Builder) (pcore.Value, error) {
	if err := start(w, s, o); err != nil {
		if err == io.EOF { //nolint:errorlint // the contract of Syntax
			err = fmt.Errorf("%w: the input is empty", serialization.ErrTruncated)
		}
		return nil, w.locate(s, nil, err)
	}
	v, err := decodeValue(w, s, o, b, 0)
	if err != nil {
		return nil, w.locate(s, nil, err)
	}
	return v, nil
}

// decodeValue decodes the next value, which is nested in depth levels. Unless
// the whole input is in memory, it finds the end of the value first.
func decodeValue(w *Window, s Syntax, o *serialization.DecodeOptions, b *dataconv.Builder, depth int) (pcore.Value, error) {
	in := w.input(o)
	if !w.final {
		lenient := *o
		lenient.AllowDuplicates = true // the Builder compares their values
		n, err := extent(w, s, &lenient, depth, nil)
		if err != nil {
			return nil, err
		}
		in = Input{Data: w.Rest()[:n], Final: true, Opts: o}
	}
	b.Under(depth)
	n, err := s.Decode(in, b)
	if err != nil {
		b.Reset()
		return nil, err
	}
	w.Advance(n)
	return b.Value(), nil
}

// Decoder implements [serialization.Decoder]. It keeps one document in memory
// at a time.
type Decoder struct {
	window *Window
	syntax Syntax
	opts   serialization.DecodeOptions
	build  *dataconv.Builder
	err    error
	// whole is the window on documents in memory. own is the Builder for
	// Recycle, which reuses the memory of earlier documents.
	whole Window
	own   *dataconv.Builder
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(s Syntax, r io.Reader, o serialization.DecodeOptions) *Decoder {
	return &Decoder{window: NewWindow(r, codec.ByteLimit(&o)), syntax: s, opts: o, build: dataconv.NewBuilder(o)}
}

// Decode implements [serialization.Decoder].
func (d *Decoder) Decode() (pcore.Value, error) {
	if d.err != nil {
		return nil, d.err
	}
	v, err := d.next()
	if err != nil && err != io.EOF { //nolint:errorlint // the contract of Syntax
		err = d.window.locate(d.syntax, nil, err)
	}
	d.err = err
	return v, err
}

func (d *Decoder) next() (pcore.Value, error) {
	if err := start(d.window, d.syntax, &d.opts); err != nil {
		return nil, err
	}
	return decodeValue(d.window, d.syntax, &d.opts, d.build, 0)
}

// DecodeBytes implements [serialization.Recycler].
func (d *Decoder) DecodeBytes(data []byte) (pcore.Value, error) {
	d.whole.reset(data)
	return decodeAll(&d.whole, d.syntax, &d.opts, d.build)
}

// Recycle implements [serialization.Recycler].
func (d *Decoder) Recycle(data []byte) (pcore.Value, error) {
	if d.own == nil {
		d.own = dataconv.NewBuilder(d.opts)
	}
	d.own.Recycle()
	d.whole.reset(data)
	return decodeAll(&d.whole, d.syntax, &d.opts, d.own)
}
