package secret

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
)

// A pattern is found by its anchors, which are windows of its bytes. Windows of the text
// are looked up; a filter rejects nearly all of them, and the rest are compared in full.
const (
	window      = 8
	smallWindow = 5
	leastWindow = MinLen
	// patternStride is the stride for most patterns. A pattern has one anchor for each
	// position of a stride, so one of them is hit wherever the pattern begins. Short
	// patterns therefore use smaller windows, and the shortest a smaller stride.
	patternStride = shortStride
	// anchorReach is how far into a pattern anchors may begin. Secrets with a common
	// beginning, such as PEM blocks, differ further on.
	anchorReach = 128
	// mostPerAnchor is the number of patterns that may share an anchor, and of those that a
	// dictionary finds at one position.
	mostPerAnchor = 16
)

// index finds patterns by their anchors.
type index struct {
	patterns [][]byte
	lanes    []*lane
	least    int // length of the shortest pattern
}

func newIndex(patterns [][]byte) *index {
	x := &index{patterns: patterns, least: shortest(patterns)}
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
		case n < smallWindow+patternStride-1:
			short = append(short, int32(i))
		case n < window+patternStride-1:
			middle = append(middle, int32(i))
		default:
			long = append(long, int32(i))
		}
	}
	crowded := x.add(long, window, patternStride)
	crowded = append(crowded, x.add(middle, smallWindow, patternStride)...)
	x.add(crowded, window, 1)
	crowded = x.add(short, leastWindow, min(x.least-leastWindow+1, patternStride))
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

// add makes a lane of patterns. It returns the patterns that share all their anchors with
// too many others, because each would be compared at every occurrence of an anchor. They
// may have anchors of their own in a lane with a smaller stride.
func (x *index) add(patterns []int32, width, stride int) (crowded []int32) {
	if len(patterns) == 0 {
		return nil
	}
	l := newLane(width, stride, len(patterns))
	l.patterns = x.patterns
	for _, i := range patterns {
		start, most := l.rarest(x.patterns[i])
		if most >= mostPerAnchor && stride > 1 {
			crowded = append(crowded, i)
			continue
		}
		l.add(i, x.patterns[i], start)
	}
	x.lanes = append(x.lanes, l)
	return crowded
}

// find yields the hits, with patterns numbered starting at from, and reports whether to
// continue.
func (x *index) find(text []byte, from int, yield func(Hit) bool) bool {
	if len(text) < x.least {
		return true
	}
	v := verifier{text: text, patterns: x.patterns, from: from}
	return x.search(&v, yield)
}

// search is find for the text of v.
func (x *index) search(v *verifier, yield func(Hit) bool) bool {
	for _, l := range x.lanes {
		if !l.find(v, yield) {
			return false
		}
	}
	return true
}

// lane holds the anchors of patterns that share a window width and a stride.
type lane struct {
	filter   filter
	patterns [][]byte
	seed     [2]uint64

	// heads is an open-addressing hash table of windows. A slot holds the index of the
	// last anchor of a window, plus one, or 0 if it is free.
	heads   []int32
	anchors []anchor

	dictionary lazyDictionary // of the same patterns
}

// anchor identifies a window of a pattern. It does not store the bytes, because anchors
// take most of the memory when there are very many patterns.
type anchor struct {
	pattern int32
	next    int32  // index of an anchor with the same window, -1 for none
	count   uint16 // number of anchors with the same window up to this one, saturating
	offset  uint8  // of the window in the pattern, less than anchorReach plus a stride
}

// Filter bits and table slots for each window; both leave enough of them free.
const (
	filterBits = 32
	tableSlots = 2
)

func newLane(width, stride, patterns int) *lane {
	return &lane{
		filter:  newFilter(width, stride, bits.Len(uint(filterBits*stride*patterns-1))),
		seed:    newSeed(),
		heads:   make([]int32, 1<<bits.Len(uint(tableSlots*stride*patterns-1))),
		anchors: make([]anchor, 0, stride*patterns),
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

// rarest returns the offset in p of the windows shared by the fewest patterns, and the
// number of these patterns.
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

// locate returns the slot of a window, or the free slot to insert it into.
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

// count returns the number of anchors in the list that begins at head.
func (l *lane) count(head int32) int32 {
	if head == 0 {
		return 0
	}
	return int32(l.anchors[head-1].count)
}

func (l *lane) find(v *verifier, yield func(Hit) bool) bool {
	f := &l.filter
	v.begun = v.work
	for i := f.meet(v.text, 0); i >= 0; i = f.meet(v.text, i) {
		if !v.check(l.anchors, *l.locate(f.windowAt(v.text, i))-1, i, yield) {
			return false
		}
		if !v.exhausted(i) {
			i += f.stride
			continue
		}
		var more bool
		if i, more = v.search(l.dictionary.get(l.newDictionary), i, anchorReach+f.stride, yield); !more {
			return false
		}
	}
	return true
}

func (l *lane) newDictionary() *dictionary {
	return newDictionary(newBase(), func(yield func(int32, []byte) bool) {
		for i := 0; i < len(l.anchors); i += l.filter.stride {
			p := l.anchors[i].pattern
			if !yield(p, l.patterns[p]) {
				return
			}
		}
	})
}
