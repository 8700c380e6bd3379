package deferred

import (
	"context"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// released resolves a resource, and releases the memory of the results.
func (r *worker) released(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	defer r.memory.ReleaseTo(r.memory.Held())
	return r.resource(ctx, res)
}

// resource resolves the parameters of a resource in order. The error is the error of ctx, or of a
// parameter that cannot be decoded. The memory of the results is not released.
func (r *worker) resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	listed := catalog.NamesOf(res.SensitiveParameters())
	var changed []catalog.Member
	var marked []string
	for i := range parameters {
		m := &parameters[i]
		if !m.MayBeRich() {
			continue
		}
		v, err := res.Decode(m)
		if err != nil {
			return nil, err
		}
		p := parameter{res.Ref().Parameter(m.Key), v, listed.Has(m.Key)}
		unlike, err := r.unlike(res, m.Key, p)
		if err != nil {
			return nil, err
		}
		failed := len(r.failures)
		if r.Faithful && r.unlikeFailures(unlike) {
			continue
		}
		to, err := r.parameter(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(r.failures) == failed {
			if err := r.reportAgent(ctx, p, to, unlike); err != nil {
				return nil, err
			}
		}
		if to.value != v {
			if changed == nil {
				changed = slices.Clone(parameters)
			}
			changed[i] = catalog.NewMember(m.Key, to.value)
		}
		if to.secret && !p.listed {
			marked = append(marked, m.Key)
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

// parameter is a parameter of a resource before its calls. listed reports that it is
// marked as sensitive.
type parameter struct {
	at     catalog.Location
	value  pcore.Value
	listed bool
}

// resolved is the value of a parameter after its calls. secret reports that the
// parameter must be marked as sensitive.
type resolved struct {
	value  pcore.Value
	secret bool
}

// parameter resolves the value of a parameter, and unwraps a Sensitive; also one
// inside of it, unless the value remains as it is.
func (r *worker) parameter(ctx context.Context, p parameter) (to resolved, err error) {
	if p.listed {
		r.secret++
		defer func() { r.secret-- }()
	}
	r.exposed, r.recorded, r.owner = false, nil, p.at
	if to.value, err = r.at(ctx, p.at, p.value); err != nil {
		return resolved{}, err
	}
	if _, isCall := p.value.(*pcore.Deferred); isCall && r.Mode == Lazy {
		to.secret = bill.LooksSecret(p.value)
		if r.Faithful {
			return to, nil // the call has unwrapped its result
		}
	}
	if s, ok := to.value.(*pcore.Sensitive); ok {
		to = resolved{s.Reveal(), true} //nolint:forbidigo // the parameter is marked as sensitive
	}
	if !r.Faithful && to.value != p.value && function.HoldsSecret(to.value) {
		// No agent accepts a Sensitive in an array or a hash.
		to.value, err = pcore.Rewrite(to.value, opened)
		to.secret = true
	}
	return to, err
}

// opened unwraps a Sensitive and returns any other value unchanged.
func opened(c *pcore.Cursor) (pcore.Value, error) {
	if s, ok := c.Value().(*pcore.Sensitive); ok {
		return s.Reveal(), nil //nolint:forbidigo // likewise
	}
	return c.Value(), nil
}
