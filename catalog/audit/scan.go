package audit

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/audit/detect"
	"github.com/pcatdev/pcat/catalog/audit/leaf"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/catalog/audit/taint"
	"github.com/pcatdev/pcat/pcore"
)

// raw is a hit with its place, before anything is masked. It holds the secret.
type raw struct {
	detect.Hit
	source *taint.Source // nil unless the secret is Sensitive elsewhere
	kind   leaf.Kind

	catalog  *leaf.Catalog
	resource *leaf.Resource
	at       catalog.Location
	base     string // the pointer to where path begins
	path     pcore.Path
	param    string
	offset   int64 // -1 unless the path holds a secret
}

// scanner is one walk through one document.
type scanner struct {
	*Auditor
	catalog int
	index   *taint.Index

	found []raw
	hits  []raw // of one leaf
	at    *leaf.Leaf
	texts *detect.Scanner
	// What was told about the resource that is walked.
	shown, exported bool
}

func (a *Auditor) scanner(catalog int, index *taint.Index) *scanner {
	s := &scanner{Auditor: a, catalog: catalog, index: index}
	s.texts = a.detector.Scanner(func(h detect.Hit) { s.hits = append(s.hits, raw{Hit: h}) }, s.text)
	return s
}

// text looks at a text of the leaf that is scanned.
func (s *scanner) text(t *detect.Text) {
	t.Detect()
	for h := range s.index.Find(t.Bytes()) {
		hit := t.Hit(s.taintRule(s.at, h.Source), h.Start, h.End, h.Source.Reveal(), rule.Certain)
		s.hits = append(s.hits, raw{Hit: hit, source: h.Source})
	}
}

func (s *scanner) leaf(l *leaf.Leaf) {
	if l.State != leaf.Open {
		s.declared(l)
		return
	}
	s.hits = s.hits[:0]
	s.at = l
	s.texts.Leaf(l)
	if len(s.hits) == 0 {
		return
	}
	hits := best(s.hits)
	s.leaked(l)
	for _, h := range hits {
		h.kind, h.catalog, h.resource = l.Kind, l.Catalog, l.Resource
		h.at, h.param = l.Location(), l.Parameter()
		h.base, h.path = l.Steps()
		h.offset = -1
		if s.hides(h.path) {
			h.offset = l.Offset()
		}
		s.found = append(s.found, h)
	}
}

// taintRule returns the rule for a copy of a secret in l.
func (s *scanner) taintRule(l *leaf.Leaf, source *taint.Source) string {
	switch {
	case l.Kind == leaf.Title:
		return "sensitive-in-title"
	case l.Kind == leaf.Tag:
		return "sensitive-in-tag"
	case l.Kind == leaf.Edge:
		return "sensitive-in-edge"
	case l.Kind == leaf.Key:
		return "sensitive-in-key"
	case !source.In(s.catalog):
		return "sensitive-cross-node"
	default:
		return "sensitive-reuse-open"
	}
}

// hides reports whether a path names a secret that is known, so that it cannot
// be shown.
func (s *scanner) hides(path pcore.Path) bool {
	for _, step := range path {
		if name, ok := step.Key.(pcore.String); ok && s.index.Contains([]byte(name)) {
			return true
		}
	}
	return false
}

// edge reports whether an edge may hold a secret: nothing but copies of those
// that are known stand in edges, in a spelling that the index knows.
func (s *scanner) edge(e *catalog.Edge) bool {
	b := e.Bytes()
	return b == nil || s.index.Contains(b)
}
