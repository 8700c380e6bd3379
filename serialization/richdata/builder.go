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
	// members are those of all arrays and maps that are open, one after the
	// other, of maps keys and values in turns; a frame knows where its own begin.
	// The value of a document stands alone.
	members []pcore.Value
	// offsets are where the keys stand.
	offsets []int64
	slab    pcore.Slab
	texts   texts
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
	// start is where the members begin, keys where the offsets do.
	start, keys int
	// seen has a bit set for each key.
	seen uint64
	// typ is the position of the value of `__ptype` in members, 0 without one.
	typ   int
	isMap bool
	// doubtful tells that two keys may be the same.
	doubtful bool
	// index finds keys once a local reference asks for one.
	index *keyIndex
}

// NewBuilder returns a Builder that keeps to the depth, the duplicates and the
// types of o. The other limits are the wire's to keep.
func NewBuilder(o serialization.DecodeOptions) *Builder {
	return &Builder{opts: o, depth: o.Depth()}
}

// Reset makes the Builder ready for a new document.
func (b *Builder) Reset() {
	clear(b.members[:cap(b.members)])
	b.frames, b.offsets = b.frames[:0], b.offsets[:0]
	b.forget()
}

func (b *Builder) forget() {
	b.members = b.members[:0]
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
func (b *Builder) Done() bool { return len(b.frames) == 0 && len(b.members) > 0 }

// Value returns the value of the document and makes the Builder ready for the
// next one.
func (b *Builder) Value() pcore.Value {
	if !b.Done() {
		return nil
	}
	v := b.members[len(b.members)-1]
	b.forget()
	return v
}

// Add pushes a value that is data by itself: undef, a Boolean, a number, a
// String, or a Binary of a wire that has byte strings.
func (b *Builder) Add(v pcore.Value) {
	b.pushed++
	b.members = append(b.members, v)
}

// Text pushes a String with a copy of text.
func (b *Builder) Text(text []byte) {
	v, _ := b.texts.value(&b.slab, text)
	b.Add(v)
}

// SharedText is Text without the copy: the String points to text, which must
// not change any more. With the build tag purego, it is a copy. To look for the same text made before would take longer
// than to make one more.
func (b *Builder) SharedText(text []byte) {
	b.Add(b.slab.String(sharedString(text)))
}

// Integer pushes an Integer.
func (b *Builder) Integer(i int64) { b.Add(b.slab.Integer(i)) }

// Float pushes a Float.
func (b *Builder) Float(f float64) { b.Add(b.slab.Float(f)) }

// Key pushes the key of the next member of a map, which stands at offset.
func (b *Builder) Key(text []byte, offset int64) {
	v, hash := b.texts.value(&b.slab, text)
	f := &b.frames[len(b.frames)-1]
	bit := uint64(1) << (hash >> 58) // the lowest bits tell of the first character only
	if f.seen&bit != 0 && !f.doubtful {
		f.doubtful = mayHold(b.members[f.start:], text)
	}
	f.seen |= bit
	if string(text) == TypeKey {
		f.typ = len(b.members) + 1
	}
	b.members = append(b.members, v)
	b.offsets = append(b.offsets, offset)
}

// mayHold reports whether a map of members may have a key. Of many keys it does
// not look at each.
func mayHold(members []pcore.Value, key []byte) bool {
	const many = 32
	if len(members) > 2*many {
		return true
	}
	for i := 0; i < len(members); i += 2 {
		if s, ok := members[i].(pcore.String); ok && string(s) == string(key) {
			return true
		}
	}
	return false
}

// KeyValue is Key for wires whose keys can be other values, too.
func (b *Builder) KeyValue(key pcore.Value, offset int64) {
	f := &b.frames[len(b.frames)-1]
	if key == pcore.String(TypeKey) {
		f.typ = len(b.members) + 1
	}
	f.doubtful = true
	b.members = append(b.members, key)
	b.offsets = append(b.offsets, offset)
}

// Under tells that what is pushed stands inside of n arrays and maps, which
// count for the depth.
func (b *Builder) Under(n int) { b.depth = b.opts.Depth() - n }

// BeginArray opens an array.
func (b *Builder) BeginArray() error { return b.begin(false) }

// BeginMap opens a map.
func (b *Builder) BeginMap() error { return b.begin(true) }

func (b *Builder) begin(isMap bool) error {
	if len(b.frames) >= b.depth {
		return b.fail(fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, b.depth))
	}
	b.frames = append(b.frames, frame{})
	f := &b.frames[len(b.frames)-1] // in its place: to copy it would wait for its parts
	f.start, f.keys, f.isMap = len(b.members), len(b.offsets), isMap
	return nil
}

// end replaces the members of the array or map that was opened last by the value
// they make.
func (b *Builder) end(v pcore.Value) {
	last := len(b.frames) - 1
	f := &b.frames[last]
	b.members, b.offsets = b.members[:f.start], b.offsets[:f.keys]
	b.frames = b.frames[:last]
	b.Add(v)
}

// EndArray closes the array that was opened last.
func (b *Builder) EndArray() {
	b.end(b.slab.Array(b.members[b.frames[len(b.frames)-1].start:]))
}

// EndMap closes the map that was opened last. It fails when a key occurs
// twice, and when the map is rich data that cannot be made a value.
func (b *Builder) EndMap() error {
	f := &b.frames[len(b.frames)-1]
	if f.typ == 0 && !f.doubtful {
		b.end(b.slab.Hash(b.members[f.start:]))
		return nil
	}
	v, err := b.mapped(f)
	if err != nil {
		return err
	}
	b.end(v)
	return nil
}

// mapped returns the value of the map that is open.
func (b *Builder) mapped(f *frame) (pcore.Value, error) {
	if b.opts.Plain {
		return b.hash(f)
	}
	if value, ok := b.valued(f); ok {
		if v, known, err := b.wrapped(b.typeOf(f), value); known {
			return v, b.around(err)
		}
	}
	members, err := b.hash(f)
	if err != nil {
		return nil, err
	}
	if f.typ == 0 {
		return members, nil
	}
	typ, _ := members.GetString(TypeKey)
	if !isTypeKey(typ) {
		return members, nil
	}
	v, err := b.rich(typ, members)
	return v, b.around(err)
}

// typeOf returns the `__ptype` of a map as far as it was read and is a String.
func (b *Builder) typeOf(f *frame) string {
	if f.typ == 0 || f.typ >= len(b.members) {
		return ""
	}
	typ, _ := b.members[f.typ].(pcore.String)
	return string(typ)
}

// valued returns the `__pvalue` of a map that has a name as its `__ptype` and
// nothing else, as most rich data.
func (b *Builder) valued(f *frame) (value pcore.Value, ok bool) {
	if f.doubtful || len(b.members)-f.start != 4 || b.typeOf(f) == "" {
		return nil, false
	}
	last := b.members[f.start+2:]
	return last[1], last[0] == pcore.String(ValueKey)
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

// hash returns the members of a map.
func (b *Builder) hash(f *frame) (*pcore.Hash, error) {
	members := b.members[f.start:]
	if !f.doubtful {
		return b.slab.Hash(members), nil
	}
	n := len(members) / 2
	h := pcore.NewHashBuilder(n)
	for i := range n {
		key := members[2*i]
		if h.Set(key, members[2*i+1]) && !b.opts.AllowDuplicates {
			err := b.failAround(serialization.ErrDuplicateKey)
			err.Offset = b.offsets[f.keys+i]
			if !b.secret() {
				err.Path = append(err.Path, pcore.Step{Kind: pcore.StepEntry, Index: i, Key: key})
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
