package eval

import (
	"context"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Mode is the version and the strictness of the language. The zero value is the
// strict mode of [pcore.OpenVox8].
type Mode struct {
	// Reference selects the built-in types. The functions of a reference are
	// in its registry; see stdlib.New.
	Reference pcore.Reference
	// LaxVariables makes an unknown variable undef, with a warning.
	LaxVariables bool
	// LaxNumbers allows texts as numbers in arithmetic, and duplicate keys
	// in hash literals.
	LaxNumbers bool
	// LaxUndef lets operators accept undef: a match with it or a comparison of
	// order is false, and an element of it is undef. Puppet has no such mode;
	// it is for conditions about data of which parts are optional.
	LaxUndef bool
}

// Lax is the strictness of Puppet 7's agent: strict=warning,
// strict_variables=false.
func Lax() Mode { return Mode{LaxVariables: true, LaxNumbers: true} }

// Like returns the default mode of a reference. Puppet 7 is lax.
func Like(r pcore.Reference) Mode {
	lax := r == pcore.Puppet7
	return Mode{Reference: r, LaxVariables: lax, LaxNumbers: lax}
}

// Evaluator holds the environment that evaluations share. It is safe for
// concurrent use if the values in its environment are.
type Evaluator struct {
	env   function.Env
	types typeexpr.Resolver
	mode  Mode

	templates templates
}

// New returns an Evaluator. Its programs can call the functions of env, and use
// the types of the language and the types that types resolves; types may be nil.
//
// Programs see the Variables of env, if any, in addition to their own. The
// Evaluator replaces Template, Location, ParseType and LaxVariables.
func New(env function.Env, types typeexpr.Resolver, mode Mode) *Evaluator {
	types = typeexpr.Like(mode.Reference, types)
	e := &Evaluator{env: env, types: types, mode: mode}
	e.env.Template = e.template
	e.env.Strict = !mode.LaxNumbers
	return e
}

// Scope returns a new top scope for an evaluation, which runs until ctx ends.
func (e *Evaluator) Scope(ctx context.Context) *Scope {
	return &Scope{run: newRun(ctx, e), source: syntax.NewLocator("", "")}
}

// Text evaluates the program src in s and returns the value of its last
// statement. file names the source in errors; it may be empty. The error is a
// wraps [ErrSyntax] or is an [Error].
func (e *Evaluator) Text(s *Scope, file, src string) (pcore.Value, error) {
	p, err := e.syntax().ParseProgram(file, src)
	if err != nil {
		return nil, err
	}
	return e.program(s, p)
}

// Program evaluates p in s and returns the value of its last statement. The
// functions and types of p remain defined in s.
func (e *Evaluator) Program(s *Scope, p *Program) (pcore.Value, error) { return e.program(s, p.parsed) }

func (e *Evaluator) program(s *Scope, p *syntax.Program) (pcore.Value, error) {
	outer := s.source
	s.source = p.Locator
	memory := s.run.env.Memory
	held := memory.Held()
	defer func() {
		s.source = outer
		memory.ReleaseTo(held) // releases everything but the result
	}()
	s.run.warnings(p.Warnings)
	if err := s.define(p.Body); err != nil {
		return nil, err
	}
	v, err := s.evaluate(p.Body)
	return v, s.run.ended(err)
}

// Template evaluates t inside s, with access to its variables. Nil parameters
// mean none. The result is a String, or a Sensitive String if the template wrote
// a Sensitive value, or the value of a return in the template.
func (e *Evaluator) Template(s *Scope, t *Template, parameters *pcore.Hash) (pcore.Value, error) {
	memory := s.run.env.Memory
	defer memory.ReleaseTo(memory.Held())
	v, err := s.template(t.parsed, parameters)
	return v, s.run.ended(err)
}

// Call calls a function by name, with s as the scope of the caller.
func (e *Evaluator) Call(s *Scope, name string, args ...pcore.Value) (pcore.Value, error) {
	v, err := s.call(nil, name, args, nil)
	return v, s.run.ended(err)
}

// syntax returns the parser configuration for the mode.
func (e *Evaluator) syntax() syntax.Config { return syntaxOf(e.mode) }

func syntaxOf(mode Mode) syntax.Config {
	return syntax.Config{Lax: mode.LaxNumbers, NoLiteralTypes: mode.Reference == pcore.Puppet7}
}
