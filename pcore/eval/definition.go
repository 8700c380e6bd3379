package eval

import (
	"context"
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// define registers the functions and types of a program before its evaluation.
// Each is resolved on first use.
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
			return s.failf(n, errDefinition, "the type %s is there already", n.Name)
		}
	}
	if r.library == nil {
		r.library = typeexpr.NewLibrary(nil, around)
		r.types = r.library
	}
	if err := r.library.Declare(typeexpr.NewDefinition(n, s.source)); err != nil {
		return s.failf(n, errDefinition, "the type %s is there already", n.Name)
	}
	return nil
}

// definition is a function of the program. It is created on the first call, when
// the types of its parameters are known.
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
		return s.failf(n, errDefinition, "the function %s is there already", n.Name)
	}
	if r.functions == nil {
		r.functions = make(map[string]*definition)
	}
	top := s.top().inner()
	top.source = s.source
	r.functions[name] = &definition{scope: top, node: n}
	return nil
}

// declared returns the function defined by n, whose source is source. e resolves
// the types of its parameters. When called, the body sees the variables of the
// caller's outermost scope.
func (e *Evaluator) declared(n *syntax.FunctionDefinition, source *syntax.Locator) *function.Function {
	s := e.Scope(context.Background())
	s.source = source
	return s.function(n)
}

// parameterType evaluates n, the type of a parameter in source; nil means Any. The
// expression cannot use variables.
func (e *Evaluator) parameterType(n syntax.Expr, source *syntax.Locator) (pcore.Type, error) {
	s := e.Scope(context.Background())
	s.source = source
	return s.typeOf(n)
}

// function creates a function. It evaluates the types of the parameters in s; if
// that fails, every call returns the error.
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

// function calls the closure as a function. Its scope is inside the outermost
// scope of the caller. The value of a return is its result.
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
	inner.match = []pcore.Value{} // hides the caller's match variables
	v, err := c.call(inner, args)
	if j, ok := errors.AsType[*jump.Jump](err); ok && j.Kind == jump.Return {
		return j.Value, nil
	}
	return v, err
}
