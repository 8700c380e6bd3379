package pcore

import (
	"hash/maphash"
	"iter"
)

// Entry is a key of a [Hash] and its value.
type Entry struct{ Key, Value Value }

// Hash is a map that keeps the order of insertion. Any value can be a key; two
// keys are the same if they are [Identical]. The zero value and nil are empty.
// Create one with [NewHash] or a [HashBuilder].
type Hash struct {
	// keys may be nil in an empty Hash. Hashes with equal keys may share it.
	keys   *hashKeys
	values []Value
}

// hashKeys are the keys of a Hash. They do not change once the Hash is built.
type hashKeys struct {
	list []Value
	// index is nil for up to smallHash keys.
	index *hashIndex
}

// ownHash is a Hash with keys of its own, in one allocation.
type ownHash struct {
	hash Hash
	keys hashKeys
}

// own returns the Hash, which is empty.
func (h *ownHash) own() *Hash {
	h.hash.keys = &h.keys
	return &h.hash
}

// hashIndex is an open-addressing table of positions in the keys of a Hash,
// plus one; its length is a power of two. It contains no keys, so that printing
// a Hash by reflection does not expose them.
type hashIndex struct{ table []uint32 }

// smallHash is the number of entries up to which a linear search is faster than
// an index.
const smallHash = 8

// NewHash returns a Hash of the entries. If a key occurs several times, its
// last value counts, at the position of the first, as in the language.
func NewHash(entries ...Entry) *Hash {
	b := NewHashBuilder(len(entries))
	for _, e := range entries {
		b.Set(e.Key, e.Value)
	}
	return b.Hash()
}

// HashBuilder builds a [Hash] entry by entry. The zero value is ready to use. A
// builder is not safe for concurrent use.
type HashBuilder struct{ h *Hash }

// NewHashBuilder returns a builder with room for n entries.
func NewHashBuilder(n int) *HashBuilder {
	h := new(ownHash).own()
	if n > 0 {
		room := make([]Value, 2*n)
		h.keys.list, h.values = room[:0:n], room[n:n:2*n]
	}
	return &HashBuilder{h}
}

// Set sets the value of key and reports whether the key existed. An existing
// key keeps its position.
func (b *HashBuilder) Set(key, value Value) (replaced bool) {
	if b.h == nil {
		b.h = new(ownHash).own()
	}
	h := b.h
	at := h.keys.locate(key)
	if at.found >= 0 {
		h.values[at.found] = value
		return true
	}
	h.values = append(h.values, value)
	h.keys.add(key, at.free)
	return false
}

// SetString is Set with a String as key.
func (b *HashBuilder) SetString(key string, value Value) (replaced bool) {
	return b.Set(String(key), value)
}

// Len returns the number of entries so far.
func (b *HashBuilder) Len() int { return b.h.Len() }

// Get returns the value set for key so far.
func (b *HashBuilder) Get(key Value) (Value, bool) { return b.h.Get(key) }

// Hash returns the finished Hash and resets the builder.
func (b *HashBuilder) Hash() *Hash {
	h := b.h
	b.h = nil
	if h == nil {
		return &Hash{}
	}
	return h
}

// kind returns kindHash.
func (*Hash) kind() Kind { return kindHash }

func (v *Hash) String() string { return format(v) }

func (*Hash) value() {}

// Len returns the number of entries.
func (v *Hash) Len() int {
	if v == nil {
		return 0
	}
	return len(v.values)
}

// At returns the entry at position i, which must be at least 0 and below Len.
func (v *Hash) At(i int) Entry { return Entry{v.keys.list[i], v.values[i]} }

// Get returns the value at key.
func (v *Hash) Get(key Value) (Value, bool) {
	if v.Len() == 0 {
		return nil, false
	}
	if at := v.keys.locate(key); at.found >= 0 {
		return v.values[at.found], true
	}
	return nil, false
}

// GetString returns the value at a String key.
func (v *Hash) GetString(key string) (Value, bool) {
	if v.Len() == 0 {
		return nil, false
	}
	if v.keys.index != nil {
		return v.Get(String(key))
	}
	for i, k := range v.keys.list {
		if s, ok := k.(String); ok && string(s) == key {
			return v.values[i], true
		}
	}
	return nil, false
}

// All returns an iterator over keys and values, in order.
func (v *Hash) All() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := range v.Len() {
			if !yield(v.keys.list[i], v.values[i]) {
				return
			}
		}
	}
}

// Keys returns an iterator over the keys, in order.
func (v *Hash) Keys() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for k := range v.All() {
			if !yield(k) {
				return
			}
		}
	}
}

// Values returns an iterator over the values, in the order of their keys.
func (v *Hash) Values() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, e := range v.All() {
			if !yield(e) {
				return
			}
		}
	}
}

// slot is the result of locate: the position of the key, or -1 and the free
// slot in the index.
type slot struct {
	found int
	free  uint64
}

func (k *hashKeys) locate(key Value) slot {
	if k.index == nil {
		for i := range k.list {
			if Identical(k.list[i], key) {
				return slot{found: i}
			}
		}
		return slot{found: -1}
	}
	table := k.index.table
	mask := uint64(len(table) - 1)
	for p := hashOf(key) & mask; ; p = (p + 1) & mask {
		n := table[p]
		if n == 0 {
			return slot{found: -1, free: p}
		}
		if Identical(k.list[n-1], key) {
			return slot{found: int(n - 1)}
		}
	}
}

// add appends a new key, for which locate found the slot free. The index grows
// when it is more than half full.
func (k *hashKeys) add(key Value, free uint64) {
	k.list = append(k.list, key)
	n := len(k.list)
	switch {
	case k.index == nil && n <= smallHash:
	case k.index == nil || 2*n > len(k.index.table):
		k.reindex()
	default:
		k.index.table[free] = uint32(n)
	}
}

func (k *hashKeys) reindex() {
	size := 4 * smallHash
	for size < 4*len(k.list) {
		size *= 2
	}
	table := make([]uint32, size)
	mask := uint64(size - 1)
	for i, key := range k.list {
		p := hashOf(key) & mask
		for table[p] != 0 {
			p = (p + 1) & mask
		}
		table[p] = uint32(i + 1)
	}
	k.index = &hashIndex{table}
}

// seed makes the positions in an index unpredictable, so that an attacker
// cannot construct a hash whose keys all collide.
var seed = maphash.MakeSeed()

func hashOf(v Value) uint64 {
	if s, ok := v.(String); ok {
		return maphash.String(seed, string(s))
	}
	var h maphash.Hash
	h.SetSeed(seed)
	writeIdentity(&h, v)
	return h.Sum64()
}

// HasPlainKeys reports whether the wire form of v is a plain map: all keys
// are Strings, and none of them is `__ptype`, which marks rich values.
func (v *Hash) HasPlainKeys() bool {
	if v.Len() == 0 {
		return true
	}
	for _, k := range v.keys.list {
		if s, ok := k.(String); !ok || s == "__ptype" {
			return false
		}
	}
	return true
}
