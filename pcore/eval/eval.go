package eval

import (
	"context"

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
	env   function.Env
	types typeexpr.Resolver
	mode  Mode

	templates templates
}

// New returns an Evaluator whose calls see env, and whose programs know the types
// of the language and those that types finds; nil finds none.
//
// The Variables of env, if there are any, are those that a program sees beyond
// its own. Its Template and Place are set by the Evaluator.
func New(env function.Env, types typeexpr.Resolver, mode Mode) *Evaluator {
	e := &Evaluator{env: env, types: types, mode: mode}
	e.env.Template = e.template
	return e
}

// Scope returns a new top scope, in which an evaluation runs until ctx ends.
func (e *Evaluator) Scope(ctx context.Context) *Scope {
	return &Scope{run: newRun(ctx, e), source: syntax.NewLocator("", "")}
}

// Text evaluates the program src in s and returns the value of its last
// statement. file names the source in errors; it may be empty. The error is a
// [syntax.ErrorList] or an [Error].
func (e *Evaluator) Text(s *Scope, file, src string) (pcore.Value, error) {
	p, err := e.syntax().ParseProgram(file, src)
	if err != nil {
		return nil, err
	}
	return e.Program(s, p)
}

// Program evaluates p in s and returns the value of its last statement. The
// functions and types that p defines are known in s from then on.
func (e *Evaluator) Program(s *Scope, p *syntax.Program) (pcore.Value, error) {
	outer := s.source
	s.source = p.Locator
	memory := s.run.env.Memory
	held := memory.Held()
	defer func() {
		s.source = outer
		memory.ReleaseTo(held) // what is left is the caller's
	}()
	s.run.warnings(p.Warnings)
	if err := s.define(p.Body); err != nil {
		return nil, err
	}
	v, err := s.evaluate(p.Body)
	return v, s.run.ended(err)
}

// Template evaluates t within s, whose variables it sees, with the given
// parameters; nil means none. The result is a String, or a Sensitive with one
// when something Sensitive was written; or what a return in the template gives.
func (e *Evaluator) Template(s *Scope, t *syntax.EPP, parameters *pcore.Hash) (pcore.Value, error) {
	memory := s.run.env.Memory
	defer memory.ReleaseTo(memory.Held())
	v, err := s.template(t, parameters)
	return v, s.run.ended(err)
}

// Call calls a function by name, for which s is the scope of its caller.
func (e *Evaluator) Call(s *Scope, name string, args ...pcore.Value) (pcore.Value, error) {
	v, err := s.call(nil, name, args, nil)
	return v, s.run.ended(err)
}

// syntax returns how programs and templates are parsed.
func (e *Evaluator) syntax() syntax.Config { return syntax.Config{Lax: e.mode.LaxNumbers} }
