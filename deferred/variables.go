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

// scope returns the scope that calls are made in.
func (r *Run) scope(ctx context.Context) (*eval.Scope, error) {
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

// factsNeeded are the variables around a scope whose own do not include facts.
type factsNeeded struct{}

// Variable implements [function.Variables].
func (factsNeeded) Variable(name string) (v pcore.Value, ok bool, err error) {
	if name == "facts" {
		return nil, false, ErrNeedsFacts
	}
	return nil, false, nil
}

// variable returns the value of a variable, named without its `$`.
func (r *Run) variable(s *eval.Scope, name string) (pcore.Value, error) {
	if _, err := strconv.ParseUint(name, 10, 64); err == nil {
		return pcore.Undef{}, nil // a group of a match, and there was none
	}
	v, ok, err := s.Variable(name)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return v, nil
	case strings.TrimPrefix(name, "::") == "module_name": // known everywhere, and undef outside of modules
		return pcore.Undef{}, nil
	case r.Language.LaxVariables:
		r.log(function.Warning, fmt.Sprintf("Undefined variable '%s'", name))
		return pcore.Undef{}, nil
	default:
		return nil, fmt.Errorf("Undefined variable '%s'", name) //nolint:staticcheck // the reference's words
	}
}
