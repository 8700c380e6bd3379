package deferred

import (
	"context"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred/bill"
	"github.com/pcatdev/pcat/pcore"
)

// Resource implements [catalog.Transform]. It resolves the parameters in order.
// The error is the error of ctx, or of a parameter that cannot be decoded.
// Failed calls are added to Failures and remain Deferred values.
func (r *Run) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	defer r.memory.ReleaseTo(r.memory.Held())
	return r.resource(ctx, res)
}

// resource is like Resource, but does not release the memory of the results.
func (r *Run) resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	listed := catalog.NamesOf(res.SensitiveParameters())
	var resolved []catalog.Member
	var marked []string
	for i := range parameters {
		p := &parameters[i]
		if !p.MayBeRich() {
			continue
		}
		v, err := res.Decode(p)
		if err != nil {
			return nil, err
		}
		unlike, err := r.unlike(res, p.Key, v)
		if err != nil {
			return nil, err
		}
		failed := len(r.failures)
		if r.Faithful && len(unlike) > 0 {
			r.unlikeFailures(unlike)
			continue
		}
		to, secret, err := r.parameter(ctx, v, res.Ref().Parameter(p.Key), listed.Has(p.Key))
		if err != nil {
			return nil, err
		}
		if len(r.failures) == failed {
			r.reportUnlike(res.Ref().Parameter(p.Key), unlike)
		}
		if to != v {
			if resolved == nil {
				resolved = slices.Clone(parameters)
			}
			resolved[i] = catalog.NewMember(p.Key, to)
		}
		if secret && !listed.Has(p.Key) {
			marked = append(marked, p.Key)
		}
	}
	if resolved != nil {
		res = res.WithParameters(resolved)
	}
	if marked != nil {
		res = res.WithSensitiveParameters(slices.Concat(res.SensitiveParameters(), marked)...)
	}
	return res, nil
}

// parameter resolves the value of a parameter. It unwraps a Sensitive; secret
// reports that the parameter must then be marked as sensitive.
func (r *Run) parameter(ctx context.Context, v pcore.Value, at catalog.Location, marked bool) (to pcore.Value, secret bool, err error) {
	if marked {
		r.secret++
		defer func() { r.secret-- }()
	}
	if to, err = r.at(ctx, at, v); err != nil {
		return nil, false, err
	}
	if _, isCall := v.(*pcore.Deferred); isCall && r.Mode == Lazy {
		secret = looksSecret(v)
	}
	if s, ok := to.(*pcore.Sensitive); ok {
		return s.Reveal(), true, nil //nolint:forbidigo // the parameter is marked as sensitive
	}
	return to, secret, nil
}

// unlike returns the calls in a parameter that the agent does not make as
// intended, one for each reason.
func (r *Run) unlike(res *catalog.Resource, name string, v pcore.Value) ([]*bill.Entry, error) {
	if r.Agent == nil || !holdsDeferred(v) {
		return nil, nil
	}
	all, err := bill.Parameter(res, name, v, *r.Agent)
	if err != nil {
		return nil, err
	}
	var unlike []*bill.Entry
	for _, e := range all {
		known := slices.ContainsFunc(unlike, func(other *bill.Entry) bool { return other.Late.Reason == e.Late.Reason })
		if e.Late.Breaks && !e.Late.Always && !known {
			unlike = append(unlike, e)
		}
	}
	return unlike, nil
}

func (r *Run) unlikeFailures(calls []*bill.Entry) {
	for _, e := range calls {
		r.failures = append(r.failures, &Failure{At: e.At, Function: e.Function, Err: fmt.Errorf("%w: %s", ErrAgent, e.Late.Reason)})
	}
}

func (r *Run) reportUnlike(parameter catalog.Location, calls []*bill.Entry) {
	if r.Unlike == nil {
		return
	}
	for _, e := range calls {
		r.tell(func() { r.Unlike(parameter, e.Late.Reason) })
	}
}
