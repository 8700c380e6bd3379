package audit

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/audit/detect"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/taint"
	"github.com/pcatdev/pcat/pcore"
)

// raw is a hit with its place, before anything is masked. It holds the secret,
// and nothing that keeps the catalog in memory.
type raw struct {
	detect.Hit
	source  *taint.Source // nil unless the secret is Sensitive elsewhere
	number  int           // of source in the run
	spelled string        // what stands at the place; empty unless secrets are kept

	catalog  *leaf.Catalog
	ref      catalog.Ref
	file     string
	line     int64
	exported bool
	base     string     // the pointer to where path begins
	path     pcore.Path // to the value
	skip     int        // the steps of path before the name of a parameter
	offset   int64      // -1 unless the path holds a secret
	nodes    int        // how many catalogs declare it, for a secret that those of several nodes do
}

// at returns the place of the hit.
func (h *raw) at() catalog.Location { return catalog.Location{Ref: h.ref, Path: h.path[h.skip:]} }

// parameter returns the name of the parameter, or of the member, that it
// stands in.
func (h *raw) parameter() string {
	if len(h.path) <= h.skip {
		return ""
	}
	name, _ := h.path[h.skip].Key.(pcore.String)
	return string(name)
}

// scanner walks through one document after the other.
type scanner struct {
	*Auditor
	node   int32 // the number of the node whose catalog it is
	index  *taint.Index
	keeper *keeper

	// Of the document that is walked.
	found  []raw
	notes  []note
	passed int                 // values that are no secrets
	keys   map[string]struct{} // those of hashes that hold a secret
	failed map[string]bool     // rules of the user that could not be asked
	// What was told about the resource that is walked.
	shown, exported bool

	hits  []raw // of one leaf
	limit int   // of their number
	full  bool  // there are too many
	at    *leaf.Leaf
	texts *detect.Scanner
	tags  map[string]struct{} // some of those that hold no secret
}

func (a *Auditor) scanner(index *taint.Index, k *keeper) *scanner {
	s := &scanner{Auditor: a, index: index, keeper: k}
	s.texts = a.detector.Scanner(func(h detect.Hit) { s.hit(raw{Hit: h}) }, s.text)
	if a.tell {
		s.texts.Passed = s.pass
	}
	return s
}

// begin makes s ready for a document, whose node has that number.
func (s *scanner) begin(node int32) {
	s.node, s.found, s.notes, s.passed, s.keys, s.failed = node, nil, nil, 0, nil, nil
}

// hit adds a hit of the leaf. A text that holds one secret a million times holds
// it once, and one that holds a million secrets is cut: copies of what is
// Sensitive count in any case.
func (s *scanner) hit(h raw) {
	if len(s.hits) >= s.limit {
		s.hits = once(ranked(s.hits))
		if s.full = len(s.hits) >= maxSecrets; s.full {
			s.texts.Stop()
		}
		s.limit = max(maxHits, 2*len(s.hits))
	}
	if s.full && h.source == nil {
		return
	}
	s.hits = append(s.hits, h)
}

const (
	// maxHits is how many hits of a leaf are kept before they are told apart.
	maxHits = 256
	// maxSecrets is how many secrets of a leaf there may be before it is cut.
	maxSecrets = 1000
)

// text looks at a text of the leaf that is scanned.
func (s *scanner) text(t *detect.Text) {
	t.Detect()
	s.customText(t)
	for h := range s.index.Find(t.Bytes()) {
		hit := t.Hit(s.taintRule(s.at, h), h.Start, h.End, h.Source.Reveal(), rule.Certain)
		s.hit(raw{Hit: hit, source: h.Source, number: h.Number})
	}
}

