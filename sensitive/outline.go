package sensitive

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization/outline"
)

// plan is what is known of a document in memory without making values of it. It
// takes the place of the parts of a [catalog.Reader]: what nothing has to be
// done in is not even a part there.
type plan struct {
	*catalog.Outline
	// special are the parts that hold rich values or list parameters, in order.
	special []special
}

// special is a part that does not only consist of what is searched: not each
// with rich values is.
type special struct {
	part  int
	sites *sites // nil when its values have to be looked at
}

// outline returns the plan of the document that src reads, nil when it is to be
// read part by part: it is no catalog in memory, or what is done with it needs
// more than its bytes.
func (r *Redactor) outline(src *catalog.Reader) *plan {
	s := r.state()
	if _, plain := r.masker.(*texts); !plain || r.before != nil {
		return nil
	}
	var known *catalog.Outline
	if s.plan != nil {
		known = s.plan.Outline
	}
	o := src.Outline(known)
	if o == nil {
		return nil
	}
	if o != known {
		s.plan = newPlan(o)
	}
	return s.plan
}

func newPlan(o *catalog.Outline) *plan {
	p := &plan{Outline: o}
	for i := range o.Parts {
		if part := &o.Parts[i]; !part.Odd && !part.Watched && len(o.Rich(i)) == 0 {
			continue
		}
		if s := p.sitesOf(i); s == nil || !s.isEmpty() {
			p.special = append(p.special, special{part: i, sites: s})
		}
	}
	return p
}

// sitesOf returns the places of secrets in a part, nil when its values have to
// be looked at.
func (p *plan) sitesOf(i int) *sites {
	part := &p.Parts[i]
	if !part.In || p.Key(i) != "resources" || part.Odd {
		return nil
	}
	raw := p.Data[part.Start:part.End]
	if !part.Watched {
		if s := p.sitesOfRich(i, raw); s != nil {
			return s
		}
	}
	if s, ok := sitesOf(raw); ok {
		return s
	}
	return nil
}

// sitesOfRich does so for a resource that lists no parameters, by its rich
// values. It knows only how Puppet writes a resource, and returns nil for others.
func (p *plan) sitesOfRich(i int, raw []byte) *sites {
	s := &sites{data: raw}
	if !s.head() {
		return nil
	}
	base, end := p.Parts[i].Start, 0
	rich := p.Rich(i)
	for k := range rich {
		v := &rich[k]
		if v.Start < end {
			continue // inside a secret
		}
		typ := p.Data[v.Type.Start:v.Type.End]
		value := span{v.Value.Start - base, v.Value.End - base}
		hasValue := v.Value.End > 0
		if !p.isOfResource(v) || !isClear(typ) || hasValue && k+1 < len(rich) && v.Value.Holds(rich[k+1].Span) && string(typ) != "Sensitive" {
			return nil
		}
		switch string(typ) {
		case "Sensitive":
			if !hasValue {
				return nil
			}
			end = v.End
			s.found = append(s.found, site{start: v.Start - base, end: v.End - base, inner: value.start, innerEnd: value.end, rich: v})
		case "Binary":
			if !hasValue || raw[value.start] != '"' || bytes.IndexByte(raw[value.start:value.end], '\\') >= 0 {
				return nil
			}
			s.encoded = append(s.encoded, span{value.start + 1, value.end - 1})
		case "Timestamp", "Timespan", "URI", "SemVerRange":
			s.spelled = append(s.spelled, span{v.Start - base, v.End - base})
		}
	}
	return s
}

// isOfResource reports whether a rich value in a resource has a place in which
// values are: parameters are a map, and no rich value themselves.
func (p *plan) isOfResource(v *outline.Rich) bool {
	if key, _ := p.KeyAt(v, 0); string(key) != "parameters" {
		return true
	}
	if p.Depth(v) == 1 {
		return false
	}
	_, ok := p.KeyAt(v, 1)
	return ok
}

// collectOutline is [Redactor.Collect].
func (r *Redactor) collectOutline(p *plan) error {
	r.reserve(p.Data)
	for i := range p.special {
		special := &p.special[i]
		part := p.Part(special.part)
		if special.sites == nil {
			if err := r.collect(part); err != nil {
				return err
			}
			continue
		}
		for k := range special.sites.found {
			if f := &special.sites.found[k]; f.rich != nil {
				f.path = p.pathOf(f.rich)
			}
		}
		if err := r.takeSites(part.Resource, special.sites); err != nil {
			return err
		}
	}
	r.state().learn(p.Header())
	return nil
}

