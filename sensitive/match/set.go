package match

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// MinLen is the length in bytes that a pattern must have. What is shorter
// stands in every text by chance.
const MinLen = 4

// ErrShort tells that a pattern has fewer than [MinLen] bytes.
var ErrShort = errors.New("match: the pattern is too short")

// Set is a set of patterns that are looked for together. The zero value and
// nil hold none. It is immutable and safe for concurrent use.
type Set struct {
	// A closure, so that no reflection sees the patterns.
	find    func(text []byte, yield func(Hit) bool)
	size    int
	longest int
}

// Hit is a place where a pattern stands: text[Start:End]. Pattern is its
// position among those that the [Set] was made of.
type Hit struct{ Start, End, Pattern int }

// Compile returns a Set of the patterns. It keeps the slices: they must not be
// changed afterwards. A pattern that stands twice is found as the first of
// them. The error is [ErrShort], with the position of the pattern.
func Compile(patterns [][]byte) (*Set, error) {
	s := &Set{size: len(patterns)}
	for i, p := range patterns {
		if len(p) < MinLen {
			return nil, fmt.Errorf("%w: pattern %d", ErrShort, i)
		}
		s.longest = max(s.longest, len(p))
	}
	s.find = newIndex(patterns).find
	return s, nil
}

// Len returns the number of patterns.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.size
}

// Longest returns the length in bytes of the longest pattern, 0 when there is
// none. Text that is searched in pieces is searched completely when pieces
// overlap by one byte less.
func (s *Set) Longest() int {
	if s == nil {
		return 0
	}
	return s.longest
}

// Find returns an iterator over the places where patterns stand in text.
// Places of different patterns may overlap, those of one pattern do not: each
// is the next behind the one before. The order is that of the text only
// roughly; [Set.Spans] sorts.
func (s *Set) Find(text []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		if s.Len() > 0 {
			s.find(text, yield)
		}
	}
}

// Contains reports whether any pattern stands in text.
func (s *Set) Contains(text []byte) bool {
	for range s.Find(text) {
		return true
	}
	return false
}

// Span is a part of a text that patterns cover: text[Start:End]. Pattern is
// the one that covers it alone, or -1 when it took several that overlap.
type Span struct{ Start, End, Pattern int }

// Spans returns the parts of text that patterns cover, in order. Hits that
// overlap are one Span, so that nothing of either is left when it is replaced;
// a hit inside a longer one counts for nothing. Hits that only touch stay
// apart.
func (s *Set) Spans(text []byte) []Span {
	var spans []Span
	for h := range s.Find(text) {
		spans = append(spans, Span(h))
	}
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	merged := spans[:1]
	for _, next := range spans[1:] {
		last := &merged[len(merged)-1]
		switch {
		case next.Start >= last.End:
			merged = append(merged, next)
		case next.End > last.End:
			last.End, last.Pattern = next.End, -1
		}
	}
	return merged
}

// A pattern is found by a window of its bytes, its anchor: the window slides
// over the text, a filter of one bit per slot turns nearly all places down,
// and what passes is compared in full.
const (
	window      = 8
	smallWindow = 4
	// anchorReach is how far into a pattern an anchor is looked for. Secrets
	// that begin alike, as PEM blocks do, are told apart further on.
	anchorReach = 128
)

type anchor struct {
	pattern int
	offset  int // of the window in the pattern
}

type index struct {
	patterns [][]byte
	long     filter // windows of 8 bytes
	short    filter // windows of 4, for patterns below 8 bytes
	anchors  map[uint64][]anchor
	starts   map[uint64][]anchor
}

func newIndex(patterns [][]byte) *index {
	x := &index{patterns: patterns, anchors: map[uint64][]anchor{}, starts: map[uint64][]anchor{}}
	seen := make(map[string]bool, len(patterns))
	for i, p := range patterns {
		if seen[string(p)] {
			continue
		}
		seen[string(p)] = true
		if len(p) < window {
			w := uint64(binary.LittleEndian.Uint32(p))
			x.starts[w] = append(x.starts[w], anchor{i, 0})
			continue
		}
		w, off := x.rarest(p)
		x.anchors[w] = append(x.anchors[w], anchor{i, off})
	}
	x.long = newFilter(x.anchors)
	x.short = newFilter(x.starts)
	return x
}

