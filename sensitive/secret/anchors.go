package secret

import "math/bits"

// anchorTable tells where the samples of secrets may stand in a text. The anchors of a
// sample are its first windows, one for each byte of a stride: the filter has them, and
// wherever in the text the sample begins, one of them is met. Where all of them stand,
// slots tells whose sample it is: each slot has, in as many bits as it needs, plus one,
// the secret with its class, and above that a sign of the sample. It has an open
// addressing. Samples are folded, and so is the text.
type anchorTable struct {
	filter filter
	slots  []uint32
	number uint32    // the bits of a slot that tell the secret and the class
	seed   [2]uint64 // of the hash of a sample
}

const (
	// The stride is the long one when all stretches have as many bytes as that takes.
	shortStride = 4
	longStride  = 8
	// mostNumbered is how many secrets have numbers that fit into a slot and leave
	// some bits for the sign.
	mostNumbered = 1 << 22
	// filterPerPlace is how many bits of the filter there are at most for each place
	// in a stride of a secret, and half of them at least. Its anchors take twenty. As
	// many make the search faster as long as the filter has no more than cachedFilter
	// bits; a larger one does with a quarter.
	filterPerPlace = 256
	cachedFilter   = 4 << 20
	// slotsPerSecret leaves room beside the samples of a secret.
	slotsPerSecret = numClasses * 3 / 2
)

// spanOf returns how many bytes of a sample the anchors of a stride take.
func spanOf(stride int) int { return window + stride - 1 }

func newAnchorTable(secrets, stride int) anchorTable {
	secrets = min(secrets, mostNumbered)
	size := filterPerPlace * uint64(stride) * uint64(secrets)
	size = min(size, max(size/4, cachedFilter))
	return anchorTable{
		filter: newFilter(window, stride, bits.Len64(size)-1),
		slots:  make([]uint32, slotsPerSecret*secrets+1),
		number: 1<<bits.Len(uint(classes*secrets)) - 1,
		seed:   newSeed(),
	}
}

// around returns the first and the last place where a sample may begin that has an
// anchor at at. There is none, mostly: what passes the filter by chance has no anchor
// beside it.
func (t *anchorTable) around(text []byte, at int) (first, last int) {
	stride := t.filter.stride
	first, last = at, at-stride+1
	for last < at && t.filter.mayHave(text, last+stride) {
		last++
	}
	for least := max(0, at-stride+1); first > least && t.filter.mayHave(text, first-1); {
		first--
	}
	return first, last
}

// ends returns the first and the last window of the sample that begins at i.
func (t *anchorTable) ends(text []byte, i int) (head, tail uint64) {
	return t.filter.windowAt(text, i), t.filter.windowAt(text, i+t.filter.stride-1)
}

// locate returns the sign of a sample, told by its first and its last window, and the
// slot from which on it is.
func (t *anchorTable) locate(head, tail uint64) (sign uint32, slot int) {
	mixed := mix(t.seed, head, tail)
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
// samples, up to [mostAlike].
func (t *anchorTable) crowd(l *samples) (most int) {
	for i := range l.n {
		s, n := &l.list[i], 0
		sign, slot := t.locate(s.lo, s.last(t.filter.stride))
		for ; t.slots[slot] != 0 && n < mostAlike; slot = t.next(slot) {
			if _, _, ok := t.sampleAt(slot, sign); ok {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (t *anchorTable) add(number uint32, l *samples) {
	for i := range l.n {
		s := &l.list[i]
		sign, slot := t.locate(s.lo, s.last(t.filter.stride))
		for t.slots[slot] != 0 {
			slot = t.next(slot)
		}
		t.slots[slot] = sign | number*classes + uint32(s.class) + 1
		lo, hi := s.lo, s.hi
		for range t.filter.stride {
			t.filter.add(lo)
			lo, hi = lo>>8|hi<<56, hi>>8
		}
	}
}