// pathOf returns the path to a rich value in a resource, in which parameters
// come without the name of the member that holds them.
func (p *plan) pathOf(v *outline.Rich) pcore.Path {
	path := p.Path(v)
	if path[0].Key == pcore.String("parameters") {
		return path[1:]
	}
	return path
}

// redactOutline writes a document without its secrets. It reports false, and
// has done nothing, when the document is to be read part by part.
//
// All that is written was searched once. Parts with places of their own are
// searched when their secrets are replaced, and other parts that are written
// anew when they are made. What is between is written as it was: it is searched
// before anything is replaced, and tells in which other parts secrets stand.
// What stands across the ends of these pieces is searched when they meet.
func (r *Redactor) redactOutline(ctx context.Context, dst io.Writer, p *plan) (done bool, err error) {
	r.prepare()
	s := r.state()
	if len(s.places) > 0 || len(s.titles) > 0 {
		return false, nil
	}
	hits, ok := s.hitParts(p)
	if !ok {
		return false, nil
	}
	reach := s.set.Longest()
	out := seams{dst: dst, leaks: s.hits, reach: reach, buf: make([]byte, 0, 2*reach+min(holdBack, len(p.Data)+len(p.Data)/16))}
	var fresh []byte
	end := 0
	rest := p.special
	for i := range p.Parts {
		var own *sites
		if len(rest) > 0 && rest[0].part == i {
			own, rest = rest[0].sites, rest[1:]
		} else if !hits[i] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return true, err
		}
		var changed bool
		if fresh, changed, err = r.appendPart(ctx, fresh[:0], p, i, own, hits[i]); err != nil {
			return true, err
		}
		if changed || own.hasPlaces() {
			out.write(p.Data[end:p.Parts[i].Start])
			out.write(fresh)
			end = p.Parts[i].End
		}
	}
	out.write(p.Data[end:])
	return true, out.close()
}

// hitParts searches the document but for the parts with places of their own,
// and tells in which parts secrets stand. It reports false when one does not
// stand in a part.
func (s *secrets) hitParts(p *plan) (hits []bool, ok bool) {
	hits = make([]bool, len(p.Parts))
	ok = true
	mark := func(at outline.Span) {
		i := p.At(at)
		if ok = ok && i >= 0; ok {
			hits[i] = true
		}
	}
	search := func(piece outline.Span) {
		for h := range s.set.Find(p.Data[piece.Start:piece.End]) {
			mark(outline.Span{Start: piece.Start + h.Start, End: piece.Start + h.End})
		}
		text := p.TextOf(piece)
		for h := range s.set.Find(p.Text[text.Start:text.End]) {
			// Where several strings together seem to hold one, each counts.
			for _, at := range []int{h.Start, h.End - 1} {
				at := p.Source(text.Start + at)
				mark(outline.Span{Start: at, End: at + 1})
			}
		}
	}
	end := 0
	for i := range p.special {
		if part := &p.Parts[p.special[i].part]; p.special[i].sites.hasPlaces() {
			search(outline.Span{Start: end, End: part.Start})
			end = part.End
		}
	}
	search(outline.Span{Start: end, End: len(p.Data)})
	return hits, ok
}

// appendPart appends what becomes of a part in which a secret stands, or may,
// and reports whether that is another one. What is appended was searched when it
// is, or when the part has places of its own.
func (r *Redactor) appendPart(ctx context.Context, dst []byte, p *plan, i int, own *sites, hit bool) (out []byte, changed bool, err error) {
	if own != nil && !hit {
		out, changed, ok, err := r.appendSpliced(dst, p, i, own)
		if err != nil || ok {
			return out, changed, err
		}
	}
	part := p.Part(i)
	to, keep, err := catalog.Apply(ctx, r, part)
	switch {
	case err != nil:
		return dst, false, err
	case !keep: // no Masker does that of whose documents there are plans
		return dst, false, ErrLeak
	case to == part:
		out = append(dst, p.Data[p.Parts[i].Start:p.Parts[i].End]...)
	default:
		changed = true
		if out, err = p.AppendPart(dst, to); err != nil {
			return dst, false, err
		}
	}
	if (changed || hit || own.hasPlaces()) && r.state().hitsJSON(out) {
		return dst, false, ErrLeak
	}
	return out, changed, nil
}

