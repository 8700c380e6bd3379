package match

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// anchorTable tells where the samples of secrets may stand in a text. The anchors of a
// sample are its first windows, one for each byte of a stride: the filter has them, and
// wherever in the text the sample begins, one of them is met. Where all of them stand,
// slots tells whose sample it is: each slot has, in as many bits as it needs, plus one,
// the secret with its class, and above that a sign of the sample. It has an open
// addressing. Samples are folded, and so is the text.
type anchorTable struct {
	stride int
	spread uint64
	filter []uint64
	shift  uint // of the hash, for a word of filter
	slots  []uint32
	number uint32 // the bits of a slot that tell the secret and the class
	seed   uint64 // of the hash of a sample
}

const (
	// The stride is the long one when all stretches have as many bytes as that takes.
	shortStride = 4
	longStride  = 8
	// mostNumbered is how many secrets have numbers that fit into a slot and leave
	// some bits for the sign.
	mostNumbered = 1 << 22
	// filterPerPlace is how many bits of the filter there are at most for each place
	// in a stride of a secret, and half of them at least. Its anchors take twenty.
	filterPerPlace = 256
	// slotsPerSecret leaves room beside the samples of a secret.
	slotsPerSecret = numClasses * 3 / 2
)

// spanOf returns how many bytes of a sample the anchors of a stride take.
func spanOf(stride int) int { return window + stride - 1 }

func newAnchorTable(secrets, stride int) anchorTable {
	secrets = min(secrets, mostNumbered)
	log := max(13, bits.Len(uint(filterPerPlace*stride*secrets))-1)
	return anchorTable{
		stride: stride,
		spread: rand.Uint64() | 1, //nolint:gosec // guards time, no secret
		filter: make([]uint64, 1<<(log-6)),
		shift:  uint(64 - (log - 6)),
		slots:  make([]uint32, slotsPerSecret*secrets+1),
		number: 1<<bits.Len(uint(classes*secrets)) - 1,
		seed:   rand.Uint64(), //nolint:gosec // guards time, no secret
	}
}

// fold brings the letters of a window to one case: what is the same but for that
// has the same anchors. Of what a stretch becomes, nothing else turns into the same.
func fold(w uint64) uint64 { return w | 0x20*ones }

// twoBits returns the bits of a hash in its word of the filter. The word is told
// by the highest bits.
func twoBits(hash uint64) uint64 {
	return 1<<(hash>>38&63) | 1<<(hash>>32&63)
}

// meet returns where in text, from i on and in strides, the next window stands
// that may be an anchor, none when there is none.
func (t *anchorTable) meet(text []byte, i int) int {
	if i+window > len(text) {
		return none
	}
	filter, spread, shift, everyFour := t.filter, t.spread, t.shift&63, t.stride == shortStride
	// What is left is sliced, by what it is known to have, which takes less than to
	// slice text anew, and seldom.
	rest := text[i:]
	for ; len(rest) >= 2*longStride+shortStride; rest = rest[2*longStride:] {
		hash := fold(binary.LittleEndian.Uint64(rest)) * spread
		if twoBits(hash)&^filter[hash>>shift] == 0 {
			return len(text) - len(rest)
		}
		if everyFour {
			hash = fold(binary.LittleEndian.Uint64(rest[4:])) * spread
			if twoBits(hash)&^filter[hash>>shift] == 0 {
				return len(text) - len(rest) + 4
			}
		}
		hash = fold(binary.LittleEndian.Uint64(rest[8:])) * spread
		if twoBits(hash)&^filter[hash>>shift] == 0 {
			return len(text) - len(rest) + 8
		}
		if everyFour {
			hash = fold(binary.LittleEndian.Uint64(rest[12:])) * spread
			if twoBits(hash)&^filter[hash>>shift] == 0 {
				return len(text) - len(rest) + 12
			}
		}
	}
	for i = len(text) - len(rest); i+window <= len(text); i += t.stride {
		if t.mayHave(text, i) {
			return i
		}
	}
	return none
}

// mayHave reports false when surely no anchor stands at i, which is no longer than
// text.
func (t *anchorTable) mayHave(text []byte, i int) bool {
	if i+window > len(text) {
		return false
	}
	hash := fold(binary.LittleEndian.Uint64(text[i:])) * t.spread
	return twoBits(hash)&^t.filter[hash>>t.shift] == 0
}

// around returns the first and the last place where a sample may begin that has an
// anchor at at. There is none, mostly: what passes the filter by chance has no anchor
// beside it.
func (t *anchorTable) around(text []byte, at int) (first, last int) {
	first, last = at, at-t.stride+1
	for last < at && t.mayHave(text, last+t.stride) {
		last++
	}
	for least := max(0, at-t.stride+1); first > least && t.mayHave(text, first-1); {
		first--
	}
	return first, last
}

// ends returns the first and the last window of the sample that begins at i.
func (t *anchorTable) ends(text []byte, i int) (head, tail uint64) {
	return fold(binary.LittleEndian.Uint64(text[i:])), fold(binary.LittleEndian.Uint64(text[i+t.stride-1:]))
}

// locate returns the sign of a sample, told by its first and its last window, and the
// slot from which on it is.
func (t *anchorTable) locate(head, tail uint64) (sign uint32, slot int) {
	hi, lo := bits.Mul64(head^t.spread, tail^t.seed)
	mixed := hi ^ lo
	return uint32(mixed) &^ t.number, int(mixed >> 32 * uint64(len(t.slots)) >> 32)
}

// sampleAt returns the secret and the class whose sample stands in a slot, unless it
// has another sign.
func (t *anchorTable) sampleAt(slot int, sign uint32) (number uint32, c class, ok bool) {
	e := t.slots[slot]
	of := e&t.number - 1
	return of / classes, class(of % classes), e&^t.number == sign
}

func (t *anchorTable) next(slot int) int {
	if slot++; slot == len(t.slots) {
		return 0
	}
	return slot
}

// crowd returns how many entries there are at most that have one of the
// samples, up to [crowd].
func (t *anchorTable) crowd(l *samples) (most int) {
	for i := range l.n {
		s, n := &l.list[i], 0
		sign, slot := t.locate(s.lo, s.last(t.stride))
		for ; t.slots[slot] != 0 && n < crowd; slot = t.next(slot) {
			if _, _, ok := t.sampleAt(slot, sign); ok {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (t *anchorTable) add(number uint32, l *samples) {
	filter, spread, shift := t.filter, t.spread, t.shift&63
	for i := range l.n {
		s := &l.list[i]
		sign, slot := t.locate(s.lo, s.last(t.stride))
		for t.slots[slot] != 0 {
			slot = t.next(slot)
		}
		t.slots[slot] = sign | number*classes + uint32(s.class) + 1
		lo, hi := s.lo, s.hi
		for range t.stride {
			hash := lo * spread
			filter[hash>>shift] |= twoBits(hash)
			lo, hi = lo>>8|hi<<56, hi>>8
		}
	}
}
