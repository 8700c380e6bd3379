package deferred

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// scope returns the scope that calls are made in.
func (r *Run) scope(ctx context.Context) (*eval.Scope, error) {
	s := r.evaluator.Scope(ctx)
	for name, v := range r.Variables {
		if err := s.Set(name, v); err != nil {
			return nil, err
		}
	}
	if _, ok := r.Variables["facts"]; !ok {
		var facts pcore.Value = pcore.NewHash()
		if r.Facts != nil {
			facts = r.Facts
		}
		if err := s.Set("facts", facts); err != nil {
			return nil, err
		}
	}
	return s, nil
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
	case r.Language.LaxVariables, strings.TrimPrefix(name, "::") == "module_name": // known everywhere, and nothing outside of modules
		return pcore.Undef{}, nil
	default:
		return nil, fmt.Errorf("Undefined variable '%s'", name) //nolint:staticcheck // the reference's words
	}
}
