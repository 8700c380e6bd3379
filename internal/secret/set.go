package secret

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// MinLen is the minimum length of a pattern in bytes. Shorter ones occur in any text by
// chance.
const MinLen = 4

// ErrShort reports that a pattern is shorter than [MinLen] bytes.
var ErrShort = errors.New("match: the pattern is too short")

// Set is a set of patterns that are searched for together. The zero value and nil are
// empty sets. A Set is immutable and safe for concurrent use.
type Set struct {
	// A closure hides the patterns from reflection. It returns the parts instead of
	// searching them, so a search does not allocate.
	parts   func() []part
	size    int
	longest int
	quoted  int // length of the longest pattern with a double quote
}

// part is a group of patterns of a Set, searched by index or spellings. Its first pattern
// has the number from. It is not an interface, to avoid allocations during a search.
type part struct {
	index     *index
	spellings *spellings
	from      int
}

// find yields the hits and reports whether to continue. inJSON is set if the text is a
// document in JSON.
func (p *part) find(text []byte, inJSON bool, yield func(Hit) bool) bool {
	if p.spellings != nil {
		return p.spellings.find(text, p.from, inJSON, yield)
	}
	return p.index.find(text, p.from, yield)
}

// Hit is an occurrence of a pattern: text[Start:End]. Pattern is the position of the
// pattern among the patterns of the [Set].
type Hit struct{ Start, End, Pattern int }

// Compile returns a Set of the patterns. It keeps the slices, which must not be changed
// afterwards. Duplicate patterns are found under the position of the first. The error is
// [ErrShort], with the position of the pattern.
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

// Union returns a Set of the patterns of all sets, numbered consecutively. It shares
// their memory. A pattern in several sets is found once for each.
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

// Longest returns the length in bytes of the longest pattern, or 0 if the Set is empty.
// To search text in pieces, overlap the pieces by one byte less than this. A Set made by
// [CompileWritten] includes room for escapes of every byte, up to six bytes long; it also
// finds longer spellings, such as three escapes inside each other.
func (s *Set) Longest() int {
	if s == nil {
		return 0
	}
	return s.longest
}

// LongestQuoted returns an upper bound, in bytes, of the length of the patterns that
// contain a double quote and no line break, or 0 if there are none. No other pattern
// matches across the end of a string in JSON. A Set made by [CompileWritten] also finds
// longer spellings, in which other characters are escaped.
func (s *Set) LongestQuoted() int {
	if s == nil {
		return 0
	}
	return s.quoted
}

// Find returns an iterator over the occurrences of the patterns in text. Occurrences of
// different patterns may overlap; the occurrences of one pattern do not. They are only
// roughly in text order; [Set.Spans] sorts them. In a part of the text that is covered by
// very many overlapping occurrences, Find yields only some of them, which cover the same
// part and may include overlapping ones of one pattern.
func (s *Set) Find(text []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { s.each(text, false, yield) }
}

// FindJSON is [Set.Find] for a document in JSON. It reads no escapes in its strings that have
// escapes of JSON: search these with Find, unescaped. What it reads is part of one string.
func (s *Set) FindJSON(document []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { s.each(document, true, yield) }
}

// each yields the hits until yield returns false.
func (s *Set) each(text []byte, inJSON bool, yield func(Hit) bool) {
	if s.Len() == 0 {
		return
	}
	parts := s.parts()
	for i := range parts {
		if !parts[i].find(text, inJSON, yield) {
			return
		}
	}
}

// Contains reports whether text contains any pattern.
func (s *Set) Contains(text []byte) bool {
	for range s.Find(text) {
		return true
	}
	return false
}

// Span is a part of a text covered by patterns: text[Start:End]. Pattern is the pattern
// that covers it alone, or -1 if several overlapping patterns do.
type Span struct{ Start, End, Pattern int }

// Spans returns the parts of text covered by patterns, in order. Overlapping hits are
// merged into one Span, so a replacement leaves no trace of either; a hit inside a longer
// one is ignored. Adjacent hits stay separate.
func (s *Set) Spans(text []byte) []Span {
	var spans []Span
	for h := range s.Find(text) {
		spans = add(spans, Span(h))
	}
	return Merge(spans)
}