// appendSpliced appends a resource with its secrets replaced in the bytes; ok is
// false when they stand elsewhere, too. It does what [Redactor.splice] does.
func (r *Redactor) appendSpliced(dst []byte, p *plan, i int, own *sites) (out []byte, changed, ok bool, err error) {
	if r.mayHitTitle(own) || r.hitsEncoded(own) {
		return dst, false, false, nil
	}
	if len(own.spelled) > 0 {
		if hits, err := r.hitsSpelled(p.Part(i).Resource, own.spelled); hits || err != nil {
			return dst, false, false, err
		}
	}
	out = dst
	end := 0
	for k := range own.found {
		f := &own.found[k]
		if text, ok := r.maskOf(own.data[f.inner:f.innerEnd]); ok {
			if text != "" {
				out = append(append(out, own.data[end:f.inner]...), '"')
				out = append(append(out, text...), '"')
				end, changed = f.innerEnd, true
			}
			continue
		}
		s, changes, ok, err := r.spliceOf(p.Part(i).Resource, f, catalog.Ref{})
		if err != nil || !ok {
			return dst, false, false, err
		}
		if !changes {
			continue
		}
		out = append(out, own.data[end:s.Start]...)
		if out, err = p.AppendValue(out, s.Value); err != nil {
			return dst, false, false, err
		}
		end, changed = s.End, true
	}
	if out = append(out, own.data[end:]...); own.hasPlaces() && r.state().hitsJSON(out) {
		return dst, false, false, nil
	}
	r.places += len(own.found)
	return out, changed, true, nil
}

// mayHitTitle reports whether a secret stands in the title, which is replaced
// before anything else is, or may.
func (r *Redactor) mayHitTitle(own *sites) bool {
	title := own.data[own.title.start:own.title.end]
	return len(own.found) > 0 && (bytes.IndexByte(title, '\\') >= 0 || r.state().hits(title))
}

// maskOf returns what stands in place of a string without escapes, "" for the
// string itself; ok is false for other values.
func (r *Redactor) maskOf(raw []byte) (mask string, ok bool) {
	m, ok := r.masker.(*texts)
	text, plain := plainString(raw)
	if !ok || !plain {
		return "", false
	}
	if mask = m.text(string(bytes.TrimSpace(text))); mask == string(text) {
		return "", true
	}
	return mask, true
}

// isEmpty reports whether there is nothing in a resource but what its bytes show.
func (p *sites) isEmpty() bool {
	return len(p.found)+len(p.encoded)+len(p.spelled)+len(p.listed) == 0
}

// hasPlaces reports whether secrets have places of their own there.
func (p *sites) hasPlaces() bool { return p != nil && len(p.found) > 0 }

// seams writes pieces each of which was searched, and searches what stands
// across the ends of two. It writes as a [guard] does.
type seams struct {
	dst   io.Writer
	leaks func(text []byte) bool
	reach int // how long what is looked for may be

	buf []byte // never grows
	at  []int  // where pieces meet, in buf, as long as what follows is not searched
	err error
}

func (w *seams) write(piece []byte) {
	w.at = append(w.at, len(w.buf))
	for len(piece) > 0 {
		n := min(len(piece), cap(w.buf)-len(w.buf))
		w.buf = append(w.buf, piece[:n]...)
		if piece = piece[n:]; len(piece) > 0 {
			w.flush(2 * w.reach)
		}
	}
}

func (w *seams) close() error {
	w.flush(0)
	return w.err
}

// flush writes all but the last bytes, so many that what follows can be searched
// together with them.
func (w *seams) flush(keep int) {
	if w.err == nil && w.hits() {
		w.err = ErrLeak
	}
	end := len(w.buf) - keep
	if w.err == nil {
		_, w.err = w.dst.Write(w.buf[:end])
	}
	w.buf = w.buf[:copy(w.buf, w.buf[end:])]
	w.at = slices.DeleteFunc(w.at, func(at int) bool { return at < end+w.reach })
	for i := range w.at {
		w.at[i] -= end
	}
}

// hits reports whether something stands across one of the seams. Where they are
// many, all is searched.
func (w *seams) hits() bool {
	if 2*w.reach*len(w.at) > len(w.buf) {
		return w.leaks(w.buf)
	}
	for i := 0; i < len(w.at); {
		start, end := w.at[i]-w.reach, w.at[i]+w.reach
		for i++; i < len(w.at) && w.at[i]-w.reach < end; i++ {
			end = w.at[i] + w.reach
		}
		if w.leaks(w.buf[max(0, start):min(end, len(w.buf))]) {
			return true
		}
	}
	return false
}
