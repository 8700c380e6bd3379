package sensitive

import (
	"errors"
	"iter"

	"github.com/pcatdev/pcat/catalog"
)

// Affected returns an iterator over the parts of a document, like [catalog.Reader.Parts], but
// without resources and edges that the Redactor would return unchanged, as far as a quick
// search shows. Resources for which also returns true are included; it must not keep the type
// and the title.
func (r *Redactor) Affected(src *catalog.Reader, also func(typ, title []byte) bool) iter.Seq2[catalog.Part, error] {
	stages := r.stages()
	if !stages[0].worksInPieces() {
		return src.Parts()
	}
	return func(yield func(catalog.Part, error) bool) {
		w := &affectedParts{stages: stages, also: also, yield: yield}
		for _, s := range stages {
			w.searches = append(w.searches, s.rereader())
		}
		begun := false
		for o, err := range src.Pieces() {
			switch {
			case err != nil && !begun:
				src.Parts()(yield)
				return
			case err != nil:
				yield(catalog.Part{}, errors.Join(errChanged, err))
				return
			case !begun && !yield(catalog.Part{Kind: catalog.PartMap, Count: -1}, nil):
				return
			}
			begun = true
			if !w.piece(newPlan(o)) {
				return
			}
		}
		// A document without resources is a catalog because of the empty list.
		if (w.resources || w.enter("resources")) && w.enter("") {
			yield(catalog.Part{Kind: catalog.PartEnd, Catalog: true}, nil)
		}
	}
}

// affectedParts yields the parts of a document that is read in pieces.
type affectedParts struct {
	stages   []*stage
	searches []*rereader
	also     func(typ, title []byte) bool
	yield    func(catalog.Part, error) bool
	list     string // the list that is open

	resources bool // the list of resources was open
}

// piece yields the parts of a piece, and returns false at the end of the iteration.
func (w *affectedParts) piece(p *plan) bool {
	results := make([]found, len(w.stages))
	for n, s := range w.searches {
		if len(w.stages) == 1 { // otherwise, the output is not written in pieces
			results[n] = s.first(p)
			continue
		}
		results[n] = s.hitParts(p)
	}
	rest := p.declaring
	for i := range p.Parts {
		list := ""
		if p.Parts[i].In {
			list = p.Key(i)
		}
		if !w.enter(list) {
			return false
		}
		var own *declaring
		if len(rest) > 0 && rest[0].Part == i {
			own, rest = &rest[0], rest[1:]
		}
		affected := list == "" || own != nil || p.IsResource(i) && w.also(p.TypeAndTitle(i))
		for n, s := range w.stages {
			affected = affected || !results[n].ok || results[n].hits[i] || s.isLocation(p, i)
		}
		if !affected {
			continue
		}
		part := p.Part(i)
		for n, s := range w.stages {
			if results[n].ok {
				s.planned = planned{part.Resource, p, own, results[n].hits[i]}
			}
		}
		if !w.yield(part, nil) {
			return false
		}
	}
	return true
}

// enter ends the open list, if any, and begins another, unless it is the same. The name "" is
// no list.
func (w *affectedParts) enter(list string) bool {
	if list == w.list {
		return true
	}
	if w.list != "" && !w.yield(catalog.Part{Kind: catalog.PartEnd}, nil) {
		return false
	}
	w.list, w.resources = list, w.resources || list == "resources"
	return list == "" || w.yield(catalog.Part{Kind: catalog.PartArray, Key: list, Count: -1}, nil)
}
