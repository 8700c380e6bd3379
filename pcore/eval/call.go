package eval

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// callExpression evaluates name(…), or Type(…), which creates an instance.
func (s *Scope) callExpression(n *syntax.Call) (pcore.Value, error) {
	name := "new"
	var args []pcore.Value
	if q, ok := n.Function.(*syntax.QualifiedName); ok {
		name = q.Name
	} else {
		t, err := s.evaluate(n.Function)
		if err != nil {
			return nil, err
		}
		args = []pcore.Value{t}
	}
	more, err := s.evaluateAll(n.Arguments)
	if err != nil {
		return nil, err
	}
	return s.callWithLambda(n, name, append(args, more...), n.Lambda)
}

// methodCall evaluates x.name(…): an attribute of an Object or a URI, or a call
// of the function name with x as its first argument.
func (s *Scope) methodCall(n *syntax.MethodCall) (pcore.Value, error) {
	args, err := s.evaluateAll([]syntax.Expr{n.Receiver})
	if err != nil {
		return nil, err
	}
	if len(args) > 0 {
		if v, ok := attribute(args[0], n.Function.Name); ok {
			return v, s.noArguments(n)
		}
	}
	more, err := s.evaluateAll(n.Arguments)
	if err != nil {
		return nil, err
	}
	return s.callWithLambda(n, n.Function.Name, append(args, more...), n.Lambda)
}

// noArguments rejects arguments of an attribute access.
func (s *Scope) noArguments(n *syntax.MethodCall) error {
	args, err := s.evaluateAll(n.Arguments)
	if err == nil && len(args) > 0 {
		err = fmt.Errorf("%w: the attribute %s takes no arguments, got %d", errParameter, n.Function.Name, len(args))
	}
	return err
}

// attribute returns an attribute of an Object or a Deferred, or a component of a
// URI.
func attribute(v pcore.Value, name string) (pcore.Value, bool) {
	switch v := v.(type) {
	case *pcore.URI:
		return v.Get(name)
	case *pcore.Object:
		if name == "message" && v.Type() == pcore.Type(pcore.ErrorType()) {
			name = "msg" // the only function of an Error
		}
		return v.Get(name)
	case *pcore.Deferred:
		switch name {
		case "name":
			return pcore.String(v.Name()), true
		case "arguments":
			if v.Arguments() == nil {
				return pcore.Undef{}, true
			}
			return v.Arguments(), true
		}
	default:
	}
	return nil, false
}

func (s *Scope) callWithLambda(n syntax.Node, name string, args []pcore.Value, l *syntax.Lambda) (pcore.Value, error) {
	if l == nil {
		return s.call(n, name, args, nil)
	}
	c, err := s.closure(lambda, l.Parameters, l.ReturnType, l.Body)
	if err != nil {
		return nil, err
	}
	return s.call(n, name, args, c)
}

// call calls a function of the program or of the environment. n is the call in
// the source, or nil.
func (s *Scope) call(n syntax.Node, name string, args []pcore.Value, block function.Block) (pcore.Value, error) {
	r := s.run
	if err := r.read(args); err != nil {
		return nil, err
	}
	outer := r.caller
	r.caller = caller{s, n}
	held := r.env.Memory.Held()
	v, err := r.env.Call(r.ctx, name, args, block)
	r.env.Memory.ReleaseTo(held) // keeps only the result
	r.caller = outer
	if err != nil {
		return nil, err
	}
	return v, r.admit(v)
}
