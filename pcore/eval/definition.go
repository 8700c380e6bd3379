package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// define makes the functions and type aliases of a program known, before it is
// evaluated.
func (s *Scope) define(body *syntax.Block) error {
	var aliases []*syntax.TypeAlias
	for _, n := range body.Statements {
		switch n := n.(type) {
		case *syntax.TypeAlias:
			aliases = append(aliases, n)
		case *syntax.FunctionDefinition:
			if err := s.defineFunction(n); err != nil {
				return err
			}
		}
	}
	if len(aliases) == 0 {
		return nil
	}
	defined, err := typeexpr.DefineAll(aliases, s.source, s.run.types)
	if err != nil {
		return err
	}
	s.run.types = append(resolvers{defined}, s.run.types...)
	return nil
}

func (s *Scope) defineFunction(n *syntax.FunctionDefinition) error {
	r := s.run
	name := function.CanonicalName(n.Name)
	if r.functions[name] != nil {
		return s.at(n, fmt.Errorf("function %s is defined already", n.Name))
	}
	if len(r.functions) == 0 {
		s.environment().Functions = finder{r, s.environment().Functions}
	}
	f := Function(s, n)
	r.functions[name] = f
	return nil
}

// Function returns the function that n defines, to be called in an evaluation
// of its own below the top scope of s. Its parameters' types are evaluated at
// the first call.
func Function(s *Scope, n *syntax.FunctionDefinition) *function.Function {
	top := s.top()
	body := &Scope{run: top.run, parent: top, source: s.source}
	f := &function.Function{
		Name:             function.CanonicalName(n.Name),
		Source:           s.source.File(),
		HandlesSensitive: true,
	}
	anything := &function.Signature{Params: []function.Param{{
		Name: "arguments", Type: pcore.AnyType{}, Optional: true, Repeated: true,
	}}}
	f.Dispatches = []function.Dispatch{{Signature: anything, Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		closure, err := body.closure(n.Name, n.Parameters, n.ReturnType, n.Body)
		if err != nil {
			return nil, err
		}
		v, err := closure.Call(c.Context(), args...)
		var jump *function.Jump
		if errors.As(err, &jump) && jump.Kind == function.Return {
			return closure.returned(jump.Value)
		}
		return v, err
	}}}
	return f
}

// returned checks what a return carries out of the function.
func (c *closure) returned(v pcore.Value) (pcore.Value, error) {
	if v == nil {
		v = pcore.Undef{}
	}
	if !pcore.Contains(c.returns, v) {
		return nil, fmt.Errorf("value returned from %s: %w", c.name, mismatch(c.returns, v))
	}
	return v, nil
}

// finder finds the functions of a program before those around it.
type finder struct {
	run   *run
	outer function.Finder
}

// Function implements [function.Finder].
func (f finder) Function(name string) (*function.Function, bool) {
	if own, ok := f.run.functions[name]; ok {
		return own, true
	}
	return f.outer.Function(name)
}
