package sensitive

import (
	"encoding/base64"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// splice returns a resource with its secrets replaced in the bytes, and false
// when they are elsewhere, too, or its values have to be looked at.
func (r *stage) splice(res *catalog.Resource) (clean *catalog.Resource, ok bool, err error) {
	p, ok := sitesIn(res)
	if !ok || r.hitsEncoded(p) {
		return nil, false, nil
	}
	ref, err := p.ref()
	if err != nil {
		return nil, false, err
	}
	if len(p.found) > 0 {
		ref = r.maskedRef(ref)
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
	if r.hitsSpelled(p) || r.hitsJSON(clean.Bytes()) {
		return nil, false, nil
	}
	r.counts.Places += len(p.found)
	return clean, true, nil
}

// spliceOf returns the replacement in a location; ok is false when it has
// to be left out.
func (r *stage) spliceOf(res *catalog.Resource, f *site, at catalog.Location) (s catalog.Splice, changes, ok bool, err error) {
	v, err := res.ValueAt(f.inner, f.innerEnd)
	if err != nil {
		return s, false, false, err
	}
	to, err := r.replacementFor(pcore.NewSensitive(v), at)
	if err != nil || to == nil {
		return s, false, false, err
	}
	s = catalog.Splice{Start: f.inner, End: f.innerEnd, Value: to}
	if pcore.Identical(to, v) {
		return s, false, true, nil
	}
	switch to.(type) {
	case *pcore.Sensitive, *pcore.Deferred: // it replaces the Sensitive itself
		s.Start, s.End = f.start, f.end
	default:
	}
	return s, true, true, nil
}

// hitsEncoded reports whether one of the Binaries contains a secret, or may.
func (r *stage) hitsEncoded(p *sites) bool {
	for _, at := range p.encoded {
		var err error
		r.binary, err = base64.StdEncoding.AppendDecode(r.binary[:0], p.data[at.start:at.end])
		if err != nil || r.hits(r.binary) {
			return true
		}
	}
	return false
}

// hitsSpelled reports whether the text of one of the values contains a secret, or
// may: reading the value around one that is wrong gives the error.
func (r *stage) hitsSpelled(p *sites) bool {
	for _, at := range p.spelled {
		v, err := p.from().ValueAt(at.start, at.end)
		if err != nil {
			return true
		}
		if text, ok := textOf(v); !ok || r.hits([]byte(text)) {
			return true
		}
	}
	return false
}
