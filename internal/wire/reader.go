package wire

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Reader implements [serialization.Reader] on a Syntax.
type Reader struct {
	window *Window
	syntax Syntax
	opts   serialization.DecodeOptions
	build  *dataconv.Builder // nil until the first call of Value
	levels []Level
	err    error
}

// NewReader returns a cursor at the beginning of w.
func NewReader(s Syntax, w *Window, o serialization.DecodeOptions) *Reader {
	return &Reader{window: w, syntax: s, opts: o}
}

// Token implements [serialization.Reader].
func (r *Reader) Token() (t serialization.Token, err error) {
	if r.err != nil {
		return 0, r.err
	}
	top := r.top()
	switch {
	case top == nil:
		if err := start(r.window, r.syntax, &r.opts); err != nil {
			if err == io.EOF { //nolint:errorlint // the contract of Syntax
				return 0, err
			}
			return 0, r.fail(err)
		}
	case !top.reached:
		end, err := r.reach(top)
		if err != nil || end {
			return serialization.TokenEnd, err
		}
	}
	if top != nil && top.IsMap && !top.inValue {
		return serialization.TokenKey, nil
	}
	err = r.read(func(in Input) (int, error) {
		t, err = r.syntax.Token(in)
		return 0, err
	})
	return t, err
}

func (r *Reader) reach(top *Level) (end bool, err error) {
	err = r.read(func(in Input) (n int, err error) {
		n, end, err = r.syntax.Reach(in, top)
		return n, err
	})
	top.reached = err == nil && !end
	return end, err
}

// read calls f on the input in memory, repeatedly with more input while it is
// too short, and advances by the length that f returns.
func (r *Reader) read(f func(Input) (int, error)) error {
	for {
		n, err := f(r.window.input(&r.opts))
		if err == nil {
			r.window.Advance(n)
			return nil
		}
		if err := r.window.grow(err); err != nil {
			return r.fail(err)
		}
	}
}

func (r *Reader) fail(err error) error {
	r.err = r.window.locate(r.syntax, r.Path(), err)
	return r.err
}

func (r *Reader) misused(format string, args ...any) error {
	return r.fail(fmt.Errorf("%w: %s", serialization.ErrValue, fmt.Sprintf(format, args...)))
}

func (r *Reader) top() *Level {
	if len(r.levels) == 0 {
		return nil
	}
	return &r.levels[len(r.levels)-1]
}

func (r *Reader) done() {
	if top := r.top(); top != nil {
		top.done()
	}
}

// next is Token for a position where a value is expected.
func (r *Reader) next() (serialization.Token, error) {
	t, err := r.Token()
	switch {
	case err == io.EOF: //nolint:errorlint // as Token says
		return t, r.fail(serialization.ErrTruncated)
	case err == nil && (t == serialization.TokenEnd || t == serialization.TokenKey):
		return t, r.misused("expected a value")
	}
	return t, err
}

// Enter implements [serialization.Reader].
func (r *Reader) Enter() (n int, err error) {
	t, err := r.next()
	switch {
	case err != nil:
		return -1, err
	case t != serialization.TokenArray && t != serialization.TokenMap:
		return -1, r.misused("expected an array or a map")
	case len(r.levels) >= codec.Depth(&r.opts):
		return -1, r.fail(fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, codec.Depth(&r.opts)))
	}
	count := -1
	err = r.read(func(in Input) (n int, err error) {
		n, count, err = r.syntax.Enter(in)
		return n, err
	})
	r.levels = append(r.levels, Level{IsMap: t == serialization.TokenMap, Count: count})
	return count, err
}

// Leave implements [serialization.Reader].
func (r *Reader) Leave() error {
	for {
		if r.top() == nil {
			return r.misused("no array or map is open")
		}
		t, err := r.Token()
		switch {
		case err != nil:
		case t == serialization.TokenEnd:
			r.window.Advance(r.syntax.Leave(r.window.input(&r.opts)))
			r.levels = r.levels[:len(r.levels)-1]
			r.done()
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
		return "", r.misused("expected a key")
	}
	start := r.window.Offset()
	err = r.read(func(in Input) (n int, err error) {
		n, key, err = r.syntax.Key(in)
		return n, err
	})
	if err != nil {
		return "", err
	}
	if !r.top().setKey(key) && !r.opts.AllowDuplicates {
		return key, r.window.locate(r.syntax, r.Path(), FailAt(int(start-r.window.Offset()), serialization.ErrDuplicateKey))
	}
	return key, nil
}

// Value implements [serialization.Reader].
func (r *Reader) Value() (pcore.Value, error) {
	if _, err := r.next(); err != nil {
		return nil, err
	}
	if r.build == nil {
		r.build = dataconv.NewBuilder(r.opts)
	}
	v, err := decodeValue(r.window, r.syntax, &r.opts, r.build, len(r.levels))
	if err != nil {
		return nil, r.fail(err)
	}
	r.done()
	return v, nil
}

// Raw implements [serialization.Reader].
func (r *Reader) Raw() (serialization.Raw, error) {
	if _, err := r.next(); err != nil {
		return serialization.Raw{}, err
	}
	n, err := extent(r.window, r.syntax, &r.opts, len(r.levels), nil)
	var repeated Edits
	if errors.Is(err, serialization.ErrDuplicateKey) {
		n, err = extent(r.window, r.syntax, &r.opts, len(r.levels), &repeated)
	}
	if err != nil {
		return serialization.Raw{}, r.fail(err)
	}
	raw := serialization.Raw{Bytes: repeated.apply(r.window.Rest()[:n:n]), Offset: r.window.Offset()}
	r.window.Advance(n)
	r.done()
	return raw, nil
}

// Skip implements [serialization.Reader].
func (r *Reader) Skip() error {
	_, err := r.Raw()
	return err
}

// Offset implements [serialization.Reader].
func (r *Reader) Offset() int64 { return r.window.Offset() }

// Path implements [serialization.Reader].
func (r *Reader) Path() pcore.Path {
	path := make(pcore.Path, 0, len(r.levels))
	for i := range r.levels {
		switch l := &r.levels[i]; {
		case !l.IsMap:
			path = append(path, pcore.Step{Kind: pcore.StepIndex, Index: l.Read})
		case l.inValue:
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: l.Read, Key: pcore.String(l.key)})
		}
	}
	return path
}

// End implements [serialization.Reader].
func (r *Reader) End() error {
	if r.top() != nil {
		return r.misused("an array or a map is not closed")
	}
	switch err := start(r.window, r.syntax, &r.opts); {
	case r.err != nil:
		return r.err
	case err == io.EOF: //nolint:errorlint // the contract of Syntax
		return nil
	case err != nil:
		return r.fail(err)
	}
	return r.fail(serialization.ErrTrailing)
}
