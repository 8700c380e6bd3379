package eval

import (
	"context"
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// define makes the functions and types of a program known, before it is
// evaluated. What they consist of is looked at when they are first used.
func (s *Scope) define(body *syntax.Block) error {
	for _, n := range body.Statements {
		var err error
		switch n := n.(type) {
		case *syntax.TypeAlias:
			err = s.defineType(n)
		case *syntax.FunctionDefinition:
			err = s.defineFunction(n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) defineType(n *syntax.TypeAlias) error {
	r := s.run
	around := r.evaluator.types
	if around != nil {
		if _, err := around.ResolveType(strings.ToLower(n.Name)); !errors.Is(err, typeexpr.ErrUnknownType) {
			return s.failf(n, ErrDefinition, "the type %s is there already", n.Name)
		}
	}
	if r.library == nil {
		r.library = typeexpr.NewLibrary(nil, around)
		r.types = r.library
	}
	if err := r.library.Declare(n, s.source); err != nil {
		return s.failf(n, ErrDefinition, "the type %s is there already", n.Name)
	}
	return nil
}

// definition is a function that a program defines. It is made when it is first
// called, when the types of its parameters are known.
type definition struct {
	scope *Scope
	node  *syntax.FunctionDefinition
	made  *function.Function
}

func (d *definition) function() *function.Function {
	if d.made == nil {
		d.made = d.scope.function(d.node)
	}
	return d.made
}

func (s *Scope) defineFunction(n *syntax.FunctionDefinition) error {
	r := s.run
	name := function.CanonicalName(n.Name)
	if r.functions[name] != nil {
		return s.failf(n, ErrDefinition, "the function %s is there already", n.Name)
	}
	if r.functions == nil {
		r.functions = make(map[string]*definition)
	}
	top := s.top().inner()
	top.source = s.source
	r.functions[name] = &definition{scope: top, node: n}
	return nil
}

// Function returns the function that n defines, which stands in source. The
// types of its parameters are those that e knows; its body sees the variables
// in the outermost scope of whoever calls it, and is evaluated in his run.
func (e *Evaluator) Function(n *syntax.FunctionDefinition, source *syntax.Locator) *function.Function {
	s := e.Scope(context.Background())
	s.source = source
	return s.function(n)
}

// Type returns the type that n gives, the type of a parameter in source; nil is
// Any. There are no variables.
func (e *Evaluator) Type(n syntax.Expr, source *syntax.Locator) (pcore.Type, error) {
	s := e.Scope(context.Background())
	s.source = source
	return s.typeOf(n)
}

// function makes a function; the types of its parameters are evaluated in s. An
// error in them is that of each call.
func (s *Scope) function(n *syntax.FunctionDefinition) *function.Function {
	f := &function.Function{
		Name:             function.CanonicalName(n.Name),
		Source:           s.source.File(),
		HandlesSensitive: true,
	}
	c, err := s.closure(n.Name, n.Parameters, n.ReturnType, n.Body)
	if err != nil {
		anything := &function.Signature{Params: []function.Param{{
			Name: "arguments", Type: pcore.AnyType{}, Optional: true, Repeated: true,
		}}}
		f.Dispatches = []function.Dispatch{{Signature: anything, Call: func(*function.Call, []pcore.Value) (pcore.Value, error) {
			return nil, err
		}}}
		return f
	}
	f.Dispatches = []function.Dispatch{{Signature: c.signature, ChecksReturn: true, Call: c.function}}
	return f
}

// function calls the closure as a function: its scope is within the outermost
// one of the caller, and what a return carries is its result.
func (c *closure) function(call *function.Call, args []pcore.Value) (pcore.Value, error) {
	var top *Scope
	if r, ok := call.Variables.(*run); ok {
		top = r.caller.scope.top()
	} else {
		e := c.scope.run.evaluator
		top = New(*call.Env, e.types, e.mode).Scope(call.Context())
	}
	inner := top.inner()
	inner.source = c.scope.source
	inner.match = []pcore.Value{} // what the caller matched is not seen
	v, err := c.call(inner, args)
	if jump, ok := errors.AsType[*function.Jump](err); ok && jump.Kind == function.Return {
		return jump.Value, nil
	}
	return v, err
}
