package match

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"math/rand/v2"
)

// A pattern is found by windows of its bytes, its anchors: windows of the text
// are looked up, a filter of one bit per slot turns nearly all of them down,
// and what passes is compared in full.
const (
	window      = 8
	smallWindow = 4
	// stride is the step by which windows of the text are looked up. A
	// pattern that is long enough has as many anchors, one behind the other,
	// so that one of them is met wherever the pattern begins.
	stride = 4
	// anchorReach is how far into a pattern anchors are looked for. Secrets
	// that begin alike, as PEM blocks do, are told apart further on.
	anchorReach = 128
)

// index finds patterns by their anchors.
type index struct {
	patterns [][]byte
	lanes    []*lane
	least    int    // the length of the shortest
	base     uint64 // of digests
}

func newIndex(patterns [][]byte) *index {
	x := &index{patterns: patterns, least: shortest(patterns), base: newBase()}
	var short, middle, long []int32
	first := make(map[uint64]int, len(patterns)) // by hash
	seed := maphash.MakeSeed()
	for i, p := range patterns {
		hash := maphash.Bytes(seed, p)
		if same, ok := first[hash]; ok && bytes.Equal(patterns[same], p) {
			continue
		}
		first[hash] = i
		switch n := len(p); {
		case n < window:
			short = append(short, int32(i))
		case n < window+stride-1:
			middle = append(middle, int32(i))
		default:
			long = append(long, int32(i))
		}
	}
	crowded := x.add(long, window, stride)
	x.add(append(middle, crowded...), window, 1)
	x.add(short, smallWindow, 1)
	return x
}

func shortest(patterns [][]byte) int {
	least := math.MaxInt
	for _, p := range patterns {
		least = min(least, len(p))
	}
	return least
}

// add makes a lane of patterns. It returns those that have no anchors of their own
// there, but may have in one with a smaller step: each of them would be compared
// wherever one of their anchors stands.
func (x *index) add(patterns []int32, width, step int) (crowded []int32) {
	if len(patterns) == 0 {
		return nil
	}
	l := newLane(width, step, len(patterns))
	l.patterns = x.patterns
	for _, i := range patterns {
		start, most := l.rarest(x.patterns[i])
		if most >= crowd && step > 1 {
			crowded = append(crowded, i)
			continue
		}
		l.add(i, x.patterns[i], start)
	}
	x.lanes = append(x.lanes, l)
	return crowded
}

// find yields the hits, whose patterns are numbered beginning with from, and
// reports whether more are wanted.
func (x *index) find(text []byte, from int, yield func(Hit) bool) bool {
	if len(text) < x.least {
		return true
	}
	v := verifier{text: text, patterns: x.patterns, from: from, base: x.base, budget: workPerByte * (len(text) + 1<<16)}
	for _, l := range x.lanes {
		if !l.find(&v, yield) {
			return false
		}
	}
	return true
}

// lane holds the anchors of patterns that are looked for in the same manner.
type lane struct {
	width, step int
	patterns    [][]byte

	// spread is the multiplier of the hash of a window, whose high bits are
	// its slot. It is random, so that nobody can send windows that collide.
	spread uint64
	filter []uint64
	shift  uint // of the hash, for a slot of filter

	// heads is a table of windows, which has an open addressing: of each the
	// last of its anchors, plus one; 0 where a slot is free.
	heads   []int32
	anchors []anchor
}

// anchor is a window of a pattern, which has the bytes: of very many patterns, the
// anchors are what takes the most memory.
type anchor struct {
	pattern int32
	next    int32  // anchor with the same window, -1 for none
	count   uint16 // of those with the same window, up to this one, as far as it goes
	offset  uint8  // of the window in the pattern, below anchorReach and a stride
}

// A slot of the filter for each window leaves enough of them free, and so does
// a slot of the table.
const (
	filterSlots = 32
	tableSlots  = 2
)

func newLane(width, step, patterns int) *lane {
	log := max(13, bits.Len(uint(filterSlots*step*patterns-1)))
	return &lane{
		width:   width,
		step:    step,
		spread:  rand.Uint64() | 1, //nolint:gosec // guards time, no secret
		filter:  make([]uint64, 1<<(log-6)),
		shift:   uint(64 - log),
		heads:   make([]int32, 1<<bits.Len(uint(tableSlots*step*patterns-1))),
		anchors: make([]anchor, 0, step*patterns),
	}
}

func (l *lane) add(pattern int32, p []byte, start int) {
	for off := start; off < start+l.step; off++ {
		w := l.windowAt(p, off)
		head := l.locate(w)
		count := min(l.count(*head), math.MaxUint16-1) + 1
		l.anchors = append(l.anchors, anchor{pattern, *head - 1, uint16(count), uint8(off)})
		*head = int32(len(l.anchors))
		slot := w * l.spread >> l.shift
		l.filter[slot/64] |= 1 << (slot % 64)
	}
}

// rarest returns where in p the windows begin that the fewest patterns have as
// anchors, and how many that are.
func (l *lane) rarest(p []byte) (start int, fewest int32) {
	fewest = math.MaxInt32
	last := min(len(p)-l.width-l.step+1, anchorReach-1)
	for off := 0; fewest > 0; off = min(off+l.width, last) {
		most := int32(0)
		for i := range l.step {
			most = max(most, l.count(*l.locate(l.windowAt(p, off+i))))
		}
		if most < fewest {
			fewest, start = most, off
		}
		if off == last {
			break
		}
	}
	return start, fewest
}

func (l *lane) windowAt(p []byte, i int) uint64 {
	if l.width == smallWindow {
		return uint64(binary.LittleEndian.Uint32(p[i:]))
	}
	return binary.LittleEndian.Uint64(p[i:])
}

// locate returns the slot of a window, or the one that it is to be put in.
func (l *lane) locate(w uint64) (head *int32) {
	mask := uint64(len(l.heads) - 1)
	for at := bits.RotateLeft64(w*l.spread, 32) & mask; ; at = (at + 1) & mask {
		head := &l.heads[at]
		if *head == 0 {
			return head
		}
		if a := l.anchors[*head-1]; l.windowAt(l.patterns[a.pattern], int(a.offset)) == w {
			return head
		}
	}
}

// count returns how many anchors there are from a head on.
func (l *lane) count(head int32) int32 {
	if head == 0 {
		return 0
	}
	return int32(l.anchors[head-1].count)
}

func (l *lane) find(v *verifier, yield func(Hit) bool) bool {
	if l.width == smallWindow {
		return l.slideSmall(v, yield)
	}
	text, filter, spread, shift, step := v.text, l.filter, l.spread, l.shift&63, l.step
	for i := 0; i+window <= len(text); i += step {
		w := binary.LittleEndian.Uint64(text[i:])
		if slot := w * spread >> shift; filter[slot/64]>>(slot%64)&1 != 0 && !l.check(v, w, i, yield) {
			return false
		}
	}
	return true
}

func (l *lane) slideSmall(v *verifier, yield func(Hit) bool) bool {
	text, filter, spread, shift := v.text, l.filter, l.spread, l.shift&63
	for i := 0; i+smallWindow <= len(text); i++ {
		w := uint64(binary.LittleEndian.Uint32(text[i:]))
		if slot := w * spread >> shift; filter[slot/64]>>(slot%64)&1 != 0 && !l.check(v, w, i, yield) {
			return false
		}
	}
	return true
}

func (l *lane) check(v *verifier, w uint64, at int, yield func(Hit) bool) bool {
	return v.check(l.anchors, *l.locate(w)-1, at, yield)
}
