package eval

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

func (s *Scope) unary(n *syntax.Unary) (pcore.Value, error) {
	v, err := s.evaluate(n.Operand)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case syntax.OpNot:
		return pcore.Boolean(!isTrue(v)), nil
	case syntax.OpSplat:
		list, err := s.unfold(v)
		return list, err
	}
	number, err := s.number(n.Operand, v)
	if err != nil {
		return nil, err
	}
	return negate(number)
}

// unfold returns the array that a splat makes of v. An Iterator may be infinite;
// the budget limits it.
func (s *Scope) unfold(v pcore.Value) (*pcore.Array, error) {
	switch v := v.(type) {
	case pcore.Undef:
		return pcore.NewArray(), nil
	case *pcore.Array:
		return v, nil
	case *pcore.Hash:
		return pairs(v), nil
	case *pcore.Iterator:
		var elems []pcore.Value
		for e := range v.Values() {
			if err := s.run.holdElements(1); err != nil {
				return nil, err
			}
			if err := s.run.spend(1); err != nil {
				return nil, err
			}
			elems = append(elems, e)
		}
		return pcore.NewArray(elems...), nil
	default:
		return pcore.NewArray(v), nil
	}
}

func (s *Scope) binary(n *syntax.Binary) (pcore.Value, error) {
	left, err := s.evaluate(n.Left)
	if err != nil {
		return nil, err
	}
	switch {
	case n.Op == syntax.OpAnd && !isTrue(left):
		return pcore.Boolean(false), nil
	case n.Op == syntax.OpOr && isTrue(left):
		return pcore.Boolean(true), nil
	}
	right, err := s.evaluate(n.Right)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case syntax.OpPlus, syntax.OpMinus, syntax.OpTimes, syntax.OpDivide, syntax.OpModulo, syntax.OpLeftShift, syntax.OpRightShift:
		return s.calculate(n, left, right)
	}
	if err := s.compared(left, right); err != nil {
		return nil, err
	}
	ok, err := s.test(n, left, right)
	return pcore.Boolean(ok), err
}

// compared pays for traversing values.
func (s *Scope) compared(values ...pcore.Value) error {
	for _, v := range values {
		if text, ok := v.(pcore.String); ok {
			if err := s.run.looked(len(text)); err != nil {
				return err
			}
		} else if err := s.run.look(v); err != nil {
			return err
		}
	}
	return nil
}

// test evaluates a Boolean operator.
func (s *Scope) test(n *syntax.Binary, left, right pcore.Value) (bool, error) {
	switch n.Op {
	case syntax.OpAnd, syntax.OpOr:
		return isTrue(right), nil
	case syntax.OpMatch:
		return s.matchOperator(n, left, right)
	case syntax.OpNoMatch:
		ok, err := s.matchOperator(n, left, right)
		return !ok, err
	case syntax.OpIn:
		return s.in(left, right)
	case syntax.OpEqual:
		return pcore.Equal(left, right), nil
	case syntax.OpNotEqual:
		return !pcore.Equal(left, right), nil
	default:
		if s.run.evaluator.mode.LaxUndef && (pcore.Is[pcore.Undef](left) || pcore.Is[pcore.Undef](right)) {
			return false, nil
		}
		return order(n.Op, left, right)
	}
}

// order evaluates < <= > >=. The narrower of two types is less. The result for a
// type and a right operand that is not a type is false.
func order(op syntax.Operator, left, right pcore.Value) (bool, error) {
	if t, ok := left.(pcore.Type); ok {
		u, ok := right.(pcore.Type)
		return ok && orderTypes(op, t, u), nil
	}
	c, err := compare(left, right)
	if err != nil {
		return false, &operandError{fmt.Errorf("comparison of: %s %s %s, is not possible: %w", typeName(left), op, typeName(right), err)}
	}
	switch op {
	case syntax.OpLess:
		return c < 0, nil
	case syntax.OpLessEqual:
		return c <= 0, nil
	case syntax.OpGreater:
		return c > 0, nil
	default:
		return c >= 0, nil
	}
}

// compare is like pcore.Compare, but accepts two defaults as equal.
func compare(left, right pcore.Value) (int, error) {
	if pcore.Is[pcore.Default](left) && pcore.Is[pcore.Default](right) {
		return 0, nil
	}
	return pcore.Compare(left, right)
}

func orderTypes(op syntax.Operator, t, u pcore.Type) bool {
	switch op {
	case syntax.OpLess:
		return pcore.Accepts(u, t) && !pcore.Equal(t, u)
	case syntax.OpLessEqual:
		return pcore.Accepts(u, t)
	case syntax.OpGreater:
		return pcore.Accepts(t, u) && !pcore.Equal(t, u)
	default:
		return pcore.Accepts(t, u)
	}
}

// calculate evaluates + - * / % << >>.
func (s *Scope) calculate(n *syntax.Binary, left, right pcore.Value) (pcore.Value, error) {
	if v, ok, err := s.collect(n, left, right); ok || err != nil {
		return v, err
	}
	x, err := s.number(n.Left, left)
	if err != nil {
		return nil, err
	}
	y, err := s.number(n.Right, right)
	if err != nil {
		return nil, err
	}
	return arithmetic(n.Op, x, y)
}

// number returns v as a number or a time. In lax mode, v can be a text.
func (s *Scope) number(n syntax.Node, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case pcore.Integer, pcore.BigInteger, pcore.Float, pcore.Timespan, pcore.Timestamp:
		return v, nil
	case pcore.String:
		number, ok := pcore.ParseNumber(string(v))
		switch {
		case !ok:
		case s.run.evaluator.mode.LaxNumbers:
			s.warn(n, "A String was automatically coerced to a number")
			return number, nil
		default:
			return nil, s.failf(n, ErrOperand, "a String is not coerced to a number; convert it by Numeric(…)")
		}
	default:
	}
	return nil, s.failf(n, ErrOperand, "%s is not a number", typeName(v))
}
