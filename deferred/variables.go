package deferred

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// scope returns the scope for calls.
func (r *worker) scope(ctx context.Context) (*eval.Scope, error) {
	s := r.evaluator.Scope(ctx)
	for name, v := range r.Variables {
		if err := s.Set(name, v); err != nil {
			return nil, err
		}
	}
	if _, ok := r.Variables["facts"]; !ok && r.Facts != nil {
		if err := s.Set("facts", r.Facts); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// factsNeeded provides the outer variables of a scope that has no facts.
type factsNeeded struct{}

// Variable implements [function.Variables].
func (factsNeeded) Variable(name string) (v pcore.Value, ok bool, err error) {
	if name == "facts" {
		return nil, false, function.ErrNeedsFacts
	}
	return nil, false, nil
}

// variable returns the value of a variable, named without its `$`.
func (r *worker) variable(s *eval.Scope, name string) (pcore.Value, error) {
	if _, err := strconv.ParseUint(name, 10, 64); err == nil {
		return pcore.Undef{}, nil // a match group without a match
	}
	v, ok, err := s.Variable(name)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return v, nil
	case strings.TrimPrefix(name, "::") == "module_name": // always defined, and undef outside of modules
		return pcore.Undef{}, nil
	case r.Language.LaxVariables:
		r.log(function.Warning, fmt.Sprintf("Undefined variable '%s'", name))
		return pcore.Undef{}, nil
	default:
		return nil, fmt.Errorf("Undefined variable '%s'", name) //nolint:staticcheck // the reference's words
	}
}
