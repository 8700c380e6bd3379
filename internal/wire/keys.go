package wire

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// Keys detects duplicate keys in all open maps. The zero value is ready to use.
type Keys struct {
	marks  []Mark
	long   [][]byte   // the texts of keys longer than MarkLen
	tables [][]uint32 // the hash tables of maps with many keys, see keySet
	top    keySet     // the innermost open map
	outer  []keySet   // the maps around it
	seed   maphash.Seed
	kept   int // the number of elements of long that were copied

	// Room is scratch memory for the owner of the Keys.
	Room []byte
}

// Mark represents a key: two keys of a map are equal exactly if their marks
// are, except for long keys, which areSame compares. The mark of a key of up to
// [MarkLen] bytes contains the text, the first byte lowest, and its length in
// the highest byte. The mark of a longer key contains a checksum and, in the
// other half, the index of the text in Keys.
type Mark struct{ Low, High uint64 }

// MarkLen is the maximum number of bytes of a key that a [Mark] contains.
const MarkLen = 15

// lengthShift is the position of the length of a key in a Mark. isLong marks a
// length above MarkLen.
const (
	lengthShift = 56
	isLong      = 0xff << lengthShift
)

// MarkOf returns the mark of a key of n bytes, at most MarkLen. low contains
// its first eight bytes and high the next; bytes behind the key are ignored.
func MarkOf(low, high uint64, n int) Mark {
	// A shift by 64 bits or more gives 0, so that the first mask keeps all of
	// low for n of 8 or more. For smaller n, the second mask clears high.
	return Mark{low & (1<<(8*uint(n)) - 1), high&^(^uint64(0)<<(8*uint(max(n-8, 0)))) | uint64(n)<<lengthShift}
}

// MarkText is MarkOf for a text.
func MarkText(text []byte) Mark {
	n := len(text)
	high := uint64(n) << lengthShift
	switch {
	case n >= 8:
		return Mark{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:])>>(8*(16-n)) | high}
	case n >= 4:
		return Mark{uint64(binary.LittleEndian.Uint32(text)) | uint64(binary.LittleEndian.Uint32(text[n-4:]))<<(8*(n-4)), high}
	}
	var low uint64
	for i, c := range text {
		low |= uint64(c) << (8 * i)
	}
	return Mark{low, high}
}

// keySet describes the keys of one map: the indexes of their first mark and
// long text, a bit for each of the first few keys, and, if there are many, the
// index of an open-addressing hash table of their positions plus one.
type keySet struct {
	start, long, table int
	seen               uint64
}

// FewKeys is the maximum number of keys for which a linear search is faster
// than a table.
const FewKeys = 16

// Open begins a map, which Close ends.
func (k *Keys) Open() {
	k.outer = append(k.outer, k.top)
	k.top = keySet{start: len(k.marks), long: len(k.long), table: len(k.tables)}
}

// Close ends the innermost map.
func (k *Keys) Close() {
	k.marks = k.marks[:k.top.start]
	if len(k.long) > k.top.long {
		k.long = k.long[:k.top.long]
		k.kept = min(k.kept, len(k.long))
	}
	k.tables = k.tables[:k.top.table]
	last := len(k.outer) - 1
	k.top, k.outer = k.outer[last], k.outer[:last]
}

// Reset ends all maps.
func (k *Keys) Reset() {
	k.marks, k.long, k.tables, k.outer = k.marks[:0], k.long[:0], k.tables[:0], k.outer[:0]
	k.top, k.kept = keySet{}, 0
}

// Keep copies all keys, so that the memory into which they were read can be
// reused.
func (k *Keys) Keep() {
	for i := k.kept; i < len(k.long); i++ {
		k.long[i] = bytes.Clone(k.long[i])
	}
	k.kept = len(k.long)
}

