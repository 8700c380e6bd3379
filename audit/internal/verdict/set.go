package verdict

import "strings"

// set is a set of words.
type set struct {
	words map[string]struct{}
	// lengths are the lengths of the words, by their first letter. Most lookups fail here,
	// without a map access.
	lengths [32]uint32
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
	s.lengths[w[0]&31] |= 1 << min(len(w), 31)
}

func (s *set) has(w string) bool {
	if w == "" || s.lengths[w[0]&31]>>min(len(w), 31)&1 == 0 {
		return false
	}
	_, ok := s.words[w]
	return ok
}
