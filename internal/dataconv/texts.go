package dataconv

import (
	"encoding/binary"
	"math/bits"

	"github.com/pcatdev/pcat/pcore"
)

// texts returns the same String for short texts that repeat: keys, names of
// types, tags. The zero value is ready to use.
type texts struct {
	// recent is a hash table with one text in each slot. It is allocated once
	// there are enough texts to justify its size.
	recent *[1 << recentBits]knownText
	made   int
	// slab holds the shared Strings, which outlive the documents for which they
	// were made.
	slab   pcore.Slab
	shared int // number of Strings in slab
}

// knownText is a String with its signature.
type knownText struct {
	sign sign
	text pcore.Value
}

const (
	recentBits = 10
	// maxShared is the maximum length of a text that is looked up.
	maxShared = 32
	// minTexts is the number of texts before lookups start.
	minTexts = 128
	// maxKept is the number of Strings after which the table begins anew. Each one in the
	// table keeps its chunk of the slab in memory.
	maxKept = 8 << recentBits
)

// value returns a copy of text as a String, and a hash of text.
func (t *texts) value(slab *pcore.Slab, text []byte) (pcore.Value, uint64) {
	n := uint(len(text))
	if n > maxExact || cap(text) <= maxExact {
		return t.any(slab, text, signOf(text))
	}
	// This is signOf with the bytes behind the text shifted out, without a
	// branch on its length: in Go, shifting a word by its width or more gives
	// 0.
	two := text[:maxExact+1]
	s := sign{
		binary.LittleEndian.Uint64(two) & (1<<(8*n) - 1),
		binary.LittleEndian.Uint64(two[8:])<<(8*(maxExact+1-n)) | uint64(n) | exact,
	}
	h := s.hash()
	if t.recent == nil {
		return t.any(slab, text, s)
	}
	known := &t.recent[h>>(64-recentBits)]
	if known.sign != s {
		known.text, known.sign = t.share(text), s
	}
	return known.text, h
}

// any is value for texts and times out of the ordinary.
func (t *texts) any(slab *pcore.Slab, text []byte, s sign) (pcore.Value, uint64) {
	h := s.hash()
	if len(text) > maxShared || t.recent == nil && !t.ready() {
		return slab.Text(text), h
	}
	known := &t.recent[h>>(64-recentBits)]
	if known.sign == s {
		if v, ok := known.text.(pcore.String); ok && string(v) == string(text) {
			return known.text, h
		}
	}
	known.text, known.sign = t.share(text), s
	return known.text, h
}

// share returns a copy of text for the table.
func (t *texts) share(text []byte) pcore.Value {
	if t.shared++; t.shared > maxKept {
		clear(t.recent[:])
		t.slab, t.shared = pcore.Slab{}, 1
	}
	return t.slab.Text(text)
}

func (t *texts) ready() bool {
	if t.made++; t.made < minTexts {
		return false
	}
	t.recent = new([1 << recentBits]knownText)
	return true
}

// sign is a signature of a text: exact for texts up to maxExact bytes, and
// usually distinct for longer ones. It is never zero.
type sign struct{ low, high uint64 }

const (
	// maxExact is the maximum number of bytes that fit a sign with their
	// length.
	maxExact = 15
	// exact is set in a sign that contains the whole text.
	exact = 1 << 7
)

func signOf(text []byte) sign {
	n := len(text)
	if n > maxExact {
		return sign{binary.LittleEndian.Uint64(text), (binary.LittleEndian.Uint64(text[n-8:]) ^ uint64(n)<<56) &^ exact}
	}
	var two [maxExact + 1]byte
	copy(two[:], text)
	return sign{binary.LittleEndian.Uint64(two[:]), binary.LittleEndian.Uint64(two[8:])<<(8*(maxExact+1-n)) | uint64(n) | exact}
}

func (s sign) hash() uint64 {
	const golden = 0x9e3779b97f4a7c15 // spreads the bits over the upper ones
	return (s.low ^ bits.RotateLeft64(s.high, 29)) * golden
}
