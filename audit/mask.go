package audit

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// masker masks the secrets of a run in text.
type masker struct {
	// set finds the secrets, without those that are only in words, and index the digests of
	// secrets.
	set   *secret.Set
	index *taint.Index
	// live reports whether the secret with a number in set, or in index, is one of the run.
	// Nil means that all are.
	live func(number int, digest bool) bool
	// words finds the weak secrets that are words of the catalogs. They are masked,
	// too, but not in the names of nodes, files and modules, and a report may
	// contain them.
	words *secret.Set
}

// hidden replaces a secret.
const hidden = "‹secret›"

// newMasker returns a masker for the secrets of declared and discovered, and for
// others that were found. words are those of the catalogs.
func newMasker(declared, discovered *taint.Index, found [][]raw, words taint.Words) *masker {
	secrets, ordinary := others(slices.Concat(declared.Sources(), discovered.Sources()), found, words)
	return &masker{set: secret.Union(declared.Spellings(), discovered.Spellings(), secrets), index: declared, words: ordinary}
}

// others returns the secrets that were found, but are none of the known ones, and those of
// them that are words of the catalogs.
func others(known []*taint.Source, found [][]raw, words taint.Words) (secrets, ordinary *secret.Set) {
	seen := make(map[string]struct{}, len(known))
	for _, s := range known {
		seen[strings.TrimSpace(s.Reveal())] = struct{}{}
	}
	var texts []string
	for _, list := range found {
		for i := range list {
			s := strings.TrimSpace(list[i].Secret)
			if _, ok := seen[s]; ok || !secret.Maskable(s) {
				continue
			}
			seen[s] = struct{}{}
			texts = append(texts, s)
		}
	}
	held := words.Held(texts)
	var plain, in []string
	for _, s := range texts {
		if held[s] {
			in = append(in, s)
		} else {
			plain = append(plain, s)
		}
	}
	return secret.CompileTexts(plain), secret.CompileTexts(in)
}

// find returns an iterator over the positions of secrets, or of their digests,
// in text, without those that are words of the catalogs. A nil masker finds none.
func (m *masker) find(text []byte) iter.Seq[secret.Span] {
	return func(yield func(secret.Span) bool) {
		if m == nil {
			return
		}
		for h := range m.set.Find(text) {
			if (m.live == nil || m.live(h.Pattern, false)) && !yield(secret.Span(h)) {
				return
			}
		}
		for s := range m.index.Digests(text) {
			if (m.live == nil || m.live(s.Pattern, true)) && !yield(s) {
				return
			}
		}
	}
}

// longest returns an upper bound for the length of the spans that find returns.
func (m *masker) longest() int {
	if m == nil {
		return 0
	}
	return max(m.set.Longest(), 1+taint.LongestDigest)
}

// name masks the name of a node, a file or a module, which may be a weak secret.
func (m *masker) name(s string) string { return replace(s, slices.Collect(m.find([]byte(s)))) }

// mask masks any other text.
func (m *masker) mask(s string) string {
	spans := slices.Collect(m.find([]byte(s)))
	for h := range m.words.Find([]byte(s)) {
		spans = append(spans, secret.Span(h))
	}
	return replace(s, spans)
}

// replace returns s with the spans hidden.
func replace(s string, spans []secret.Span) string {
	spans = secret.Merge(spans)
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

// pointer returns a pointer with secrets masked, and reports whether there are
// any. It masks each name, and then the whole pointer, because adjacent names
// can form a secret.
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
