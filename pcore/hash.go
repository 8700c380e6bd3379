package pcore

import (
	"hash/maphash"
	"iter"
)

// Entry is a key of a [Hash] and the value that stands there.
type Entry struct{ Key, Value Value }

// Hash maps keys to values and keeps the order in which they were put in. Any
// value can be a key; two keys are the same when they are [Identical]. The
// zero value and nil are empty. Make one with [NewHash] or a [HashBuilder].
type Hash struct {
	entries []Entry
	// index exists only for hashes above smallHash entries.
	index *hashIndex
}

// hashIndex is an open addressing table of positions in the entries of a Hash,
// plus one; its length is a power of two. It holds no keys, so that printing a
// Hash by reflection tells nothing about them.
type hashIndex struct{ table []uint32 }

// smallHash is the number of entries up to which looking at each of them is
// faster than an index.
const smallHash = 8

// NewHash returns a Hash of the entries. Of entries with the same key the last
// value counts, at the place of the first, as in the language.
func NewHash(entries ...Entry) *Hash {
	b := NewHashBuilder(len(entries))
	for _, e := range entries {
		b.Set(e.Key, e.Value)
	}
	return b.Hash()
}

// HashBuilder makes a [Hash] entry by entry. The zero value is ready to use. A
// builder must not be used by several goroutines at once.
type HashBuilder struct{ h *Hash }

// NewHashBuilder returns a builder with room for n entries.
func NewHashBuilder(n int) *HashBuilder {
	b := &HashBuilder{&Hash{}}
	if n > 0 {
		b.h.entries = make([]Entry, 0, n)
	}
	return b
}

// Set puts value at key and reports whether the key was there already; then
// its value is replaced and its place kept.
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

// Get returns what was set at key so far.
func (b *HashBuilder) Get(key Value) (Value, bool) { return b.h.Get(key) }

// Hash returns what was built. The builder is empty afterwards.
func (b *HashBuilder) Hash() *Hash {
	h := b.h
	b.h = nil
	if h == nil {
		return &Hash{}
	}
	return h
}

// Kind returns KindHash.
func (*Hash) Kind() Kind { return KindHash }

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

// slot is where locate ended: the position in entries of the key that was
// found, or -1 and the free place in the index.
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

// indexed enters the last entry into the index, growing it when it is more
// than half full.
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

// seed makes the positions in an index unpredictable, so that nobody can send
// a hash whose keys all collide.
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
