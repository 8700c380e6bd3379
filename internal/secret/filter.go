package secret

import (
	"encoding/binary"
	"math/rand/v2"
)

// filter rejects nearly all windows of a text that were not added to it. A window sets
// two bits in one word; its hash selects the word and the bits. The text is searched in
// strides. Windows are folded.
type filter struct {
	width, stride int    // of windows, in bytes
	mask          uint64 // bits of the width

	// spread is the multiplier of the hash, whose high bits select the word. It is
	// random, so windows cannot be crafted to collide. Its low bits are zero, one for
	// each bit of a window beyond the width, so the excess bits do not affect the hash.
	spread uint64
	words  []uint64
	shift  uint // shift of the hash that yields the word
}

// leastFilter is the base-2 logarithm of the minimum number of bits.
const leastFilter = 13

// newFilter returns a filter with at least 1<<log bits.
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

// fold converts the letters of a window to one case, so texts that differ only in case
// have the same windows. Hardly any other spellings of secrets collide this way.
func fold(w uint64) uint64 { return w | 0x20*ones }

// twoBits returns the bits of a hash within its word.
func twoBits(hash uint64) uint64 {
	return 1<<(hash>>38&63) | 1<<(hash>>32&63)
}

// add adds a window.
func (f *filter) add(w uint64) {
	hash := w * f.spread
	f.words[hash>>(f.shift&63)] |= twoBits(hash)
}

// windowAt returns the window of text at i, padded with zeros at the end of text.
func (f *filter) windowAt(text []byte, i int) uint64 {
	if text = text[i:]; len(text) < window {
		var b [window]byte
		copy(b[:], text)
		text = b[:]
	}
	return fold(binary.LittleEndian.Uint64(text)) & f.mask
}

// mayHave reports whether the window at i may have been added. False is certain. i must
// not be beyond the end of text.
func (f *filter) mayHave(text []byte, i int) bool {
	if i+f.width > len(text) {
		return false
	}
	hash := f.windowAt(text, i) * f.spread
	return twoBits(hash)&^f.words[hash>>(f.shift&63)] == 0
}

// meet returns the position of the next window that may have been added, starting at i
// and advancing in strides, or none.
func (f *filter) meet(text []byte, i int) int {
	if i+f.width > len(text) {
		return none
	}
	words, spread, shift, stride := f.words, f.spread, f.shift&63, f.stride
	// Reslicing rest by its known length is cheaper than slicing text again.
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
