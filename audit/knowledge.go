package audit

import (
	"crypto/rand"
	"iter"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Knowledge contains the secrets of all catalogs of a [Ledger], and which of them are
// searched for. It is immutable and safe for concurrent use. The zero value and nil are the
// Knowledge of an empty Ledger.
//
// It consists of segments, the oldest first. A new version adds a segment and merges
// small ones, so that most segments remain, with their IDs, and need not be sent or
// prepared again.
type Knowledge struct {
	segments []*Segment
	index    func() *taint.Index
}

// NewKnowledge returns the Knowledge that consists of the given segments, in the order of
// [Knowledge.Segments].
func NewKnowledge(segments []*Segment) *Knowledge {
	k := &Knowledge{segments: slices.Clone(segments)}
	k.index = sync.OnceValue(func() *taint.Index { return joined(k.segments) })
	return k
}

// joined returns an index of the secrets in the segments.
func joined(segments []*Segment) *taint.Index {
	list := make([]*taint.Index, 0, len(segments))
	for _, s := range segments {
		if x := s.index(); x.Len() > 0 {
			list = append(list, x)
		}
	}
	return taint.Join(list...)
}

// Segments returns the segments.
func (k *Knowledge) Segments() []*Segment {
	if k == nil {
		return nil
	}
	return slices.Clone(k.segments)
}

// Version returns the version, which increases whenever a [Ledger] learns something. It
// is 0 for an empty Knowledge.
func (k *Knowledge) Version() uint64 {
	if k == nil || len(k.segments) == 0 {
		return 0
	}
	return k.segments[len(k.segments)-1].to
}

// segmentsOf is [Knowledge.Segments] without a copy.
func (k *Knowledge) segmentsOf() []*Segment {
	if k == nil {
		return nil
	}
	return k.segments
}

// Len returns the number of secrets that inputs are searched for. It includes secrets that
// no catalog has any more.
func (k *Knowledge) Len() int {
	n := 0
	for _, s := range k.segmentsOf() {
		n += s.searches()
	}
	return n
}

// Find returns the secrets that a text contains, in any spelling that is searched for. A
// secret can be returned several times.
func (k *Knowledge) Find(text []byte) iter.Seq[*pcore.Sensitive] {
	return func(yield func(*pcore.Sensitive) bool) {
		for h := range k.indexed().Find(text) {
			if !yield(pcore.NewSensitive(pcore.String(h.Source.Reveal()))) {
				return
			}
		}
	}
}

// status returns the status of a secret.
func (k *Knowledge) status(text string) status {
	for _, s := range slices.Backward(k.segmentsOf()) {
		if t, ok := s.terms()[text]; ok {
			return t.status
		}
	}
	return 0
}

// indexed returns an index of all secrets that are searched for.
func (k *Knowledge) indexed() *taint.Index {
	if k == nil || k.index == nil {
		return nil
	}
	return k.index()
}

// since returns the segments with secrets that an input inspected with version seen was
// not searched for.
func (k *Knowledge) since(seen uint64) []*Segment {
	var list []*Segment
	for _, s := range k.segmentsOf() {
		if s.newest > seen {
			list = append(list, s)
		}
	}
	return list
}

// searched returns the version from which parts need not be searched for new secrets.
func (k *Knowledge) searched() uint64 {
	newest := uint64(0)
	for _, s := range k.segmentsOf() {
		newest = max(newest, s.newest)
	}
	return newest
}

// term is a secret in a segment.
type term struct {
	status status
	// fresh is set if inputs must be searched for the secret, because no earlier segment
	// has it. Otherwise the segment only changes its status.
	fresh bool
	// search is set if inputs are searched for its copies. Otherwise it matters only whether
	// it is a word. deep is set if encoded text is searched, too, as for declared secrets.
	search, deep bool
}

// Segment is a part of a [Knowledge]. It is immutable and safe for concurrent use. It
// contains secrets. Printing it does not show them, but AppendBinary does.
//
// A Segment prepares its search when it is first needed and keeps it, which takes time and
// memory: use one Segment for all Knowledge that contains it.
type Segment struct {
	id       string
	from, to uint64 // the versions that it covers: after from, up to to
	newest   uint64 // the last version with a fresh term; 0 if there is none
	terms    func() map[string]term
	index    func() *taint.Index
	watch    func() *secret.Watch
	searches func() int // the number of secrets that inputs are searched for because of it
}

// newSegment returns a segment of the terms. The map must not be changed afterwards.
func newSegment(id string, from, to, newest uint64, terms map[string]term) *Segment {
	if id == "" {
		id = rand.Text()
	}
	s := &Segment{id: id, from: from, to: to, newest: newest, terms: func() map[string]term { return terms }}
	s.index = sync.OnceValue(func() *taint.Index {
		var texts []string
		for text, t := range terms {
			if t.fresh && t.search {
				texts = append(texts, text)
			}
		}
		slices.Sort(texts)
		return indexOf(texts)
	})
	s.searches = sync.OnceValue(func() (n int) {
		for _, t := range terms {
			if t.fresh && t.search {
				n++
			}
		}
		return n
	})
	s.watch = sync.OnceValue(func() *secret.Watch {
		return secret.NewWatch(func(yield func(string) bool) {
			for text, t := range terms {
				if t.fresh && !yield(text) {
					return
				}
			}
		})
	})
	return s
}

// indexOf returns an index of texts.
func indexOf(texts []string) *taint.Index {
	sources := make([]*taint.Source, len(texts))
	for i, text := range texts {
		sources[i] = taint.Discovered(func() string { return text }, taint.Declaration{Origin: &kind{}})
	}
	return taint.NewIndex(sources)
}

// isDeep reports whether a fresh secret is searched for inside encoded text.
func (s *Segment) isDeep() bool {
	for _, t := range s.terms() {
		if t.fresh && t.deep {
			return true
		}
	}
	return false
}

// ID returns a random name, which no other Segment has.
func (s *Segment) ID() string { return s.id }

// segmentFormat is the version of the stored form.
const segmentFormat = 1

// Flags of a term, besides its status.
const (
	flagFresh = 1 << (iota + 2)
	flagSearch
	flagDeep
)

// AppendBinary appends the stored form of the segment to b. It contains secrets in plain
// text: encrypt it before it leaves the process.
func (s *Segment) AppendBinary(b []byte) ([]byte, error) {
	w := &encoder{b: b}
	w.number(segmentFormat)
	w.text(s.id)
	for _, n := range []uint64{s.from, s.to, s.newest} {
		w.number(n)
	}
	pairs(w, s.terms(), func(w *encoder, t term) {
		flags := uint64(t.status)
		if t.fresh {
			flags |= flagFresh
		}
		if t.search {
			flags |= flagSearch
		}
		if t.deep {
			flags |= flagDeep
		}
		w.number(flags)
	})
	return w.b, w.err
}

// ParseSegment returns the segment that AppendBinary appended to nothing. The error is
// [ErrStored].
func ParseSegment(data []byte) (*Segment, error) {
	r := &decoder{rest: string(data)}
	if r.number() != segmentFormat {
		return nil, ErrStored
	}
	id, from, to, newest := r.text(), r.number(), r.number(), r.number()
	terms := table(r, func(r *decoder) term {
		flags := r.small()
		return term{status: status(flags) & (isDeclared | isFound), fresh: flags&flagFresh != 0, search: flags&flagSearch != 0, deep: flags&flagDeep != 0}
	})
	if !r.complete() || id == "" {
		return nil, ErrStored
	}
	return newSegment(id, from, to, newest, terms), nil
}

// mergedSegment returns a segment for two adjacent ones. If it is the first of a Knowledge,
// it drops the secrets for which keep returns false.
func mergedSegment(a, b *Segment, keep func(text string) bool) *Segment {
	terms := make(map[string]term, len(a.terms())+len(b.terms()))
	for text, t := range a.terms() {
		terms[text] = t
	}
	for text, t := range b.terms() {
		if old, ok := terms[text]; ok {
			t.fresh = t.fresh || old.fresh
			t.search, t.deep = t.search || old.search && old.fresh, t.deep || old.deep && old.fresh
		}
		terms[text] = t
	}
	if a.from == 0 {
		for text := range terms {
			if !keep(text) {
				delete(terms, text)
			}
		}
	}
	return newSegment("", a.from, b.to, max(a.newest, b.newest), terms)
}
