package secret

import (
	"encoding/binary"
	"math/rand/v2"
)

// filter turns down nearly all windows of a text that were not added to it: each has
// two bits in a word that its hash tells. The text is looked at in strides. Windows
// are folded.
type filter struct {
	width, stride int    // of windows, in bytes
	mask          uint64 // bits of the width

	// spread is the multiplier of the hash, whose high bits tell the word. It is
	// random, so that nobody can send windows that collide. It has zeros behind it, as
	// many as a window has bits beyond the width: they do not get into the hash.
	spread uint64
	words  []uint64
	shift  uint // of the hash, for a word
}

// leastFilter is the logarithm of the least number of bits.
const leastFilter = 13

// newFilter returns a filter that has two to the power of log bits, or more.
func newFilter(width, stride, log int) filter {
	log = max(log, leastFilter)
	beyond := 8 * (window - width)
	return filter{
		width: width, stride: stride, mask: ^uint64(0) >> beyond,
		spread: (rand.Uint64() | 1) << beyond, //nolint:gosec // guards time, no secret
		words:  make([]uint64, 1<<(log-6)),
		shift:  uint(64 - (log - 6)),
	}
}

// fold brings the letters of a window to one case: what is the same but for that has
// the same windows. Of what a secret becomes, hardly anything else turns into the same.
func fold(w uint64) uint64 { return w | 0x20*ones }

// twoBits returns the bits of a hash in its word. The word is told by the highest
// bits.
func twoBits(hash uint64) uint64 {
	return 1<<(hash>>38&63) | 1<<(hash>>32&63)
}

// add adds a window.
func (f *filter) add(w uint64) {
	hash := w * f.spread
	f.words[hash>>(f.shift&63)] |= twoBits(hash)
}

// windowAt returns the window of text at i, where one is.
func (f *filter) windowAt(text []byte, i int) uint64 {
	if text = text[i:]; len(text) < window {
		var b [window]byte
		copy(b[:], text)
		text = b[:]
	}
	return fold(binary.LittleEndian.Uint64(text)) & f.mask
}

// mayHave reports false when surely no window was added that stands at i, which is not
// beyond the end of text.
func (f *filter) mayHave(text []byte, i int) bool {
	if i+f.width > len(text) {
		return false
	}
	hash := f.windowAt(text, i) * f.spread
	return twoBits(hash)&^f.words[hash>>(f.shift&63)] == 0
}

// meet returns where in text, from i on and in strides, the next window stands that may
// have been added, none when there is none.
func (f *filter) meet(text []byte, i int) int {
	if i+f.width > len(text) {
		return none
	}
	words, spread, shift, stride := f.words, f.spread, f.shift&63, f.stride
	// What is left is sliced, by what it is known to have, which takes less than to
	// slice text anew, and seldom.
	rest := text[i:]
	if everyFour := stride == shortStride; everyFour || stride == longStride {
		for ; len(rest) >= 2*longStride+shortStride; rest = rest[2*longStride:] {
			hash := fold(binary.LittleEndian.Uint64(rest)) * spread
			if twoBits(hash)&^words[hash>>shift] == 0 {
				return len(text) - len(rest)
			}
			if everyFour {
				hash = fold(binary.LittleEndian.Uint64(rest[4:])) * spread
				if twoBits(hash)&^words[hash>>shift] == 0 {
					return len(text) - len(rest) + 4
				}
			}
			hash = fold(binary.LittleEndian.Uint64(rest[8:])) * spread
			if twoBits(hash)&^words[hash>>shift] == 0 {
				return len(text) - len(rest) + 8
			}
			if everyFour {
				hash = fold(binary.LittleEndian.Uint64(rest[12:])) * spread
				if twoBits(hash)&^words[hash>>shift] == 0 {
					return len(text) - len(rest) + 12
				}
			}
		}
	}
	i = len(text) - len(rest)
	for ; i+window <= len(text); i += stride {
		hash := fold(binary.LittleEndian.Uint64(text[i:])) * spread
		if twoBits(hash)&^words[hash>>shift] == 0 {
			return i
		}
	}
	for ; i+f.width <= len(text); i += stride {
		if f.mayHave(text, i) {
			return i
		}
	}
	return none
}
