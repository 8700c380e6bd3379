package pcore

import (
	"strings"
	"unsafe"
)

// Slab makes many values with few allocations, as a decoder does that makes a
// large tree. The values are like any others. Those made one after the other
// lie beside each other in memory: who keeps one of them for long keeps the
// others of its chunk, too, unless it is a [Clone] that is kept. The zero value
// is ready to use. A Slab must not be used by several goroutines at once.
type Slab struct {
	text     strings.Builder
	strings  []String
	integers []Integer
	floats   []Float
	arrays   []Array
	hashes   []Hash
	elems    []Value
	entries  []Entry
}

const (
	// firstChunk is how many values lie in the first chunk of a kind. Later ones
	// are twice as large each up to slowChunk values, then grow slowly, for a
	// part of the last one stays empty, up to maxChunk bytes: in chunks of 8 KB
	// only, a large tree takes up to a tenth longer.
	firstChunk, slowChunk, maxChunk = 8, 512, 64 << 10
	// maxTogether is how many members an array or hash has at most that shares
	// a chunk with others.
	maxTogether = 128
	// firstText and maxText are the same for the bytes of Strings.
	firstText, maxText = 256, 8 << 10
	// ownText is how long a String is that gets memory of its own.
	ownText = 256
)

// Detach begins new chunks for what holds other values, so that values made
// from now on share no memory with arrays and hashes made before, nor with
// what these hold. Strings and numbers, which hold nothing, still lie beside
// each other.
func (s *Slab) Detach() { s.arrays, s.hashes, s.elems, s.entries = nil, nil, nil, nil }

// Recycle gives the memory of the values that were made before to those made from
// now on: none of them may be in use any more, nor anything that holds one.
func (s *Slab) Recycle() {
	// What is cleared keeps nothing else in memory.
	s.strings, s.arrays, s.hashes = emptied(s.strings), emptied(s.arrays), emptied(s.hashes)
	s.elems, s.entries = emptied(s.elems), emptied(s.entries)
	s.integers, s.floats = s.integers[:0], s.floats[:0]
}

func emptied[T any](chunk []T) []T {
	clear(chunk)
	return chunk[:0]
}

// String returns text as a [String].
func (s *Slab) String(text string) Value {
	if len(s.strings) == cap(s.strings) {
		s.strings = room(s.strings)
	}
	s.strings = append(s.strings, String(text))
	return boxedString(&s.strings[len(s.strings)-1])
}

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
		return Integer(i) // for which Go has memory already
	}
	s.integers = append(room(s.integers), Integer(i))
	return boxedInteger(&s.integers[len(s.integers)-1])
}

// Float returns f as a [Float].
func (s *Slab) Float(f float64) Value {
	s.floats = append(room(s.floats), Float(f))
	return boxedFloat(&s.floats[len(s.floats)-1])
}

// Array returns an [Array] of elems, which are copied.
func (s *Slab) Array(elems []Value) *Array {
	s.arrays = append(room(s.arrays), Array{carve(&s.elems, elems)})
	return &s.arrays[len(s.arrays)-1]
}

// Hash returns a [Hash] of members, keys and values in turns, which are copied.
// No two keys may be the same; [NewHash] is for those of which that is not known.
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

// room returns chunk, or a new one when that is full.
func room[T any](chunk []T) []T {
	if len(chunk) < cap(chunk) {
		return chunk
	}
	return make([]T, 0, nextChunk(chunk))
}

// nextChunk returns how many values the chunk after this one has.
func nextChunk[T any](chunk []T) int {
	var one T
	n := cap(chunk)
	if n < slowChunk {
		n = max(2*n, firstChunk)
	} else {
		n += n / 4
	}
	return min(n, maxChunk/int(unsafe.Sizeof(one)))
}

// carve returns a copy of what in a chunk.
func carve[T any](chunk *[]T, what []T) []T {
	c := cut(chunk, len(what))
	copy(c, what)
	return c
}

// cut returns room for n values in a chunk, or in memory of its own when it is
// large.
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

// A Value is two words: which type, and where the data lies, which Go never
// changes. Making one of a String or a number that lies in a slab copies it to
// memory of its own, one allocation for each; the functions below make it point
// into the slab, where nothing is ever changed either. The garbage collector
// knows pointers into the middle of a chunk. TestSlab holds what is made
// against the values that the language makes.
type boxed struct{ _, data unsafe.Pointer }

func boxedString(p *String) Value {
	var v Value = String("")
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // as told above
	return v
}

func boxedInteger(p *Integer) Value {
	var v Value = Integer(0)
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // as told above
	return v
}

func boxedFloat(p *Float) Value {
	var v Value = Float(0)
	(*boxed)(unsafe.Pointer(&v)).data = unsafe.Pointer(p) //nolint:gosec // as told above
	return v
}
