package eval

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// expression evaluates one construct.
func (s *Scope) expression(n syntax.Expr) (pcore.Value, error) {
	switch n := n.(type) {
	case *syntax.Block:
		return s.block(n)
	case *syntax.Undef:
		return pcore.Undef{}, nil
	case *syntax.Default:
		return pcore.Default{}, nil
	case *syntax.Boolean:
		return pcore.Boolean(n.Value), nil
	case *syntax.Integer:
		return pcore.Integer(n.Value), nil
	case *syntax.Float:
		return pcore.Float(n.Value), nil
	case *syntax.String:
		return pcore.String(n.Value), nil
	case *syntax.ConcatenatedString:
		return s.concatenated(n)
	case *syntax.TextExpression:
		return s.textExpression(n)
	case *syntax.Heredoc:
		return s.heredoc(n)
	case *syntax.Regexp:
		return pcore.ParseRegexp(n.Pattern)
	case *syntax.QualifiedName:
		return pcore.String(n.Name), nil
	case *syntax.QualifiedReference:
		return typeexpr.Named(n.Name, s.run.types)
	case *syntax.Variable:
		return s.variable(n, n.Name)
	case *syntax.Array:
		elems, err := s.evaluateAll(n.Elements)
		return pcore.NewArray(elems...), err
	case *syntax.Hash:
		return s.hash(n)
	case *syntax.Unary:
		return s.unary(n)
	case *syntax.Binary:
		return s.binary(n)
	case *syntax.Assignment:
		return s.assignment(n)
	case *syntax.Parenthesized:
		return s.evaluate(n.Expr)
	case *syntax.Access:
		return s.access(n)
	case *syntax.Call:
		return s.callExpression(n)
	case *syntax.MethodCall:
		return s.methodCall(n)
	case *syntax.If:
		return s.ifExpression(n)
	case *syntax.Unless:
		return s.unless(n)
	case *syntax.Case:
		return s.caseExpression(n)
	case *syntax.Selector:
		return s.selector(n)
	case *syntax.FunctionDefinition, *syntax.TypeAlias, *syntax.TypeMapping:
		return pcore.Undef{}, nil // made known before the evaluation began
	case *syntax.RenderString:
		return s.renderString(n)
	case *syntax.Render:
		return s.render(n)
	}
	return nil, fmt.Errorf("a %T cannot be evaluated", n)
}

func (s *Scope) block(n *syntax.Block) (pcore.Value, error) {
	var last pcore.Value = pcore.Undef{}
	for _, statement := range n.Statements {
		v, err := s.evaluate(statement)
		if err != nil {
			return nil, err
		}
		last = v
	}
	return last, nil
}

// guarded evaluates f and forgets what was matched in it.
func (s *Scope) guarded(f func() (pcore.Value, error)) (pcore.Value, error) {
	match := s.match
	v, err := f()
	s.match = match
	return v, err
}

func (s *Scope) variable(n syntax.Node, name string) (pcore.Value, error) {
	v, ok, err := s.Variable(name)
	if err != nil {
		return nil, s.at(n, err)
	}
	if ok {
		return v, nil
	}
	if isMatchVariable(name) || s.run.evaluator.mode.LaxVariables {
		return pcore.Undef{}, nil
	}
	return nil, s.failf(n, ErrUnknownVariable, "$%s", name)
}

func isMatchVariable(name string) bool {
	n, err := strconv.Atoi(name)
	return err == nil && strconv.Itoa(n) == name
}

func (s *Scope) hash(n *syntax.Hash) (pcore.Value, error) {
	b := pcore.NewHashBuilder(len(n.Entries))
	for _, e := range n.Entries {
		k, err := s.evaluate(e.Key)
		if err != nil {
			return nil, err
		}
		v, err := s.evaluate(e.Value)
		if err != nil {
			return nil, err
		}
		b.Set(k, v)
	}
	return b.Hash(), nil
}

func (s *Scope) assignment(n *syntax.Assignment) (pcore.Value, error) {
	v, err := s.evaluate(n.Right)
	if err != nil {
		return nil, err
	}
	return v, s.assign(n.Left, v)
}

