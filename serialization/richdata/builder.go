package richdata

import (
	"errors"
	"fmt"
	"unsafe"

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
	// open; a frame knows where its own begin. The value of an entry is nil
	// while it is being read.
	elems   []pcore.Value
	entries []pcore.Entry
	// keys tell more of each of the entries.
	keys  []keyMark
	root  pcore.Value
	done  bool
	slab  pcore.Slab
	texts texts
	// recycled tells that the memory of slab is taken again.
	recycled bool
	// pushed is the number of values so far, expanded that of values that
	// were referred to.
	pushed   int
	expanded int
	weights  weights
	scalars  scalars
	resolved map[string]resolution
	metas    map[pcore.Type]*pcore.Hash // of the types that references led into
}

type frame struct {
	start int
	isMap bool
	// atType tells that the key read last is `__ptype`, typed that some key
	// is, and doubtful that two keys may be the same.
	atType, typed, doubtful bool
	// seen has a bit set for each key.
	seen uint64
	// typ is the `__ptype` of a map as far as it was read and is a String.
	typ string
	// index finds keys once a local reference asks for one.
	index *keyIndex
}

// keyMark is where a key stands, and a number that is the same for the same
// texts.
type keyMark struct {
	hash   uint64
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
	b.frames, b.elems, b.entries, b.keys = b.frames[:0], b.elems[:0], b.entries[:0], b.keys[:0]
	b.forget()
}

func (b *Builder) forget() {
	b.root, b.done = nil, false
	b.pushed, b.expanded, b.weights, b.resolved, b.metas = 0, 0, nil, nil, nil
	if !b.recycled {
		b.slab.Detach()
	}
}

// Recycle makes the Builder ready for a new document, which takes the memory of
// those before: no part of a value that was built may be in use any more.
func (b *Builder) Recycle() {
	b.slab.Recycle()
	b.recycled = true
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
	b.entries[len(b.entries)-1].Value = v
	if f.atType {
		if typ, ok := v.(pcore.String); ok {
			f.typ = string(typ)
		}
	}
}

// Text pushes a String with a copy of text.
func (b *Builder) Text(text []byte) {
	v, _ := b.texts.value(&b.slab, text)
	b.Add(v)
}

// SharedText is Text without the copy: the String points to text, which must
// not change any more. To look for the same text made before would take longer
// than to make one more.
func (b *Builder) SharedText(text []byte) {
	// The text stays as it is, which is what makes a string of Go.
	s := unsafe.String(unsafe.SliceData(text), len(text)) //nolint:gosec // as told above
	b.Add(b.slab.String(s))
}

// Integer pushes an Integer.
func (b *Builder) Integer(i int64) { b.Add(b.slab.Integer(i)) }

// Float pushes a Float.
func (b *Builder) Float(f float64) { b.Add(b.slab.Float(f)) }

// Key pushes the key of the next member of a map, which stands at offset.
func (b *Builder) Key(text []byte, offset int64) {
	v, hash := b.texts.value(&b.slab, text)
	f := &b.frames[len(b.frames)-1]
	bit := uint64(1) << (hash & 63)
	if f.seen&bit != 0 && !f.doubtful {
		f.doubtful = mayHold(b.keys[f.start:], hash)
	}
	f.seen |= bit
	f.atType = string(text) == TypeKey
	f.typed = f.typed || f.atType
	b.entries = append(b.entries, pcore.Entry{Key: v})
	b.keys = append(b.keys, keyMark{hash, offset})
}

// mayHold reports whether some key may have the hash. Of many keys it does not
// look at each.
func mayHold(keys []keyMark, hash uint64) bool {
	const many = 32
	if len(keys) > many {
		return true
	}
	for i := range keys {
		if keys[i].hash == hash {
			return true
		}
	}
	return false
}

// KeyValue is Key for wires whose keys can be other values, too.
func (b *Builder) KeyValue(key pcore.Value, offset int64) {
	f := &b.frames[len(b.frames)-1]
	f.atType = key == pcore.String(TypeKey)
	f.typed = f.typed || f.atType
	f.doubtful = true
	b.entries = append(b.entries, pcore.Entry{Key: key})
	b.keys = append(b.keys, keyMark{offset: offset})
}

// Under tells that what is pushed stands inside of n arrays and maps, which
// count for the depth.
func (b *Builder) Under(n int) { b.depth = b.opts.Depth() - n }

// BeginArray opens an array.
func (b *Builder) BeginArray() error { return b.begin(len(b.elems), false) }

// BeginMap opens a map.
func (b *Builder) BeginMap() error { return b.begin(len(b.entries), true) }

func (b *Builder) begin(start int, isMap bool) error {
	if len(b.frames) >= b.depth {
		return b.fail(fmt.Errorf("%w: more than %d arrays and maps stand inside each other", serialization.ErrDepth, b.depth))
	}
	b.frames = append(b.frames, frame{})
	f := &b.frames[len(b.frames)-1] // in its place: to copy it would wait for its parts
	f.start, f.isMap = start, isMap
	return nil
}

// EndArray closes the array that was opened last.
func (b *Builder) EndArray() {
	last := len(b.frames) - 1
	start := b.frames[last].start
	v := b.slab.Array(b.elems[start:])
	b.elems = b.elems[:start]
	b.frames = b.frames[:last]
	b.Add(v)
}

// EndMap closes the map that was opened last. It fails when a key occurs
// twice, and when the map is rich data that cannot be made a value.
func (b *Builder) EndMap() error {
	last := len(b.frames) - 1
	f := &b.frames[last]
	v, err := b.mapped(f)
	if err != nil {
		return err
	}
	start := f.start
	b.entries, b.keys = b.entries[:start], b.keys[:start]
	b.frames = b.frames[:last]
	b.Add(v)
	return nil
}

// mapped returns the value of the map that is open.
func (b *Builder) mapped(f *frame) (pcore.Value, error) {
	if b.opts.Plain {
		return b.members(f)
	}
	if value, ok := b.valued(f); ok {
		if v, known, err := b.wrapped(f.typ, value); known {
			return v, b.around(err)
		}
	}
	members, err := b.members(f)
	if err != nil {
		return nil, err
	}
	if !f.typed {
		return members, nil
	}
	typ, _ := members.GetString(TypeKey)
	if !isTypeKey(typ) {
		return members, nil
	}
	v, err := b.rich(typ, members)
	return v, b.around(err)
}

// valued returns the `__pvalue` of a map that has a name as its `__ptype` and
// nothing else, as most rich data.
func (b *Builder) valued(f *frame) (value pcore.Value, ok bool) {
	if f.typ == "" || f.doubtful || len(b.entries)-f.start != 2 {
		return nil, false
	}
	last := &b.entries[f.start+1]
	return last.Value, last.Key == pcore.String(ValueKey)
}

// around returns err with the path to the map that is open.
func (b *Builder) around(err error) error {
	if err == nil {
		return nil
	}
	return b.failAround(b.discreet(err))
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

func (b *Builder) members(f *frame) (*pcore.Hash, error) {
	entries := b.entries[f.start:]
	if !f.doubtful {
		return b.slab.Hash(entries), nil
	}
	h := pcore.NewHashBuilder(len(entries))
	for i := range entries {
		e := &entries[i]
		if h.Set(e.Key, e.Value) && !b.opts.AllowDuplicates {
			err := b.failAround(serialization.ErrDuplicateKey)
			err.Offset = b.keys[f.start+i].offset
			if !b.secret() {
				err.Path = append(err.Path, pcore.Step{Kind: pcore.StepEntry, Index: i, Key: e.Key})
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
