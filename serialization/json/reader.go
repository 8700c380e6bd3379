package json

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/wire"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Reader implements [serialization.Reader].
type Reader struct {
	wire.Cursor
	window *wire.Window
	build  *richdata.Builder
}

// NewReader returns a cursor at the beginning of what r gives. It reads ahead.
func NewReader(r io.Reader, o serialization.DecodeOptions) *Reader {
	return newReader(wire.NewWindow(r, o.ByteLimit()), o)
}

// NewReaderBytes returns a cursor at the beginning of data, which it does not
// copy.
func NewReaderBytes(data []byte, o serialization.DecodeOptions) *Reader {
	return newReader(wire.NewWindowBytes(data), o)
}

func newReader(w *wire.Window, o serialization.DecodeOptions) *Reader {
	return &Reader{Cursor: wire.Cursor{Opts: o}, window: w, build: richdata.NewBuilder(o)}
}

// Token implements [serialization.Reader].
func (r *Reader) Token() (serialization.Token, error) {
	if err := r.Err(); err != nil {
		return 0, err
	}
	top := r.Top()
	if top == nil {
		if err := blanks(r.window, &r.Opts); err != nil {
			if err == io.EOF { //nolint:errorlint // made by blanks itself
				return 0, err
			}
			return 0, r.fail(err)
		}
		return r.valueToken()
	}
	if !top.Reached {
		end, err := r.reach(top)
		if err != nil || end {
			return serialization.TokenEnd, err
		}
	}
	if top.IsMap && !top.InValue {
		return serialization.TokenKey, nil
	}
	return r.valueToken()
}

// reach moves to the next member of the level, or reports its end and stays
// before the closing bracket.
func (r *Reader) reach(top *wire.Level) (end bool, err error) {
	closing := byte(']')
	if top.IsMap {
		closing = '}'
	}
	err = r.scan(func(s *scanner) error {
		if end, err = s.separator(closing, top.Read == 0); end {
			s.pos--
		}
		return err
	})
	top.Reached = err == nil && !end
	return end, err
}

func (r *Reader) valueToken() (t serialization.Token, err error) {
	err = r.scan(func(s *scanner) error {
		c, err := s.peek()
		if err != nil {
			return err
		}
		switch c {
		case '{':
			t = serialization.TokenMap
		case '[':
			t = serialization.TokenArray
		case '"':
			t = serialization.TokenString
		case 'n':
			t = serialization.TokenNull
		case 't', 'f':
			t = serialization.TokenBoolean
		default:
			t = serialization.TokenNumber
			if c != '-' && (c < '0' || c > '9') {
				return s.unexpected("a value")
			}
		}
		return nil
	})
	return t, err
}

// scan calls f on what is in memory, again with more of it as long as that is
// not enough, and moves over what f has read.
func (r *Reader) scan(f func(*scanner) error) error {
	for {
		s := newScanner(r.window, &r.Opts)
		err := f(&s)
		if err == nil {
			r.window.Advance(s.pos)
			return nil
		}
		if errors.Is(err, errShort) {
			err = r.window.More()
		}
		if err != nil {
			return r.fail(err)
		}
	}
}

func (r *Reader) fail(err error) error {
	return r.Fail(located(r.window, r.Path(), err))
}

// Enter implements [serialization.Reader]; the number is always -1.
func (r *Reader) Enter() (n int, err error) {
	t, err := r.next()
	switch {
	case err != nil:
		return -1, err
	case t != serialization.TokenArray && t != serialization.TokenMap:
		return -1, r.fail(fmt.Errorf("%w: an array or a map is expected here", serialization.ErrValue))
	case !r.Push(wire.Level{IsMap: t == serialization.TokenMap, Count: -1}):
		return -1, r.fail(fmt.Errorf("%w: more than %d arrays and maps stand inside each other", serialization.ErrDepth, r.Opts.Depth()))
	}
	r.window.Advance(1)
	return -1, nil
}

// next is Token where a value is expected.
func (r *Reader) next() (serialization.Token, error) {
	t, err := r.Token()
	switch {
	case err == io.EOF: //nolint:errorlint // made by blanks itself
		return t, r.fail(serialization.ErrTruncated)
	case err == nil && (t == serialization.TokenEnd || t == serialization.TokenKey):
		return t, r.fail(fmt.Errorf("%w: a value is expected here", serialization.ErrValue))
	}
	return t, err
}

// Leave implements [serialization.Reader].
func (r *Reader) Leave() error {
	for {
		if r.Top() == nil {
			return r.fail(fmt.Errorf("%w: there is nothing to leave", serialization.ErrValue))
		}
		t, err := r.Token()
		switch {
		case err != nil:
			return err
		case t == serialization.TokenEnd:
			r.window.Advance(1)
			r.Pop()
			return nil
		case t == serialization.TokenKey:
			_, err = r.Key()
		default:
			err = r.Skip()
		}
		if err != nil {
			return err
		}
	}
}

// Key implements [serialization.Reader].
func (r *Reader) Key() (key string, err error) {
	t, err := r.Token()
	switch {
	case err != nil:
		return "", err
	case t != serialization.TokenKey:
		return "", r.fail(fmt.Errorf("%w: a key is expected here", serialization.ErrValue))
	}
	start := r.window.Offset()
	err = r.scan(func(s *scanner) error {
		text, err := s.key()
		if err != nil {
			return err
		}
		key = string(text)
		if err := s.colon(); err != nil {
			return err
		}
		_, err = s.peek()
		return err
	})
	if err != nil {
		return "", err
	}
	if !r.Top().SetKey(key) && !r.Opts.AllowDuplicates {
		return "", r.fail(failAt(int(start-r.window.Offset()), serialization.ErrDuplicateKey))
	}
	return key, nil
}

// Value implements [serialization.Reader].
func (r *Reader) Value() (pcore.Value, error) {
	if _, err := r.next(); err != nil {
		return nil, err
	}
	d := decoder{builder: r.build}
	if !r.window.Final() {
		n, err := extent(r.window, &r.Opts, r.Depth())
		if err != nil {
			return nil, r.fail(err)
		}
		d.scanner = newScanner(r.window, &r.Opts)
		d.data, d.final = d.data[:n], true
	} else {
		d.scanner = newScanner(r.window, &r.Opts)
	}
	d.builder.Under(r.Depth())
	v, err := d.document()
	if err != nil {
		return nil, r.fail(err)
	}
	r.window.Advance(d.pos)
	r.Done()
	return v, nil
}

// Raw implements [serialization.Reader].
func (r *Reader) Raw() (serialization.Raw, error) {
	if _, err := r.next(); err != nil {
		return serialization.Raw{}, err
	}
	n, err := extent(r.window, &r.Opts, r.Depth())
	if err != nil {
		return serialization.Raw{}, r.fail(err)
	}
	raw := serialization.Raw{Bytes: r.window.Rest()[:n:n], Offset: r.window.Offset()}
	r.window.Advance(n)
	r.Done()
	return raw, nil
}

// Skip implements [serialization.Reader].
func (r *Reader) Skip() error {
	_, err := r.Raw()
	return err
}

// Offset implements [serialization.Reader].
func (r *Reader) Offset() int64 { return r.window.Offset() }

// End implements [serialization.Reader].
func (r *Reader) End() error {
	if r.Top() != nil {
		return r.fail(fmt.Errorf("%w: an array or a map is still open", serialization.ErrValue))
	}
	switch _, err := r.Token(); {
	case err == io.EOF: //nolint:errorlint // made by blanks itself
		return nil
	case err != nil:
		return err
	}
	return r.fail(serialization.ErrTrailing)
}
