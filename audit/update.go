package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/secret"
)

// Updater computes the parts of a [Ledger]. It reuses memory from one input to the next,
// and is not safe for concurrent use: use one for each goroutine. Create one with
// [Auditor.Updater].
type Updater struct {
	auditor *Auditor
	worker  worker
	texts   extractor
}

// Updater returns an Updater.
func (a *Auditor) Updater() *Updater { return &Updater{auditor: a} }

// Collect returns the first part of an input, with the secrets that it declares. An input
// that cannot be read has a part, too: it is a [Failure] in the report.
func (u *Updater) Collect(in Input) *Part {
	declared, kept := map[string]*declaration{}, newInterner()
	var nodes []string
	var kind rundata.Kind
	err := with(in, func(r *catalog.Reader) error {
		var err error
		nodes, kind, err = u.auditor.collect(in.Name, r, &u.worker, new(secret.Vocabulary), kept, func(text string, order int, place func() taint.Declaration) {
			declare(declared, text, order, place, kept)
		})
		u.worker.Outline = nil
		return err
	})
	return newPart(collected(nodes, kind, declared, err))
}

// Update returns the part of an input, inspected with the knowledge k. p is the last part
// of the same content. The input is searched only for the secrets that are new in k. It is
// inspected again only if the status of one of its secrets changed. The error is an error
// of ctx.
func (u *Updater) Update(ctx context.Context, in Input, p *Part, k *Knowledge) (*Part, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	s := &search{Updater: u, in: in, knowledge: k, part: p.content().clone()}
	switch {
	case s.part.unread:
		s.unread()
	case p.Version() == 0:
		s.inspect(k.since(0), k.indexed())
	default:
		s.catchUp()
	}
	s.part.seen = max(k.Version(), 1)
	return newPart(s.part), nil
}

// search brings one part up to date.
type search struct {
	*Updater
	in        Input
	knowledge *Knowledge
	part      *part
}

// walk visits the input, and records the uses of the words in the lists. v may have Name and
// End, too.
func (s *search) walk(v leaf.Visitor, watched []*Segment) error {
	words := new(secret.Vocabulary)
	lists := make([]*secret.Watch, len(watched))
	for i, w := range watched {
		lists[i] = w.watch()
	}
	words.Watch(lists...)
	name, end := v.Name, v.End
	v.Name = func(typ, title []byte) {
		words.AddResource(typ, title)
		if name != nil {
			name(typ, title)
		}
	}
	v.End = func(c *leaf.Catalog) {
		words.Keep(c.Node)
		if end != nil {
			end(c)
		}
	}
	err := with(s.in, func(r *catalog.Reader) error { return s.worker.Walk(r, s.in.Name, v) })
	for text, use := range words.Uses() {
		if s.part.words == nil {
			s.part.words = map[string]secret.Use{}
		}
		known := s.part.words[text]
		known.Add(use)
		s.part.words[text] = known
	}
	return err
}

// unread reads only the words of an input that could not be read before.
func (s *search) unread() {
	_ = s.walk(leaf.Visitor{Want: declares, Declared: true, Edge: none}, s.knowledge.since(s.part.seen)) // known
	s.worker.Outline = nil
}

// catchUp searches the input for new secrets, and inspects it again if the status of a
// secret that occurs in it has changed.
func (s *search) catchUp() {
	if newer := s.knowledge.since(s.part.seen); len(newer) > 0 {
		s.sweep(newer)
	}
	own := s.part.followed()
	for text, used := range s.part.present {
		now := s.knowledge.status(text)
		if own[text] {
			now |= isFound
		}
		if now != used {
			texts := slices.Sorted(maps.Keys(s.part.present))
			s.inspect(nil, indexOf(texts))
			return
		}
	}
	s.worker.Outline = nil
}

