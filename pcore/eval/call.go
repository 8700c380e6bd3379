package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// callExpression is name(…) or Type(…), which makes an instance of a type.
func (s *Scope) callExpression(n *syntax.Call) (pcore.Value, error) {
	name, ok := n.Function.(*syntax.QualifiedName)
	if ok {
		args, err := s.evaluateAll(n.Arguments)
		if err != nil {
			return nil, err
		}
		return s.callWithLambda(name.Name, args, n.Lambda)
	}
	t, err := s.evaluate(n.Function)
	if err != nil {
		return nil, err
	}
	args, err := s.evaluateAll(n.Arguments)
	if err != nil {
		return nil, err
	}
	return s.callWithLambda("new", append([]pcore.Value{t}, args...), n.Lambda)
}

// methodCall is x.name(…): an attribute of an Object, or a function with x
// before its arguments.
func (s *Scope) methodCall(n *syntax.MethodCall) (pcore.Value, error) {
	args, err := s.evaluateAll([]syntax.Expr{n.Receiver})
	if err != nil {
		return nil, err
	}
	if len(args) > 0 {
		if v, ok, err := attribute(args[0], n.Function.Name); ok || err != nil {
			return v, err
		}
	}
	more, err := s.evaluateAll(n.Arguments)
	if err != nil {
		return nil, err
	}
	return s.callWithLambda(n.Function.Name, append(args, more...), n.Lambda)
}

// attribute returns the value of an attribute of an Object, or of a component
// of a URI.
func attribute(v pcore.Value, name string) (value pcore.Value, ok bool, err error) {
	switch v := v.(type) {
	case *pcore.Object:
		value, ok = v.Get(name)
		return value, ok, nil
	case *pcore.URI:
		value, ok = v.Get(name)
		return value, ok, nil
	case *pcore.Deferred:
		switch name {
		case "name":
			return pcore.String(v.Name()), true, nil
		case "arguments":
			if v.Arguments() == nil {
				return pcore.Undef{}, true, nil
			}
			return v.Arguments(), true, nil
		}
	}
	return nil, false, nil
}

func (s *Scope) callWithLambda(name string, args []pcore.Value, l *syntax.Lambda) (pcore.Value, error) {
	if l == nil {
		return s.call(name, args, nil)
	}
	c, err := s.closure("lambda", l.Parameters, l.ReturnType, l.Body)
	if err != nil {
		return nil, err
	}
	return s.call(name, args, c)
}

// call calls a function that the program defines, or one of the environment.
func (s *Scope) call(name string, args []pcore.Value, block function.Block) (pcore.Value, error) {
	return s.environment().Call(s.run.ctx, name, args, block)
}

// closure is a lambda or the body of a function, with the scope it is in.
type closure struct {
	name      string
	scope     *Scope
	params    []*syntax.Parameter
	body      *syntax.Block
	signature *function.Signature
	callable  *pcore.CallableType
	returns   pcore.Type
}

var errOptionalFirst = errors.New("a required parameter cannot follow an optional one")

// closure makes a closure; the types of its parameters are evaluated now.
func (s *Scope) closure(name string, params []*syntax.Parameter, returns syntax.Expr, body *syntax.Block) (*closure, error) {
	c := &closure{name: name, scope: s, params: params, body: body, returns: pcore.AnyType{}, signature: &function.Signature{}}
	var err error
	if returns != nil {
		if c.returns, err = s.typeOf(returns); err != nil {
			return nil, err
		}
		c.signature.Return = c.returns
	}
	types := make([]pcore.Type, len(params))
	var from, to int64
	open := false
	for i, p := range params {
		declared, err := s.typeOf(p.Type)
		if err != nil {
			return nil, err
		}
		least, most := int64(1), int64(1)
		switch a, isArray := declared.(*pcore.ArrayType); {
		case p.CapturesRest && isArray:
			least, most = sizes(a.Size())
			declared = a.Elem()
		case p.CapturesRest:
			least, most = 0, -1
		case p.Default != nil:
			least = 0
		}
		if least > 0 && from < int64(i) {
			return nil, s.at(p, errOptionalFirst)
		}
		types[i] = declared
		c.signature.Params = append(c.signature.Params, function.Param{
			Name: p.Name, Type: declared, Optional: least == 0, Repeated: p.CapturesRest,
		})
		from += least
		if open = open || most < 0; !open {
			to += most
		}
	}
	upper := pcore.At(to)
	if open {
		upper = pcore.Bound[int64]{}
	}
	size, err := pcore.NewIntegerType(pcore.At(from), upper)
	if err != nil {
		return nil, err
	}
	c.callable = pcore.NewCallableType(pcore.NewTupleType(types, size), nil, nil)
	return c, nil
}

