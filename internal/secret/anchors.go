package secret

import "math/bits"

// anchorTable finds the positions in a text where a sample of a secret may begin. The
// anchors of a sample are its first windows, one for each byte of a stride, and are added
// to the filter. The text is searched in strides, so one anchor is always hit wherever
// the sample begins. If all anchors of a sample match, slots identifies the sample: the
// low bits of a slot hold the secret number and the class, plus one; the high bits hold a
// signature of the sample. The slots use open addressing. Samples and text are folded.
type anchorTable struct {
	filter filter
	slots  []uint32
	number uint32    // mask of the bits of a slot that hold the secret and the class
	seed   [2]uint64 // seed of the hash of a sample
}

const (
	// longStride is used if every stretch is long enough for it.
	shortStride = 4
	longStride  = 8
	// mostNumbered is the number of secrets whose numbers fit into a slot and leave some
	// bits for the signature.
	mostNumbered = 1 << 22
	// filterPerPosition is the maximum number of filter bits for each position of a stride
	// of a secret; rounding may halve it. The anchors of a secret set twenty of them.
	// This size makes the search faster while the filter has at most cachedFilter bits; a
	// larger filter uses a quarter of it.
	filterPerPosition = 256
	cachedFilter      = 4 << 20
	// slotsPerSecret leaves free slots beside the samples of a secret.
	slotsPerSecret = numClasses * 3 / 2
)

// spanOf returns the number of bytes of a sample that the anchors of a stride cover.
func spanOf(stride int) int { return window + stride - 1 }

func newAnchorTable(secrets, stride int) anchorTable {
	secrets = min(secrets, mostNumbered)
	size := filterPerPosition * uint64(stride) * uint64(secrets)
	size = min(size, max(size/4, cachedFilter))
	return anchorTable{
		filter: newFilter(window, stride, bits.Len64(size)-1),
		slots:  make([]uint32, slotsPerSecret*secrets+1),
		number: 1<<bits.Len(uint(classes*secrets)) - 1,
		seed:   newSeed(),
	}
}

// around returns the first and the last position where a sample with an anchor at
// position at may begin. Usually there is none, because a window that passes the filter
// by chance has no anchor beside it.
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

// ends returns the first and the last anchor of the sample that begins at i.
func (t *anchorTable) ends(text []byte, i int) (head, tail uint64) {
	return t.filter.windowAt(text, i), t.filter.windowAt(text, i+t.filter.stride-1)
}

// locate returns the signature of a sample, given its first and last anchor, and the slot
// at which to start probing.
func (t *anchorTable) locate(head, tail uint64) (sign uint32, slot int) {
	mixed := mix(t.seed, head, tail)
	return uint32(mixed) &^ t.number, int(mixed >> 32 * uint64(len(t.slots)) >> 32)
}

// sampleAt returns the secret and the class of the sample in a slot. ok is false if the
// signature differs.
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

// crowd returns the largest number of entries that share one of the samples, up to
// [mostPerSample].
func (t *anchorTable) crowd(l *samples) (most int) {
	for i := range l.n {
		s, n := &l.list[i], 0
		sign, slot := t.locate(s.lo, s.last(t.filter.stride))
		for ; t.slots[slot] != 0 && n < mostPerSample; slot = t.next(slot) {
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
