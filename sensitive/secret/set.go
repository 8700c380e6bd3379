package secret

import (
	"bytes"
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
	// A closure, so that no reflection sees the patterns; one that gives the
	// parts instead of searching them, so that a search needs no memory.
	parts   func() []part
	size    int
	longest int
	quoted  int // the longest of those with a quote
}

// part is some of the patterns of a Set, which index or spellings finds. The
// first of them is the one at from. It is no interface, so that what a search
// calls needs no memory.
type part struct {
	index     *index
	spellings *spellings
	from      int
}

// find yields the hits and reports whether more are wanted.
func (p *part) find(text []byte, yield func(Hit) bool) bool {
	if p.spellings != nil {
		return p.spellings.find(text, p.from, yield)
	}
	return p.index.find(text, p.from, yield)
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
		if bytes.IndexByte(p, '"') >= 0 {
			s.quoted = max(s.quoted, len(p))
		}
	}
	parts := []part{{index: newIndex(patterns)}}
	s.parts = func() []part { return parts }
	return s, nil
}

// Union returns a Set of the patterns of all sets, numbered one after the
// other, which shares their memory. A pattern that several of them hold is
// found as that of each.
func Union(sets ...*Set) *Set {
	u := &Set{}
	var parts []part
	for _, s := range sets {
		if s.Len() == 0 {
			continue
		}
		for _, p := range s.parts() {
			parts = append(parts, part{p.index, p.spellings, u.size + p.from})
		}
		u.size += s.size
		u.longest = max(u.longest, s.longest)
		u.quoted = max(u.quoted, s.quoted)
	}
	u.parts = func() []part { return parts }
	return u
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

// LongestQuoted returns a length in bytes that no pattern exceeds in which a
// double quote stands, 0 when there is none: nothing else is found across one.
func (s *Set) LongestQuoted() int {
	if s == nil {
		return 0
	}
	return s.quoted
}

// Find returns an iterator over the places where patterns stand in text.
// Places of different patterns may overlap, those of one pattern do not: each
// is the next behind the one before. The order is that of the text only
// roughly; [Set.Spans] sorts.
func (s *Set) Find(text []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		if s.Len() == 0 {
			return
		}
		parts := s.parts()
		for i := range parts {
			if !parts[i].find(text, yield) {
				return
			}
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
	return Merge(spans)
}

// Merge returns the parts of a text that spans cover, in order, in the manner
// of [Set.Spans]. The slice is sorted anew.
func Merge(spans []Span) []Span {
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

// verifier tells whether a pattern really stands where its anchor was found.
// It compares bytes; when a text is made so that many long comparisons fail
// late, it has used up its budget and compares digests of the text instead,
// which takes the same time for any length.
type verifier struct {
	text     []byte
	patterns [][]byte
	from     int // the number of the first
	budget   int
	base     uint64 // of digests
	digests  *digests
	free     map[int]int // where the next hit of a pattern may begin
	few      []spelling  // of the secret that is looked at
}

// workPerByte bounds the bytes compared for each byte of the text.
const workPerByte = 32

// check yields the patterns of which a window with the given anchors stands at
// at, and reports whether more are wanted.
func (v *verifier) check(anchors []anchor, first int32, at int, yield func(Hit) bool) bool {
	for next := first; next >= 0; next = anchors[next].next {
		a := anchors[next]
		i := int(a.pattern)
		start := at - int(a.offset)
		p := v.patterns[i]
		end := start + len(p)
		// Most of the patterns that share an anchor differ in their last byte.
		if start < 0 || end > len(v.text) || v.text[end-1] != p[len(p)-1] || !v.isFree(start, i) || !v.equal(start, i) {
			continue
		}
		if !v.yield(Hit{start, end, i}, i, yield) {
			return false
		}
	}
	return true
}

// isFree reports whether no hit of a pattern before covers start.
func (v *verifier) isFree(start, id int) bool { return start >= v.free[id] }

// yield yields a hit, whose pattern is that of id.
func (v *verifier) yield(h Hit, id int, yield func(Hit) bool) bool {
	if v.free == nil {
		v.free = map[int]int{}
	}
	v.free[id] = h.End
	h.Pattern += v.from
	return yield(h)
}

func (v *verifier) equal(start, pattern int) bool {
	return v.equalTo(start, v.patterns[pattern], pattern)
}

// equalTo reports whether p stands at start; id is that of p only.
func (v *verifier) equalTo(start int, p []byte, id int) bool {
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
	d := v.digest()
	return d.of(start, start+len(p)) == d.ofPattern(id, p) && bytes.Equal(t, p)
}

// digest returns the digests of the text, which are made when they are first wanted.
func (v *verifier) digest() *digests {
	if v.digests == nil {
		v.digests = newDigests(v.base, v.text)
	}
	return v.digests
}
