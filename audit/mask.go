package audit

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/taint"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// masker masks the secrets of a run in text.
type masker struct {
	set     *secret.Set
	digests *taint.Digests
}

// hidden stands in place of a secret.
const hidden = "‹secret›"

// newMasker returns a masker of what index looks for and of the secrets that
// were found besides.
func newMasker(index *taint.Index, sources []*taint.Source, found [][]raw) *masker {
	seen := make(map[string]struct{}, len(sources))
	for _, s := range sources {
		seen[strings.TrimSpace(s.Reveal())] = struct{}{}
	}
	var secrets [][]byte
	for _, list := range found {
		for i := range list {
			s := strings.TrimSpace(list[i].Secret)
			if _, ok := seen[s]; ok || !secret.Maskable(s) {
				continue
			}
			seen[s] = struct{}{}
			secrets = append(secrets, []byte(s))
		}
	}
	return &masker{secret.Union(index.Spellings(), secret.CompileForms(secrets)), index.Digests()}
}

// find returns an iterator over the places where secrets stand in text, or their
// digests. A nil masker finds none.
func (m *masker) find(text []byte) iter.Seq[secret.Span] {
	return func(yield func(secret.Span) bool) {
		if m == nil {
			return
		}
		for h := range m.set.Find(text) {
			if !yield(secret.Span(h)) {
				return
			}
		}
		for s := range m.digests.Find(text) {
			if !yield(s) {
				return
			}
		}
	}
}

// longest returns a length that nothing which is found exceeds.
func (m *masker) longest() int {
	if m == nil {
		return 0
	}
	return max(m.set.Longest(), 1+taint.LongestDigest)
}

func (m *masker) mask(s string) string {
	spans := secret.Merge(slices.Collect(m.find([]byte(s))))
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, span := range spans {
		b.WriteString(s[at:span.Start])
		b.WriteString(hidden)
		at = span.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// pointer returns a pointer with the secrets in it masked, and whether there are
// any: in its names, or in several of them as they are written.
func pointer(base string, path pcore.Path, mask func(string) string) (pointer string, found bool) {
	shown := make(pcore.Path, len(path))
	for i, s := range path {
		shown[i] = s
		if name, ok := s.Key.(pcore.String); ok {
			if masked := mask(string(name)); masked != string(name) {
				shown[i].Key, found = pcore.String(masked), true
			}
		}
	}
	whole := base + shown.Pointer()
	pointer = mask(whole)
	return pointer, found || pointer != whole
}
