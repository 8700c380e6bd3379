package eval

import (
	"context"
	"errors"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// run is one evaluation. It is what its functions are called with: it finds
// those that the program defines, and the variables that their caller sees.
type run struct {
	evaluator *Evaluator
	ctx       context.Context //nolint:containedctx // a run is one call from outside
	env       function.Env
	depth     int
	functions map[string]*definition // those that the program defines
	library   *typeexpr.Library      // likewise the types; nil as long as there are none
	types     typeexpr.Resolver      // the library, or what knows the other types
	regexps   map[*syntax.Regexp]*pcore.Regexp
	caller    caller
	jump      escape
}

// caller is where the function that runs was called.
type caller struct {
	scope *Scope
	node  syntax.Node // nil when the call comes from outside
}

// escape is the last break, next or return that nothing has caught so far, and
// where it stands.
type escape struct {
	jump  *function.Jump
	place *Error
}

func newRun(ctx context.Context, e *Evaluator) *run {
	r := &run{evaluator: e, ctx: ctx, env: e.env, types: e.types}
	r.env.Functions, r.env.Variables, r.env.Place = r, r, r.place
	return r
}

// Function implements [function.Finder]: the functions of the program hide
// those around it.
func (r *run) Function(name string) (*function.Function, bool) {
	if d, ok := r.functions[name]; ok {
		return d.function(), true
	}
	return r.evaluator.env.Functions.Function(name)
}

// Variable implements [function.Variables], for the function that runs.
func (r *run) Variable(name string) (v pcore.Value, ok bool, err error) {
	return r.caller.scope.Variable(name)
}

// place is where the function that runs was called.
func (r *run) place() (file string, line int) {
	c := r.caller
	if c.node == nil {
		return "", 0
	}
	line, _ = c.scope.source.Position(syntax.Anchor(c.node))
	return c.scope.source.File(), line
}

// regexp returns the regular expression of a literal, which is made once.
func (r *run) regexp(n *syntax.Regexp) (pcore.Value, error) {
	if v, ok := r.regexps[n]; ok {
		return v, nil
	}
	v, err := pcore.ParseRegexp(n.Pattern)
	if err != nil {
		return nil, err
	}
	if r.regexps == nil {
		r.regexps = make(map[*syntax.Regexp]*pcore.Regexp)
	}
	r.regexps[n] = v
	return v, nil
}

// ended returns the error of a whole evaluation: a jump that leads out of it is
// one, at its place.
func (r *run) ended(err error) error {
	var jump *function.Jump
	if errors.As(err, &jump) && r.jump.jump == jump {
		return r.jump.place
	}
	return err
}
