package tabulated

import (
	"bytes"
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// packSink writes the stream as a sequence of values.
type packSink struct {
	w   *msgpack.Encoder
	out io.Writer
	// payload is the payload of the current extension.
	payload bytes.Buffer
	inner   *msgpack.Encoder
}

func newPackSink(w io.Writer) *packSink {
	s := &packSink{w: msgpack.NewEncoder(w), out: w}
	s.inner = msgpack.NewEncoder(&s.payload)
	return s
}

func (s *packSink) scalar(v pcore.Value) error { return pack(s.w, v) }

func pack(e *msgpack.Encoder, v pcore.Value) error {
	switch v := v.(type) {
	case pcore.Boolean:
		return e.EncodeBool(bool(v))
	case pcore.Integer:
		return e.EncodeInt(int64(v))
	case pcore.BigInteger:
		i := v.Big()
		if !i.IsUint64() {
			return fmt.Errorf("%w: MessagePack integers range from -2**63 to 2**64-1", serialization.ErrRange)
		}
		return e.EncodeUint(i.Uint64())
	case pcore.Float:
		return e.EncodeFloat64(float64(v))
	case pcore.String:
		return e.EncodeString(string(v))
	case pcore.Binary:
		return e.EncodeBytes(v.Bytes())
	default:
		return e.EncodeNil()
	}
}

func (s *packSink) extension(c code, _ int, payload ...pcore.Value) error {
	s.payload.Reset()
	for _, v := range payload {
		if err := pack(s.inner, v); err != nil {
			return err
		}
	}
	return s.write(c)
}

// write writes an extension with the payload.
func (s *packSink) write(c code) error {
	if err := s.w.EncodeExtHeader(int8(c), s.payload.Len()); err != nil {
		return err
	}
	_, err := s.payload.WriteTo(s.out)
	return err
}

func (s *packSink) number(c code, _, payload int) error {
	s.payload.Reset()
	if err := s.inner.EncodeInt(int64(payload)); err != nil {
		return err
	}
	return s.write(c)
}

func (s *packSink) binary(v pcore.Binary) (code, pcore.Value) { return codeBinary, v }

func (s *packSink) close() error { return nil }
