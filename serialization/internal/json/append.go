package json

import (
	"io"
	"strconv"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

func appendInteger(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// appendString appends s in double quotes with the minimum of escapes.
func appendString(b []byte, s string) []byte { return jsonwire.AppendQuoted(b, s) }

// Append appends v to dst as a whole document. If there is an error, it returns
// dst unchanged.
func Append(dst []byte, v pcore.Value, mode dataconv.Mode, o serialization.EncodeOptions) ([]byte, error) {
	s := sink{b: dst, indent: o.Indent}
	if err := dataconv.NewEmitter(&s, mode, o).Emit(v); err != nil {
		return dst, codec.InFormat(name, err)
	}
	return s.b, nil
}

// encoder writes a sequence of values, each on a line of its own.
type encoder struct {
	w     io.Writer
	sink  sink
	emit  *dataconv.Emitter
	first bool
}

// NewEncoder returns an Encoder that writes values to w, each on a line of its
// own.
func NewEncoder(w io.Writer, mode dataconv.Mode, o serialization.EncodeOptions) serialization.Encoder {
	e := &encoder{w: w, sink: sink{indent: o.Indent}, first: true}
	e.emit = dataconv.NewEmitter(&e.sink, mode, o)
	return e
}

// Encode implements [serialization.Encoder].
func (e *encoder) Encode(v pcore.Value) error {
	e.sink = sink{b: e.sink.b[:0], indent: e.sink.indent}
	if !e.first {
		e.sink.b = append(e.sink.b, '\n')
	}
	if err := e.emit.Emit(v); err != nil {
		return codec.InFormat(name, err)
	}
	e.first = false
	_, err := e.w.Write(e.sink.b)
	return err
}

// Close implements [serialization.Encoder].
func (e *encoder) Close() error { return nil }
