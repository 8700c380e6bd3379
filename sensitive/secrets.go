package sensitive

import "github.com/pcatdev/pcat/internal/secret"

// Secrets are the secrets that a [Collector] collected. They are immutable and safe for
// concurrent use. The zero value is empty: its Redactors replace declared secrets only in
// their own locations.
type Secrets struct {
	before *Secrets // replaced first
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

// Then returns Secrets whose Redactors replace the secrets of s first and next in the
// result, in the same pass. next are secrets that appear only in the output of s. Words
// that make up the catalogs of s are not followed in next, either.
func (s *Secrets) Then(next *Secrets) *Secrets {
	words := new(secret.Vocabulary)
	for _, l := range s.layers() {
		words.Include(&l.matcher().words)
	}
	for _, l := range next.layers() {
		s = &Secrets{before: s, last: l.besides(words)}
	}
	return s
}

// Redactor returns a Redactor that uses m, for one goroutine. Nil means [NewMask]. To
// redact several catalogs with the same markers, give their Redactors the same Masker,
// either in sequence, or concurrently with [InTurn].
func (s *Secrets) Redactor(m Masker) *Redactor {
	if m == nil {
		m = NewMask()
	}
	return newRedactor(s.layers(), m)
}
