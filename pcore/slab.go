package pcore

import (
	"reflect"
	"strings"
)

// Slab creates many values with few allocations, for a decoder that builds a
// large tree. Its values behave like any others. Values created in sequence
// share chunks of memory: a value that is kept keeps all others of its chunk,
// unless a [Clone] is kept instead. The zero value is ready to use. A Slab is
// not safe for concurrent use.
type Slab struct {
	text    strings.Builder
	scalars scalarSlab
	arrays  chunks[Array]
	hashes  chunks[Hash] // with the keys of others
	owners  chunks[ownHash]
	elems   chunks[Value]
	// recent has keys of earlier hashes, by their sum, if there are many hashes.
	recent []*hashKeys
}

const (
	// firstChunk is the number of values in the first chunk of a kind. Each
	// later chunk is twice as large up to slowChunk values. Then chunks grow by
	// a quarter, because part of the last one stays unused, up to maxChunk
	// bytes. With a limit of 8 KB, a large tree takes up to a tenth longer.
	firstChunk, slowChunk, maxChunk = 8, 512, 64 << 10
	// maxTogether is the largest number of members for which a new chunk is
	// begun. A larger array or hash that does not fit the current chunk is
	// allocated separately.
	maxTogether = 128
	// maxKept is the number of chunks of a kind that are kept for Recycle. Smaller
	// ones than slowChunk are not.
	maxKept = 16
	// firstText and maxText are the sizes in bytes of the first and the largest
	// chunk for the text of Strings.
	firstText, maxText = 256, 8 << 10
	// recentKeys is the number of lists of keys that later hashes may share, and
	// manyHashes the number of hashes from which on they do.
	recentKeys, manyHashes = 256, 16
	// ownText is the length in bytes above which a String is allocated
	// separately.
	ownText = 256
)

// Detach begins new chunks for containers, so that later values share no memory
// with earlier arrays and hashes, nor with their elements. Strings and numbers,
// which contain no values, still share chunks.
func (s *Slab) Detach() {
	s.arrays, s.hashes = chunks[Array]{}, chunks[Hash]{}
	s.owners, s.elems = chunks[ownHash]{}, chunks[Value]{}
	clear(s.recent)
}

// Recycle reuses the memory of all earlier values for later ones. Neither the
// earlier values nor anything that contains them may still be in use.
func (s *Slab) Recycle() {
	s.arrays.recycle()
	s.hashes.recycle()
	s.owners.recycle()
	s.elems.recycle()
	s.scalars.recycle()
	clear(s.recent)
}

// SlabSize is the number of values of a [Slab], by kind. The zero value is that
// of an empty Slab.
type SlabSize struct{ arrays, hashes, owners, elems, strings, integers, floats int }

// Size returns the number of values that s has created since the last Recycle.
func (s *Slab) Size() SlabSize {
	n := SlabSize{arrays: s.arrays.len(), hashes: s.hashes.len(), owners: s.owners.len(), elems: s.elems.len()}
	s.scalars.size(&n)
	return n
}

// Expect prepares an empty Slab for about n values, so that fewer chunks, and
// smaller ones, suffice for few values.
func (s *Slab) Expect(n SlabSize) {
	s.arrays.expect(n.arrays)
	s.hashes.expect(n.hashes)
	s.owners.expect(n.owners)
	s.elems.expect(n.elems)
	s.scalars.expect(n)
}

// String returns text as a [String].
func (s *Slab) String(text string) Value { return s.scalars.string(text) }

// Text returns a copy of text as a [String].
func (s *Slab) Text(text []byte) Value {
	if len(text) > ownText {
		return String(text)
	}
	if s.text.Cap()-s.text.Len() < len(text) {
		s.moreText()
	}
	start := s.text.Len()
	_, _ = s.text.Write(text) // never fails
	return s.String(s.text.String()[start:])
}

func (s *Slab) moreText() {
	size := min(max(2*s.text.Cap(), firstText), maxText)
	s.text = strings.Builder{}
	s.text.Grow(size)
}

// Integer returns i as an [Integer].
func (s *Slab) Integer(i int64) Value {
	if 0 <= i && i <= 0xff {
		return Integer(i) // Go does not allocate these
	}
	return s.scalars.integer(i)
}

// Float returns f as a [Float].
func (s *Slab) Float(f float64) Value { return s.scalars.float(f) }

// Array returns an [Array] of elems, which are copied.
func (s *Slab) Array(elems []Value) *Array {
	a := s.arrays.one()
	if len(elems) > 0 {
		a.elems = s.elems.cut(len(elems))
		copy(a.elems, elems)
	}
	return a
}

// Hash returns a [Hash] of members, alternating keys and values, which are
// copied. All keys must be distinct; use [NewHash] if that is not known. If
// there are many hashes, they share equal keys.
func (s *Slab) Hash(members []Value) *Hash {
	n := len(members) / 2
	if n == 0 {
		return s.hashes.one()
	}
	recent := s.recentFor(members)
	if recent != nil && *recent != nil && (*recent).areOf(members) {
		h := s.hashes.one()
		h.keys, h.values = *recent, s.elems.cut(n)
		for i := range h.values {
			h.values[i] = members[2*i+1]
		}
		return h
	}
	h := s.hash(n)
	h.keys.list, h.values = h.keys.list[:n], h.values[:n]
	for i := range n {
		h.keys.list[i], h.values[i] = members[2*i], members[2*i+1]
	}
	if n > smallHash {
		h.keys.reindex()
	}
	if recent != nil {
		*recent = h.keys
	}
	return h
}

