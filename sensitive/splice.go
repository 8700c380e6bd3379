package sensitive

import (
	"encoding/base64"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// sitesIn finds the places of the secrets of a resource by its bytes; ok is
// false when its values have to be looked at.
func sitesIn(res *catalog.Resource) (p *sites, ok bool) {
	if res.Wire() != "json" || !res.IsRich() {
		return nil, false
	}
	p = &sites{data: res.Bytes(), res: res}
	return p, p.resource()
}

// collectSites learns the secrets of a resource by its bytes, and reports
// whether that is all there are.
func (r *Redactor) collectSites(res *catalog.Resource) (ok bool, err error) {
	p, ok := sitesIn(res)
	if !ok {
		return false, nil
	}
	return true, r.takeSites(p)
}

// takeSites learns the secrets of a resource that stand in the places.
func (r *Redactor) takeSites(p *sites) error {
	if len(p.found)+len(p.names) == 0 {
		return nil
	}
	var ref catalog.Ref
	if p.plan == nil || len(p.names) > 0 {
		var err error
		if ref, err = p.ref(); err != nil {
			return err
		}
	}
	for i := range p.found {
		f := &p.found[i]
		var at seen = f
		if p.plan == nil { // nobody else holds the bytes
			at = located(f.at(ref))
		}
		if text, ok := p.secretAt(f); ok {
			r.state().takeText(text, at)
			continue
		}
		v, err := p.from().ValueAt(f.inner, f.innerEnd)
		if err != nil {
			return err
		}
		if err := r.state().take(pcore.NewSensitive(v), at.location()); err != nil {
			return err
		}
	}
	if isTitleListed(p.listed, p.has) {
		return r.state().take(pcore.NewSensitive(pcore.String(ref.Title)), ref.Parameter("title"))
	}
	return nil
}

// has reports whether there is a parameter that is listed.
func (p *sites) has(name string) bool {
	return slices.ContainsFunc(p.found, func(f site) bool { return f.listed && f.path[0].Key == pcore.String(name) })
}

// splice returns a resource with its secrets replaced in the bytes, and false
// when they stand elsewhere, too, or its values have to be looked at.
func (r *Redactor) splice(res *catalog.Resource) (clean *catalog.Resource, ok bool, err error) {
	p, ok := sitesIn(res)
	if !ok || r.hitsEncoded(p) {
		return nil, false, nil
	}
	ref, err := p.ref()
	if err != nil {
		return nil, false, err
	}
	if len(p.found) > 0 {
		ref.Title = r.text(ref.Title)
	}
	var splices []catalog.Splice
	for i := range p.found {
		s, changes, ok, err := r.spliceOf(res, &p.found[i], p.found[i].at(ref))
		if err != nil || !ok {
			return nil, false, err
		}
		if changes {
			splices = append(splices, s)
		}
	}
	clean = res
	if len(splices) > 0 {
		if clean, err = res.WithSplices(splices); err != nil {
			return nil, false, err
		}
	}
	if r.hitsSpelled(p) || r.state().hitsJSON(clean.Bytes()) {
		return nil, false, nil
	}
	r.places += len(p.found)
	return clean, true, nil
}

// spliceOf returns what stands in a place afterwards; ok is false when it has
// to be left out.
func (r *Redactor) spliceOf(res *catalog.Resource, f *site, at catalog.Location) (s catalog.Splice, changes, ok bool, err error) {
	v, err := res.ValueAt(f.inner, f.innerEnd)
	if err != nil {
		return s, false, false, err
	}
	to, err := r.standInFor(pcore.NewSensitive(v), at)
	if err != nil || to == nil {
		return s, false, false, err
	}
	s = catalog.Splice{Start: f.inner, End: f.innerEnd, Value: to}
	switch to.(type) {
	case *pcore.Sensitive, *pcore.Deferred: // it stands for the Sensitive itself
		s.Start, s.End = f.start, f.end
		return s, true, true, nil
	default:
	}
	return s, !pcore.Identical(to, v), true, nil
}

// hitsEncoded reports whether a secret stands in one of the Binaries, or may.
func (r *Redactor) hitsEncoded(p *sites) bool {
	s := r.state()
	for _, at := range p.encoded {
		var err error
		s.binary, err = base64.StdEncoding.AppendDecode(s.binary[:0], p.data[at.start:at.end])
		if err != nil || s.hits(s.binary) {
			return true
		}
	}
	return false
}

// hitsSpelled reports whether a secret stands in the text of one of the values, or
// may: what is wrong with a value is told by reading the one that holds it.
func (r *Redactor) hitsSpelled(p *sites) bool {
	for _, at := range p.spelled {
		v, err := p.from().ValueAt(at.start, at.end)
		if err != nil {
			return true
		}
		if text, ok := textOf(v); !ok || r.state().hits([]byte(text)) {
			return true
		}
	}
	return false
}

// foundIn returns what [Redactor.Follow] told of a resource.
func (r *Redactor) foundIn(res *catalog.Resource) places {
	all := r.state().places
	if len(all) == 0 {
		return nil // the name of a resource takes longer
	}
	return all[res.Ref()]
}
