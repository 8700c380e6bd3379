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
	entries []Entry
	// index is nil for up to smallHash entries.
	index *hashIndex
}

// hashIndex is an open-addressing table of positions in the entries of a Hash,
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
	b := &HashBuilder{&Hash{}}
	if n > 0 {
		b.h.entries = make([]Entry, 0, n)
	}
	return b
}

// Set sets the value of key and reports whether the key existed. An existing
// key keeps its position.
func (b *HashBuilder) Set(key, value Value) (replaced bool) {
	if b.h == nil {
		b.h = &Hash{}
	}
	h := b.h
	at := h.locate(key)
	if at.found >= 0 {
		h.entries[at.found].Value = value
		return true
	}
	h.entries = append(h.entries, Entry{key, value})
	h.indexed(at.free)
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
	return len(v.entries)
}

// At returns the entry at position i, which must be at least 0 and below Len.
func (v *Hash) At(i int) Entry { return v.entries[i] }

// Get returns the value at key.
func (v *Hash) Get(key Value) (Value, bool) {
	if v.Len() == 0 {
		return nil, false
	}
	if at := v.locate(key); at.found >= 0 {
		return v.entries[at.found].Value, true
	}
	return nil, false
}

// GetString returns the value at a String key.
func (v *Hash) GetString(key string) (Value, bool) {
	if v == nil {
		return nil, false
	}
	if v.index != nil {
		return v.Get(String(key))
	}
	for i := range v.entries {
		if s, ok := v.entries[i].Key.(String); ok && string(s) == key {
			return v.entries[i].Value, true
		}
	}
	return nil, false
}

// All returns an iterator over keys and values, in order.
func (v *Hash) All() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v == nil {
			return
		}
		for _, e := range v.entries {
			if !yield(e.Key, e.Value) {
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

// slot is the result of locate: the position of the key in entries, or -1 and
// the free slot in the index.
type slot struct {
	found int
	free  uint64
}

func (v *Hash) locate(key Value) slot {
	if v.index == nil {
		for i := range v.entries {
			if Identical(v.entries[i].Key, key) {
				return slot{found: i}
			}
		}
		return slot{found: -1}
	}
	table := v.index.table
	mask := uint64(len(table) - 1)
	for p := hashOf(key) & mask; ; p = (p + 1) & mask {
		n := table[p]
		if n == 0 {
			return slot{found: -1, free: p}
		}
		if Identical(v.entries[n-1].Key, key) {
			return slot{found: int(n - 1)}
		}
	}
}

// indexed adds the last entry to the index, which grows when it is more than
// half full.
func (v *Hash) indexed(free uint64) {
	n := len(v.entries)
	switch {
	case v.index == nil && n <= smallHash:
	case v.index == nil || 2*n > len(v.index.table):
		v.reindex()
	default:
		v.index.table[free] = uint32(n)
	}
}

func (v *Hash) reindex() {
	size := 4 * smallHash
	for size < 4*len(v.entries) {
		size *= 2
	}
	table := make([]uint32, size)
	mask := uint64(size - 1)
	for i := range v.entries {
		p := hashOf(v.entries[i].Key) & mask
		for table[p] != 0 {
			p = (p + 1) & mask
		}
		table[p] = uint32(i + 1)
	}
	v.index = &hashIndex{table}
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
	for i := range v.Len() {
		if s, ok := v.entries[i].Key.(String); !ok || s == "__ptype" {
			return false
		}
	}
	return true
}
