// Package feature finds out which words a text cannot contain. One pass over the text notes
// its features, and then each word is checked against them without a search of its own. A
// grammar that needs one of some words runs only in a text that may contain one, so that a
// further grammar costs next to nothing in all other texts.
package feature

import "strings"

// size is the number of features. Each sequence of three bytes is one of them. Several
// sequences share a feature, so a text with all features of a word may still lack the word.
const size = 1 << 12

// Set is the set of the features of a text. A nil Set belongs to a text whose features are
// unknown. A Set is not safe for concurrent use.
type Set struct {
	text string
	read bool // in contains the features of the text
	in   [size / 64]uint64
}

// Begin makes s the set of the features of a text. They are read when a word is first
// checked.
func (s *Set) Begin(text string) { s.text, s.read = text, false }

// scan reads the features of the text.
func (s *Set) scan() {
	clear(s.in[:])
	s.read = true
	three := uint32(0) // the last three bytes, the first of them in the lowest bits
	for i := range len(s.text) {
		three = three>>8 | uint32(s.text[i])<<16
		if i >= 2 {
			f := of(three)
			s.in[f/64] |= 1 << (f % 64)
		}
	}
}

// of returns the feature of three bytes.
func of(three uint32) uint32 { return three * 0x9e3779b1 >> 20 }

// May reports whether the text may contain a word. It may contain each word of less than
// three bytes.
func (s *Set) May(word string) bool {
	if s == nil {
		return true
	}
	if !s.read {
		s.scan()
	}
	for i := 2; i < len(word); i++ {
		f := of(uint32(word[i-2]) | uint32(word[i-1])<<8 | uint32(word[i])<<16)
		if s.in[f/64]>>(f%64)&1 == 0 {
			return false
		}
	}
	return true
}

// Has reports whether a text contains a word. It is the text of the Set, unless that is nil.
func (s *Set) Has(text, word string) bool { return s.May(word) && strings.Contains(text, word) }
