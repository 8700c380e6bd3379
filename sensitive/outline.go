package sensitive

import (
	"context"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/jsonwire"
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
	keys    map[string]pcore.Value // those that paths consist of
	secrets int                    // how many have places of their own

	// What sites and paths consist of.
	sites  slab[sites]
	spare  *sites // that nothing holds
	places slab[site]
	spans  slab[span]
	steps  slab[pcore.Step]
}

// slab hands out small slices of large ones: very many of them take less time so.
type slab[T any] struct{ free []T }

// take returns an empty slice for n elements.
func (s *slab[T]) take(n int) []T {
	const atOnce = 256
	if len(s.free) < n {
		s.free = make([]T, max(n, atOnce))
	}
	taken := s.free[:0:n]
	s.free = s.free[n:]
	return taken
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
		s.settle()
		s.plan = newPlan(o)
	}
	return s.plan
}

func newPlan(o *catalog.Outline) *plan {
	p := &plan{Outline: o, keys: map[string]pcore.Value{}}
	for i := range o.Parts {
		if part := &o.Parts[i]; !part.Odd && !part.Watched && len(o.Rich(i)) == 0 {
			continue
		}
		s := p.sitesOf(i)
		if s != nil && s.isEmpty() {
			p.spare = s
			continue
		}
		p.special = append(p.special, special{part: i, sites: s})
		if s.hasPlaces() {
			p.secrets += len(s.found)
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
	if !part.Watched {
		if s := p.sitesOfRich(i); s != nil {
			return s
		}
	}
	if s := p.newSites(i); s.resource() {
		return s
	}
	return nil
}

func (p *plan) newSites(i int) *sites {
	part := &p.Parts[i]
	s := p.spare
	if p.spare = nil; s == nil {
		s = &p.sites.take(1)[:1][0]
	}
	*s = sites{data: p.Data[part.Start:part.End], plan: p, part: i}
	return s
}

// sitesOfRich does so for a resource that lists no parameters, by its rich
// values. It knows only how Puppet writes a resource, and returns nil for others.
func (p *plan) sitesOfRich(i int) *sites {
	s := p.newSites(i)
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
			if s.found == nil {
				s.found = p.places.take(len(rich) - k)
			}
			s.found = append(s.found, site{start: v.Start - base, end: v.End - base, inner: value.start, innerEnd: value.end, of: s, rich: v})
		case "Binary":
			if !hasValue || s.data[value.start] != '"' || !jsonwire.IsPlain(s.data[value.start:value.end]) {
				return nil
			}
			if s.encoded == nil {
				s.encoded = p.spans.take(len(rich) - k)
			}
			s.encoded = append(s.encoded, span{value.start + 1, value.end - 1})
		case "Timestamp", "Timespan", "URI", "SemVerRange":
			if hasValue && s.shows(typ, value) {
				continue
			}
			if s.spelled == nil {
				s.spelled = p.spans.take(len(rich) - k)
			}
			s.spelled = append(s.spelled, span{v.Start - base, v.End - base})
		}
	}
	return s
}

// isOfResource reports whether a rich value in a resource has a place in which
// values are: parameters are a map, and no rich value themselves.
func (p *plan) isOfResource(v *outline.Rich) bool {
	if key, _ := p.Step(v, 0); string(key) != "parameters" {
		return true
	}
	if p.Depth(v) == 1 {
		return false
	}
	key, _ := p.Step(v, 1)
	return key != nil
}

// collectOutline is [Redactor.Collect].
func (r *Redactor) collectOutline(p *plan) error {
	r.reserve(p.Data)
	r.state().expect(p.secrets)
	for i := range p.special {
		special := &p.special[i]
		own := special.sites
		if own == nil {
			if err := r.collect(p.Part(special.part)); err != nil {
				return err
			}
			continue
		}
		if err := r.takeSites(own); err != nil {
			return err
		}
	}
	r.state().learn(p.Header())
	return nil
}

// pathOf returns the path to a rich value in a resource, in which parameters
// come without the name of the member that holds them.
func (p *plan) pathOf(v *outline.Rich) pcore.Path {
	first, n := 0, p.Depth(v)
	if key, _ := p.Step(v, 0); string(key) == "parameters" {
		first = 1
	}
	path := pcore.Path(p.steps.take(n - first))
	for i := first; i < n; i++ {
		key, index := p.Step(v, i)
		path = append(path, stepTo(p, key, index))
	}
	return path
}

// keyOf returns the value of a key, the same for the same text.
func (p *plan) keyOf(text []byte) pcore.Value {
	if p == nil {
		return pcore.String(text)
	}
	key, ok := p.keys[string(text)]
	if !ok {
		key = pcore.String(text)
		p.keys[string(text)] = key
	}
	return key
}

// stepTo returns the step to a member, or to an element when key is nil.
func stepTo(p *plan, key []byte, index int) pcore.Step {
	if key == nil {
		return pcore.Step{Kind: pcore.StepIndex, Index: index}
	}
	return pcore.Step{Kind: pcore.StepEntry, Key: p.keyOf(key)}
}