// recentFor returns the slot of s.recent for the keys of members, or nil.
func (s *Slab) recentFor(members []Value) **hashKeys {
	if s.recent == nil {
		if s.owners.len() < manyHashes {
			return nil
		}
		s.recent = make([]*hashKeys, recentKeys)
	}
	return &s.recent[sumOfKeys(members)%recentKeys]
}

// sumOfKeys returns a number that is equal for equal keys. It is cheap rather
// than different for different keys.
func sumOfKeys(members []Value) uint32 {
	sum := uint32(len(members))
	for i := 0; i < len(members); i += 2 {
		if k, ok := members[i].(String); ok && len(k) > 0 {
			sum = sum*31 + uint32(len(k))<<8 + uint32(k[0])
		}
	}
	return sum ^ sum>>8
}

// areOf reports whether k are the keys of members, all of them Strings.
func (k *hashKeys) areOf(members []Value) bool {
	if len(members) != 2*len(k.list) {
		return false
	}
	for i, key := range k.list {
		a, ok := key.(String)
		b, same := members[2*i].(String)
		if !ok || !same || a != b {
			return false
		}
	}
	return true
}

// hash returns an empty Hash with room for n entries.
func (s *Slab) hash(n int) *Hash {
	h := s.owners.one().own()
	room := s.elems.cut(2 * n)
	h.keys.list, h.values = room[:0:n], room[n:n]
	return h
}

// ArrayOf returns an [Array] of n elements, and the elements, which the caller
// sets before the Array is used.
func (s *Slab) ArrayOf(n int) (*Array, []Value) {
	a := s.arrays.one()
	a.elems = s.elems.cut(n)
	return a, a.elems
}

// HashLike returns a [Hash] with the keys of like, and its values, which the
// caller sets before the Hash is used. Many hashes with the same keys take less
// memory this way.
func (s *Slab) HashLike(like *Hash) (*Hash, []Value) {
	h := s.hashes.one()
	h.keys, h.values = like.keys, s.elems.cut(like.Len())
	return h, h.values
}

// HashBuilder returns a builder of a [Hash] with room for n entries. If there are more,
// they are allocated separately.
func (s *Slab) HashBuilder(n int) HashBuilder { return HashBuilder{s.hash(n)} }

// chunks allocates values of one type in chunks. The zero value is ready to use.
type chunks[T any] struct {
	current []T
	size    int // capacity of the last chunk that was allocated
	// full is the number of values in full chunks, and first the capacity of the
	// first chunk, if it is known.
	full, first int
	// used and free are the full and the empty chunks of a Slab that is recycled.
	used, free [][]T
	recycled   bool
}

func (c *chunks[T]) len() int { return c.full + len(c.current) }

func (c *chunks[T]) expect(n int) { c.first = min(n, slowChunk) }

// one returns room for one value.
func (c *chunks[T]) one() *T {
	if len(c.current) == cap(c.current) {
		c.begin(1)
	}
	n := len(c.current)
	c.current = c.current[:n+1]
	return &c.current[n]
}

// cut returns room for n values. If they do not fit the current chunk, it begins a new
// one, or allocates them separately if n is above maxTogether.
func (c *chunks[T]) cut(n int) []T {
	if n == 0 {
		return nil
	}
	if cap(c.current)-len(c.current) < n {
		if n > maxTogether {
			return make([]T, n)
		}
		c.begin(n)
	}
	start := len(c.current)
	c.current = c.current[:start+n]
	return c.current[start : start+n : start+n]
}

// begin begins a chunk with room for at least n values.
func (c *chunks[T]) begin(n int) {
	c.full += len(c.current)
	if c.recycled && len(c.used) < maxKept {
		c.used = append(c.used, c.current)
	}
	if last := len(c.free) - 1; last >= 0 && cap(c.free[last]) >= n {
		c.current, c.free = c.free[last], c.free[:last]
		return
	}
	switch {
	case c.first > 0:
		c.size, c.first = c.first, 0
	case c.size < slowChunk:
		c.size = max(2*c.size, firstChunk)
	default:
		c.size += c.size / 4
	}
	c.size = max(min(c.size, maxChunk/int(reflect.TypeFor[T]().Size())), n)
	c.current = make([]T, 0, c.size)
}

// recycle empties all chunks. Cleared chunks do not keep other values in memory.
func (c *chunks[T]) recycle() {
	c.recycled, c.full = true, 0
	c.used = append(c.used, c.current)
	for _, chunk := range c.used {
		clear(chunk)
		if len(c.free) < maxKept && cap(chunk) >= slowChunk {
			c.free = append(c.free, chunk[:0])
		}
	}
	c.current, c.used = nil, c.used[:0]
}
