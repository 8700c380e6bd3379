package verdict

import "strings"

// set is a set of words.
type set struct {
	words map[string]struct{}
	// filter has a bit for the first, middle and last byte and the length of each word. Most
	// lookups fail here, without a map access.
	filter [1 << 12 / 64]uint64
}

func setOf(text string) set {
	var s set
	for w := range strings.FieldsSeq(text) {
		s.add(w)
	}
	return s
}

// union returns the words of all sets.
func union(sets ...set) set {
	var all set
	for _, s := range sets {
		for w := range s.words {
			all.add(w)
		}
	}
	return all
}

// add adds a word, which must not be empty.
func (s *set) add(w string) {
	if s.words == nil {
		s.words = map[string]struct{}{}
	}
	s.words[w] = struct{}{}
	bit := filterBit(w)
	s.filter[bit/64] |= 1 << (bit % 64)
}

func (s *set) has(w string) bool {
	if w == "" {
		return false
	}
	bit := filterBit(w)
	if s.filter[bit/64]>>(bit%64)&1 == 0 {
		return false
	}
	_, ok := s.words[w]
	return ok
}

// filterBit returns the bit of a word in the filter of a set.
func filterBit(w string) uint32 {
	n := len(w)
	return (uint32(w[0]) | uint32(w[n/2])<<8 | uint32(w[n-1])<<16 | uint32(n)<<24) * 0x9e3779b1 >> 20
}