// redactOutline writes a document without its secrets. It reports false, and
// has done nothing, when the document is to be read part by part.
//
// What is written was searched once. What stays as it is is searched before
// anything is replaced, all but the secrets in their own places, and tells in
// which parts others stand; what is new is searched when it is made. What stands
// across the ends of the two is searched before anything is written.
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
	out := pieces{data: p.Data, list: make([]piece, 0, 2*p.secrets+1)}
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
		if err := r.redactPart(ctx, &out, p, i, own, hits[i]); err != nil {
			return true, err
		}
	}
	out.keep(len(p.Data))
	return true, out.write(dst, s)
}

// hitParts searches the document but for the secrets in their own places, and
// tells in which parts others stand. It reports false when one does not stand in
// a part.
func (s *secrets) hitParts(p *plan) (hits []bool, ok bool) {
	hits = make([]bool, len(p.Parts))
	ok = true
	mark := func(at outline.Span) {
		i := p.At(at)
		if ok = ok && i >= 0; ok {
			hits[i] = true
		}
	}
	searchData := func(start, end int) {
		for h := range s.set.Find(p.Data[start:end]) {
			mark(outline.Span{Start: start + h.Start, End: start + h.End})
		}
	}
	searchText := func(start, end int) {
		for h := range s.set.Find(p.Text[start:end]) {
			// Where several strings together seem to hold one, each counts.
			for _, at := range []int{h.Start, h.End - 1} {
				at := p.Source(start + at)
				mark(outline.Span{Start: at, End: at + 1})
			}
		}
	}
	var texts outline.Texts
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
			// Most secrets have no escapes, so that nothing of them is in the text.
			if from, to := texts.From(p.Outline.Outline, start+f.inner), texts.From(p.Outline.Outline, end); from < to {
				searchText(endOfText, from)
				endOfText = to
			}
		}
	}
	searchData(end, len(p.Data))
	searchText(endOfText, len(p.Text))
	return hits, ok
}

// redactPart adds what becomes of a part in which a secret has a place, or
// another one stands, or may.
func (r *Redactor) redactPart(ctx context.Context, out *pieces, p *plan, i int, own *sites, hit bool) error {
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
	case !keep: // no Masker does that of whose documents there are plans
		return ErrLeak
	case to == part:
		if (hit || own.hasPlaces()) && r.state().hitsJSON(p.Data[at.Start:at.End]) {
			return ErrLeak
		}
		return nil
	}
	text, err := p.AppendPart(nil, to)
	if err != nil {
		return err
	}
	if r.state().hitsJSON(text) {
		return ErrLeak
	}
	out.replace(at.Start, at.End, text)
	return nil
}

// spliceOutline adds a resource with its secrets replaced in the bytes, and
// reports false when they stand elsewhere, too: hit tells that one is known to.
// It does what [Redactor.splice] does.
func (r *Redactor) spliceOutline(out *pieces, own *sites, hit bool) (ok bool, err error) {
	s := r.state()
	if hit && s.mayHitTitle(own) || r.hitsEncoded(own) || r.hitsSpelled(own) {
		return false, nil
	}
	at := own.plan.Parts[own.part]
	before := out.state()
	searched := true
	for k := range own.found {
		f := &own.found[k]
		if mask, ok := r.maskOf(own, f); ok && mask != "" {
			if s.hits(out.quote(at.Start+f.inner, at.Start+f.innerEnd, mask)) {
				return false, nil
			}
			continue
		}
		searched = false // what stays, and what is no string
		splice, changes, ok, err := r.spliceOf(own.from(), f, f.location())
		if err != nil || !ok {
			return false, err
		}
		if changes {
			text, err := own.plan.AppendValue(nil, splice.Value)
			if err != nil {
				return false, err
			}
			out.replace(at.Start+splice.Start, at.Start+splice.End, text)
		}
	}
	if hit || !searched && s.hitsJSON(out.between(at.Start, at.End, before)) {
		return false, nil
	}
	r.places += len(own.found)
	return true, nil
}

// mayHitTitle reports whether a secret stands in the title, which is replaced
// before anything else is, or may.
func (s *secrets) mayHitTitle(own *sites) bool {
	title := own.data[own.title.start:own.title.end]
	return len(own.found) > 0 && (!jsonwire.IsPlain(title) || s.hits(title))
}

// maskOf returns what stands in place of a string, "" for the string itself; ok
// is false for other values.
func (r *Redactor) maskOf(own *sites, f *site) (mask string, ok bool) {
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

// isEmpty reports whether there is nothing in a resource but what its bytes show.
func (p *sites) isEmpty() bool {
	return len(p.found)+len(p.encoded)+len(p.spelled)+len(p.names) == 0
}

// hasPlaces reports whether secrets have places of their own there.
func (p *sites) hasPlaces() bool { return p != nil && len(p.found) > 0 }
