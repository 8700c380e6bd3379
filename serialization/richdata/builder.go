package richdata

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Builder makes a value of data that is pushed into it. A wire calls a method
// for each thing it reads, in the order of the document; between BeginMap and
// EndMap, Key comes before each value. When [Builder.Done] reports true, Value
// returns what was built, and the Builder is ready for the next document.
//
// Errors are *[serialization.Error] with the path, and the offset when the
// Builder knows it better than its caller. After one, the Builder must be
// Reset. It must not be used by several goroutines at once.
type Builder struct {
	opts   serialization.DecodeOptions
	depth  int
	frames []frame
	// elems and entries hold the members of all arrays and maps that are
	// open; a frame knows where its own begin.
	elems   []pcore.Value
	entries []entry
	root    pcore.Value
	done    bool
	// pushed is the number of values so far, expanded that of values that
	// were referred to.
	pushed   int
	expanded int
	weights  weights
}

type frame struct {
	start int
	isMap bool
	// typ is the `__ptype` of a map as far as it was read and is a String.
	typ string
	// index finds keys of a map or of the list of a Hash, once a local
	// reference asks for one: the positions of the first indexed of them.
	index   *pcore.HashBuilder
	indexed int
}

// entry is a member of a map. Its value is nil while it is being read.
type entry struct {
	key    pcore.Value
	value  pcore.Value
	offset int64
}

// NewBuilder returns a Builder that keeps to the depth, the duplicates and the
// types of o. The other limits are the wire's to keep.
func NewBuilder(o serialization.DecodeOptions) *Builder {
	return &Builder{opts: o, depth: o.Depth()}
}

// Reset makes the Builder ready for a new document.
func (b *Builder) Reset() {
	clear(b.elems[:cap(b.elems)])
	clear(b.entries[:cap(b.entries)])
	b.frames, b.elems, b.entries = b.frames[:0], b.elems[:0], b.entries[:0]
	b.forget()
}

func (b *Builder) forget() {
	b.root, b.done = nil, false
	b.pushed, b.expanded, b.weights = 0, 0, nil
}

// Done reports whether a whole document has been pushed.
func (b *Builder) Done() bool { return b.done }

// Value returns the value of the document and makes the Builder ready for the
// next one.
func (b *Builder) Value() pcore.Value {
	v := b.root
	b.forget()
	return v
}

// Add pushes a value that is data by itself: undef, a Boolean, a number, a
// String, or a Binary of a wire that has byte strings.
func (b *Builder) Add(v pcore.Value) {
	b.pushed++
	if len(b.frames) == 0 {
		b.root, b.done = v, true
		return
	}
	f := &b.frames[len(b.frames)-1]
	if !f.isMap {
		b.elems = append(b.elems, v)
		return
	}
	e := &b.entries[len(b.entries)-1]
	e.value = v
	if typ, ok := v.(pcore.String); ok && e.key == pcore.String(TypeKey) {
		f.typ = string(typ)
	}
}

// Key pushes the key of the next member of a map, which stands at offset.
func (b *Builder) Key(key string, offset int64) {
	b.KeyValue(pcore.String(key), offset)
}

// KeyValue is Key for wires whose keys can be other values, too.
func (b *Builder) KeyValue(key pcore.Value, offset int64) {
	b.entries = append(b.entries, entry{key: key, offset: offset})
}

// Under tells that what is pushed stands inside of n arrays and maps, which
// count for the depth.
func (b *Builder) Under(n int) { b.depth = b.opts.Depth() - n }

// BeginArray opens an array.
func (b *Builder) BeginArray() error { return b.begin(frame{start: len(b.elems)}) }

// BeginMap opens a map.
func (b *Builder) BeginMap() error { return b.begin(frame{start: len(b.entries), isMap: true}) }

func (b *Builder) begin(f frame) error {
	if len(b.frames) >= b.depth {
		return b.fail(fmt.Errorf("%w: more than %d arrays and maps stand inside each other", serialization.ErrDepth, b.depth))
	}
	b.frames = append(b.frames, f)
	return nil
}

// EndArray closes the array that was opened last.
func (b *Builder) EndArray() {
	f := b.frames[len(b.frames)-1]
	elems := b.elems[f.start:]
	v := pcore.NewArray(append(make([]pcore.Value, 0, len(elems)), elems...)...)
	b.elems = b.elems[:f.start]
	b.frames = b.frames[:len(b.frames)-1]
	b.Add(v)
}

// EndMap closes the map that was opened last. It fails when a key occurs
// twice, and when the map is rich data that cannot be made a value.
func (b *Builder) EndMap() error {
	f := b.frames[len(b.frames)-1]
	members, err := b.members(b.entries[f.start:])
	if err != nil {
		return err
	}
	var v pcore.Value = members
	if typ, ok := members.GetString(TypeKey); ok && isTypeKey(typ) {
		if v, err = b.rich(typ, members); err != nil {
			return b.failAround(b.discreet(err))
		}
	}
	b.entries = b.entries[:f.start]
	b.frames = b.frames[:len(b.frames)-1]
	b.Add(v)
	return nil
}

// discreet returns err without its words when it is about what stands inside a
// Sensitive: they may quote it.
func (b *Builder) discreet(err error) error {
	if !b.secret() {
		return err
	}
	for _, kind := range []error{serialization.ErrUnknownType, serialization.ErrReference} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return serialization.ErrValue
}

// isTypeKey reports whether a member `__ptype` makes rich data of its map: a
// String, or what the map of an embedded type became. Anything else is data.
func isTypeKey(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.BigInteger, pcore.Float, *pcore.Array:
		return false
	default:
		return true
	}
}

func (b *Builder) members(entries []entry) (*pcore.Hash, error) {
	h := pcore.NewHashBuilder(len(entries))
	for i := range entries {
		e := &entries[i]
		if h.Set(e.key, e.value) && !b.opts.AllowDuplicates {
			err := b.failAround(serialization.ErrDuplicateKey)
			err.Offset = e.offset
			if !b.secret() {
				err.Path = append(err.Path, pcore.Step{Kind: pcore.StepEntry, Index: i, Key: e.key})
			}
			return nil, err
		}
	}
	return h.Hash(), nil
}

// fail returns err with the path to what is being read.
func (b *Builder) fail(err error) *serialization.Error {
	return join(b.Path(), err)
}

// failAround returns err with the path to the map or array that is open.
func (b *Builder) failAround(err error) *serialization.Error {
	return join(b.path(len(b.frames)-1), err)
}

func join(path pcore.Path, err error) *serialization.Error {
	var joined *serialization.Error
	if errors.As(serialization.Within(err, -1, path), &joined) {
		return joined
	}
	return &serialization.Error{Offset: -1, Path: path, Err: err}
}
