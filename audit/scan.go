package audit

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// raw is a hit with its location, before masking. It contains the secret, and
// no reference to the catalog.
type raw struct {
	detect.Hit
	source  *taint.Source // nil unless it is a copy
	spelled string        // the text at the location; empty unless secrets are kept
	again   []span        // further positions of the secret in the same text
	location
	part   bool  // the text contains more than the secret
	offset int64 // of the value in the document, or -1 if unknown
	nodes  int   // for a secret of several nodes, the number of nodes that declare it

	role     role     // of its account
	exposure exposure // on the node
}

// location is the location of a value in a catalog.
type location struct {
	catalog  *leaf.Catalog
	ref      catalog.Ref
	file     string
	line     int64
	exported bool
	base     string     // the pointer to the start of path
	path     pcore.Path // to the value
	skip     int        // the number of steps of path before the name of a parameter
}

// element returns the part of the catalog that contains the value.
func (p *location) element() Element {
	switch name := p.parameter(); {
	case p.skip > 0:
	case p.ref.Type == "" && strings.Contains(p.base, "/edges/"):
		return InEdge
	case p.ref.Type != "" && name == "title":
		return InTitle
	case name == "tags":
		return InTag
	}
	return InValue
}

// span is a position in a text.
type span struct{ start, end int }

// at returns the location of the value.
func (p *location) at() catalog.Location { return catalog.Location{Ref: p.ref, Path: p.path[p.skip:]} }

// parameter returns the name of the parameter or member that contains the value.
func (p *location) parameter() string {
	if len(p.path) <= p.skip {
		return ""
	}
	name, _ := p.path[p.skip].Key.(pcore.String)
	return string(name)
}

// scanner scans a sequence of documents.
type scanner struct {
	*Auditor
	node     int32 // the number of the node of the current catalog
	index    *taint.Index
	interned *interner
	// follows reports whether a hit of index counts. Nil means that all do.
	follows func(taint.Hit) bool
	// visited is called with each text in which the secrets of index are searched. It may be nil.
	visited func(text []byte)

	// State of the current document.
	found     []raw
	notes     []note
	judged    []judged
	manifests *manifests
	failed    map[string]bool // user-defined rules that could not be evaluated
	// Practices already reported for the current resource.
	shown, exported bool

	hits  []raw // of the current leaf
	limit int   // maximum number of hits
	full  bool  // there are too many hits
	at    *leaf.Leaf
	texts *detect.Scanner
	tags  map[string]struct{} // some tags that contain no secret
}

func (a *Auditor) scanner(index *taint.Index, k *interner) *scanner {
	s := &scanner{Auditor: a, index: index, interned: k}
	s.texts = a.detector.Scanner()
	if a.rejected || a.explain != nil {
		s.texts.Judged = s.judgement
	}
	return s
}

// begin prepares s for a document of the numbered node. markers is that of an [Input].
func (s *scanner) begin(node int32, markers func(text string) iter.Seq2[int, int]) {
	s.node, s.found, s.notes, s.judged, s.manifests, s.failed = node, nil, nil, nil, new(manifests), nil
	if markers != nil || s.texts.Markers != nil {
		s.tags = nil // what they contain depends on the markers
	}
	s.texts.Markers = markers
	s.texts.Begin()
}

// hit adds a hit of the leaf. Repeated hits of a secret are reduced to one, and
// a leaf with too many secrets is cut. Copies of Sensitive values are always
// added, and markers that replace secrets never.
func (s *scanner) hit(h raw) {
	if h.Masked && h.source == nil {
		return
	}
	if len(s.hits) >= s.limit {
		s.hits = once(ranked(s.hits), s.keep)
		s.full = len(s.hits) >= maxSecrets
		s.limit = max(maxHits, 2*len(s.hits))
	}
	if s.full && h.source == nil {
		return
	}
	s.hits = append(s.hits, h)
}

const (
	// maxHits is the number of hits of a leaf before repeated ones are removed.
	maxHits = 256
	// maxSecrets is the maximum number of secrets of a leaf before it is cut.
	maxSecrets = 1000
)

