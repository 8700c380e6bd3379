package audit

import (
	"context"
	"slices"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/detect"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/taint"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// copiedSecret is the rule for copies of secrets that were found by their place or form.
const copiedSecret = "copied-secret"

// discovered returns the secrets among the hits that are strong enough to search for, in
// the order of the run. A weak one would be found by chance; a UUID may be the ID of a
// secret, which everything that uses the secret refers to.
func discovered(found [][]raw, nodes []int32) []*taint.Source {
	var sources []*taint.Source
	known := map[string]*taint.Source{}
	for i, list := range found {
		for k := range list {
			h := &list[k]
			if h.source != nil || h.Confidence == rule.Possible || !isLeak(h.Rule) || !secret.Traceable(h.Secret) || !secret.IsStrong(h.Secret) || detect.IsUUID(h.Secret) || detect.IsIdentifier(h.Rule) {
				continue
			}
			s := known[h.Secret]
			if s == nil {
				text := h.Secret
				s = taint.Discovered(func() string { return text }, taint.Place{Catalog: i, At: h.at().String(), Origin: *h})
				known[text] = s
				sources = append(sources, s)
			}
			if s.Places++; !s.In(nodes[i]) {
				s.Nodes = append(s.Nodes, nodes[i])
				slices.Sort(s.Nodes)
			}
		}
	}
	return sources
}

// isLeak reports whether a rule on text is for leaks of whole secrets.
func isLeak(id string) bool { return id != defaultPassword && id != "derived-hash" }

// copies searches the inputs again, for copies of the secrets that were found, and adds
// them to found. Only the resources that contain one are decoded.
func (a *Auditor) copies(ctx context.Context, run *pass, found [][]raw, index *taint.Index, m *masker) error {
	return a.each(ctx, run, func(i int, r *catalog.Reader, w *worker) error {
		s := &copyScanner{index: index, masker: m, kept: run.kept, keep: a.keep, known: spansOf(found[i])}
		s.texts = a.detector.Scanner(func(detect.Hit) {}, s.text)
		err := w.Walk(r, run.inputs[i].Name, leaf.Visitor{Want: index.Contains, Edge: index.Contains, Leaf: s.leaf})
		found[i] = append(found[i], s.found...)
		return err
	})
}

// location is a leaf of a document.
type location struct {
	base string
	path string
}

func locationOf(h *raw) location { return location{h.base, h.path.Pointer()} }

// spansOf returns the positions of hits by leaf.
func spansOf(hits []raw) map[location][]span {
	spans := make(map[location][]span, len(hits))
	for i := range hits {
		h := &hits[i]
		if h.Secret != "" && isLeak(h.Rule) {
			at := locationOf(h)
			spans[at] = append(append(spans[at], span{h.Start, h.End}), h.again...)
		}
	}
	return spans
}

// copyScanner finds copies of known secrets in the leaves of a document.
type copyScanner struct {
	index  *taint.Index
	masker *masker
	kept   *keeper
	keep   bool
	known  map[location][]span // that are findings already
	texts  *detect.Scanner
	found  []raw
	hits   []raw // of the current leaf
}

func (s *copyScanner) text(t *detect.Text) {
	for h := range s.index.Find(t.Bytes()) {
		if h.Digest {
			continue
		}
		hit := t.Hit(copiedSecret, h.Start, h.End, h.Source.Reveal(), rule.Certain)
		s.hits = append(s.hits, raw{Hit: hit, source: h.Source, number: h.Number})
		if len(s.hits) > maxSecrets {
			s.hits = once(ranked(s.hits), s.keep)
		}
	}
}

func (s *copyScanner) leaf(l *leaf.Leaf) {
	if l.State != leaf.Open {
		return
	}
	s.hits = s.hits[:0]
	s.texts.Leaf(l)
	if len(s.hits) == 0 {
		return
	}
	at := placeOf(l)
	known := s.known[locationOf(&at)]
	s.hits = slices.DeleteFunc(s.hits, func(h raw) bool {
		return slices.ContainsFunc(known, func(k span) bool { return h.Start < k.end && k.start < h.End })
	})
	if len(s.hits) > 0 {
		if _, hides := pointer(at.base, at.path, s.masker.mask); hides {
			at.offset = l.Offset()
		}
	}
	for _, h := range best(s.hits, s.keep) {
		s.found = append(s.found, s.kept.in(h.in(l, at, s.keep), l.Resource))
	}
}
