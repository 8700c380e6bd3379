package tabulated

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// packSink writes the stream as a sequence of values.
type packSink struct {
	b       []byte
	payload []byte // of the current extension
}

func (s *packSink) scalar(v pcore.Value) (err error) {
	s.b, err = appendPacked(s.b, v)
	return err
}

// appendPacked appends a scalar.
func appendPacked(b []byte, v pcore.Value) ([]byte, error) {
	switch v := v.(type) {
	case pcore.Boolean:
		if v {
			return append(b, pack.True), nil
		}
		return append(b, pack.False), nil
	case pcore.Integer:
		return pack.Int(b, int64(v)), nil
	case pcore.BigInteger:
		i := v.Big()
		if !i.IsUint64() {
			return b, fmt.Errorf("%w: MessagePack integers range from -2**63 to 2**64-1", serialization.ErrRange)
		}
		return pack.Uint(b, i.Uint64()), nil
	case pcore.Float:
		return pack.Float(b, float64(v)), nil
	case pcore.String:
		return append(pack.Text(b, len(v)), v...), nil
	case pcore.Binary:
		raw := v.Raw()
		return append(pack.Binary(b, len(raw)), raw...), nil
	default:
		return append(b, pack.Nil), nil
	}
}

func (s *packSink) extension(c code, _ int, payload ...pcore.Value) (err error) {
	s.payload = s.payload[:0]
	for _, v := range payload {
		if s.payload, err = appendPacked(s.payload, v); err != nil {
			return err
		}
	}
	s.write(c)
	return nil
}

// write writes an extension with the payload.
func (s *packSink) write(c code) {
	s.b = append(pack.Extension(s.b, byte(c), len(s.payload)), s.payload...)
}

func (s *packSink) number(c code, _, payload int) error {
	s.payload = pack.Int(s.payload[:0], int64(payload))
	s.write(c)
	return nil
}

func (s *packSink) binary(v pcore.Binary) (code, pcore.Value) { return codeBinary, v }

func (s *packSink) close() error { return nil }

func (s *packSink) take() []byte {
	b := s.b
	s.b = s.b[:0]
	return b
}
