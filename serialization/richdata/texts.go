package richdata

import (
	"encoding/binary"
	"math/bits"

	"github.com/pcatdev/pcat/pcore"
)

// texts gives out the same String for a short text that repeats: keys, names of
// types, tags. The zero value is ready to use.
type texts struct {
	// recent has at most one text of each place. It is made when there were
	// enough texts for it to be worth its own memory.
	recent *[1 << recentBits]knownText
	made   int
	// slab holds the Strings that are given out again, which outlive the
	// documents that they were made for.
	slab pcore.Slab
}

// knownText is a String with its sign.
type knownText struct {
	sign sign
	text pcore.Value
}

const (
	recentBits = 10
	// maxShared is how long a text is that is worth looking for.
	maxShared = 32
	// minTexts is how many texts there are before any is looked for.
	minTexts = 128
)

// value returns a copy of text as a String, and a number that is the same for the
// same texts.
func (t *texts) value(slab *pcore.Slab, text []byte) (pcore.Value, uint64) {
	n := uint(len(text))
	if n > maxExact || cap(text) <= maxExact {
		return t.any(slab, text, signOf(text))
	}
	// As signOf, with what stands behind the text in the input shifted out, without
	// a branch on its length: Go leaves nothing of a word that is shifted too far.
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
		known.sign, known.text = s, t.slab.Text(text)
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
	known.sign, known.text = s, t.slab.Text(text)
	return known.text, h
}

func (t *texts) ready() bool {
	if t.made++; t.made < minTexts {
		return false
	}
	t.recent = new([1 << recentBits]knownText)
	return true
}

// sign tells texts apart: all of them up to maxExact bytes, most of the longer
// ones. It is never zero.
type sign struct{ low, high uint64 }

const (
	// maxExact bytes, with their number, fit a sign.
	maxExact = 15
	// exact is set in signs that tell all of a text, beside its length.
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