// sizes returns the numbers of arguments that an Array for the rest allows; the
// upper one is -1 when there is none.
func sizes(size *pcore.IntegerType) (least, most int64) {
	if size == nil {
		return 0, -1
	}
	least, _ = size.From().Get()
	most, bounded := size.To().Get()
	if !bounded {
		most = -1
	}
	return least, most
}

// typeOf evaluates the type of a parameter; nil is Any.
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
		return nil, s.at(n, fmt.Errorf("a type is needed here, not %s", typeName(v)))
	}
	return t, nil
}

// Signature implements [function.Block].
func (c *closure) Signature() *function.Signature { return c.signature }

// Call implements [function.Block]: a next within it has become its result.
func (c *closure) Call(_ context.Context, args ...pcore.Value) (pcore.Value, error) {
	inner := c.scope.inner()
	final, err := c.bind(inner, args)
	if err != nil {
		return nil, err
	}
	if !pcore.Contains(c.callable.Params(), pcore.NewArray(final...)) {
		return nil, c.mismatch(final)
	}
	return c.evaluate(inner)
}

// evaluate evaluates the body in a scope that has the parameters.
func (c *closure) evaluate(inner *Scope) (pcore.Value, error) {
	v, err := inner.evaluate(c.body)
	var jump *function.Jump
	if errors.As(err, &jump) && jump.Kind == function.Next {
		v, err = jump.Value, nil
	}
	if err != nil {
		return nil, err
	}
	if !pcore.Contains(c.returns, v) {
		return nil, fmt.Errorf("value returned from %s: %w", c.name, mismatch(c.returns, v))
	}
	return v, nil
}

func (c *closure) mismatch(args []pcore.Value) error {
	least, most := c.signature.Arity()
	if n := len(args); n < least || most >= 0 && n > most {
		return fmt.Errorf("%s: expects %s, got %d", c.name, arity(least, most), n)
	}
	for i, v := range args {
		p := c.signature.Params[min(i, len(c.signature.Params)-1)]
		if !pcore.Contains(p.Type, v) {
			return fmt.Errorf("%s: parameter '%s' %w", c.name, p.Name, mismatch(p.Type, v))
		}
	}
	return fmt.Errorf("%s: expects other arguments", c.name)
}

func arity(least, most int) string {
	switch {
	case most < 0:
		return fmt.Sprintf("at least %d arguments", least)
	case least == most && least == 1:
		return "1 argument"
	case least == most:
		return fmt.Sprintf("%d arguments", least)
	}
	return fmt.Sprintf("between %d and %d arguments", least, most)
}

// bind gives the parameters their values in inner and returns the arguments
// with the defaults filled in. A default sees the parameters before it.
func (c *closure) bind(inner *Scope, args []pcore.Value) ([]pcore.Value, error) {
	final := make([]pcore.Value, 0, max(len(args), len(c.params)))
	inner.pending = make(map[string]bool, len(c.params))
	for _, p := range c.params {
		inner.pending[p.Name] = true
	}
	defer func() { inner.pending = nil }()
	for i, p := range c.params {
		v, err := c.argument(inner, i, args)
		if err != nil {
			return nil, err
		}
		delete(inner.pending, p.Name)
		inner.bind(p.Name, v)
		if p.CapturesRest {
			final = append(final, unfoldValues(v)...)
			continue
		}
		final = append(final, v)
	}
	if len(args) > len(c.params) && (len(c.params) == 0 || !c.params[len(c.params)-1].CapturesRest) {
		final = append(final, args[len(c.params):]...)
	}
	return final, nil
}

func (c *closure) argument(inner *Scope, i int, args []pcore.Value) (pcore.Value, error) {
	p := c.params[i]
	switch {
	case i >= len(args) && p.Default != nil:
		return c.defaultOf(inner, p)
	case i >= len(args) && p.CapturesRest:
		return pcore.NewArray(), nil
	case i >= len(args):
		return nil, fmt.Errorf("%s: expects a value for parameter $%s", c.name, p.Name)
	case !p.CapturesRest:
		return args[i], nil
	case len(args) == i+1 && args[i].Kind() == pcore.KindUndef && p.Default != nil:
		return c.defaultOf(inner, p)
	}
	return pcore.NewArray(args[i:]...), nil
}

// defaultOf evaluates the default of a parameter; one that takes the rest is a
// list.
func (c *closure) defaultOf(inner *Scope, p *syntax.Parameter) (pcore.Value, error) {
	match := inner.match
	inner.match = []pcore.Value{} // what was matched outside is not seen
	v, err := inner.evaluate(p.Default)
	inner.match = match
	if err != nil {
		return nil, err
	}
	if _, ok := v.(*pcore.Array); p.CapturesRest && !ok {
		v = pcore.NewArray(v)
	}
	return v, nil
}

// mismatch says that v is not what t wants, without telling v.
func mismatch(t pcore.Type, v pcore.Value) error {
	return fmt.Errorf("expects a value of type %s, got %s", t, typeName(v))
}