// text inspects a text of the current leaf.
func (s *scanner) text(t *detect.Text) {
	if !s.full {
		for h := range t.Hits() {
			if s.hit(raw{Hit: h}); s.full {
				break
			}
		}
	}
	s.customText(t)
	if s.visited != nil {
		s.visited(t.Bytes())
	}
	for h := range s.index.Find(t.Bytes()) {
		if s.follows != nil && !s.follows(h) {
			continue
		}
		hit := t.Hit(s.taintRule(s.at, h), h.Start, h.End, h.Source.Reveal(), rule.Certain)
		s.hit(raw{Hit: hit, source: h.Source})
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
	for t := range s.texts.Texts(l) {
		s.text(t)
	}
	whole := s.texts.Complete() && !s.full
	if !whole {
		s.cut(l)
	}
	if s.texts.IsData() {
		s.hits = slices.DeleteFunc(s.hits, func(h raw) bool { return h.Rule == detect.UnnamedSecret })
	}
	if len(s.hits) == 0 {
		if whole && l.Kind == leaf.Tag {
			s.harmless(l.Text)
		}
		return
	}
	hits := mostSpecific(s.hits, s.keep)
	if slices.ContainsFunc(hits, func(h raw) bool {
		return h.Rule != defaultPassword && h.Rule != detect.UnnamedSecret && h.Secret != ""
	}) {
		s.leaked(l)
	}
	s.add(hits, l)
}

// add adds the hits of a leaf.
func (s *scanner) add(hits []raw, l *leaf.Leaf) {
	at, offset := locationOf(l), l.Offset()
	var last raw
	for _, h := range hits {
		h.location, h.offset = at, offset
		if h.Start == last.Start && h.End == last.End {
			h.spelled = last.spelled // of several secrets in one encoded text
		}
		last = h.in(l, s.keep)
		s.found = append(s.found, s.interned.in(last, l.Resource))
	}
}

// in returns the hit with its positions in l, and in the file that l is copied from, the role of its account and its exposure, and with
// its spelling if keep is set.
func (h raw) in(l *leaf.Leaf, keep bool) raw {
	h.part = h.Start < h.End && h.End-h.Start < len(strings.TrimSpace(l.Text))
	if keep && h.spelled == "" {
		h.spelled = strings.Clone(l.Text[h.Start:h.End]) // different positions do not overlap, so their total length is at most that of the leaf
	}
	h.Within = nil
	if h.file != "" && !l.Binary {
		h.line = int64(strings.Count(l.Text[:h.Start], "\n")) + 1
	}
	h.role, h.exposure = roleOf(&h, l), exposureOf(l)
	h.again = slices.DeleteFunc(h.again, func(at span) bool { return l.Text[at.start:at.end] != h.spelled })
	return h
}

// Limits for remembered tags without a secret: their number, and the length of
// each in bytes.
const (
	maxTags = 1024
	maxTag  = 128
)

// harmless remembers that a tag contains no secret. This depends only on its
// text, and most resources repeat the tags of others.
func (s *scanner) harmless(tag string) {
	if len(tag) > maxTag || len(s.tags) >= maxTags {
		return
	}
	if s.tags == nil {
		s.tags = map[string]struct{}{}
	}
	s.tags[strings.Clone(tag)] = struct{}{}
}

// defaultPassword is the rule for passwords that everyone knows, which are no leak.
const defaultPassword = "default-password"

// note is a remark about a location.
type note struct {
	at   location
	text string
	cut  bool // the location was not searched completely
}

// note returns a note about a location in r, which it interns. r is nil
// outside of resources.
func (s *scanner) note(at location, r *leaf.Resource, text string) note {
	return note{at: s.interned.location(at, r), text: text}
}

// maxPassed is the maximum number of reported values of a document that are not
// secrets.
const maxPassed = 1000

// judged is a judgement with its location, before masking.
type judged struct {
	raw
	judgement detect.Judgement
}

// judgement notes how a value was judged, if the user asked for it.
func (s *scanner) judgement(j detect.Judgement) {
	rejected := s.rejected && j.Named && j.Against != "" && len(s.judged) < maxPassed
	if !rejected && (s.explain == nil || !s.explain(s.at.Location().String(), s.at.Pointer())) {
		return
	}
	h := raw{Hit: j.Hit, location: locationOf(s.at), offset: -1}
	s.judged = append(s.judged, judged{s.interned.in(h, s.at.Resource), j})
}

// cut notes that l was not searched completely.
func (s *scanner) cut(l *leaf.Leaf) {
	n := s.note(locationOf(l), l.Resource, "searched only in part: the encoded content is too large or too deep, or has too many secrets")
	n.cut = true
	s.notes = append(s.notes, n)
}

// locationOf returns the location of l, before it is interned. It has the file that has the text of l, if that is
// copied from one.
func locationOf(l *leaf.Leaf) location {
	at := location{catalog: l.Catalog, file: l.CopiedFrom()}
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
	default:
		return taintedIn(h.Source, s.node)
	}
}

// The rules for copies in values.
const (
	reuseOpen = "sensitive-reuse-open"
	crossNode = "sensitive-cross-node"
)

// taintedIn returns the rule for a copy in a value of the numbered node.
func taintedIn(s *taint.Source, node int32) string {
	if s.In(node) {
		return reuseOpen
	}
	return crossNode
}

// edge reports whether an edge may contain a secret. Edges contain only copies
// of known secrets, in spellings that the index finds.
func (s *scanner) edge(raw []byte) bool {
	if s.visited != nil {
		s.visited(raw)
	}
	if s.follows == nil {
		return s.index.Contains(raw)
	}
	found := false
	for h := range s.index.Find(raw) {
		found = s.follows(h) || found
	}
	return found
}