// assign gives the variables of the left side their values.
func (s *Scope) assign(left syntax.Expr, v pcore.Value) error {
	switch left := left.(type) {
	case *syntax.Variable:
		return s.at(left, s.Set(left.Name, v))
	case *syntax.Array:
		return s.assignEach(left, v)
	}
	return s.at(left, errors.New("illegal attempt to assign: not an assignable reference"))
}

func (s *Scope) assignEach(left *syntax.Array, v pcore.Value) error {
	if h, ok := v.(*pcore.Hash); ok {
		return s.assignKeys(left, h)
	}
	values, ok := v.(*pcore.Array)
	if !ok {
		values = pcore.NewArray(v)
	}
	if values.Len() != len(left.Elements) {
		return s.at(left, fmt.Errorf("mismatched number of assignable entries and values, expected %d, got %d", len(left.Elements), values.Len()))
	}
	for i, target := range left.Elements {
		if err := s.assign(target, values.At(i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) assignKeys(left *syntax.Array, h *pcore.Hash) error {
	for _, target := range left.Elements {
		variable, ok := target.(*syntax.Variable)
		if !ok {
			return s.at(target, errors.New("values of a hash can be assigned to variables only"))
		}
		v, ok := h.GetString(variable.Name)
		if !ok {
			return s.at(left, fmt.Errorf("no value for required key '%s' in assignment to variables from hash", variable.Name))
		}
		if err := s.assign(target, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) ifExpression(n *syntax.If) (pcore.Value, error) {
	return s.guarded(func() (pcore.Value, error) {
		test, err := s.evaluate(n.Test)
		switch {
		case err != nil:
			return nil, err
		case isTrue(test):
			return s.evaluate(n.Then)
		case n.Else != nil:
			return s.evaluate(n.Else)
		}
		return pcore.Undef{}, nil
	})
}

func (s *Scope) unless(n *syntax.Unless) (pcore.Value, error) {
	return s.guarded(func() (pcore.Value, error) {
		test, err := s.evaluate(n.Test)
		switch {
		case err != nil:
			return nil, err
		case !isTrue(test):
			return s.evaluate(n.Then)
		case n.Else != nil:
			return s.evaluate(n.Else)
		}
		return pcore.Undef{}, nil
	})
}

func (s *Scope) caseExpression(n *syntax.Case) (pcore.Value, error) {
	return s.guarded(func() (pcore.Value, error) {
		test, err := s.evaluate(n.Test)
		if err != nil {
			return nil, err
		}
		var byDefault *syntax.Block
		for _, option := range n.Options {
			for _, value := range option.Values {
				if isDefault(value) {
					byDefault = option.Body
					continue
				}
				ok, err := s.matchesOption(test, value)
				if err != nil {
					return nil, err
				}
				if ok {
					return s.evaluate(option.Body)
				}
			}
		}
		if byDefault == nil {
			return pcore.Undef{}, nil
		}
		return s.evaluate(byDefault)
	})
}

func (s *Scope) selector(n *syntax.Selector) (pcore.Value, error) {
	return s.guarded(func() (pcore.Value, error) {
		test, err := s.evaluate(n.Left)
		if err != nil {
			return nil, err
		}
		var byDefault syntax.Expr
		for _, entry := range n.Entries {
			if isDefault(entry.Match) {
				byDefault = entry.Value
				continue
			}
			ok, err := s.matchesOption(test, entry.Match)
			if err != nil {
				return nil, err
			}
			if ok {
				return s.evaluate(entry.Value)
			}
		}
		if byDefault == nil {
			return nil, s.at(n.Left, fmt.Errorf("no matching entry for selector parameter of type %s", typeName(test)))
		}
		return s.evaluate(byDefault)
	})
}

func isDefault(n syntax.Expr) bool {
	_, ok := unwrap(n).(*syntax.Default)
	return ok
}

// matchesOption reports whether test matches an option of a case or selector,
// or one of those that a splat unfolds.
func (s *Scope) matchesOption(test pcore.Value, option syntax.Expr) (bool, error) {
	patterns, err := s.evaluateAll([]syntax.Expr{option})
	if err != nil {
		return false, err
	}
	for _, p := range patterns {
		if ok, err := s.matches(p, test); ok || err != nil {
			return ok, s.at(option, err)
		}
	}
	return false, nil
}