// rarest returns the window of p that the fewest patterns have as anchor.
func (x *index) rarest(p []byte) (w uint64, offset int) {
	fewest := -1
	for off := 0; off+window <= len(p) && off < anchorReach; off += window {
		at := binary.LittleEndian.Uint64(p[off:])
		n := len(x.anchors[at])
		if fewest < 0 || n < fewest {
			fewest, w, offset = n, at, off
		}
		if n == 0 {
			break
		}
	}
	return w, offset
}

func (x *index) find(text []byte, yield func(Hit) bool) {
	v := verifier{text: text, patterns: x.patterns, budget: workPerByte * (len(text) + 1<<16)}
	if len(x.starts) > 0 && !x.slideShort(text, &v, yield) {
		return
	}
	if len(x.anchors) > 0 {
		x.slideLong(text, &v, yield)
	}
}

func (x *index) slideLong(text []byte, v *verifier, yield func(Hit) bool) bool {
	bits, shift := x.long.bits, x.long.shift&63
	for i := range max(0, len(text)-window+1) {
		w := binary.LittleEndian.Uint64(text[i:])
		if slot := w * spread >> shift; bits[slot/64]>>(slot%64)&1 != 0 && !v.check(x.anchors[w], i, yield) {
			return false
		}
	}
	return true
}

func (x *index) slideShort(text []byte, v *verifier, yield func(Hit) bool) bool {
	bits, shift := x.short.bits, x.short.shift&63
	for i := range max(0, len(text)-smallWindow+1) {
		w := uint64(binary.LittleEndian.Uint32(text[i:]))
		if slot := w * spread >> shift; bits[slot/64]>>(slot%64)&1 != 0 && !v.check(x.starts[w], i, yield) {
			return false
		}
	}
	return true
}

// spread is the multiplier of the hash of a window, whose high bits are its
// slot: 2^64 by the golden ratio.
const spread = 0x9E3779B97F4A7C15

// filter has a bit for each slot that a window hashes to.
type filter struct {
	bits  []uint64
	shift uint
}

func newFilter(windows map[uint64][]anchor) filter {
	slots, shift := 1<<13, uint(64-13)
	for slots < 32*len(windows) {
		slots *= 2
		shift--
	}
	f := filter{make([]uint64, slots/64), shift}
	for w := range windows {
		slot := w * spread >> shift
		f.bits[slot/64] |= 1 << (slot % 64)
	}
	return f
}

// verifier tells whether a pattern really stands where its anchor was found.
// It compares bytes; when a text is made so that many long comparisons fail
// late, it has used up its budget and compares digests of the text instead,
// which takes the same time for any length.
type verifier struct {
	text     []byte
	patterns [][]byte
	budget   int
	digests  *digests
	free     map[int]int // where the next hit of a pattern may begin
}

// workPerByte bounds the bytes compared for each byte of the text.
const workPerByte = 32

func (v *verifier) check(anchors []anchor, at int, yield func(Hit) bool) bool {
	for _, a := range anchors {
		p := v.patterns[a.pattern]
		start := at - a.offset
		end := start + len(p)
		if start < v.free[a.pattern] || end > len(v.text) || !v.equal(start, a.pattern) {
			continue
		}
		if v.free == nil {
			v.free = map[int]int{}
		}
		v.free[a.pattern] = end
		if !yield(Hit{start, end, a.pattern}) {
			return false
		}
	}
	return true
}

func (v *verifier) equal(start, pattern int) bool {
	p := v.patterns[pattern]
	t := v.text[start : start+len(p)]
	head := min(len(p), 2*anchorReach)
	if !bytes.Equal(t[:head], p[:head]) {
		return false
	}
	if head == len(p) {
		return true
	}
	if v.budget > 0 {
		if bytes.Equal(t, p) {
			return true
		}
		v.budget -= len(p)
		return false
	}
	if v.digests == nil {
		v.digests = newDigests(v.text)
	}
	return v.digests.of(start, start+len(p)) == v.digests.ofPattern(pattern, p) && bytes.Equal(t, p)
}
