package deferred

import (
	"context"
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
	var changed []catalog.Member
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
		at := res.Ref().Parameter(p.Key)
		to, err := r.parameter(ctx, v, at, listed.Has(p.Key))
		if err != nil {
			return nil, err
		}
		if len(r.failures) == failed {
			if err := r.reportAgent(ctx, v, at, listed.Has(p.Key), to, unlike); err != nil {
				return nil, err
			}
		}
		if to.value != v {
			if changed == nil {
				changed = slices.Clone(parameters)
			}
			changed[i] = catalog.NewMember(p.Key, to.value)
		}
		if to.secret && !listed.Has(p.Key) {
			marked = append(marked, p.Key)
		}
	}
	if changed != nil {
		res = res.WithParameters(changed)
	}
	if marked != nil {
		res = res.WithSensitiveParameters(slices.Concat(res.SensitiveParameters(), marked)...)
	}
	return res, nil
}

// parameter resolves the value of a parameter, and unwraps a Sensitive. marked
// reports that the parameter is already marked as sensitive.
func (r *Run) parameter(ctx context.Context, v pcore.Value, at catalog.Location, marked bool) (to resolved, err error) {
	if marked {
		r.secret++
		defer func() { r.secret-- }()
	}
	r.exposed, r.recorded = false, nil
	if to.value, err = r.at(ctx, at, v); err != nil {
		return resolved{}, err
	}
	if _, isCall := v.(*pcore.Deferred); isCall && r.Mode == Lazy {
		to.secret = bill.LooksSecret(v)
	}
	if s, ok := to.value.(*pcore.Sensitive); ok {
		return resolved{s.Reveal(), true}, nil //nolint:forbidigo // the parameter is marked as sensitive
	}
	return to, nil
}
