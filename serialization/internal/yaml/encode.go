package yaml

import (
	"bytes"
	"io"
	"math"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Append appends v to dst as a whole document. If there is an error, it returns
// dst unchanged.
func Append(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
	s := sink{b: dst}
	if err := dataconv.NewEmitter(&s, dataconv.Rich, o).Emit(v); err != nil {
		return dst, codec.InFormat(name, err)
	}
	return s.b, nil
}

// encoder writes a sequence of values as documents of one stream.
type encoder struct {
	w     io.Writer
	sink  sink
	emit  *dataconv.Emitter
	later bool
}

// NewEncoder returns an Encoder that writes values to w as documents of one
// stream.
func NewEncoder(w io.Writer, o serialization.EncodeOptions) serialization.Encoder {
	e := &encoder{w: w}
	e.emit = dataconv.NewEmitter(&e.sink, dataconv.Rich, o)
	return e
}

// Encode implements [serialization.Encoder].
func (e *encoder) Encode(v pcore.Value) error {
	e.sink = sink{b: e.sink.b[:0]}
	if e.later {
		e.sink.b = append(e.sink.b, "---\n"...)
	}
	if err := e.emit.Emit(v); err != nil {
		return codec.InFormat(name, err)
	}
	e.later = true
	_, err := e.w.Write(e.sink.b)
	return err
}

// Close implements [serialization.Encoder].
func (e *encoder) Close() error { return nil }

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, o serialization.EncodeOptions) serialization.Writer {
	return wire.NewWriter(name, w, &documentSink{}, dataconv.Rich, o)
}

// documentSink implements wire.Sink.
type documentSink struct{ sink }

// Raw pushes the value of another document. It parses and writes it again,
// because its indentation may differ.
func (s *documentSink) Raw(value []byte) error {
	written := serialization.DecodeOptions{MaxDepth: math.MaxInt, MaxString: -1, MaxBytes: -1, AllowDuplicates: true}
	from := newEvents(bytes.NewReader(value), written)
	e, err := from.begin()
	if err != nil {
		return err
	}
	return from.walk(e, &toSink{s: &s.sink}, 0)
}

func (s *documentSink) Final() []byte { return s.b }
func (s *documentSink) Drop()         { s.b = s.b[:0] }
