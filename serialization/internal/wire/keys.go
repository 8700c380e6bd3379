package wire

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// Keys finds keys that occur twice, for all maps that are open at a time. The
// zero value is ready to use.
type Keys struct {
	keys []key
	maps []keySet
	seed maphash.Seed
	kept int // how many keys were copied
}

// key is a key and what tells most keys apart without looking at it: its
// length with its first and last bytes.
type key struct {
	sign uint64
	text []byte
}

// keySet is what is known of the keys of one map: where they begin in Keys, a
// bit for each of the few first, and once there are many, an open addressing
// table of their positions, plus one.
type keySet struct {
	start int
	seen  uint64
	index []uint32
}

// fewKeys is the number of keys up to which comparing a key with each of them
// is faster than a table.
const fewKeys = 16

// Open begins a map, Close ends it.
func (k *Keys) Open() { k.maps = append(k.maps, keySet{start: len(k.keys)}) }

// Close ends the map that was opened last.
func (k *Keys) Close() {
	last := len(k.maps) - 1
	k.keys = k.keys[:k.maps[last].start]
	k.maps = k.maps[:last]
	k.kept = min(k.kept, len(k.keys))
}

// Reset ends all maps.
func (k *Keys) Reset() { k.keys, k.maps, k.kept = k.keys[:0], k.maps[:0], 0 }

// Keep copies all keys that are noted, so that what they were read into can be
// used for something else.
func (k *Keys) Keep() {
	for i := k.kept; i < len(k.keys); i++ {
		k.keys[i].text = bytes.Clone(k.keys[i].text)
	}
	k.kept = len(k.keys)
}

// Add notes the next key of the map that was opened last and returns its
// position. It reports false when the map has the key already. The key must
// stay as it is until Close or Keep.
func (k *Keys) Add(text []byte) (position int, added bool) {
	m := &k.maps[len(k.maps)-1]
	sign := signOf(text)
	// The bit of most keys is one that no key before has.
	bit := uint64(1) << (sign * spread >> 58)
	position = len(k.keys) - m.start
	added = m.seen&bit == 0 && position < fewKeys || k.isNew(m, sign, text)
	m.seen |= bit
	if k.keys == nil {
		k.keys = make([]key, 0, fewKeys)
	}
	k.keys = append(k.keys, key{sign, text})
	return position, added
}

// spread makes the highest bits of a product depend on all bits of a sign.
const spread = 0x9e3779b97f4a7c15

// isNew reports whether the map has no such key. It notes the key in the table.
func (k *Keys) isNew(m *keySet, sign uint64, text []byte) bool {
	keys := k.keys[m.start:]
	if len(keys) >= fewKeys {
		return k.addIndexed(m, text)
	}
	for i := range keys {
		if keys[i].sign == sign && bytes.Equal(keys[i].text, text) {
			return false
		}
	}
	return true
}

func signOf(text []byte) uint64 {
	n := len(text)
	if n >= 8 {
		return binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(text[n-8:])<<1 ^ uint64(n)<<56
	}
	if n >= 4 {
		return uint64(binary.LittleEndian.Uint32(text)) | uint64(binary.LittleEndian.Uint32(text[n-4:]))<<32 ^ uint64(n)<<56
	}
	sign := uint64(n)
	for _, c := range text {
		sign = sign<<8 | uint64(c)
	}
	return sign
}

// addIndexed notes a key, which comes next, of a map that has many.
func (k *Keys) addIndexed(m *keySet, text []byte) (added bool) {
	keys := k.keys[m.start:]
	if 2*len(keys) >= len(m.index) {
		k.reindex(m)
	}
	at, found := k.place(m, text)
	if found {
		return false
	}
	m.index[at] = uint32(len(keys) + 1)
	return true
}

func (k *Keys) reindex(m *keySet) {
	if k.seed == (maphash.Seed{}) {
		k.seed = maphash.MakeSeed()
	}
	keys := k.keys[m.start:]
	size := max(4*fewKeys, 2*len(m.index))
	m.index = make([]uint32, size)
	for i := range keys {
		if at, found := k.place(m, keys[i].text); !found {
			m.index[at] = uint32(i + 1)
		}
	}
}

// place returns where in the table of m the key stands, or is to be put. The
// seed makes that unpredictable, so that nobody can send keys that collide.
func (k *Keys) place(m *keySet, text []byte) (at uint64, found bool) {
	keys := k.keys[m.start:]
	mask := uint64(len(m.index) - 1)
	for at = maphash.Bytes(k.seed, text) & mask; ; at = (at + 1) & mask {
		i := m.index[at]
		if i == 0 {
			return at, false
		}
		if bytes.Equal(keys[i-1].text, text) {
			return at, true
		}
	}
}
