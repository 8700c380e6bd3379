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
	arrays  []Array
	hashes  []Hash
	elems   []Value
	entries []Entry
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
	// firstText and maxText are the sizes in bytes of the first and the largest
	// chunk for the text of Strings.
	firstText, maxText = 256, 8 << 10
	// ownText is the length in bytes above which a String is allocated
	// separately.
	ownText = 256
)

// Detach begins new chunks for containers, so that later values share no memory
// with earlier arrays and hashes, nor with their elements. Strings and numbers,
// which contain no values, still share chunks.
func (s *Slab) Detach() { s.arrays, s.hashes, s.elems, s.entries = nil, nil, nil, nil }

// Recycle reuses the memory of all earlier values for later ones. Neither the
// earlier values nor anything that contains them may still be in use.
func (s *Slab) Recycle() {
	// Cleared chunks do not keep other values in memory.
	s.arrays, s.hashes = emptied(s.arrays), emptied(s.hashes)
	s.elems, s.entries = emptied(s.elems), emptied(s.entries)
	s.scalars.recycle()
}

func emptied[T any](chunk []T) []T {
	clear(chunk)
	return chunk[:0]
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
	s.arrays = append(room(s.arrays), Array{carve(&s.elems, elems)})
	return &s.arrays[len(s.arrays)-1]
}

// Hash returns a [Hash] of members, alternating keys and values, which are
// copied. All keys must be distinct; use [NewHash] if that is not known.
func (s *Slab) Hash(members []Value) *Hash {
	n := len(members) / 2
	s.hashes = append(room(s.hashes), Hash{entries: cut(&s.entries, n)})
	h := &s.hashes[len(s.hashes)-1]
	for i := range h.entries {
		h.entries[i] = Entry{members[2*i], members[2*i+1]}
	}
	if n > smallHash {
		h.reindex()
	}
	return h
}

// room returns chunk, or a new one if chunk is full.
func room[T any](chunk []T) []T {
	if len(chunk) < cap(chunk) {
		return chunk
	}
	return make([]T, 0, nextChunk(chunk))
}

// nextChunk returns the capacity of the next chunk.
func nextChunk[T any](chunk []T) int {
	n := cap(chunk)
	if n < slowChunk {
		n = max(2*n, firstChunk)
	} else {
		n += n / 4
	}
	return min(n, maxChunk/int(reflect.TypeFor[T]().Size()))
}

// carve returns a copy of what, allocated in a chunk.
func carve[T any](chunk *[]T, what []T) []T {
	c := cut(chunk, len(what))
	copy(c, what)
	return c
}

// cut returns room for n values in a chunk. If they do not fit, it begins a new
// chunk, or allocates them separately if n is above maxTogether.
func cut[T any](chunk *[]T, n int) []T {
	if n == 0 {
		return nil
	}
	c := *chunk
	if cap(c)-len(c) < n {
		if n > maxTogether {
			return make([]T, n)
		}
		c = make([]T, 0, max(nextChunk(c), n))
	}
	start := len(c)
	c = c[:start+n]
	*chunk = c
	return c[start : start+n : start+n]
}
