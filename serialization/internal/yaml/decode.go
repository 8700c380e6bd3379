package yaml

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// name is the name of the wire format in errors.
const name = "yaml"

// Decode decodes a whole document. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return newDecoder(o).whole(data)
}

// decoder reads a stream of documents. It implements [serialization.Recycler].
type decoder struct {
	events *events
	build  *dataconv.Builder
	// inMemory is the decoder for DecodeBytes. recycled is the one for Recycle, which
	// reuses the memory of earlier documents.
	inMemory, recycled *decoder
}

// newDecoder returns a decoder of documents in memory.
func newDecoder(o serialization.DecodeOptions) *decoder {
	return &decoder{events: &events{opts: o}, build: dataconv.NewBuilder(o)}
}

// NewDecoder returns a Decoder for the stream of documents in r. It reads
// ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return &decoder{events: newEvents(r, o), build: dataconv.NewBuilder(o)}
}

// Decode implements [serialization.Decoder].
func (d *decoder) Decode() (pcore.Value, error) {
	e, err := d.events.begin()
	if err != nil {
		return nil, err
	}
	if err := d.events.walk(e, toBuilder{d.build}, 0); err != nil {
		d.build.Reset()
		return nil, d.events.stop(err)
	}
	v := d.build.Value()
	if err := d.events.end(); err != nil {
		return nil, err
	}
	return v, nil
}

// whole decodes a whole document.
func (d *decoder) whole(data []byte) (pcore.Value, error) {
	d.events.reset(data)
	v, err := d.Decode()
	if err == io.EOF { //nolint:errorlint // the contract of Decoder
		return nil, d.events.fail(nil, nil, fmt.Errorf("%w: the input is empty", serialization.ErrTruncated))
	}
	if err != nil {
		return nil, err
	}
	switch e, err := d.events.begin(); {
	case err == nil:
		return nil, d.events.fail(&e, nil, serialization.ErrTrailing)
	case err != io.EOF: //nolint:errorlint // the contract of begin
		return nil, err
	}
	return v, nil
}

// DecodeBytes implements [serialization.Recycler].
func (d *decoder) DecodeBytes(data []byte) (pcore.Value, error) {
	if d.inMemory == nil {
		d.inMemory = newDecoder(d.events.opts)
	}
	return d.inMemory.whole(data)
}

// Recycle implements [serialization.Recycler].
func (d *decoder) Recycle(data []byte) (pcore.Value, error) {
	if d.recycled == nil {
		d.recycled = newDecoder(d.events.opts)
	}
	d.recycled.build.Recycle()
	d.recycled.events.slab.Recycle()
	return d.recycled.whole(data)
}

// limited reads at most left bytes.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return 0, fmt.Errorf("%w: the input exceeds the maximum size", serialization.ErrTooLarge)
	}
	return n, err
}

// parseError converts an error of the parser to an *[serialization.Error].
func parseError(err error) error {
	out := &serialization.Error{Format: name, Offset: -1, Err: err}
	var syntax *yamlwire.Error
	if errors.As(err, &syntax) {
		kind := serialization.ErrSyntax
		if errors.Is(err, yamlwire.ErrEncoding) {
			kind = serialization.ErrUTF8
		}
		out.Line, out.Column, out.Err = syntax.Line, syntax.Column, fmt.Errorf("%w: %s", kind, syntax.Problem)
	}
	return out
}
