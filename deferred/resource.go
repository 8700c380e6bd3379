package deferred

import (
	"bytes"
	"context"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Resource implements [catalog.Transform]: the parameters are resolved in their
// order. The error is that of ctx, or of a parameter that cannot be decoded;
// a call that fails is kept for Failures, and the Deferred stays where it is.
func (r *Run) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	parameters, err := res.RawParameters()
	if err != nil {
		return nil, err
	}
	sensitive := res.SensitiveParameters()
	marked := false
	for i := range parameters {
		name := parameters[i].Key
		if !mayBeRich(parameters[i].Bytes()) {
			continue
		}
		v, _, err := res.Parameter(name)
		if err != nil {
			return nil, err
		}
		to, secret, err := r.parameter(ctx, v, res.Ref().Parameter(name), slices.Contains(sensitive, name))
		if err != nil {
			return nil, err
		}
		if to != v {
			res = res.WithParameter(name, to)
		}
		if secret && !slices.Contains(sensitive, name) {
			sensitive = append(sensitive, name)
			marked = true
		}
	}
	if marked {
		res = res.WithSensitiveParameters(sensitive...)
	}
	return res, nil
}

// parameter resolves the value of a parameter. A Sensitive is taken out of its
// wrapper, and secret tells that the parameter is to be marked for it.
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

// mayBeRich reports whether bytes can hold a rich value, which may be spelled
// with escapes. There are none of a value that a program made.
func mayBeRich(raw []byte) bool {
	return raw == nil || bytes.Contains(raw, []byte("__ptype")) || bytes.Contains(raw, []byte(`\u`)) || bytes.Contains(raw, []byte(`\x`))
}
