package eval

import (
	"context"
	"errors"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/annotation"
	"github.com/pcatdev/pcat/pcore/internal/jump"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// run is the state of one evaluation. It provides the functions of the program
// and the variables visible to the caller of a function.
type run struct {
	evaluator *Evaluator
	ctx       context.Context //nolint:containedctx // a run has the lifetime of one external call
	env       function.Env
	depth     int
	functions map[string]*definition // of the program
	warned    map[string]bool        // the keys of deprecation warnings
	library   *typeexpr.Library      // types of the program; nil if there are none
	types     typeexpr.Resolver      // the library, or the resolver for all other types
	regexps   map[*syntax.Regexp]*pcore.Regexp
	caller    caller
	jump      escape
}

// caller is the location from which the current function was called.
type caller struct {
	scope *Scope
	node  syntax.Node // nil for a call from Go
}

// escape is the latest uncaught break, next or return, and its location.
type escape struct {
	jump     *jump.Jump
	location *Error
}

func newRun(ctx context.Context, e *Evaluator) *run {
	r := &run{evaluator: e, ctx: annotation.With(ctx), env: e.env, types: e.types}
	r.env.LaxVariables = e.mode.LaxVariables
	r.env.Functions, r.env.Variables, r.env.Location, r.env.ParseType = r, r, r.location, r.parseType
	if r.env.Deprecated == nil {
		r.env.Deprecated = r.warnOnce
	}
	return r
}

// warnOnce logs the first warning with a key, as Puppet does in one process.
func (r *run) warnOnce(key, text string) {
	if r.env.Log == nil || r.warned[key] {
		return
	}
	if r.warned == nil {
		r.warned = make(map[string]bool)
	}
	r.warned[key] = true
	r.env.Log(function.Warning, text)
}

// Function implements [function.Finder]. Functions of the program hide functions
// of the environment.
func (r *run) Function(name string) (*function.Function, bool) {
	if d, ok := r.functions[name]; ok {
		return d.function(), true
	}
	return r.evaluator.env.Functions.Function(name)
}

// Variable implements [function.Variables] for the current function.
func (r *run) Variable(name string) (v pcore.Value, ok bool, err error) {
	return r.caller.scope.Variable(name)
}

// location returns the source location from which the current function was called.
func (r *run) location() (file string, line int) {
	c := r.caller
	if c.node == nil {
		return "", 0
	}
	line, _ = c.scope.source.Position(syntax.Anchor(c.node))
	return c.scope.source.File(), line
}

// parseType parses the text of a type, which can use the types of the program.
func (r *run) parseType(text string) (pcore.Type, error) { return typeexpr.Parse(text, r.types) }

// regexp returns the regular expression of a literal, compiled once.
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

// ended returns the error of a whole evaluation. An uncaught jump is an error at
// its own location.
func (r *run) ended(err error) error {
	var j *jump.Jump
	if errors.As(err, &j) && r.jump.jump == j {
		return r.jump.location
	}
	return err
}
