package sensitive

import (
	"context"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/jsonwire"
)

// redactOutline writes a document without its secrets, using its outline. It returns
// false, without any effect, if the document must be read part by part.
//
// All output is searched once. Unchanged parts are searched first, except for the secrets
// in their own locations, which shows the parts that contain copies. Replacements are
// searched when they are made. Text across the boundaries of the two is searched before
// anything is written.
func (r *stage) redactOutline(ctx context.Context, dst io.Writer, src *catalog.Reader) (done bool, err error) {
	p := r.outline(src)
	if p == nil {
		return false, nil
	}
	hits, ok := r.hitParts(p)
	if !ok {
		return false, nil
	}
	return true, r.redactPlan(ctx, dst, p, hits)
}

// redactPlan writes a document, or a piece of one, without its secrets. hits are the
// parts with secrets outside of their own locations.
func (r *stage) redactPlan(ctx context.Context, dst io.Writer, p *plan, hits []bool) error {
	out := patch{data: p.Data, list: make([]patchPiece, 0, 2*p.secrets+1)}
	rest := p.special
	for i := range p.Parts {
		var own *sites
		special := len(rest) > 0 && rest[0].part == i
		if special {
			own, rest = rest[0].sites, rest[1:]
		}
		switch {
		case r.isPlace(p, i):
			own = nil // more than its bytes show
		case !special && !hits[i]:
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.redactPart(ctx, &out, p, i, own, hits[i]); err != nil {
			return err
		}
	}
	out.keep(len(p.Data))
	return out.write(dst, r.matcher)
}

// isPlace reports whether an undeclared secret was found in a part.
func (s *matcher) isPlace(p *plan, i int) bool {
	switch {
	case len(s.places) == 0:
		return false
	case p.IsResource(i):
		typ, title := p.TypeAndTitle(i)
		return s.places[catalog.Ref{Type: string(typ), Title: string(title)}] != nil
	default:
		return s.places[catalog.Ref{}] != nil
	}
}

// outline returns the plan of the document that src reads. It is nil if the document is
// not a catalog in memory, or if redacting it requires more than its bytes.
func (r *stage) outline(src *catalog.Reader) *plan {
	if _, plain := r.masker.(*texts); !plain {
		return nil
	}
	if r.plan == nil && r.takePlan != nil {
		r.plan = r.takePlan()
	}
	p := planOf(src, r.plan)
	if p != nil {
		r.plan = p
	}
	return p
}

// hitParts searches the document, except for the secrets in their own locations, and marks
// the parts that contain a secret. ok is false if a secret is outside of the parts.
func (s *matcher) hitParts(p *plan) (hits []bool, ok bool) {
	hits = make([]bool, len(p.Parts))
	ok = true
	mark := func(at document.Span) {
		i := p.At(at)
		if ok = ok && i >= 0; ok {
			hits[i] = true
		}
	}
	searchData := func(start, end int) {
		for h := range s.set.FindJSON(p.Data[start:end]) {
			if s.isSameData(p.Data[start:end], h) {
				continue
			}
			mark(document.Span{Start: start + h.Start, End: start + h.End})
		}
	}
	searchText := func(start, end int) {
		for h := range s.set.Find(p.Text[start:end]) {
			// A match may span several strings; mark both ends.
			for _, at := range []int{h.Start, h.End - 1} {
				at := p.Source(start + at)
				mark(document.Span{Start: at, End: at + 1})
			}
		}
	}
	end, endOfText := 0, 0
	for i := range p.special {
		own := p.special[i].sites
		if !own.hasPlaces() {
			continue
		}
		start := p.Parts[own.part].Start
		for k := range own.found {
			f := &own.found[k]
			searchData(end, start+f.inner)
			end = start + f.innerEnd
			// Most secrets have no escapes and therefore no unescaped text.
			if from, to := p.TextFrom(start+f.inner), p.TextFrom(end); from < to {
				searchText(endOfText, from)
				endOfText = to
			}
		}
	}
	searchData(end, len(p.Data))
	searchText(endOfText, len(p.Text))
	if s.inRefs {
		s.markRefs(p, hits)
	}
	return hits, ok
}

// markRefs marks the parts with a secret that only a reference shows.
func (s *matcher) markRefs(p *plan, hits []bool) {
	for i := range p.Parts {
		switch part := &p.Parts[i]; {
		case p.IsResource(i):
			hits[i] = hits[i] || s.hitsRef(p.TypeAndTitle(i))
		case part.In:
			hits[i] = hits[i] || s.maySplitRef(p.Data[part.Start:part.End])
		}
	}
}

// redactPart adds the redacted form of a part that has a secret in its own location, or that
// contains or may contain a copy.
func (r *stage) redactPart(ctx context.Context, out *patch, p *plan, i int, own *sites, hit bool) error {
	if own != nil && (own.hasPlaces() || !hit) {
		before := out.state()
		if ok, err := r.spliceOutline(out, own, hit); err != nil || ok {
			return err
		}
		out.back(before)
	}
	part, at := p.Part(i), &p.Parts[i]
	to, keep, err := catalog.Apply(ctx, r, part)
	switch {
	case err != nil:
		return err
	case !keep: // the Maskers of documents with plans never remove parts
		return leakAt(locationOf(part))
	case to == part:
		if (hit || own.hasPlaces()) && r.hitsJSON(p.Data[at.Start:at.End]) {
			return leakAt(locationOf(part))
		}
		return nil
	}
	text, err := p.AppendPart(nil, to)
	if err != nil {
		return err
	}
	if r.hitsJSON(text) {
		return leakAt(locationOf(to))
	}
	out.replace(at.Start, at.End, text)
	return nil
}

// spliceOutline adds a resource with its secrets replaced in the bytes, like
// [Redactor.splice]. It returns false if there are secrets elsewhere in the resource; hit
// is set if one is known.
func (r *stage) spliceOutline(out *patch, own *sites, hit bool) (ok bool, err error) {
	if hit && r.mayHitTitle(own) || r.hitsEncoded(own) || r.hitsSpelled(own) {
		return false, nil
	}
	at := own.doc.Parts[own.part]
	before := out.state()
	searched := true
	for k := range own.found {
		f := &own.found[k]
		if mask, ok := r.maskOf(own, f); ok && mask != "" {
			if r.hits(out.quote(at.Start+f.inner, at.Start+f.innerEnd, mask)) {
				return false, nil
			}
			continue
		}
		searched = false // unchanged values and values other than strings
		splice, changes, ok, err := r.spliceOf(own.from(), f, f.location())
		if err != nil || !ok {
			return false, err
		}
		if changes {
			text, err := own.doc.AppendValue(nil, splice.Value)
			if err != nil {
				return false, err
			}
			out.replace(at.Start+splice.Start, at.Start+splice.End, text)
		}
	}
	if hit || !searched && r.hitsJSON(out.between(at.Start, at.End, before)) {
		return false, nil
	}
	r.counts.Places += len(own.found)
	return true, nil
}

// mayHitTitle reports whether the title, which is replaced before anything else, may
// contain a secret.
func (s *matcher) mayHitTitle(own *sites) bool {
	title := own.data[own.title.start:own.title.end]
	return len(own.found) > 0 && (!jsonwire.IsPlain(title) || s.hits(title))
}

// maskOf returns the replacement of a string, or "" if it is unchanged. ok is false for
// other values.
func (r *stage) maskOf(own *sites, f *site) (mask string, ok bool) {
	m, ok := r.masker.(*texts)
	text, isString := own.secretAt(f)
	if !ok || !isString {
		return "", false
	}
	if mask = m.text(strings.TrimSpace(text)); mask == text {
		return "", true
	}
	return mask, true
}
