package tabulated

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Flavour is the wire format of the stream. The zero value is [JSON].
type Flavour uint8

// The flavours.
const (
	JSON Flavour = iota
	MessagePack
)

// String returns the name of the form: "tabulated-json" or "tabulated-msgpack".
func (f Flavour) String() string {
	if f == MessagePack {
		return "tabulated-msgpack"
	}
	return "tabulated-json"
}

// Decode decodes a whole document with one value. Errors are
// *[serialization.Error] with the path to the value.
func (f Flavour) Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	return f.decode(data, o, new(memory))
}

// decode is Decode with the given memory.
func (f Flavour) decode(data []byte, o serialization.DecodeOptions, m *memory) (pcore.Value, error) {
	if f == JSON {
		if v, ok := decodeText(data, o, m); ok {
			return v, nil
		}
		m.recycle()
	}
	d := f.decoder(bytes.NewBuffer(data), o, m)
	v, err := d.Decode()
	if err == io.EOF { //nolint:errorlint // the contract of Decoder
		return nil, d.fail(fmt.Errorf("%w: the input is empty", serialization.ErrTruncated))
	}
	if err != nil {
		return nil, err
	}
	switch _, err := d.Decode(); {
	case err == nil:
		return nil, d.fail(serialization.ErrTrailing)
	case err != io.EOF: //nolint:errorlint // the contract of Decoder
		return nil, err
	}
	return v, nil
}

// Append appends v to dst as a whole document. If there is an error, it returns
// dst unchanged. Errors are *[serialization.Error].
func (f Flavour) Append(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
	e := &encoder{flavour: f, opts: o, before: dst}
	err := e.begin()
	if err == nil {
		err = e.s.value(v)
		e.s.release()
	}
	if err == nil {
		err = e.sink.close()
	}
	if err != nil {
		return dst, codec.InFormat(f.String(), err)
	}
	return e.sink.take(), nil
}

// decoder implements [serialization.Recycler].
type decoder struct {
	flavour Flavour
	input   io.Reader
	opts    serialization.DecodeOptions
	memory  *memory
	d       *deserializer
	err     error
	// recycled is the memory for Recycle, which reuses that of earlier documents.
	recycled memory
}

// NewDecoder returns a Decoder for the values of one document in r, which share
// tables. It keeps the whole document in memory.
func (f Flavour) NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return f.decoder(r, o, new(memory))
}

func (f Flavour) decoder(r io.Reader, o serialization.DecodeOptions, m *memory) *decoder {
	return &decoder{flavour: f, input: r, opts: o, memory: m}
}

// DecodeBytes implements [serialization.Recycler].
func (d *decoder) DecodeBytes(data []byte) (pcore.Value, error) {
	return d.flavour.Decode(data, d.opts)
}

// Recycle implements [serialization.Recycler].
func (d *decoder) Recycle(data []byte) (pcore.Value, error) {
	d.recycled.recycle()
	return d.flavour.decode(data, d.opts, &d.recycled)
}

// Decode implements [serialization.Decoder].
func (d *decoder) Decode() (pcore.Value, error) {
	if d.err != nil {
		return nil, d.err
	}
	if d.d == nil {
		src, err := d.flavour.source(d.input, d.opts, d.memory)
		if err != nil {
			return nil, d.fail(err)
		}
		d.d = newDeserializer(src, d.opts, d.memory)
	}
	v, err := d.d.value()
	if err == io.EOF { //nolint:errorlint // the contract of value
		if err = d.d.src.end(); err == nil {
			err = io.EOF
		}
	}
	if err != nil {
		return nil, d.fail(err)
	}
	return v, nil
}

func (d *decoder) fail(err error) error {
	if err != io.EOF { //nolint:errorlint // the contract of Decoder
		if d.d != nil {
			err = d.d.failed(err)
		}
		err = codec.InFormat(d.flavour.String(), err)
	}
	d.err = err
	return err
}

// source returns the stream of r. MessagePack is read into memory first, so
// that lengths in headers can be checked.
func (f Flavour) source(r io.Reader, o serialization.DecodeOptions, m *memory) (source, error) {
	if f == JSON {
		return newJSONSource(r, o), nil
	}
	if b, ok := r.(*bytes.Buffer); ok && int64(b.Len()) <= codec.ByteLimit(&o) {
		return newPackSource(b.Bytes(), o, &m.slab), nil
	}
	limit := codec.ByteLimit(&o)
	if limit < 1<<63-1 {
		r = io.LimitReader(r, limit+1)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: the input has more than %d bytes", serialization.ErrTooLarge, limit)
	}
	return newPackSource(data, o, &m.slab), nil
}

// encoder implements [serialization.Encoder].
type encoder struct {
	flavour Flavour
	out     io.Writer
	opts    serialization.EncodeOptions
	sink    interface {
		sink
		close() error
		// take returns the bytes since the last call, which are valid until the
		// next one of any method.
		take() []byte
	}
	s      *serializer
	before []byte // is part of the bytes of the sink
	err    error
}

// NewEncoder returns an Encoder that writes values to w in one document, in
// which they share tables. Close ends the document. After an error the Encoder
// must not be used.
func (f Flavour) NewEncoder(w io.Writer, o serialization.EncodeOptions) serialization.Encoder {
	return &encoder{flavour: f, out: w, opts: o}
}

func (e *encoder) begin() error {
	if e.s != nil {
		return e.err
	}
	switch {
	case e.flavour == MessagePack:
		e.sink = &packSink{b: e.before}
	case e.opts.Indent == "":
		e.sink = newTextSink(e.before)
	default:
		s, err := newJSONSink(e.before, e.opts.Indent)
		if err != nil {
			return err
		}
		e.sink = s
	}
	e.s = newSerializer(e.sink, e.opts)
	return nil
}

var errClosed = errors.New("the document is closed")

// Encode implements [serialization.Encoder].
func (e *encoder) Encode(v pcore.Value) error {
	err := e.begin()
	if err == nil {
		err = e.s.value(v)
	}
	if err != nil {
		e.err = codec.InFormat(e.flavour.String(), err)
		return e.err
	}
	return e.flush()
}

// Close implements [serialization.Encoder].
func (e *encoder) Close() error {
	if e.err != nil {
		return e.err
	}
	if err := e.begin(); err != nil {
		return err
	}
	if err := e.sink.close(); err != nil {
		return err
	}
	err := e.flush()
	e.err = errClosed
	return err
}

func (e *encoder) flush() error {
	if _, err := e.out.Write(e.sink.take()); err != nil {
		e.err = err
		return err
	}
	return nil
}
