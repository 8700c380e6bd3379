package msgpack

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// name is the name of the wire format in errors.
const name = "msgpack"

// syntax implements wire.Syntax.
type syntax struct{}

func (syntax) Name() string  { return name }
func (syntax) Textual() bool { return false }

func (syntax) Start(in wire.Input) (n int, err error) {
	switch {
	case len(in.Data) > 0:
		return 0, nil
	case in.Final:
		return 0, io.EOF
	}
	return 0, wire.ErrShort
}

func (syntax) Reach(_ wire.Input, l *wire.Level) (n int, end bool, err error) {
	return 0, l.Read == l.Count, nil
}

func (syntax) Token(in wire.Input) (serialization.Token, error) {
	s := newScanner(in)
	h, err := s.header()
	return h.kind.token(), err
}

func (k kind) token() serialization.Token {
	switch k {
	case kindBool:
		return serialization.TokenBoolean
	case kindInt, kindUint, kindFloat:
		return serialization.TokenNumber
	case kindString:
		return serialization.TokenString
	case kindBinary:
		return serialization.TokenBinary
	case kindArray:
		return serialization.TokenArray
	case kindMap:
		return serialization.TokenMap
	default:
		return serialization.TokenNull
	}
}

func (syntax) Enter(in wire.Input) (n, count int, err error) {
	s := newScanner(in)
	h, err := s.header()
	return s.pos, h.n, err
}

func (syntax) Leave(wire.Input) (n int) { return 0 }

func (syntax) Key(in wire.Input) (n int, key string, err error) {
	s := newScanner(in)
	h, err := s.header()
	if err != nil {
		return 0, "", err
	}
	if h.kind != kindString {
		return 0, "", wire.FailAt(0, fmt.Errorf("%w: a map key is not a string", serialization.ErrUnsupported))
	}
	text, err := s.bytes(h)
	if err == nil && s.pos == len(s.Data) {
		err = s.Short() // the path has no key before the value begins
	}
	return s.pos, string(text), err
}

func (syntax) Extent(in wire.Input, depth int) (n int, err error) {
	v := validator{scanner: newScanner(in), depth: depth, keys: in.Keys}
	err = v.value()
	return v.pos, err
}

func (syntax) Decode(in wire.Input, b *dataconv.Builder) (n int, err error) {
	d := decoder{scanner: newScanner(in), builder: b}
	if err := d.value(); err != nil {
		return 0, wire.Built(err, b.Path(), d.pos)
	}
	return d.pos, nil
}
