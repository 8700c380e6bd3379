package tabulated

import (
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// reader implements [serialization.Reader] on a value in memory.
type reader struct {
	flavour Flavour
	decoder *decoder
	root    pcore.Value // the next document, or nil before it is read
	levels  []level
	// shown is the rich data of value of, or nil if it has none.
	of    pcore.Value
	shown *pcore.Hash
	err   error
}

// level is an array or a map that contains the cursor.
type level struct {
	array *pcore.Array
	hash  *pcore.Hash // used if array is nil
	next  int
	keyed bool // the key of next has been read
	// data indicates that the cursor is in the rich data of a value, so that
	// the contents must be decoded.
	data bool
}

// NewReader returns a cursor at the beginning of r. It keeps the document in
// memory. A value that is neither an array nor a map with plain keys appears as
// the map of its rich data. A value without rich data, such as a type that
// refers to itself, has [serialization.TokenString] as its token; Value and Raw
// return it unchanged. Raw returns a value as a document of its own, not the
// original bytes.
func (f Flavour) NewReader(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
	return &reader{flavour: f, decoder: f.decoder(r, o, new(memory))}
}

func (r *reader) top() *level {
	if len(r.levels) == 0 {
		return nil
	}
	return &r.levels[len(r.levels)-1]
}

func (l *level) len() int {
	if l.array != nil {
		return l.array.Len()
	}
	return l.hash.Len()
}

func (l *level) atKey() bool { return l.array == nil && !l.keyed }

// here returns the next value, or nil at the end of an array or map. At a key,
// it returns the value of the key.
func (r *reader) here() (pcore.Value, error) {
	if r.err != nil {
		return nil, r.err
	}
	top := r.top()
	switch {
	case top == nil:
		return r.document()
	case top.next == top.len():
		return nil, nil
	case top.array != nil:
		return top.array.At(top.next), nil
	default:
		return top.hash.At(top.next).Value, nil
	}
}

func (r *reader) document() (pcore.Value, error) {
	if r.root == nil {
		v, err := r.decoder.Decode()
		if err != nil {
			if err != io.EOF { //nolint:errorlint // the contract of Decoder
				r.err = err
			}
			return nil, err
		}
		r.root = v
	}
	return r.root, nil
}

func (r *reader) fail(err error) error {
	var placed = &serialization.Error{Format: r.flavour.String(), Offset: -1, Path: untilSecret(r.Path()), Err: cause(err)}
	r.err = placed
	return placed
}

func (r *reader) misused(text string) error {
	return r.fail(fmt.Errorf("%w: %s", serialization.ErrValue, text))
}

// Token implements [serialization.Reader].
func (r *reader) Token() (serialization.Token, error) {
	v, err := r.here()
	switch {
	case err != nil:
		return 0, err
	case v == nil:
		return serialization.TokenEnd, nil
	case r.top() != nil && r.top().atKey():
		return serialization.TokenKey, nil
	}
	switch v.(type) {
	case pcore.Undef:
		return serialization.TokenNull, nil
	case pcore.Boolean:
		return serialization.TokenBoolean, nil
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		return serialization.TokenNumber, nil
	case pcore.String:
		return serialization.TokenString, nil
	case *pcore.Array:
		return serialization.TokenArray, nil
	default:
		if l, _ := r.inside(v); l.hash == nil {
			return serialization.TokenString, nil
		}
		return serialization.TokenMap, nil
	}
}

// next returns the next value, and an error if there is none.
func (r *reader) next() (pcore.Value, error) {
	v, err := r.here()
	switch {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return nil, r.fail(serialization.ErrTruncated)
	case err != nil:
		return nil, err
	case v == nil || r.top() != nil && r.top().atKey():
		return nil, r.misused("expected a value")
	}
	return v, nil
}

func (r *reader) done() {
	if top := r.top(); top != nil {
		top.next++
		top.keyed = false
		return
	}
	r.root = nil
}

// Enter implements [serialization.Reader].
func (r *reader) Enter() (n int, err error) {
	v, err := r.next()
	if err != nil {
		return -1, err
	}
	l, err := r.inside(v)
	switch {
	case err != nil:
		return -1, r.fail(err)
	case l.array == nil && l.hash == nil:
		return -1, r.misused("expected an array or a map")
	}
	r.levels = append(r.levels, l)
	return l.len(), nil
}

// inside returns the level for v, which has neither array nor hash for a
// scalar.
func (r *reader) inside(v pcore.Value) (level, error) {
	l := level{data: r.top() != nil && r.top().data}
	l.array, _ = v.(*pcore.Array)
	l.hash, _ = v.(*pcore.Hash)
	if l.array != nil || l.hash != nil && (l.data || l.hash.HasPlainKeys()) {
		return l, nil
	}
	if r.shown == nil || r.of != v {
		data, err := dataconv.Encode(v, dataconv.Rich, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			return level{}, err
		}
		r.of = v
		r.shown, _ = data.(*pcore.Hash)
	}
	return level{hash: r.shown, data: r.shown != nil}, nil
}

// Leave implements [serialization.Reader].
func (r *reader) Leave() error {
	switch {
	case r.err != nil:
		return r.err
	case r.top() == nil:
		return r.misused("no array or map is open")
	}
	r.levels = r.levels[:len(r.levels)-1]
	r.done()
	return nil
}

// Key implements [serialization.Reader].
func (r *reader) Key() (string, error) {
	v, err := r.here()
	if err != nil {
		return "", err
	}
	top := r.top()
	if v == nil || top == nil || !top.atKey() {
		return "", r.misused("expected a key")
	}
	key, ok := top.hash.At(top.next).Key.(pcore.String)
	if !ok {
		return "", r.misused("the map key is not a String")
	}
	top.keyed = true
	return string(key), nil
}

// Value implements [serialization.Reader].
func (r *reader) Value() (pcore.Value, error) {
	v, err := r.next()
	if err != nil {
		return nil, err
	}
	if r.top() != nil && r.top().data {
		if v, err = dataconv.Decode(v, r.decoder.opts); err != nil {
			return nil, r.fail(err)
		}
	}
	r.done()
	return v, nil
}

// Raw implements [serialization.Reader].
func (r *reader) Raw() (serialization.Raw, error) {
	path := untilSecret(r.Path())
	v, err := r.Value()
	if err != nil {
		return serialization.Raw{}, err
	}
	b, err := r.flavour.Append(nil, v, serialization.EncodeOptions{
		Secrets: serialization.PlainSecrets,
		// Outside of the document, its types would be unknown.
		EmbedTypes: len(r.decoder.d.types) > 0,
	})
	if err != nil {
		r.err = codec.Within(err, -1, path)
		return serialization.Raw{}, r.err
	}
	return serialization.Raw{Bytes: b, Offset: -1}, nil
}

// Skip implements [serialization.Reader].
func (r *reader) Skip() error {
	_, err := r.Value()
	return err
}

// Offset implements [serialization.Reader]. Tabulated values have no offsets,
// so it returns -1.
func (r *reader) Offset() int64 { return -1 }

// Path implements [serialization.Reader].
func (r *reader) Path() pcore.Path {
	var path pcore.Path
	for i := range r.levels {
		l := &r.levels[i]
		switch {
		case l.array != nil:
			path = path.Index(l.next)
		case l.keyed:
			path = append(path, pcore.Step{Kind: pcore.StepEntry, Index: l.next, Key: l.hash.At(l.next).Key})
		}
	}
	return path
}

// End implements [serialization.Reader].
func (r *reader) End() error {
	if r.top() != nil {
		return r.misused("an array or a map is not closed")
	}
	switch _, err := r.here(); {
	case err == io.EOF: //nolint:errorlint // the contract of here
		return nil
	case err != nil:
		return err
	default:
		return r.fail(serialization.ErrTrailing)
	}
}
