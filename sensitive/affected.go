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
	stages []*stage
	also   func(typ, title []byte) bool
	yield  func(catalog.Part, error) bool
	list   string // the list that is open

	resources bool // the list of resources was open
}

// piece yields the parts of a piece, and returns false at the end of the iteration.
func (w *affectedParts) piece(p *plan) bool {
	affected := w.affected(p)
	for i := range p.Parts {
		list := ""
		if p.Parts[i].In {
			list = p.Key(i)
		}
		if !w.enter(list) || (list == "" || affected(i)) && !w.yield(p.Part(i), nil) {
			return false
		}
	}
	return true
}

// affected returns a function that reports whether a stage may change a part.
func (w *affectedParts) affected(p *plan) func(i int) bool {
	hits := make([]bool, len(p.Parts))
	for i := range p.declaring {
		hits[p.declaring[i].Part] = true
	}
	for _, s := range w.stages {
		found, ok := s.hitParts(p)
		for i := range hits {
			hits[i] = hits[i] || !ok || found[i] || s.isLocation(p, i)
		}
	}
	return func(i int) bool { return hits[i] || p.IsResource(i) && w.also(p.TypeAndTitle(i)) }
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
