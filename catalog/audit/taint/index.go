package taint

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/sensitive/match"
)

// Index finds secrets in text. It is immutable and safe for concurrent use. A
// nil Index finds nothing.
type Index struct {
	set      *match.Set
	patterns []pattern
	sources  []*Source
}

type pattern struct {
	source int
	form   match.Form
	short  bool // has to stand alone, as a word
	digest bool
}

// Hit is a place in a text where a secret stands: text[Start:End].
type Hit struct {
	Start, End int
	Source     *Source
	Form       match.Form
	// Digest tells that it is a digest of the secret that stands there.
	Digest bool
}

// shortSecret is the length below which a secret is found only where it stands
// apart from letters and digits around it.
const shortSecret = 12

// NewIndex returns an Index of the sources.
func NewIndex(sources []*Source) *Index {
	x := &Index{sources: sources}
	var texts [][]byte
	for i, s := range sources {
		secret := s.Reveal()
		short := len(secret) < shortSecret
		for form, spelling := range match.Forms([]byte(strings.TrimSpace(secret))) {
			if len(spelling) < minMixed {
				continue
			}
			texts = append(texts, spelling)
			x.patterns = append(x.patterns, pattern{i, form, short && standsAlone(form, len(spelling)), false})
		}
		for _, digest := range digests(secret) {
			texts = append(texts, digest)
			x.patterns = append(x.patterns, pattern{source: i, digest: true})
		}
	}
	// Every spelling is longer than match.MinLen, which is all that Compile
	// can refuse.
	x.set, _ = match.Compile(texts)
	return x
}

// standsAlone reports whether a spelling of that length counts only where it
// stands apart. What is encoded together with what is around it never does.
func standsAlone(form match.Form, length int) bool {
	switch form {
	case match.Base64, match.Hex, match.UTF16:
		return length < minLength
	default:
		return length < shortSecret
	}
}

// Len returns the number of secrets.
func (x *Index) Len() int {
	if x == nil {
		return 0
	}
	return len(x.sources)
}

// Find returns an iterator over the places where secrets stand in text.
func (x *Index) Find(text []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		for h := range x.Spellings().Find(text) {
			p := x.patterns[h.Pattern]
			if p.short && !alone(text, h.Start, h.End) {
				continue
			}
			if !yield(Hit{h.Start, h.End, x.sources[p.source], p.form, p.digest}) {
				return
			}
		}
	}
}

// Spellings returns what the Index looks for: all spellings of the secrets, and
// their digests.
func (x *Index) Spellings() *match.Set {
	if x == nil {
		return nil
	}
	return x.set
}

// Contains reports whether any secret stands in text.
func (x *Index) Contains(text []byte) bool {
	for range x.Find(text) {
		return true
	}
	return false
}

// alone reports whether no letter or digit stands beside s[start:end] where
// that begins or ends with one.
func alone(s []byte, start, end int) bool {
	return (start == 0 || !isAlnum(s[start-1]) || !isAlnum(s[start])) &&
		(end == len(s) || !isAlnum(s[end]) || !isAlnum(s[end-1]))
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
