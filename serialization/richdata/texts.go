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
	recent []knownText
	made   int
}

// knownText is a String with its sign.
type knownText struct {
	sign sign
	text pcore.Value
}

const (
	recentBits = 10
	// minTexts is how many texts there are before any is looked for.
	minTexts = 128
)

// value returns text as a String, and a number that is the same for the same
// texts.
func (t *texts) value(slab *pcore.Slab, text []byte) (pcore.Value, uint64) {
	s := signOf(text)
	h := s.hash()
	if len(text) > maxExact || t.recent == nil && !t.ready() {
		return slab.String(text), h
	}
	known := &t.recent[h>>(64-recentBits)]
	if known.sign != s {
		known.sign, known.text = s, slab.String(text)
	}
	return known.text, h
}

func (t *texts) ready() bool {
	if t.made++; t.made < minTexts {
		return false
	}
	t.recent = make([]knownText, 1<<recentBits)
	return true
}

// sign tells texts apart: all of them up to maxExact bytes, most of the longer
// ones. It is never zero.
type sign struct{ low, high uint64 }

// maxExact bytes, with their number, fit a sign.
const maxExact = 15

func signOf(text []byte) sign {
	switch n := uint(len(text)); {
	case n > maxExact:
		return sign{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:]) ^ uint64(n)<<56}
	case n >= 8:
		// Those of the last eight bytes that are not among the first.
		last := binary.LittleEndian.Uint64(text[n-8:]) >> (8 * (16 - n))
		return sign{binary.LittleEndian.Uint64(text), last | uint64(n|0x80)<<56}
	case cap(text) >= 8:
		// What stands behind the text in the input is masked out.
		return sign{binary.LittleEndian.Uint64(text[:8]) & (1<<(8*n) - 1), uint64(n|0x80) << 56}
	default:
		var low uint64
		for i, c := range text {
			low |= uint64(c) << (8 * i)
		}
		return sign{low, uint64(n|0x80) << 56}
	}
}

func (s sign) hash() uint64 {
	const golden = 0x9e3779b97f4a7c15 // spreads the bits over the upper ones
	return (s.low ^ bits.RotateLeft64(s.high, 29)) * golden
}