// Merge merges spans in the manner of [Set.Spans] and returns them in order. It sorts and
// reuses the slice.
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
		merged = add(merged, next)
	}
	return merged
}

// add adds a span to a list, or merges it with the last one. So the hits of a text that
// repeats patterns take little memory.
func add(spans []Span, next Span) []Span {
	if len(spans) == 0 {
		return append(spans, next)
	}
	last := &spans[len(spans)-1]
	switch {
	case next.Start >= last.End || next.End <= last.Start:
		return append(spans, next)
	case last.Start <= next.Start && next.End <= last.End && (last.Pattern >= 0 || next.End-next.Start < last.End-last.Start):
	case next.Start <= last.Start && last.End <= next.End:
		*last = next
	default:
		*last = Span{min(last.Start, next.Start), max(last.End, next.End), -1}
	}
	return spans
}

// verifier checks whether a pattern occurs at a position where its anchor was found. It
// counts its work, so a search can continue with a dictionary in texts crafted so that
// very many patterns are compared at a position, or that long comparisons fail late.
type verifier struct {
	text     []byte
	patterns [][]byte
	from     int // number of the first pattern
	work     int // number of bytes compared, and something for each comparison
	begun    int // the work before the current lane
	base     uint64
	digests  *digests
	free     map[int]int // earliest start of the next hit of a pattern
	few      []spelling  // forms of the secret being compared
}

const (
	// workPerByte bounds the work for each byte of a text, and workAtFirst is as many
	// bytes as a text may take more, beside a quarter of its own: a long pattern is compared
	// as a whole wherever its anchor is. The bounds are far beyond the work for patterns and
	// texts that were not crafted.
	workPerByte = 128
	workAtFirst = 256
	// workPerPattern is the work for a comparison beside the compared bytes.
	workPerPattern = 16
	// block is the minimum number of bytes that are searched by a dictionary at once.
	block = 64 << 10
)

// exhausted reports whether the search of the text up to position at took too much work.
func (v *verifier) exhausted(at int) bool {
	return v.work-v.begun > workPerByte*(at+len(v.text)/4+workAtFirst)
}

// search searches a block of text by a dictionary instead of a lane that is exhausted at
// position at, where reach is the farthest that patterns may begin before their anchors.
// It returns the end of the block and reports whether to continue.
func (v *verifier) search(d *dictionary, at, reach int, yield func(Hit) bool) (end int, more bool) {
	end = min(at+max(block, d.longest), len(v.text))
	return end, d.find(v, max(at-reach, 0), end, yield)
}

// check yields the patterns that have an anchor in the list starting at first, for the
// window at position at, and reports whether to continue. It ends early when it is
// exhausted.
func (v *verifier) check(anchors []anchor, first int32, at int, yield func(Hit) bool) bool {
	for next := first; next >= 0 && !v.exhausted(at); next = anchors[next].next {
		v.work += workPerPattern
		a := anchors[next]
		i := int(a.pattern)
		start := at - int(a.offset)
		p := v.patterns[i]
		end := start + len(p)
		// Most of the patterns that share an anchor differ in their last byte.
		if start < 0 || end > len(v.text) || v.text[end-1] != p[len(p)-1] || !v.isFree(start, i) || !v.equal(start, p) {
			continue
		}
		if !v.yield(Hit{start, end, i}, i, yield) {
			return false
		}
	}
	return true
}

// isFree reports whether no previous hit of the pattern id covers start.
func (v *verifier) isFree(start, id int) bool { return start >= v.free[id] }

// yield yields a hit of the pattern id.
func (v *verifier) yield(h Hit, id int, yield func(Hit) bool) bool {
	if v.free == nil {
		v.free = map[int]int{}
	}
	v.free[id] = h.End
	h.Pattern += v.from
	return yield(h)
}

// equal reports whether p occurs at start.
func (v *verifier) equal(start int, p []byte) bool {
	t := v.text[start : start+len(p)]
	head := min(len(p), 2*anchorReach)
	if !bytes.Equal(t[:head], p[:head]) {
		return false
	}
	v.work += len(p)
	return bytes.Equal(t, p)
}

// digest returns the digests of the text, computed on first use.
func (v *verifier) digest() *digests {
	if v.digests == nil {
		v.digests = newDigests(v.base, v.text)
	}
	return v.digests
}