func (s *scanner) leaf(l *leaf.Leaf) {
	if l.State != leaf.Open {
		s.declared(l)
		return
	}
	if l.Kind == leaf.Tag {
		if _, known := s.tags[l.Text]; known {
			return
		}
	}
	s.hits, s.limit, s.full = s.hits[:0], maxHits, false
	s.at = l
	whole := s.texts.Leaf(l) && !s.full
	if !whole {
		s.cut(l)
	}
	if len(s.hits) == 0 {
		if whole && l.Kind == leaf.Tag {
			s.harmless(l.Text)
		}
		return
	}
	hits := best(s.hits)
	s.leaked(l)
	at := placeOf(l)
	if l.Kind == leaf.Key {
		if s.keys == nil {
			s.keys = map[string]struct{}{}
		}
		s.keys[strings.Clone(l.Text)] = struct{}{}
	}
	if s.hides(at.base, at.path) {
		at.offset = l.Offset()
	}
	for _, h := range hits {
		h.catalog, h.base, h.path, h.skip, h.offset = at.catalog, at.base, at.path, at.skip, at.offset
		if s.keep {
			h.spelled = strings.Clone(l.Text[h.Start:h.End]) // hits overlap none: in all no more than the leaf
		}
		s.found = append(s.found, s.keeper.in(h, l.Resource))
	}
}

// How many tags without a secret are remembered, and how many bytes one may have.
const (
	maxTags = 1024
	maxTag  = 128
)

// harmless remembers that a tag holds no secret: nothing but its text tells, and
// most resources have tags that those before had.
func (s *scanner) harmless(tag string) {
	if len(tag) > maxTag || len(s.tags) >= maxTags {
		return
	}
	if s.tags == nil {
		s.tags = map[string]struct{}{}
	}
	s.tags[strings.Clone(tag)] = struct{}{}
}

// note is what is told about a place besides findings.
type note struct {
	at     raw // the place only
	text   string
	cut    bool // it was not looked at to its end
	passed bool // a value there is no secret
}

// note returns a note about a place that is not kept yet.
func (s *scanner) note(at raw, text string) note { return note{at: s.keeper.in(at, nil), text: text} }

// maxPassed is how many values of a document are told that were passed over.
const maxPassed = 1000

// pass tells that the value under a name is no secret.
func (s *scanner) pass(name, why string) {
	if s.passed++; s.passed <= maxPassed {
		n := s.note(placeOf(s.at), "not a finding: the value of "+name+" is "+why)
		n.passed = true
		s.notes = append(s.notes, n)
	}
}

// cut tells that l was not looked at to its end.
func (s *scanner) cut(l *leaf.Leaf) {
	n := s.note(placeOf(l), "searched only in part: the encoded content is too large or too deep, or has too many secrets")
	n.cut = true
	s.notes = append(s.notes, n)
}

// placeOf returns the place of l, which is not kept yet.
func placeOf(l *leaf.Leaf) raw {
	at := raw{catalog: l.Catalog, offset: -1}
	at.base, at.path, at.skip = l.Steps()
	return at
}

// taintRule returns the rule for a copy of a secret in l.
func (s *scanner) taintRule(l *leaf.Leaf, h taint.Hit) string {
	switch {
	case h.Digest:
		return "derived-hash"
	case l.Kind == leaf.Title:
		return "sensitive-in-title"
	case l.Kind == leaf.Tag:
		return "sensitive-in-tag"
	case l.Kind == leaf.Edge:
		return "sensitive-in-edge"
	case l.Kind == leaf.Key:
		return "sensitive-in-key"
	case !h.Source.In(s.node):
		return "sensitive-cross-node"
	default:
		return "sensitive-reuse-open"
	}
}

// hides reports whether a pointer holds a secret that is known, so that it cannot
// be shown.
func (s *scanner) hides(base string, path pcore.Path) bool {
	for _, step := range path {
		name, ok := step.Key.(pcore.String)
		if _, found := s.keys[string(name)]; ok && (found || s.index.Contains([]byte(name))) {
			return true
		}
	}
	return s.index.Contains([]byte(base + path.Pointer()))
}

// edge reports whether an edge may hold a secret: nothing but copies of those
// that are known stand in edges, in a spelling that the index knows.
func (s *scanner) edge(raw []byte) bool { return s.index.Contains(raw) }
