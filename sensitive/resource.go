package sensitive

import (
	"cmp"
	"context"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
)

// concerns reports whether p may hold anything that has to be replaced. Bytes
// do not show the content of a Binary, so that rich values always do.
func (r *stage) concerns(p part) bool {
	if r.mayHoldSecret(p) {
		return true
	}
	if p.Wire() == "json" {
		return r.hitsJSON(p.Bytes())
	}
	return r.hits(r.Strings(p.Bytes(), p.Wire())) || r.numeric // numbers are not encoded as text
}

// Resource implements [catalog.Transform].
func (r *stage) Resource(_ context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	found := r.foundIn(res)
	if found == nil && !r.hitsRef(res.TypeAndTitle()) {
		if clean, done, err := r.resourceInPlace(res); done || err != nil {
			return clean, err
		}
		if !r.concerns(res) {
			return res, nil
		}
	}
	ref := r.ref(res.Ref())
	clean, err := r.parameters(res, ref, found)
	if err != nil {
		return nil, err
	}
	if ref.Title != res.Title() {
		clean = clean.WithTitle(ref.Title)
	}
	return r.members(clean, ref, found)
}

// members returns the resource with the secrets outside of its parameters replaced.
func (r *stage) members(res *catalog.Resource, ref catalog.Ref, found locations) (*catalog.Resource, error) {
	clean, changed, err := replaceEach(res.RawMembers(), func(m *catalog.Member) (*catalog.Member, error) {
		if m.Key == "parameters" || found == nil && !r.concerns(m) {
			return m, nil
		}
		v, err := res.Decode(m)
		if err != nil {
			return nil, err
		}
		if _, ok := v.(pcore.String); ok && (m.Key == "type" || m.Key == "title" || m.Key == "kind") {
			return m, nil
		}
		return r.member(m, v, valueContext{ref.Parameter(m.Key), found, r.shaped})
	})
	switch {
	case err != nil:
		return nil, err
	case !changed:
		return res, nil
	}
	return res.WithMembers(clean), nil
}

// parameters returns the resource with the secrets in its parameters replaced.
func (r *stage) parameters(res *catalog.Resource, ref catalog.Ref, found locations) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	list := res.SensitiveParameters()
	listed := catalog.NamesOf(list)
	gone := map[string]bool{}
	clean, changed, err := replaceEach(parameters, func(p *catalog.Member) (*catalog.Member, error) {
		to, err := r.parameter(res, p, ref, found, listed.Has(p.Key))
		gone[p.Key] = gone[p.Key] || to == nil
		return to, err
	})
	if err != nil {
		return nil, err
	}
	if changed {
		res = res.WithParameters(clean)
	}
	left := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return gone[name] })
	if len(left) < len(list) {
		res = res.WithSensitiveParameters(left...)
	}
	return res, nil
}

// replaceEach returns the members that replace those of a list, for all in one change, because
// a resource can have very many. replace returns the member itself if it stays, and nil if it
// is left out.
func replaceEach(list []catalog.Member, replace func(*catalog.Member) (*catalog.Member, error)) (clean []catalog.Member, changed bool, err error) {
	clean = make([]catalog.Member, 0, len(list))
	for i := range list {
		to, err := replace(&list[i])
		if err != nil {
			return nil, false, err
		}
		if to != nil {
			clean = append(clean, *to)
		}
		changed = changed || to != &list[i]
	}
	return clean, changed, nil
}

// parameter returns the replacement of a parameter, as for replaceEach.
func (r *stage) parameter(res *catalog.Resource, p *catalog.Member, ref catalog.Ref, found locations, isListed bool) (*catalog.Member, error) {
	if !isListed && found == nil && !r.concerns(p) && !r.hits([]byte(p.Key)) {
		return p, nil
	}
	v, err := res.Decode(p)
	if err != nil {
		return nil, err
	}
	at := valueContext{ref.Parameter(p.Key), found, r.secret}
	var clean *catalog.Member
	if isListed {
		var to pcore.Value
		if to, err = r.secret(pcore.NewSensitive(v), at.Location); err == nil {
			clean, err = r.replacedMember(p, v, to, at.Location)
		}
	} else {
		clean, err = r.member(p, v, at)
	}
	if err != nil || clean == nil {
		return nil, err
	}
	if name := r.copyless(p.Key); name != p.Key {
		m := *clean
		m.Key = name
		clean = &m
	}
	return clean, nil
}

// member returns the replacement of a member with the value v, as for replaceEach.
func (r *stage) member(m *catalog.Member, v pcore.Value, at valueContext) (*catalog.Member, error) {
	to, err := r.value(v, at)
	if err != nil {
		return nil, err
	}
	return r.replacedMember(m, v, to, at.Location)
}

// replacedMember returns m with another value.
func (r *stage) replacedMember(m *catalog.Member, v, to pcore.Value, at catalog.Location) (*catalog.Member, error) {
	switch {
	case to == nil || to == r.omitted:
		return nil, nil //nolint:nilnil // it is left out
	case pcore.Identical(to, v) && !r.mayHide(m):
		return m, nil
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, r.verify(to, at)
}

// Edge implements [catalog.EdgeTransform].
func (r *stage) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	if !r.maySplitRef(e.Bytes()) && !r.concerns(e) {
		return e, nil
	}
	if secret, err := r.holdsSecret(e); secret || err != nil {
		return nil, cmp.Or(err, leakAt(r.location(locationOf(catalog.Part{Kind: catalog.PartEdge, Edge: e})))) // nothing can replace it
	}
	source, target := e.Source(), e.Target()
	to := e.With(r.ref(source), r.ref(target))
	if to.Source() == source && to.Target() == target {
		return e, nil
	}
	return to, nil
}

// holdsSecret reports whether an edge holds a Sensitive. Where bytes show it, any
// rich value counts: real edges have none.
func (r *stage) holdsSecret(e *catalog.Edge) (holds bool, err error) {
	if text, ok := r.Text(e.Bytes(), e.Wire()); ok {
		return document.HoldsTypes(text), nil
	}
	v, err := e.PlainValue()
	return err == nil && holdsPlainSensitive(v), err
}

// ref is maskedRef, and counts the copies.
func (r *stage) ref(ref catalog.Ref) catalog.Ref {
	title, n := r.replaceTitle(ref)
	r.counts.Copies += n
	return catalog.Ref{Type: ref.Type, Title: title}
}

// Member implements [catalog.MemberTransform].
func (r *stage) Member(_ context.Context, m *catalog.Member) (*catalog.Member, error) {
	found := r.locations[catalog.Ref{}]
	if found == nil && !r.concerns(m) {
		return m, nil
	}
	v, err := m.Value()
	if err != nil {
		return nil, err
	}
	return r.member(m, v, valueContext{catalog.Location{Path: pcore.Path{}.Key(m.Key)}, found, r.shaped})
}
