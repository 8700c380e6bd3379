package jsonwire

import (
	"encoding/binary"
	"math/bits"
)

// The number of bytes in a block, and of the bytes behind it that its users may
// look at.
const (
	BlockLen = 64
	Ahead    = 16
)

// Blocks finds the structure of a document, 64 bytes at a time. The zero value
// is at the beginning of a document. Blocks does not validate: for invalid JSON
// the result is meaningless.
type Blocks struct {
	inside  uint64 // all ones if the block begins in a string
	escaped uint64 // 1 if its first byte is escaped
}

// Masks have a bit for each byte of a block, with the lowest bit for the first
// byte.
type Masks struct {
	Quotes  uint64 // that begin or end a string
	Strings uint64 // bytes of strings, including the quote at the beginning
	// Marks are brackets and some letters and underscores. The latter occur
	// only in strings.
	Marks   uint64
	Commas  uint64 // outside of strings
	Escaped uint64 // bytes after the backslash of an escape
}

// InString reports whether the next block begins inside a string.
func (s *Blocks) InString() bool { return s.inside != 0 }

// Next returns the structure of the next block.
func (s *Blocks) Next(b *[BlockLen + Ahead]byte) (m Masks) {
	var slashes uint64
	for k := 0; k < BlockLen; k += word {
		w := binary.LittleEndian.Uint64(b[k : k+word])
		m.Quotes = m.Quotes>>word | gather(zeros(w^quotes)&^w)
		m.Commas = m.Commas>>word | gather(zeros(w^','*ones))
		// The brackets [ ] { } match this pattern, and so do _, y and Y.
		m.Marks = m.Marks>>word | gather(zeros((w|0x20*ones)&(0x79*ones)^0x79*ones))
		slashes |= zeros(w ^ escapes)
	}
	if slashes != 0 || s.escaped != 0 {
		m.Escaped = s.escapes(b)
		m.Quotes &^= m.Escaped
	}
	in := m.Quotes // from each quote that begins a string to the quote that ends it
	in ^= in << 1
	in ^= in << 2
	in ^= in << 4
	in ^= in << 8
	in ^= in << 16
	in ^= in << 32
	m.Strings = in ^ s.inside
	s.inside = -(m.Strings >> (BlockLen - 1))
	m.Commas &^= m.Strings
	return m
}

// escapes returns the bytes that follow an unescaped backslash.
func (s *Blocks) escapes(b *[BlockLen + Ahead]byte) uint64 {
	var slashes uint64
	for k := 0; k < BlockLen; k += word {
		w := binary.LittleEndian.Uint64(b[k : k+word])
		slashes = slashes>>word | gather(zeros(w^escapes)&^w)
	}
	escaped := s.escaped
	slashes &^= escaped
	s.escaped = 0
	for slashes != 0 {
		i := bits.TrailingZeros64(slashes)
		escaped |= 2 << i
		slashes &^= 3 << i
		if i == BlockLen-1 {
			s.escaped = 1
		}
	}
	return escaped
}

// zeros returns a word with the highest bit set in each byte of w whose other
// bits are zero. It also matches some bytes beyond ASCII; if the caller does
// not mask them, they are harmless because they occur only in strings.
func zeros(w uint64) uint64 {
	const lows = 0x7f * ones
	return ^(w&lows + lows) &^ lows
}
