package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// closure is a lambda or the body of a function, with its enclosing scope. It
// implements [function.Block].
type closure struct {
	name      string
	scope     *Scope
	params    []*syntax.Parameter
	body      *syntax.Block
	signature *function.Signature
}

// lambda is the name of lambdas in messages of the reference.
const lambda = "lambda"

// closure creates a closure. It evaluates the types of the parameters.
func (s *Scope) closure(name string, params []*syntax.Parameter, returns syntax.Expr, body *syntax.Block) (*closure, error) {
	c := &closure{name: name, scope: s, params: params, body: body, signature: &function.Signature{}}
	optional := false
	for _, n := range params {
		p, err := s.parameter(n)
		if err != nil {
			return nil, err
		}
		least, _ := p.Arity()
		if least > 0 && optional {
			return nil, s.failf(n, errParameter, "$%s is required but appears after optional parameters", n.Name)
		}
		optional = optional || least == 0
		c.signature.Params = append(c.signature.Params, p)
	}
	if returns == nil {
		return c, nil
	}
	var err error
	c.signature.Return, err = s.typeOf(returns)
	return c, err
}

// parameter returns the parameter of a signature. For a parameter that captures
// the rest, the size of its Array type limits the number of arguments.
func (s *Scope) parameter(n *syntax.Parameter) (function.Param, error) {
	t, err := s.typeOf(n.Type)
	if err != nil {
		return function.Param{}, err
	}
	p := function.Param{Name: n.Name, Type: t, Optional: n.Default != nil || n.CapturesRest, Repeated: n.CapturesRest}
	if a, ok := t.(*pcore.ArrayType); ok && n.CapturesRest {
		p.Type, p.Size = a.Elem(), a.Size()
	}
	return p, nil
}

// typeOf evaluates the type of a parameter; nil means Any.
func (s *Scope) typeOf(n syntax.Expr) (pcore.Type, error) {
	if n == nil {
		return pcore.AnyType{}, nil
	}
	v, err := s.evaluate(n)
	if err != nil {
		return nil, err
	}
	t, ok := v.(pcore.Type)
	if !ok {
		return nil, s.failf(n, errParameter, "a type is needed here, not %s", typeName(v))
	}
	return t, nil
}

// Signature implements [function.Block].
func (c *closure) Signature() *function.Signature { return c.signature }

// Call implements [function.Block].
func (c *closure) Call(_ context.Context, args ...pcore.Value) (pcore.Value, error) {
	return c.call(c.scope.inner(), args)
}

// call evaluates the body in inner, a new scope. A next becomes its result;
// other jumps are returned as errors.
func (c *closure) call(inner *Scope, args []pcore.Value) (pcore.Value, error) {
	taken, err := c.bind(inner, args)
	if err != nil {
		return nil, err
	}
	if !c.signature.Accepts(taken, nil) {
		return nil, c.mismatch(taken)
	}
	v, err := inner.evaluate(c.body)
	if j, ok := errors.AsType[*jump.Jump](err); ok && j.Kind == jump.Next {
		v, err = j.Value, nil
	}
	if err != nil {
		return nil, err
	}
	if t := c.signature.Return; t != nil {
		if m := pcore.Mismatch("value returned from "+c.name+" has wrong type,", t, v); m != nil {
			return nil, m
		}
	}
	return v, nil
}

// bind sets the parameters in inner, and returns their values as arguments. A
// default can refer to preceding parameters. Surplus arguments are dropped, as
// in the reference.
func (c *closure) bind(inner *Scope, args []pcore.Value) ([]pcore.Value, error) {
	taken := make([]pcore.Value, 0, max(len(args), len(c.params)))
	for i, p := range c.params {
		inner.unset = c.params[i:]
		v, err := c.argument(inner, i, args)
		if err != nil {
			return nil, err
		}
		if err := settable(p.Name); err != nil {
			return nil, c.scope.at(p, err)
		}
		inner.bind(p.Name, v)
		if rest, ok := v.(*pcore.Array); ok && p.CapturesRest {
			taken = slices.AppendSeq(taken, rest.Values())
			continue
		}
		taken = append(taken, v)
	}
	inner.unset = nil
	return taken, nil
}

func (c *closure) argument(inner *Scope, i int, args []pcore.Value) (pcore.Value, error) {
	p := c.params[i]
	switch {
	case i >= len(args) && p.Default != nil:
		return c.defaultOf(inner, p)
	case i >= len(args) && p.CapturesRest:
		return pcore.NewArray(), nil
	case i >= len(args):
		return nil, c.scope.failf(p, errParameter, "$%s is required but no value was given", p.Name)
	case !p.CapturesRest:
		return args[i], nil
	case len(args) == i+1 && pcore.Is[pcore.Undef](args[i]) && p.Default != nil:
		return c.defaultOf(inner, p)
	}
	return pcore.NewArray(args[i:]...), nil
}

// defaultOf evaluates the default of a parameter. The result is an array for a
// parameter that captures the rest.
func (c *closure) defaultOf(inner *Scope, p *syntax.Parameter) (pcore.Value, error) {
	v, err := inner.guarded(p.Default)
	if _, ok := v.(*pcore.Array); err != nil || ok || !p.CapturesRest {
		return v, err
	}
	return pcore.NewArray(v), nil
}

// mismatch returns the reference's error for arguments that are not accepted.
func (c *closure) mismatch(args []pcore.Value) error {
	names := make([]string, len(c.params))
	for i, p := range c.params {
		names[i] = p.Name
	}
	way := pcore.NamedCallable{Type: c.signature.Type(), Params: names}
	given := pcore.InferDetailed(pcore.NewArray(args...))
	return fmt.Errorf("%w: %s", errParameter, pcore.DescribeSignatures(c.name, []pcore.NamedCallable{way}, given))
}
