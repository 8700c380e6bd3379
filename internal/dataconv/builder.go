package dataconv

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Builder builds a value from elements pushed into it. A wire format calls a
// method for each element in document order; between BeginMap and EndMap, Key
// precedes each value. Once [Builder.Done] reports true, Value returns the
// result and makes the Builder ready for the next document.
//
// Errors are *[serialization.Error] with the path, and with the offset if the
// Builder knows it better than its caller. After an error the Builder must be
// Reset. It is not safe for concurrent use.
type Builder struct {
	opts   serialization.DecodeOptions
	depth  int
	frames []frame
	// members are the members of all open arrays and maps, one after the other;
	// a map has keys and values in turn. Each frame has the start of its own
	// members. The value of a complete document is the only member.
	members []pcore.Value
	// offsets are the positions of the keys in the input.
	offsets []int64
	slab    pcore.Slab
	texts   texts
	// recycled indicates that the memory of slab is reused.
	recycled bool
	// pushed is the number of values so far, and expanded the number of values
	// reached through references.
	pushed   int
	expanded int
	weights  weights
	scalars  scalars
	resolved map[string]resolution
	metas    map[pcore.Type]*pcore.Hash // of the types that references lead into
}

type frame struct {
	// start is the index of the first member, and keys of the first offset.
	start, keys int
	// seen has a bit set for each key, selected by its hash.
	seen uint64
	// typ is the index of the value of `__ptype` in members, or 0 if there is
	// none.
	typ   int
	isMap bool
	// doubtful indicates that two keys may be equal.
	doubtful bool
	// index finds keys. It is built for the first local reference.
	index *keyIndex
}

