package wire

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// Keys finds keys that occur twice, for all maps that are open at a time. The
// zero value is ready to use.
type Keys struct {
	marks  []Mark
	long   [][]byte   // the texts of those that a Mark does not hold
	tables [][]uint32 // of the maps that have many, see keySet
	top    keySet     // of the map that was opened last
	outer  []keySet   // of those around it
	seed   maphash.Seed
	kept   int // how many of long were copied

	// Room is memory for what is read, which whoever has the Keys may use.
	Room []byte
}

// Mark stands for a key in the place of its text: two keys are the same exactly
// when their marks are. The mark of a key of up to [MarkLen] bytes holds the
// text, the first byte lowest, and its length in the highest byte. That of any
// other key holds a part of it, and in its other half the position of the text
// in Keys.
type Mark struct{ Low, High uint64 }

// MarkLen is how many bytes of a key a [Mark] holds.
const MarkLen = 15

// lengthShift moves the length of a key to its place in a Mark, where isLong
// stands for more than MarkLen.
const (
	lengthShift = 56
	isLong      = 0xff << lengthShift
)

// MarkOf returns the mark of a key of n bytes, at most MarkLen, of which low
// holds the first eight and high the next; what stands behind the key does not
// matter.
func MarkOf(low, high uint64, n int) Mark {
	// A shift by 64 bits or more leaves nothing, and below 8 the second one is
	// by very many.
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

// keySet is what is known of the keys of one map: where their marks and the
// texts of the long ones begin, a bit for each of the few first, and, once there
// are many, which of the tables is its own: an open addressing table of their
// positions, plus one.
type keySet struct {
	start, long, table int
	seen               uint64
}

// FewKeys is the number of keys up to which comparing a key with each of them
// is faster than a table.
const FewKeys = 16

// Open begins a map, Close ends it.
func (k *Keys) Open() {
	k.outer = append(k.outer, k.top)
	k.top = keySet{start: len(k.marks), long: len(k.long), table: len(k.tables)}
}

// Close ends the map that was opened last.
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

// Keep copies all keys that are noted, so that what they were read into can be
// used for something else.
func (k *Keys) Keep() {
	for i := k.kept; i < len(k.long); i++ {
		k.long[i] = bytes.Clone(k.long[i])
	}
	k.kept = len(k.long)
}

// Add notes the next key of the map that was opened last and returns its
// position. It reports false when the map has the key already. The key must
// stay as it is until Close or Keep.
func (k *Keys) Add(text []byte) (position int, added bool) {
	position = len(k.marks) - k.top.start
	return position, k.AddMark(k.Mark(text))
}

// Mark returns the mark of a key of the map that was opened last. The key must
// stay as it is until Close or Keep.
func (k *Keys) Mark(text []byte) Mark {
	n := len(text)
	if n <= MarkLen {
		return MarkText(text)
	}
	k.long = append(k.long, text)
	part := binary.LittleEndian.Uint64(text) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(text[n-8:]), 1) + uint64(n)
	return Mark{part, isLong | uint64(len(k.long)-1)}
}

// AddMark is Add for a key of which the mark is known.
func (k *Keys) AddMark(m Mark) (added bool) {
	// The bit of most keys is one that no key before has.
	bit := m.Bit()
	added = k.top.seen&bit == 0 && len(k.marks)-k.top.start < FewKeys || k.IsNew(m)
	k.top.seen |= bit
	k.Note(m)
	return added
}

// Note adds a key of which it is known that the map does not have it.
func (k *Keys) Note(m Mark) { k.marks = append(k.marks, m) }

// Bit returns a bit that is the same for the same key. What has another one is
// another key.
func (m Mark) Bit() uint64 {
	const factor = 0x9e3779b97f4a7c15
	part := m.Low
	if m.High < isLong {
		part ^= bits.RotateLeft64(m.High, 29)
	}
	return 1 << (part * factor >> 58)
}

// IsNew reports whether the map that was opened last does not have a key, which
// is to be noted then. Up to FewKeys keys there is no need to ask when none of
// them has its bit.
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

// text returns the text of a key that its mark does not hold.
func (k *Keys) text(m Mark) []byte { return k.long[m.High&^isLong] }

// addIndexed notes a key, which comes next, of a map that has many.
func (k *Keys) addIndexed(m Mark) (added bool) {
	n := len(k.marks) - k.top.start
	if len(k.tables) == k.top.table {
		k.tables = append(k.tables, nil)
	}
	table := &k.tables[k.top.table]
	if 2*n >= len(*table) {
		*table = k.index(max(4*FewKeys, 2*len(*table)))
	}
	at, found := k.place(*table, m)
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
		if at, found := k.place(table, m); !found {
			table[at] = uint32(i + 1)
		}
	}
	return table
}

// place returns where in the table the key stands, or is to be put. The seed
// makes that unpredictable, so that nobody can send keys that collide.
func (k *Keys) place(table []uint32, m Mark) (at uint64, found bool) {
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
