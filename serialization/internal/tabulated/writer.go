package tabulated

import (
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// writer implements [serialization.Writer] by building a value.
type writer struct {
	flavour Flavour
	opts    serialization.EncodeOptions
	encoder serialization.Encoder
	levels  []outLevel
	err     error
}

// outLevel is an open array or map.
type outLevel struct {
	elems []pcore.Value
	hash  *pcore.HashBuilder // nil for an array
	key   pcore.String
	keyed bool
	n     int // as announced
}

// NewWriter returns a Writer that writes to w. It keeps the document in memory
// until Close.
func (f Flavour) NewWriter(w io.Writer, o serialization.EncodeOptions) serialization.Writer {
	return &writer{flavour: f, opts: o, encoder: f.NewEncoder(w, o)}
}

var (
	errKey    = errors.New("missing key before the value of a map member")
	errNoKey  = errors.New("a key outside of a map, or after another key")
	errNoEnd  = errors.New("no array or map is open, or a key has no value")
	errIsOpen = errors.New("an array or a map is not closed")
)

func (w *writer) fail(err error) error {
	w.err = codec.InFormat(w.flavour.String(), err)
	return w.err
}

func (w *writer) top() *outLevel {
	if len(w.levels) == 0 {
		return nil
	}
	return &w.levels[len(w.levels)-1]
}

// value returns an error unless a value is allowed next.
func (w *writer) value() error {
	if w.err != nil {
		return w.err
	}
	if top := w.top(); top != nil && top.hash != nil && !top.keyed {
		return w.fail(errKey)
	}
	return nil
}

func (w *writer) add(v pcore.Value) error {
	top := w.top()
	switch {
	case top == nil:
		if err := w.encoder.Encode(v); err != nil {
			w.err = err
		}
		return w.err
	case top.hash != nil:
		top.hash.Set(top.key, v)
		top.keyed = false
	default:
		top.elems = append(top.elems, v)
	}
	return nil
}

// BeginMap implements [serialization.Writer].
func (w *writer) BeginMap(n int) error {
	if err := w.value(); err != nil {
		return err
	}
	w.levels = append(w.levels, outLevel{hash: pcore.NewHashBuilder(0), n: n})
	return nil
}

// BeginArray implements [serialization.Writer].
func (w *writer) BeginArray(n int) error {
	if err := w.value(); err != nil {
		return err
	}
	w.levels = append(w.levels, outLevel{n: n})
	return nil
}

// End implements [serialization.Writer].
func (w *writer) End() error {
	top := w.top()
	switch {
	case w.err != nil:
		return w.err
	case top == nil || top.keyed:
		return w.fail(errNoEnd)
	}
	v, n, err := top.made()
	switch {
	case err != nil:
		return w.fail(err)
	case top.n >= 0 && top.n != n:
		return w.fail(fmt.Errorf("%d members announced, but %d written", top.n, n))
	}
	w.levels = w.levels[:len(w.levels)-1]
	return w.add(v)
}

// made returns the value of an array or map and the number of its members.
func (l *outLevel) made() (v pcore.Value, n int, err error) {
	if l.hash == nil {
		return pcore.NewArray(l.elems...), len(l.elems), nil
	}
	h := l.hash.Hash()
	if _, rich := h.GetString(dataconv.TypeKey); !rich {
		return h, h.Len(), nil
	}
	// This is rich data that was copied member by member.
	b := dataconv.NewBuilder(serialization.DecodeOptions{AllowUnknownTypes: true})
	if err := b.BeginMap(); err != nil {
		return nil, 0, err
	}
	for k, member := range h.All() {
		b.KeyValue(k, -1)
		b.Add(member)
	}
	err = b.EndMap()
	return b.Value(), h.Len(), err
}

// Key implements [serialization.Writer].
func (w *writer) Key(key string) error {
	top := w.top()
	switch {
	case w.err != nil:
		return w.err
	case top == nil || top.hash == nil || top.keyed:
		return w.fail(errNoKey)
	}
	top.key, top.keyed = pcore.String(key), true
	return nil
}

// Value implements [serialization.Writer].
func (w *writer) Value(v pcore.Value) error {
	if err := w.value(); err != nil {
		return err
	}
	if _, secret := v.(*pcore.Sensitive); secret && w.opts.Secrets == serialization.RefuseSecrets {
		return w.fail(serialization.ErrSecret) // report it before the end of the document
	}
	return w.add(v)
}

// Raw implements [serialization.Writer].
func (w *writer) Raw(raw []byte) error {
	if err := w.value(); err != nil {
		return err
	}
	v, err := w.flavour.Decode(raw, serialization.DecodeOptions{MaxString: -1, MaxBytes: -1, AllowUnknownTypes: true})
	if err != nil {
		return w.fail(err)
	}
	return w.add(v)
}

// Close implements [serialization.Writer].
func (w *writer) Close() error {
	switch {
	case w.err != nil:
		return w.err
	case len(w.levels) > 0:
		return w.fail(errIsOpen)
	}
	return w.encoder.Close()
}