// NewBuilder returns a Builder with the depth, duplicate and type options of o.
// The wire format must enforce the other limits.
func NewBuilder(o serialization.DecodeOptions) *Builder {
	return &Builder{opts: o, depth: codec.Depth(&o)}
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

// Recycle makes the Builder ready for a new document and reuses the memory of
// earlier ones: no part of a value that was built may be in use.
func (b *Builder) Recycle() {
	b.slab.Recycle()
	b.recycled = true
}

// Done reports whether a whole document has been pushed.
func (b *Builder) Done() bool { return len(b.frames) == 0 && len(b.members) > 0 }

// Value returns the value of the document and makes the Builder ready for the
// next one. It returns nil unless Done reports true.
func (b *Builder) Value() pcore.Value {
	if !b.Done() {
		return nil
	}
	v := b.members[len(b.members)-1]
	b.forget()
	return v
}

// Add pushes a plain value: undef, a Boolean, a number, a String, or a Binary
// of a wire format with byte strings.
func (b *Builder) Add(v pcore.Value) {
	b.pushed++
	b.members = append(b.members, v)
}

// Text pushes a String with a copy of text.
func (b *Builder) Text(text []byte) {
	v, _ := b.texts.value(&b.slab, text)
	b.Add(v)
}

// SharedText is Text without the copy: the String refers to text, which must
// not be modified afterwards. With the build tag purego, it copies. It does not
// look for an equal String to reuse, because that takes longer than making
// another.
func (b *Builder) SharedText(text []byte) {
	b.Add(b.slab.String(sharedString(text)))
}

// Integer pushes an Integer.
func (b *Builder) Integer(i int64) { b.Add(b.slab.Integer(i)) }

// Float pushes a Float.
func (b *Builder) Float(f float64) { b.Add(b.slab.Float(f)) }

// Key pushes the key of the next member of a map, at the given offset.
func (b *Builder) Key(text []byte, offset int64) {
	v, hash := b.texts.value(&b.slab, text)
	f := &b.frames[len(b.frames)-1]
	bit := keyBit(hash)
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

// keyBit returns the bit of a frame for a key.
func keyBit(hash uint64) uint64 {
	return 1 << (hash >> 58) // the lowest bits depend on the first character only
}

// mayHold reports whether the members of a map may contain a key. If there are
// many, it does not compare them.
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

// KeyValue is Key for wire formats whose keys can be other values.
func (b *Builder) KeyValue(key pcore.Value, offset int64) {
	f := &b.frames[len(b.frames)-1]
	text, ok := key.(pcore.String)
	if !ok {
		f.doubtful = true
	}
	if !f.doubtful {
		bit := keyBit(signOf([]byte(text)).hash())
		f.doubtful = f.seen&bit != 0 && mayHold(b.members[f.start:], []byte(text))
		f.seen |= bit
	}
	if text == TypeKey {
		f.typ = len(b.members) + 1
	}
	b.members = append(b.members, key)
	b.offsets = append(b.offsets, offset)
}

// Under sets the number of arrays and maps around the pushed values, which
// count toward the depth limit.
func (b *Builder) Under(n int) { b.depth = codec.Depth(&b.opts) - n }

// BeginArray opens an array.
func (b *Builder) BeginArray() error { return b.begin(false) }

// BeginMap opens a map.
func (b *Builder) BeginMap() error { return b.begin(true) }

func (b *Builder) begin(isMap bool) error {
	if len(b.frames) >= b.depth {
		return b.fail(fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, b.depth))
	}
	b.frames = append(b.frames, frame{})
	f := &b.frames[len(b.frames)-1] // in place: a copy would wait for its parts
	f.start, f.keys, f.isMap = len(b.members), len(b.offsets), isMap
	return nil
}

// end replaces the members of the innermost array or map by their value.
func (b *Builder) end(v pcore.Value) {
	last := len(b.frames) - 1
	f := &b.frames[last]
	b.members, b.offsets = b.members[:f.start], b.offsets[:f.keys]
	b.frames = b.frames[:last]
	b.Add(v)
}

// EndArray closes the innermost array.
func (b *Builder) EndArray() {
	b.end(b.slab.Array(b.members[b.frames[len(b.frames)-1].start:]))
}

// EndMap closes the innermost map. It fails if a key occurs twice with different values or
// if the map is invalid rich data.
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

// mapped returns the value of the open map.
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

// typeOf returns the `__ptype` of a map if it has been read and is a String,
// and otherwise "".
func (b *Builder) typeOf(f *frame) string {
	if f.typ == 0 || f.typ >= len(b.members) {
		return ""
	}
	typ, _ := b.members[f.typ].(pcore.String)
	return string(typ)
}

// valued returns the `__pvalue` of a map that contains only a `__ptype`, a
// String, and a `__pvalue`, as most rich data does.
func (b *Builder) valued(f *frame) (value pcore.Value, ok bool) {
	if f.doubtful || len(b.members)-f.start != 4 || b.typeOf(f) == "" {
		return nil, false
	}
	last := b.members[f.start+2:]
	return last[1], last[0] == pcore.String(ValueKey)
}

// around returns err with the path to the open map.
func (b *Builder) around(err error) error {
	if err == nil {
		return nil
	}
	return b.failAround(b.discreet(err))
}

// discreet returns only the kind of err inside a Sensitive, because its text
// may quote the secret.
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

// isTypeKey reports whether a `__ptype` with the value v makes its map rich
// data: a String, or a decoded embedded type. Any other value makes it plain
// data.
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
		key, v := members[2*i], members[2*i+1]
		first, _ := h.Get(key)
		if h.Set(key, v) && !b.opts.AllowDuplicates && !pcore.Identical(first, v) {
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

// fail returns err with the path to the current position.
func (b *Builder) fail(err error) *serialization.Error {
	return join(b.Path(), err)
}

// failAround returns err with the path to the open map or array.
func (b *Builder) failAround(err error) *serialization.Error {
	return join(b.path(len(b.frames)-1), err)
}

func join(path pcore.Path, err error) *serialization.Error {
	var joined *serialization.Error
	if errors.As(codec.Within(err, -1, path), &joined) {
		return joined
	}
	return &serialization.Error{Offset: -1, Path: path, Err: err}
}
