package json

import (
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/serialization"
)

// name is the name of the wire format in errors.
const name = "json"

// syntax implements wire.Syntax.
type syntax struct{}

func (syntax) Name() string  { return name }
func (syntax) Textual() bool { return true }

func (syntax) Start(in wire.Input) (n int, err error) {
	s := newScanner(in)
	switch s.blanks(); {
	case s.pos < len(in.Data):
		return s.pos, nil
	case in.Final:
		return s.pos, io.EOF
	}
	return s.pos, wire.ErrShort
}

func (syntax) Reach(in wire.Input, l *wire.Level) (n int, end bool, err error) {
	closing := byte(']')
	if l.IsMap {
		closing = '}'
	}
	s := newScanner(in)
	if end, err = s.separator(closing, l.Read == 0); end {
		s.pos-- // Leave reads the bracket
	}
	return s.pos, end, err
}

func (syntax) Token(in wire.Input) (serialization.Token, error) {
	s := newScanner(in)
	c, err := s.peek()
	if err != nil {
		return 0, err
	}
	switch c {
	case '{':
		return serialization.TokenMap, nil
	case '[':
		return serialization.TokenArray, nil
	case '"':
		return serialization.TokenString, nil
	case 'n':
		return serialization.TokenNull, nil
	case 't', 'f':
		return serialization.TokenBoolean, nil
	}
	if !jsonwire.BeginsNumber(c) {
		return 0, s.unexpected("a value")
	}
	return serialization.TokenNumber, nil
}

func (syntax) Enter(wire.Input) (n, count int, err error) { return 1, -1, nil }

func (syntax) Leave(wire.Input) (n int) { return 1 }

func (syntax) Key(in wire.Input) (n int, key string, err error) {
	s := newScanner(in)
	text, err := s.key()
	if err != nil {
		return 0, "", err
	}
	key = string(text)
	if err = s.colon(); err == nil {
		_, err = s.peek()
	}
	if err != nil {
		return 0, "", err // the path has no key before the value begins
	}
	return s.pos, key, nil
}

func (syntax) Extent(in wire.Input, depth int) (n int, err error) {
	v := validator{scanner: newScanner(in), depth: depth, keys: in.Keys}
	err = v.value()
	return v.pos, err
}

func (syntax) Decode(in wire.Input, b *dataconv.Builder) (n int, err error) {
	d := decoder{scanner: newScanner(in), builder: b}
	if n, err = d.value(0); err != nil {
		return 0, wire.Built(err, b.Path(), d.pos)
	}
	return n, nil
}
