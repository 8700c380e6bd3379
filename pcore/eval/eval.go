// Package eval evaluates what package syntax parsed: expressions, programs and
// templates of the Puppet language, as real Puppet does.
//
//	Evaluator   the settings, made once by New and used by many goroutines
//	Scope       variables; a Scope is one evaluation and what it calls
//
// The evaluation is spread over files by what is evaluated: expression.go has
// the constructs, operator.go and arithmetic.go the operators, match.go what
// matches what, access.go the brackets, call.go calls and lambdas, definition.go
// functions and type aliases, template.go EPP, text.go the text of a value in a
// string.
//
// # Limits
//
// A hostile program ends: the height of a tree and of calls within calls is
// limited, and so is the work, by the Budget of the environment.
package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Mode tells what is an error. The zero value is that of Puppet 8.
type Mode struct {
	// LaxVariables makes a variable without a value undef.
	LaxVariables bool
	// LaxNumbers lets text be a number in arithmetic, and a key be twice in
	// the text of a hash.
	LaxNumbers bool
}

// Lax is the mode of Puppet 7's agent: strict=warning, strict_variables=false.
func Lax() Mode { return Mode{LaxVariables: true, LaxNumbers: true} }

// Evaluator holds what evaluations have in common. It is safe for concurrent
// use when what stands in its environment is.
type Evaluator struct {
	env   *function.Env
	types typeexpr.Resolver
	mode  Mode
}

// New returns an Evaluator whose calls see env, and whose programs know the types
// of the language and those that types finds; nil finds none. Of env, Template
// and Variables are set by the Evaluator.
func New(env function.Env, types typeexpr.Resolver, mode Mode) *Evaluator {
	e := &Evaluator{types: types, mode: mode}
	env.Template = e.template
	e.env = &env
	return e
}

// maxDepth bounds expressions within expressions, through calls.
const maxDepth = 20_000

// run is one evaluation.
type run struct {
	evaluator *Evaluator
	ctx       context.Context //nolint:containedctx // a run is one call from outside
	depth     int
	functions map[string]*function.Function // those that the program defines
	types     resolvers                     // likewise, and those of the Evaluator
}

// resolvers find a type in the order they stand in.
type resolvers []typeexpr.Resolver

// ResolveType implements [typeexpr.Resolver].
func (r resolvers) ResolveType(name string) (pcore.Type, error) {
	for _, one := range r {
		t, err := one.ResolveType(name)
		if !errors.Is(err, typeexpr.ErrUnknownType) {
			return t, err
		}
	}
	return nil, typeexpr.ErrUnknownType
}

// Scope returns a new top scope, in which an evaluation runs until ctx ends.
func (e *Evaluator) Scope(ctx context.Context) *Scope {
	r := &run{evaluator: e, ctx: ctx, functions: make(map[string]*function.Function)}
	if e.types != nil {
		r.types = resolvers{e.types}
	}
	return &Scope{run: r, source: syntax.NewLocator("", "")}
}

// Text evaluates the program src in s and returns the value of its last
// statement. file names the source in errors.
func (e *Evaluator) Text(s *Scope, file, src string) (pcore.Value, error) {
	p, err := syntax.Config{Lax: e.mode.LaxNumbers}.ParseProgram(file, src)
	if err != nil {
		return nil, err
	}
	return e.Program(s, p)
}

// Program evaluates p in s and returns the value of its last statement. The
// functions and types that p defines are known from then on.
func (e *Evaluator) Program(s *Scope, p *syntax.Program) (pcore.Value, error) {
	outer := s.source
	s.source = p.Locator
	defer func() { s.source = outer }()
	if err := s.define(p.Body); err != nil {
		return nil, err
	}
	v, err := s.evaluate(p.Body)
	return v, err
}

// Call calls a function in s by name.
func (e *Evaluator) Call(s *Scope, name string, args ...pcore.Value) (pcore.Value, error) {
	return s.call(name, args, nil)
}

// evaluate returns the value of n.
func (s *Scope) evaluate(n syntax.Expr) (pcore.Value, error) {
	r := s.run
	if r.depth >= maxDepth {
		return nil, s.at(n, ErrDepth)
	}
	if err := r.evaluator.env.Budget.Spend(1); err != nil {
		return nil, s.at(n, err)
	}
	if r.depth++; r.depth%64 == 0 && r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	v, err := s.expression(n)
	r.depth--
	return v, s.at(n, err)
}

// evaluateAll returns the values of several nodes, those of splats unfolded.
func (s *Scope) evaluateAll(nodes []syntax.Expr) ([]pcore.Value, error) {
	values := make([]pcore.Value, 0, len(nodes))
	for _, n := range nodes {
		n = unwrap(n)
		v, err := s.evaluate(n)
		if err != nil {
			return nil, err
		}
		if isSplat(n) {
			for e := range v.(*pcore.Array).Values() {
				values = append(values, e)
			}
			continue
		}
		values = append(values, v)
	}
	return values, nil
}

func isSplat(n syntax.Expr) bool {
	u, ok := n.(*syntax.Unary)
	return ok && u.Op == syntax.OpSplat
}

// unwrap removes parentheses.
func unwrap(n syntax.Expr) syntax.Expr {
	for {
		p, ok := n.(*syntax.Parenthesized)
		if !ok {
			return n
		}
		n = p.Expr
	}
}

// isTrue tells what counts as true: all but undef and false.
func isTrue(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.Undef:
		return false
	case pcore.Boolean:
		return bool(v)
	default:
		return true
	}
}

// typeName names the type of v for an error.
func typeName(v pcore.Value) string {
	return fmt.Sprint(pcore.Generalize(pcore.Infer(v)))
}
