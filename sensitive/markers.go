package sensitive

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Markers returns an iterator over the start and the end of each text in text that a Masker
// made for this Redactor, or that a Masker of this package made before. They may overlap.
// Unlike the other methods, it may be called while the Redactor is used: an audit that reads
// the output learns which texts are no secrets; see [audit.Input].
//
// [audit.Input]: https://pkg.go.dev/github.com/pcatdev/pcat/audit#Input
func (r *Redactor) Markers(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for start, end := range secret.FindMarkers(text) {
			if !yield(start, end) {
				return
			}
		}
		for _, s := range r.stages() {
			if m, ok := s.masker.(*recorder); ok && !m.each(text, yield) {
				return
			}
		}
	}
}

// recorder is a Masker that keeps the texts of the replacements that its Masker makes,
// unless they are recognized by their form.
type recorder struct {
	Masker
	mu    sync.Mutex
	known map[string]struct{}
	more  [][]byte // known texts that are in no group
	// Each group is larger than the ones behind it, so a text changes its group a few times
	// only.
	groups []markerGroup
}

type markerGroup struct {
	texts [][]byte
	set   *secret.Set
}

// recorded returns a Masker that makes the markers of m, as a recorder if they may have any
// form.
func recorded(m Masker) Masker {
	switch m := m.(type) {
	case *texts, *dropper, ciphertextKeeper:
		return m
	}
	return &recorder{Masker: m, known: map[string]struct{}{}}
}

// Value implements Masker.
func (m *recorder) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	to, err := m.Masker.Value(secret, at)
	if err != nil || to == nil {
		return to, err
	}
	kept := map[string]struct{}{}
	eachText(secret.Reveal(), func(text string) { kept[text] = struct{}{} }) //nolint:forbidigo // texts that stay are no markers
	eachText(to, func(text string) {
		if _, ok := kept[text]; !ok {
			m.add(text)
		}
	})
	return to, nil
}

// Text implements Masker.
func (m *recorder) Text(copy *pcore.Sensitive) string {
	to := m.Masker.Text(copy)
	m.add(to)
	return to
}

// eachText calls f for each text in a value.
func eachText(v pcore.Value, f func(text string)) {
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // never fails
		if text, ok := textOf(c.Value()); ok {
			f(text)
		}
		return nil
	})
}

func (m *recorder) add(text string) {
	text = strings.TrimSpace(text)
	if text == "" || secret.IsMarker(text) || secret.IsCiphertext(text) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.known[text]; ok {
		return
	}
	m.known[text] = struct{}{}
	if len(text) >= secret.MinLen {
		m.more = append(m.more, []byte(text))
	}
}

// each yields the positions of the texts in text, and reports whether to continue. Of a text
// that is too short to be searched for, only the whole text counts.
func (m *recorder) each(text string, yield func(start, end int) bool) bool {
	if m.isKnown(text) {
		return yield(0, len(text))
	}
	for _, g := range m.compiled() {
		for h := range g.set.Find([]byte(text)) {
			if !yield(h.Start, h.End) {
				return false
			}
		}
	}
	return true
}

func (m *recorder) isKnown(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.known[strings.TrimSpace(text)]
	return ok
}

// compiled returns groups of all known texts.
func (m *recorder) compiled() []markerGroup {
	m.mu.Lock()
	defer m.mu.Unlock()
	if texts := m.more; len(texts) > 0 {
		groups := slices.Clone(m.groups) // others may read them
		for n := len(groups); n > 0 && len(groups[n-1].texts) <= len(texts); n-- {
			texts, groups = slices.Concat(groups[n-1].texts, texts), groups[:n-1]
		}
		set, _ := secret.Compile(texts) // none is too short
		m.groups, m.more = append(groups, markerGroup{texts, set}), nil
	}
	return m.groups
}
