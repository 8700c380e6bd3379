package wire

import "bytes"

// Keys finds keys that occur twice, for all maps that are open at a time. The
// zero value is ready to use.
type Keys struct {
	keys [][]byte
	maps []keySet
}

// keySet is what is known of the keys of one map: where they begin in Keys,
// and all of them as a set once there are many.
type keySet struct {
	start int
	set   map[string]struct{}
}

// fewKeys is the number of keys up to which comparing a key with each of them
// is faster than a set.
const fewKeys = 16

// Open begins a map, Close ends it.
func (k *Keys) Open() { k.maps = append(k.maps, keySet{start: len(k.keys)}) }

// Close ends the map that was opened last.
func (k *Keys) Close() {
	last := len(k.maps) - 1
	k.keys = k.keys[:k.maps[last].start]
	k.maps = k.maps[:last]
}

// Add notes the next key of the map that was opened last and returns its
// position. It reports false when the map has the key already. The key must
// stay as it is until Close.
func (k *Keys) Add(key []byte) (position int, added bool) {
	m := &k.maps[len(k.maps)-1]
	keys := k.keys[m.start:]
	added = !m.has(keys, key)
	k.keys = append(k.keys, key)
	return len(keys), added
}

func (m *keySet) has(keys [][]byte, key []byte) bool {
	if len(keys) < fewKeys {
		for _, other := range keys {
			if bytes.Equal(other, key) {
				return true
			}
		}
		return false
	}
	if m.set == nil {
		m.set = make(map[string]struct{}, 2*len(keys))
		for _, other := range keys {
			m.set[string(other)] = struct{}{}
		}
	}
	_, known := m.set[string(key)]
	m.set[string(key)] = struct{}{}
	return known
}
