package secret

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
)

// A pattern is found by windows of its bytes, its anchors: windows of the text
// are looked up, a filter turns nearly all of them down, and what passes is
// compared in full.
const (
	window      = 8
	smallWindow = 5
	leastWindow = MinLen
	// stride is the step by which windows of the text are looked up. A
	// pattern has as many anchors, one behind the other, so that one of them
	// is met wherever the pattern begins. To have them, short patterns have
	// smaller windows, and the shortest a smaller step.
	stride = shortStride
	// anchorReach is how far into a pattern anchors are looked for. Secrets
	// that begin alike, as PEM blocks do, are told apart further on.
	anchorReach = 128
	// crowd is how many patterns may share an anchor.
	crowd = 16
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
		case n < smallWindow+stride-1:
			short = append(short, int32(i))
		case n < window+stride-1:
			middle = append(middle, int32(i))
		default:
			long = append(long, int32(i))
		}
	}
	crowded := x.add(long, window, stride)
	crowded = append(crowded, x.add(middle, smallWindow, stride)...)
	x.add(crowded, window, 1)
	crowded = x.add(short, leastWindow, min(x.least-leastWindow+1, stride))
	x.add(crowded, leastWindow, 1)
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
	filter   filter
	patterns [][]byte
	seed     [2]uint64

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

// So many bits of the filter for each window leave enough of them free, and so many
// slots of the table.
const (
	filterBits = 32
	tableSlots = 2
)

func newLane(width, step, patterns int) *lane {
	return &lane{
		filter:  newFilter(width, step, bits.Len(uint(filterBits*step*patterns-1))),
		seed:    newSeed(),
		heads:   make([]int32, 1<<bits.Len(uint(tableSlots*step*patterns-1))),
		anchors: make([]anchor, 0, step*patterns),
	}
}

func (l *lane) add(pattern int32, p []byte, start int) {
	for off := start; off < start+l.filter.stride; off++ {
		w := l.filter.windowAt(p, off)
		head := l.locate(w)
		count := min(l.count(*head), math.MaxUint16-1) + 1
		l.anchors = append(l.anchors, anchor{pattern, *head - 1, uint16(count), uint8(off)})
		*head = int32(len(l.anchors))
		l.filter.add(w)
	}
}

// rarest returns where in p the windows begin that the fewest patterns have as
// anchors, and how many that are.
func (l *lane) rarest(p []byte) (start int, fewest int32) {
	fewest = math.MaxInt32
	last := min(len(p)-l.filter.width-l.filter.stride+1, anchorReach-1)
	for off := 0; fewest > 0; off = min(off+l.filter.width, last) {
		most := int32(0)
		for i := range l.filter.stride {
			most = max(most, l.count(*l.locate(l.filter.windowAt(p, off+i))))
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

// locate returns the slot of a window, or the one that it is to be put in.
func (l *lane) locate(w uint64) (head *int32) {
	mask := uint64(len(l.heads) - 1)
	for at := mix(l.seed, w, 0) & mask; ; at = (at + 1) & mask {
		head := &l.heads[at]
		if *head == 0 {
			return head
		}
		if a := l.anchors[*head-1]; l.filter.windowAt(l.patterns[a.pattern], int(a.offset)) == w {
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
	f := &l.filter
	for i := f.meet(v.text, 0); i >= 0; i = f.meet(v.text, i+f.stride) {
		if !v.check(l.anchors, *l.locate(f.windowAt(v.text, i))-1, i, yield) {
			return false
		}
	}
	return true
}
