package sensitive

import "maps"

// Secrets are the secrets of catalogs, as a [Collector] learned them. They are
// immutable and safe for concurrent use. The zero value has none, so that its
// Redactors replace declared secrets in their own places only.
type Secrets struct {
	before *Secrets // whose replacements come first
	last   *layer   // nil for the zero value
}

// layers returns the sets of secrets, in order.
func (s *Secrets) layers() []*layer {
	switch {
	case s.last == nil:
		return []*layer{newLayer(facts{})}
	case s.before == nil:
		return []*layer{s.last}
	default:
		return append(s.before.layers(), s.last)
	}
}

// Then returns Secrets whose Redactors replace those of s first and next in what
// is left, in the same pass: next are secrets that only show in the output of s.
// The words that catalogs of s consist of are not followed in next, either.
func (s *Secrets) Then(next *Secrets) *Secrets {
	names := map[string]bool{}
	for _, l := range s.layers() {
		maps.Copy(names, l.matcher().names)
	}
	for _, l := range next.layers() {
		s = &Secrets{before: s, last: l.besides(names)}
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
	return newRedactor(s.layers(), m)
}
