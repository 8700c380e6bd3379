package sensitive

import (
	"maps"
	"sync"
)

// Secrets are the secrets of catalogs, as a [Collector] learned them. They do not
// change any more and are safe for concurrent use. The zero value has none, so that
// its Redactors replace declared secrets in their own places only.
type Secrets struct {
	before *Secrets // whose replacements come first
	last   *layer
}

// layer is one of several sets of secrets that are replaced one after the other.
// Both fields are closures, so that no reflection sees the secrets.
type layer struct {
	index func() *index
	plan  func() *plan // of the document that was collected last, once; nil for none
}

// layers returns the sets of secrets, in order.
func (s *Secrets) layers() []*layer {
	if s.last == nil {
		return NewCollector(CollectOptions{}).snapshot().layers()
	}
	if s.before == nil {
		return []*layer{s.last}
	}
	return append(s.before.layers(), s.last)
}

// names returns the words that catalogs of s consist of.
func (s *Secrets) names() map[string]bool {
	names := map[string]bool{}
	for _, one := range s.layers() {
		maps.Copy(names, one.index().names)
	}
	return names
}

// besides returns the layer for catalogs that consist of more words.
func (s *layer) besides(names map[string]bool) *layer {
	return &layer{index: sync.OnceValue(func() *index {
		f := s.index().facts
		f.names = maps.Clone(f.names)
		maps.Copy(f.names, names)
		return newIndex(f)
	})}
}

// Then returns Secrets whose Redactors replace those of s first and next in what
// is left, in the same pass: next are secrets that only show in the output of s.
// The words that catalogs of s consist of are not followed in next, either.
func (s *Secrets) Then(next *Secrets) *Secrets {
	names := s.names()
	for _, one := range next.layers() {
		s = &Secrets{before: s, last: one.besides(names)}
	}
	return s
}

// Redactor returns a Redactor that replaces the secrets as m says, each for one
// goroutine. A nil m is [NewMask]. To redact several catalogs with the same markers,
// give their Redactors the same Masker: one after the other, or at the same time
// with [InTurn].
func (s *Secrets) Redactor(m Masker) *Redactor {
	if m == nil {
		m = NewMask()
	}
	var stages []*stage
	for _, one := range s.layers() {
		stages = append(stages, newStage(one, m))
	}
	return &Redactor{func() []*stage { return stages }}
}