// Add adds the next key of the innermost map and returns its position. It
// reports false if the map already has the key. The key must not be modified
// until Close or Keep.
func (k *Keys) Add(text []byte) (position int, added bool) {
	position = len(k.marks) - k.top.start
	return position, k.AddMark(k.Mark(text))
}

// Mark returns the mark of a key of the innermost map. The key must not be
// modified until Close or Keep.
func (k *Keys) Mark(text []byte) Mark {
	n := len(text)
	if n <= MarkLen {
		return MarkText(text)
	}
	k.long = append(k.long, text)
	part := binary.LittleEndian.Uint64(text) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(text[n-8:]), 1) + uint64(n)
	return Mark{part, isLong | uint64(len(k.long)-1)}
}

// AddMark is Add for a key with a known mark.
func (k *Keys) AddMark(m Mark) (added bool) {
	// Usually no earlier key has the same bit.
	bit := m.Bit()
	added = k.top.seen&bit == 0 && len(k.marks)-k.top.start < FewKeys || k.IsNew(m)
	k.top.seen |= bit
	k.Note(m)
	return added
}

// Note adds a key that the map is known not to have.
func (k *Keys) Note(m Mark) { k.marks = append(k.marks, m) }

// Bit returns a bit derived from the key. Keys with different bits are
// different.
func (m Mark) Bit() uint64 {
	const factor = 0x9e3779b97f4a7c15
	part := m.Low
	if m.High < isLong {
		part ^= bits.RotateLeft64(m.High, 29)
	}
	return 1 << (part * factor >> 58)
}

// IsNew reports whether the innermost map does not have a key, which must then
// be added with Note. With fewer than FewKeys keys, the call is unnecessary if
// none of them has the same bit.
func (k *Keys) IsNew(m Mark) bool {
	marks := k.marks[k.top.start:]
	if len(marks) >= FewKeys {
		return k.addIndexed(m)
	}
	for _, other := range marks {
		if k.areSame(m, other) {
			return false
		}
	}
	return true
}

func (k *Keys) areSame(a, b Mark) bool {
	if a.High < isLong || b.High < isLong {
		return a == b
	}
	return a.Low == b.Low && bytes.Equal(k.text(a), k.text(b))
}

// text returns the text of a long key.
func (k *Keys) text(m Mark) []byte { return k.long[m.High&^isLong] }

// addIndexed adds the next key of a map with many keys to its table.
func (k *Keys) addIndexed(m Mark) (added bool) {
	n := len(k.marks) - k.top.start
	if len(k.tables) == k.top.table {
		k.tables = append(k.tables, nil)
	}
	table := &k.tables[k.top.table]
	if 2*n >= len(*table) {
		*table = k.index(max(4*FewKeys, 2*len(*table)))
	}
	at, found := k.location(*table, m)
	if found {
		return false
	}
	(*table)[at] = uint32(n + 1)
	return true
}

// index returns a table of all keys.
func (k *Keys) index(size int) []uint32 {
	if k.seed == (maphash.Seed{}) {
		k.seed = maphash.MakeSeed()
	}
	table := make([]uint32, size)
	for i, m := range k.marks[k.top.start:] {
		if at, found := k.location(table, m); !found {
			table[at] = uint32(i + 1)
		}
	}
	return table
}

// location returns the index of the key in the table, or the free index for it.
// The random seed prevents an attacker from choosing keys that collide.
func (k *Keys) location(table []uint32, m Mark) (at uint64, found bool) {
	marks := k.marks[k.top.start:]
	mask := uint64(len(table) - 1)
	for at = k.hash(m) & mask; ; at = (at + 1) & mask {
		i := table[at]
		if i == 0 {
			return at, false
		}
		if k.areSame(m, marks[i-1]) {
			return at, true
		}
	}
}

func (k *Keys) hash(m Mark) uint64 {
	if m.High >= isLong {
		return maphash.Bytes(k.seed, k.text(m))
	}
	return maphash.Comparable(k.seed, m)
}
