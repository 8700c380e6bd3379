package taint

import (
	"bytes"
	"iter"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/secret"
)

// Index finds secrets in text. It is immutable and safe for concurrent use. A nil Index
// finds nothing.
type Index struct {
	spelled  *secret.Set // finds the secrets in all their spellings
	digested *Digests
	sources  []*Source
	// short has the spellings of the short secrets, some of which count only alone.
	short map[int]func() []shortSpelling
	// joined are the parts of an Index made by Join, which has only sources besides.
	joined []*Index
}

// shortSpelling is a spelling of a short secret. If lone is set, it counts only if no
// letter or digit is next to it.
type shortSpelling struct {
	text []byte
	lone bool
}

// Hit is an occurrence of a secret in a text: text[Start:End].
type Hit struct {
	Start, End int
	Source     *Source
	// Digest is set if the occurrence is a digest of the secret.
	Digest bool
}

// shortSecret is the length in bytes below which a secret is found only if no letter or
// digit is next to it.
const shortSecret = 12

// shortEncoding is shortSecret for encodings that also cover the surrounding text.
const shortEncoding = 8

// NewIndex returns an Index of the sources.
func NewIndex(sources []*Source) *Index {
	x := &Index{sources: sources, short: map[int]func() []shortSpelling{}}
	secrets := make([]string, len(sources))
	for i, s := range sources {
		hidden := s.Reveal()
		text := strings.TrimSpace(hidden)
		secrets[i] = text
		if len(hidden) < shortSecret {
			x.short[i] = sync.OnceValue(func() []shortSpelling { return shortSpellings([]byte(text)) })
		}
	}
	x.spelled = secret.CompileWritten(secrets)
	x.digested = newDigests(len(sources), func(i int) string { return sources[i].Reveal() })
	return x
}

// Join returns an Index of the sources of all indexes, numbered consecutively. It shares
// their memory.
func Join(indexes ...*Index) *Index {
	if len(indexes) == 1 {
		return indexes[0]
	}
	x := &Index{joined: indexes}
	for _, part := range indexes {
		x.sources = append(x.sources, part.sources...)
	}
	return x
}

func shortSpellings(hidden []byte) (list []shortSpelling) {
	for form, text := range secret.Forms(hidden) {
		list = append(list, shortSpelling{text, standsAlone(form, len(text))})
	}
	return list
}

// standsAlone reports whether a spelling of the given length counts only if no letter or
// digit is next to it. Forms that encode the secret together with its surroundings have a
// lower bound, because they are rarely separate words.
func standsAlone(form secret.Form, length int) bool {
	switch form {
	case secret.Base64, secret.Hex, secret.UTF16:
		return length < shortEncoding
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

// Sources returns the secrets.
func (x *Index) Sources() []*Source {
	if x == nil {
		return nil
	}
	return x.sources
}

// Find returns an iterator over the occurrences of secrets in text.
func (x *Index) Find(text []byte) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { x.find(text, yield) }
}

// find yields the occurrences of secrets in text, and reports whether to continue.
func (x *Index) find(text []byte, yield func(Hit) bool) bool {
	if x == nil {
		return true
	}
	for _, part := range x.joined {
		if !part.find(text, yield) {
			return false
		}
	}
	for h := range x.spelled.Find(text) {
		if x.counts(text, h) && !yield(Hit{h.Start, h.End, x.sources[h.Pattern], false}) {
			return false
		}
	}
	more := true
	if len(text) >= shortestDigest && x.digested != nil {
		x.digested.find(text, func(start, end, number int) bool {
			more = yield(Hit{start, end, x.sources[number], true})
			return more
		})
	}
	return more
}

// counts reports whether a hit is unlikely to be part of another word by chance.
func (x *Index) counts(text []byte, h secret.Hit) bool {
	spellings, short := x.short[h.Pattern]
	if !short || alone(text, h.Start, h.End) {
		return true
	}
	// Digits may be broken into lines.
	joined := bytes.Join(bytes.Fields(text[h.Start:h.End]), nil)
	for _, s := range spellings() {
		if bytes.Equal(s.text, text[h.Start:h.End]) || bytes.Equal(s.text, joined) {
			return !s.lone
		}
	}
	return false // escaped, or not a spelling
}

// Spellings returns the Set of all spellings that the Index searches for.
func (x *Index) Spellings() *secret.Set {
	switch {
	case x == nil:
		return nil
	case x.joined != nil:
		sets := make([]*secret.Set, len(x.joined))
		for i, part := range x.joined {
			sets[i] = part.spelled
		}
		return secret.Union(sets...)
	}
	return x.spelled
}

// Digests returns an iterator over the digests of the secrets in text. The Pattern of each
// is the number of its secret.
func (x *Index) Digests(text []byte) iter.Seq[secret.Span] {
	return func(yield func(secret.Span) bool) {
		if x == nil {
			return
		}
		from := 0
		for _, part := range x.joined {
			for s := range part.Digests(text) {
				if s.Pattern += from; !yield(s) {
					return
				}
			}
			from += len(part.sources)
		}
		for s := range x.digested.Find(text) {
			if !yield(s) {
				return
			}
		}
	}
}

// Contains reports whether text contains any secret.
func (x *Index) Contains(text []byte) bool {
	for range x.Find(text) {
		return true
	}
	return false
}

// alone reports whether s[start:end] is not part of a longer run of letters and digits at
// either end.
func alone(s []byte, start, end int) bool {
	return (start == 0 || !isAlnum(s[start-1]) || !isAlnum(s[start])) &&
		(end == len(s) || !isAlnum(s[end]) || !isAlnum(s[end-1]))
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
