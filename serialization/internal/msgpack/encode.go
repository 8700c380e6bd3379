package msgpack

import (
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Append appends v to dst as a whole document. If there is an error, it returns
// dst unchanged.
func Append(dst []byte, v pcore.Value, mode dataconv.Mode, o serialization.EncodeOptions) ([]byte, error) {
	s := sink{b: dst}
	if err := dataconv.NewEmitter(&s, mode, o).Emit(v); err != nil {
		return dst, codec.InFormat(name, err)
	}
	return s.b, nil
}

// encoder writes a sequence of values.
type encoder struct {
	w    io.Writer
	sink sink
	emit *dataconv.Emitter
}

// NewEncoder returns an Encoder that writes a sequence of values to w.
func NewEncoder(w io.Writer, mode dataconv.Mode, o serialization.EncodeOptions) serialization.Encoder {
	e := &encoder{w: w}
	e.emit = dataconv.NewEmitter(&e.sink, mode, o)
	return e
}

// Encode implements [serialization.Encoder].
func (e *encoder) Encode(v pcore.Value) error {
	e.sink = sink{b: e.sink.b[:0]}
	if err := e.emit.Emit(v); err != nil {
		return codec.InFormat(name, err)
	}
	_, err := e.w.Write(e.sink.b)
	return err
}

// Close implements [serialization.Encoder].
func (e *encoder) Close() error { return nil }

// NewWriter returns a Writer that writes to w. It buffers an array or a map of
// unknown length until it is closed.
func NewWriter(w io.Writer, mode dataconv.Mode, o serialization.EncodeOptions) serialization.Writer {
	return wire.NewWriter(name, w, &sink{}, mode, o)
}
