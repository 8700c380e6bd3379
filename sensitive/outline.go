package sensitive

import (
	"context"
	"encoding/base64"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
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
	found := r.hitParts(p)
	if !found.ok {
		return false, nil
	}
	return true, r.redactPlan(ctx, dst, p, found.hits)
}

// redactPlan writes a document, or a piece of one, without its secrets. hits are the
// parts with secrets outside of their own locations.
func (r *stage) redactPlan(ctx context.Context, dst io.Writer, p *plan, hits []bool) error {
	out := patch{data: p.Data, list: make([]patchPiece, 0, 2*p.secrets+1)}
	rest := p.declaring
	for i := range p.Parts {
		var own *declaring
		if len(rest) > 0 && rest[0].Part == i {
			own, rest = &rest[0], rest[1:]
		}
		if own == nil && !hits[i] && !r.isLocation(p, i) {
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

// isLocation reports whether an undeclared secret was found in a part.
func (s *matcher) isLocation(p *plan, i int) bool {
	switch {
	case len(s.locations) == 0:
		return false
	case p.IsResource(i):
		typ, title := p.TypeAndTitle(i)
		return s.locations[catalog.Ref{Type: string(typ), Title: string(title)}] != nil
	default:
		return s.locations[catalog.Ref{}] != nil
	}
}

// outline returns the plan of the document that src reads. It is nil if the document is
// not a catalog in memory, or if redacting it requires more than its bytes.
func (r *stage) outline(src *catalog.Reader) *plan {
	if r.plan == nil && r.takePlan != nil {
		r.plan = r.takePlan()
	}
	p := planOf(src, r.plan)
	if p != nil {
		r.plan = p
	}
	return p
}

// rereader searches the pieces of a document, read from its beginning. The parts of a document
// are searched to audit its output, and again to write it, unless the first search is known.
type rereader struct {
	*matcher
	read maphash.Hash // of the pieces so far
}

// found are the parts of a piece that contain a secret. ok is false if one is outside of the
// parts.
type found struct {
	hits []bool
	ok   bool
}

func (s *matcher) rereader() *rereader {
	r := &rereader{matcher: s}
	r.read.SetSeed(s.seed)
	return r
}

// next returns a number for the next piece, which depends on all pieces up to it.
func (r *rereader) next(p *plan) uint64 {
	_, _ = r.read.Write(p.Data)                   // never fails
	maphash.WriteComparable(&r.read, len(p.Data)) // where it ends
	return r.read.Sum64()
}

// first searches the next piece and remembers the result.
func (r *rereader) first(p *plan) found {
	f := r.hitParts(p)
	r.known.Store(r.next(p), f)
	return f
}

// again returns the result of first for the next piece and forgets it, or searches the piece.
func (r *rereader) again(p *plan) found {
	known, _ := r.known.LoadAndDelete(r.next(p))
	if f, ok := known.(found); ok {
		return f
	}
	return r.hitParts(p)
}

// hitParts searches the document, except for the secrets in their own locations.
func (s *matcher) hitParts(p *plan) found {
	hits, ok := make([]bool, len(p.Parts)), true
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
	for i := range p.declaring {
		for _, own := range p.declaring[i].Secrets {
			searchData(end, own.Secret.Start)
			end = own.Secret.End
			// Most secrets have no escapes and therefore no unescaped text.
			if from, to := p.TextFrom(own.Secret.Start), p.TextFrom(end); from < to {
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
	return found{hits, ok}
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
// contains or may contain a copy. own is nil if it declares nothing.
func (r *stage) redactPart(ctx context.Context, out *patch, p *plan, i int, own *declaring, hit bool) error {
	isClear := own != nil && !own.Unclear && !r.isLocation(p, i) // its bytes show everything
	if isClear && !hit {
		before := out.state()
		if ok, err := r.patchDeclared(out, p, own); err != nil || ok {
			return err
		}
		out.back(before)
	}
	part, at := p.Part(i), &p.Parts[i]
	r.planned = planned{part.Resource, p, own, hit}
	to, keep, err := catalog.Apply(ctx, r, part)
	switch {
	case err != nil:
		return err
	case !keep: // the Maskers of documents with plans never remove parts
		return leakAt(locationOf(part))
	case to == part:
		if (hit || isClear && len(own.Secrets) > 0) && r.hitsJSON(p.Data[at.Start:at.End]) {
			return leakAt(locationOf(part))
		}
		return nil
	}
	text, err := p.AppendPart(nil, i, to)
	if err != nil {
		return err
	}
	if r.hitsJSON(text) {
		return leakAt(locationOf(to))
	}
	out.replace(at.Start, at.End, text)
	return nil
}

// patchDeclared adds a resource with its declared secrets replaced in the bytes. It returns
// false if there are secrets elsewhere in the resource, which the search of the bytes missed.
func (r *stage) patchDeclared(out *patch, p *plan, own *declaring) (ok bool, err error) {
	if r.hitsBinary(p, own) || r.hitsSpelled(p, own) {
		return false, nil
	}
	part := p.Parts[own.Part]
	before := out.state()
	searched, locations := true, 0
	for i := range own.Secrets {
		s := &own.Secrets[i]
		written := len(out.fresh)
		if mask, ok := r.maskOf(s); ok && mask != "" {
			if r.hits(out.quote(s.Secret.Start, s.Secret.End, mask)) {
				return false, nil
			}
			locations++
			continue
		}
		searched = false // unchanged values and values other than strings
		if ok, err := r.replaceValue(out, p, s); err != nil || !ok {
			return false, err
		}
		if len(out.fresh) > written {
			locations++
		}
	}
	if !searched && r.hitsJSON(out.between(part.Start, part.End, before)) {
		return false, nil
	}
	r.counts.Locations += locations
	return true, nil
}

// resourceInPlace is patchDeclared for a resource of a document without an outline. done is false
// if its values must be decoded.
func (r *stage) resourceInPlace(res *catalog.Resource) (clean *catalog.Resource, done bool, err error) {
	k := r.planned
	r.planned = planned{} // which keeps a piece of the document in memory
	if k.res != res {
		o := res.Outline()
		if o == nil {
			return nil, false, nil
		}
		p := newPlan(o)
		found := r.hitParts(p)
		k = planned{res, p, nil, !found.ok || found.hits[0]}
		if len(p.declaring) > 0 {
			k.own = &p.declaring[0]
		}
	}
	switch {
	case k.hit || k.own != nil && k.own.Unclear:
		return nil, false, nil
	case k.own == nil:
		return res, true, nil
	}
	at := k.plan.Parts[k.own.Part]
	before := r.counts
	out := patch{data: k.plan.Data, end: at.Start}
	if ok, err := r.patchDeclared(&out, k.plan, k.own); err != nil || !ok {
		return nil, false, err
	}
	text := out.between(at.Start, at.End, patchState{})
	switch {
	case len(out.list) == 0:
		return res, true, nil
	case r.hitsJSON(text): // across the ends of replacements
		r.counts = before
		return nil, false, nil
	}
	return res.WithBytes(text), true, nil
}

// replaceValue adds the replacement of a secret. ok is false if the secret has to be left out.
func (r *stage) replaceValue(out *patch, p *plan, s *declaredSecret) (ok bool, err error) {
	v, err := s.reveal() // to be replaced
	if err != nil {
		return false, err
	}
	to, err := r.replacementFor(pcore.NewSensitive(v), s.Location())
	if err != nil || to == nil {
		return false, err
	}
	if pcore.Identical(to, v) {
		return true, nil
	}
	at := s.Secret
	switch to.(type) {
	case *pcore.Sensitive, *pcore.Deferred: // it replaces the Sensitive itself
		at = s.Value
	default:
	}
	text, err := p.AppendValue(nil, at.Start, to)
	if err != nil {
		return false, err
	}
	out.replace(at.Start, at.End, text)
	return true, nil
}

// maskOf returns the replacement of a String, or "" if it is unchanged. ok is false for
// other values, and for Maskers that need the location.
func (r *stage) maskOf(s *declaredSecret) (mask string, ok bool) {
	m, ok := r.masker.(*texts)
	text, isString := s.text()
	if !ok || !isString {
		return "", false
	}
	if mask = m.text(strings.TrimSpace(string(text))); mask == string(text) {
		return "", true
	}
	return mask, true
}

// hitsBinary reports whether one of the Binaries contains a secret, or may.
func (r *stage) hitsBinary(p *plan, own *declaring) bool {
	return slices.ContainsFunc(own.Binaries, func(at document.Span) bool {
		var err error
		r.binary, err = base64.StdEncoding.AppendDecode(r.binary[:0], p.Data[at.Start:at.End])
		return err != nil || r.hits(r.binary)
	})
}

// hitsSpelled reports whether the text of one of the values contains a secret, or may: reading
// the value around one that is wrong gives the error.
func (r *stage) hitsSpelled(p *plan, own *declaring) bool {
	return slices.ContainsFunc(own.Spelled, func(at document.Span) bool {
		v, err := p.RevealAt(own.Part, at.Start, at.End) // only searched
		text, ok := textOf(v)
		return err != nil || !ok || r.hits([]byte(text))
	})
}