// sweep searches the input for the new secrets in segments, without inspecting it.
func (s *search) sweep(newer []*Segment) {
	index := joined(newer)
	texts := s.auditor.detector.Scanner()
	var want func(raw []byte) bool
	if !slices.ContainsFunc(newer, (*Segment).isDeep) {
		want = index.Contains
	}
	s.texts.begin()
	err := s.walk(leaf.Visitor{
		Want: want, Name: s.texts.name, End: s.texts.end,
		Edge: func(raw []byte) bool { s.note(index, raw); return false },
		Leaf: func(l *leaf.Leaf) {
			if l.State == leaf.Open {
				for t := range texts.Texts(l) {
					s.note(index, t.Bytes())
				}
			}
		},
	}, newer)
	if err == nil && want == nil { // a failure is known from the inspection
		s.part.extract = s.texts.extract()
	}
}

// note records the secrets in a text that were not known to occur in the input. They have
// no status yet.
func (s *search) note(index *taint.Index, text []byte) {
	s.texts.text(text)
	for h := range index.Find(text) {
		s.occurs(h.Source.Reveal(), 0)
	}
}

// occurs records that a secret occurs in the input.
func (s *search) occurs(text string, used status) {
	if s.part.present == nil {
		s.part.present = map[string]status{}
	}
	if _, known := s.part.present[text]; !known {
		s.part.present[text] = used
	}
}

// inspect inspects the whole input, with the secrets in index.
func (s *search) inspect(watched []*Segment, index *taint.Index) {
	kept := newInterner()
	old := s.part
	s.part = &part{nodes: old.nodes, kind: old.kind, declared: old.declared, words: old.words}
	if s.worker.scanner == nil {
		s.worker.scanner = s.auditor.scanner(nil, nil)
	}
	scan := s.worker.scanner
	scan.index, scan.interned = index, kept
	clear(scan.tags) // of another index
	scan.follows = func(h taint.Hit) bool {
		text := h.Source.Reveal()
		now := s.knowledge.status(text)
		s.occurs(text, now)
		return now&isDeclared != 0
	}
	s.texts.begin()
	scan.visited = s.texts.text
	scan.begin(0, nil)
	err := s.walk(leaf.Visitor{Name: s.texts.name, End: s.texts.end, Edge: scan.edge, Resource: scan.resource, Leaf: scan.leaf}, watched)
	if err != nil {
		s.part.failure = err.Error()
		if len(watched) > 0 { // the words after the failure
			_ = s.walk(leaf.Visitor{Want: declares, Declared: true, Edge: none}, watched)
		}
	}
	for text := range old.present {
		s.occurs(text, s.knowledge.status(text))
	}
	s.part.found, s.part.notes = scan.found, scan.notes
	if err == nil {
		s.part.extract = s.texts.extract()
		s.copies(kept)
	}
	s.locate(scan.manifests)
	s.worker.Outline = nil
}

// locate sets the manifests of the classes in the part.
func (s *search) locate(m *manifests) {
	for _, list := range [][]raw{s.part.found, s.part.copies} {
		for i := range list {
			m.locate(&list[i].location)
		}
	}
	s.part.declared = slices.Clone(s.part.declared)
	for i := range s.part.declared {
		if d := &s.part.declared[i]; d.origin != nil {
			at := *d.origin
			m.locate(&at.location)
			d.origin = &at
		}
	}
}

// copies adds the copies of the secrets that were found by their location or form.
func (s *search) copies(kept *interner) {
	var texts []string
	for text := range s.part.followed() {
		s.occurs(text, s.knowledge.status(text))
		s.part.present[text] |= isFound
	}
	for text, used := range s.part.present {
		if used&isFound != 0 {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return
	}
	slices.Sort(texts)
	if s.worker.copies == nil {
		s.worker.copies = s.auditor.copyScanner(nil)
	}
	s.worker.copies.interned = kept
	err := with(s.in, func(r *catalog.Reader) error {
		all, err := s.worker.copiesIn(r, s.in.Name, slices.Clip(s.part.found), indexOf(texts))
		s.part.copies = all[len(s.part.found):]
		return err
	})
	if err != nil {
		s.part.failure = err.Error()
	}
}
