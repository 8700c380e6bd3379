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

// members returns the resource with the secrets outside of its parameters replaced, all
// in one change.
func (r *stage) members(res *catalog.Resource, ref catalog.Ref, found locations) (*catalog.Resource, error) {
	members := res.RawMembers()
	clean := make([]catalog.Member, 0, len(members))
	changed := false
	for i := range members {
		m := &members[i]
		to, err := r.resourceMember(res, m, ref, found)
		if err != nil {
			return nil, err
		}
		if to != nil {
			clean = append(clean, *to)
		}
		changed = changed || to != m
	}
	if !changed {
		return res, nil
	}
	return res.WithMembers(clean), nil
}

// resourceMember returns the member that replaces one of a resource, m itself when it stays,
// and nil when it is left out.
func (r *stage) resourceMember(res *catalog.Resource, m *catalog.Member, ref catalog.Ref, found locations) (*catalog.Member, error) {
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
	at := ref.Parameter(m.Key)
	to, err := r.value(v, valueContext{at, found, r.shaped})
	switch {
	case err != nil || to == r.omitted:
		return nil, err
	case to == v && !r.mayHide(m):
		return m, nil
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, r.verify(to, at)
}

// parameters returns the resource with the secrets in its parameters replaced, all in one
// change, because a resource can have very many.
func (r *stage) parameters(res *catalog.Resource, ref catalog.Ref, found locations) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	list := res.SensitiveParameters()
	listed := catalog.NamesOf(list)
	clean := make([]catalog.Member, 0, len(parameters))
	changed := false
	gone := map[string]bool{}
	for i := range parameters {
		p := &parameters[i]
		to, err := r.parameter(res, p, ref, found, listed.Has(p.Key))
		switch {
		case err != nil:
			return nil, err
		case to == nil:
			gone[p.Key] = true
		default:
			clean = append(clean, *to)
		}
		changed = changed || to != p
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

// parameter returns the parameter that replaces p, p itself when it stays, and
// nil when it is left out.
func (r *stage) parameter(res *catalog.Resource, p *catalog.Member, ref catalog.Ref, found locations, isListed bool) (*catalog.Member, error) {
	if !isListed && found == nil && !r.concerns(p) && !r.hits([]byte(p.Key)) {
		return p, nil
	}
	v, err := res.Decode(p)
	if err != nil {
		return nil, err
	}
	at := ref.Parameter(p.Key)
	var to pcore.Value
	if isListed {
		to, err = r.secret(pcore.NewSensitive(v), at)
	} else {
		to, err = r.value(v, valueContext{at, found, r.secret})
	}
	if err != nil || to == nil || to == r.omitted {
		return nil, err
	}
	clean := p
	if !pcore.Identical(to, v) || r.mayHide(p) {
		if err := r.verify(to, at); err != nil {
			return nil, err
		}
		m := catalog.NewMember(p.Key, to)
		clean = &m
	}
	if name := r.copyless(p.Key); name != p.Key {
		m := *clean
		m.Key = name
		clean = &m
	}
	return clean, nil
}

// Edge implements [catalog.EdgeTransform].
func (r *stage) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	if !r.maySplitRef(e.Bytes()) && !r.concerns(e) {
		return e, nil
	}
	if secret, err := r.holdsSecret(e); secret || err != nil {
		return nil, cmp.Or(err, leakAt(r.location(edgeLocation(e)))) // nothing can replace it
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
	at := catalog.Location{Path: pcore.Path{}.Key(m.Key)}
	to, err := r.value(v, valueContext{at, found, r.shaped})
	switch {
	case err != nil:
		return nil, err
	case to == v && !r.mayHide(m):
		return m, nil
	case to == r.omitted:
		return nil, nil
	}
	clean := catalog.NewMember(m.Key, to)
	return &clean, r.verify(to, at)
}
