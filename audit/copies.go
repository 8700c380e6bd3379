package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
)

// copiedSecret is the rule for copies of secrets that were found by their location or form.
const copiedSecret = "copied-secret"

// discovered returns the secrets among the hits whose copies are searched for, in the
// order of the run.
func discovered(found [][]raw, nodes []int32) []*taint.Source {
	var sources []*taint.Source
	known := map[string]*taint.Source{}
	for i, list := range found {
		for k := range list {
			h := &list[k]
			if !isFollowed(h) {
				continue
			}
			s := known[h.Secret]
			if s == nil {
				text := h.Secret
				s = taint.Discovered(func() string { return text }, taint.Declaration{Catalog: i, Origin: &kind{location: h.location}})
				known[text] = s
				sources = append(sources, s)
			}
			kindOf(s).add(h)
			s.Locations++
			if at, in := slices.BinarySearch(s.Nodes, nodes[i]); !in {
				s.Nodes = slices.Insert(s.Nodes, at, nodes[i])
			}
		}
	}
	return sources
}

// isFollowed reports whether copies of the secret of a hit are searched for. Copies of a
// weak one would be found by chance; a UUID may be the ID of a secret, which everything
// that uses the secret refers to.
func isFollowed(h *raw) bool {
	return h.source == nil && h.Confidence > rule.Possible && isLeak(h.Rule) && !detect.IsIdentifier(h.Rule) &&
		secret.Traceable(h.Secret) && secret.IsStrong(h.Secret) && !verdict.IsUUID(strings.Trim(h.Secret, `"'`))
}

// kind is the kind of a secret that was found, by all its hits.
type kind struct {
	location   // of the first hit
	role       role
	confidence rule.Confidence
}

// kindOf returns the kind of a secret, or nil if it is declared.
func kindOf(s *taint.Source) *kind {
	if s == nil {
		return nil
	}
	k, _ := s.First.Origin.(*kind)
	return k
}

func (k *kind) add(h *raw) {
	k.role, k.confidence = max(k.role, h.role), max(k.confidence, h.Confidence)
}

// isLeak reports whether a rule on text is for leaks of whole secrets.
func isLeak(id string) bool { return id != defaultPassword && id != "derived-hash" }

// copies searches the inputs again, for copies of the secrets that were found, and adds
// them to its hits. Only the resources that contain one as text are decoded.
func (a *Auditor) copies(ctx context.Context, run *passes, index *taint.Index) error {
	return a.each(ctx, run, func(i int, r *catalog.Reader, w *worker) error {
		if w.copies == nil {
			w.copies = a.copyScanner(run.kept)
		}
		var err error
		run.found[i], err = w.copiesIn(r, run.inputs[i].Name, run.found[i], index)
		return err
	})
}

func (a *Auditor) copyScanner(k *interner) *copyScanner {
	return &copyScanner{scanner: a.scanner(nil, k)}
}

// copiesIn adds the copies in a document to the hits found there.
func (w *worker) copiesIn(r *catalog.Reader, name string, found []raw, index *taint.Index) ([]raw, error) {
	s := w.copies
	s.index, s.found, s.known = index, nil, reported(found)
	err := w.Walk(r, name, leaf.Visitor{Want: index.Contains, Edge: index.Contains, Resource: s.resource, Leaf: s.leaf})
	return append(found, s.found...), err
}

// known identifies a secret in a leaf or a resource, or the rule of a practice of a
// resource.
type known struct{ base, path, secret string }

// known returns the key of the secret of a hit.
func (h *raw) known() known { return known{h.base, h.path.Pointer(), strings.TrimSpace(h.Secret)} }

// withoutCopied returns hits without the words that only look like secrets and are copies of one.
func withoutCopied(hits []raw) []raw {
	var copies map[known]bool
	for i := range hits {
		if hits[i].Rule == copiedSecret {
			if copies == nil {
				copies = make(map[known]bool)
			}
			copies[hits[i].known()] = true
		}
	}
	if copies == nil {
		return hits
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h raw) bool { return h.Rule == detect.UnnamedSecret && copies[h.known()] })
}

// reported returns the leaks by leaf, and the practices that a copy would cause.
func reported(hits []raw) map[known]bool {
	list := make(map[known]bool, len(hits))
	for i := range hits {
		switch h := &hits[i]; {
		case h.Rule == showDiff, h.Rule == exportedSecret:
			list[known{base: h.base, secret: h.Rule}] = true
		case h.Secret != "" && isLeak(h.Rule) && h.Rule != detect.UnnamedSecret: // a copy says more
			list[h.known()] = true
		}
	}
	return list
}

// copyScanner finds copies of known secrets in the leaves of a document.
type copyScanner struct {
	*scanner
	index *taint.Index
	known map[known]bool // that are findings already
}

// resource prepares for the leaves of r.
func (s *copyScanner) resource(r *leaf.Resource) {
	s.shown, s.exported = s.known[known{base: r.Pointer, secret: showDiff}], s.known[known{base: r.Pointer, secret: exportedSecret}]
}

func (s *copyScanner) text(t *detect.Text) {
	for h := range s.index.Find(t.Bytes()) {
		if h.Digest {
			continue
		}
		s.hit(raw{Hit: t.Hit(copiedSecret, h.Start, h.End, h.Source.Reveal(), kindOf(h.Source).confidence), source: h.Source})
	}
}

func (s *copyScanner) leaf(l *leaf.Leaf) {
	if l.State != leaf.Open {
		return
	}
	s.hits, s.limit, s.full = s.hits[:0], maxHits, false
	for t := range s.texts.Texts(l) {
		s.text(t)
	}
	if len(s.hits) == 0 {
		return
	}
	at := locationOf(l)
	path := at.path.Pointer()
	hits := slices.DeleteFunc(mostSpecific(s.hits, s.keep), func(h raw) bool { return s.known[known{at.base, path, strings.TrimSpace(h.Secret)}] })
	if len(hits) == 0 {
		return
	}
	s.leaked(l)
	s.add(hits, l)
}
