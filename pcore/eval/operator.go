package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/syntax"
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
		return unfold(v), nil
	}
	number, err := s.number(n.Operand, v)
	if err != nil {
		return nil, err
	}
	return negate(number)
}

// unfold returns v as the list that a splat makes of it.
func unfold(v pcore.Value) *pcore.Array {
	switch v := v.(type) {
	case pcore.Undef:
		return pcore.NewArray()
	case *pcore.Array:
		return v
	case *pcore.Hash:
		return pairs(v)
	case *pcore.Iterator:
		return pcore.CollectArray(v.Values())
	default:
		return pcore.NewArray(v)
	}
}

func pairs(h *pcore.Hash) *pcore.Array {
	elems := make([]pcore.Value, 0, h.Len())
	for k, v := range h.All() {
		elems = append(elems, pcore.NewArray(k, v))
	}
	return pcore.NewArray(elems...)
}

func (s *Scope) binary(n *syntax.Binary) (pcore.Value, error) {
	left, err := s.evaluate(n.Left)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case syntax.OpAnd:
		if !isTrue(left) {
			return pcore.Boolean(false), nil
		}
	case syntax.OpOr:
		if isTrue(left) {
			return pcore.Boolean(true), nil
		}
	}
	right, err := s.evaluate(n.Right)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case syntax.OpAnd, syntax.OpOr:
		return pcore.Boolean(isTrue(right)), nil
	case syntax.OpMatch:
		ok, err := s.matchOperator(n, left, right)
		return pcore.Boolean(ok), err
	case syntax.OpNoMatch:
		ok, err := s.matchOperator(n, left, right)
		return pcore.Boolean(!ok), err
	case syntax.OpIn:
		ok, err := s.in(left, right)
		return pcore.Boolean(ok), err
	case syntax.OpEqual:
		return pcore.Boolean(pcore.Equal(left, right)), nil
	case syntax.OpNotEqual:
		return pcore.Boolean(!pcore.Equal(left, right)), nil
	case syntax.OpLess, syntax.OpLessEqual, syntax.OpGreater, syntax.OpGreaterEqual:
		ok, err := order(n.Op, left, right)
		return pcore.Boolean(ok), err
	}
	return s.calculate(n, left, right)
}

// order is one of the operators < <= > >=. Of types, the narrower one is less.
func order(op syntax.Operator, left, right pcore.Value) (bool, error) {
	if t, ok := left.(pcore.Type); ok {
		u, ok := right.(pcore.Type)
		if !ok {
			return false, fmt.Errorf("%w: a type is not comparable to %s", ErrOperand, typeName(right))
		}
		return orderTypes(op, t, u), nil
	}
	c, err := pcore.Compare(left, right)
	if err != nil {
		return false, fmt.Errorf("comparison of %s %s %s is not possible: %w", typeName(left), op, typeName(right), err)
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

func orderTypes(op syntax.Operator, t, u pcore.Type) bool {
	switch op {
	case syntax.OpLess:
		return pcore.Accepts(u, t) && !pcore.EqualTypes(t, u)
	case syntax.OpLessEqual:
		return pcore.Accepts(u, t)
	case syntax.OpGreater:
		return pcore.Accepts(t, u) && !pcore.EqualTypes(t, u)
	default:
		return pcore.Accepts(t, u)
	}
}

// calculate is one of the operators + - * / % << >>.
func (s *Scope) calculate(n *syntax.Binary, left, right pcore.Value) (pcore.Value, error) {
	switch left := left.(type) {
	case *pcore.URI, pcore.Binary:
		if n.Op == syntax.OpPlus {
			return join(left, right)
		}
	case *pcore.Array, *pcore.Hash:
		switch n.Op {
		case syntax.OpPlus:
			sum, err := join(left, right)
			if err == nil {
				err = s.run.evaluator.env.Budget.Spend(size(sum))
			}
			return sum, err
		case syntax.OpMinus:
			return remove(left, right), nil
		case syntax.OpLeftShift:
			if a, ok := left.(*pcore.Array); ok {
				return a.Append(right), s.run.evaluator.env.Budget.Spend(a.Len())
			}
			return nil, s.failf(n.Left, ErrOperand, "'<<' needs an Array on its left side, not a Hash")
		}
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

func size(v pcore.Value) int {
	switch v := v.(type) {
	case *pcore.Array:
		return v.Len()
	case *pcore.Hash:
		return v.Len()
	default:
		return 1
	}
}

// number returns v as a number or a time; in lax mode text may be one.
func (s *Scope) number(n syntax.Node, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case pcore.Integer, pcore.BigInteger, pcore.Float, pcore.Timespan, pcore.Timestamp:
		return v, nil
	case pcore.String:
		number, ok := pcore.ParseNumber(string(v))
		switch {
		case !ok:
		case s.run.evaluator.mode.LaxNumbers:
			return number, nil
		default:
			return nil, s.failf(n, ErrOperand, "a String is not coerced to a number; convert it by Numeric(…)")
		}
	}
	return nil, s.failf(n, ErrOperand, "a %s is not a number", typeName(v))
}

// join is + of what is no number.
func join(left, right pcore.Value) (pcore.Value, error) {
	switch left := left.(type) {
	case *pcore.Array:
		switch right := right.(type) {
		case *pcore.Array, *pcore.Hash:
			return left.Append(unfoldValues(right)...), nil
		default:
			return left.Append(right), nil
		}
	case *pcore.Hash:
		return merge(left, right)
	case *pcore.URI:
		switch right := right.(type) {
		case *pcore.URI:
			return left.Merge(right)
		case pcore.String:
			u, err := pcore.ParseURI(string(right))
			if err != nil {
				return nil, err
			}
			return left.Merge(u)
		}
		return nil, fmt.Errorf("%w: a URI can only be merged with a URI or String", ErrOperand)
	case pcore.Binary:
		b, ok := right.(pcore.Binary)
		if !ok {
			return nil, fmt.Errorf("%w: only a Binary can be appended to a Binary", ErrOperand)
		}
		return pcore.NewBinaryString(left.Raw() + b.Raw()), nil
	}
	return nil, ErrOperand
}

func unfoldValues(v pcore.Value) []pcore.Value {
	values := make([]pcore.Value, 0, size(v))
	for e := range unfold(v).Values() {
		values = append(values, e)
	}
	return values
}

// merge returns h with the entries of right on top, which is a Hash, an Array
// of pairs, or a flat Array of keys and values.
func merge(h *pcore.Hash, right pcore.Value) (pcore.Value, error) {
	b := pcore.NewHashBuilder(h.Len() + size(right))
	for k, v := range h.All() {
		b.Set(k, v)
	}
	switch right := right.(type) {
	case *pcore.Hash:
		for k, v := range right.All() {
			b.Set(k, v)
		}
	case *pcore.Array:
		if err := setPairs(b, right); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: only an Array or a Hash can be appended to a Hash", ErrOperand)
	}
	return b.Hash(), nil
}

func setPairs(b *pcore.HashBuilder, list *pcore.Array) error {
	if !allArrays(list) {
		if list.Len()%2 != 0 {
			return errors.New("odd number of keys and values for a Hash")
		}
		for i := 0; i < list.Len(); i += 2 {
			b.Set(list.At(i), list.At(i+1))
		}
		return nil
	}
	for e := range list.Values() {
		pair := e.(*pcore.Array)
		switch pair.Len() {
		case 1:
			b.Set(pair.At(0), pcore.Undef{})
		case 2:
			b.Set(pair.At(0), pair.At(1))
		default:
			return fmt.Errorf("invalid number of elements (%d for 1..2) for an entry of a Hash", pair.Len())
		}
	}
	return nil
}

func allArrays(list *pcore.Array) bool {
	for e := range list.Values() {
		if e.Kind() != pcore.KindArray {
			return false
		}
	}
	return list.Len() > 0
}

// remove is - of an Array or a Hash.
func remove(left, right pcore.Value) pcore.Value {
	var unwanted pcore.HashBuilder
	switch right := right.(type) {
	case *pcore.Hash:
		if left.Kind() == pcore.KindHash {
			for k := range right.Keys() {
				unwanted.Set(k, pcore.Undef{})
			}
			break
		}
		for e := range pairs(right).Values() {
			unwanted.Set(e, pcore.Undef{})
		}
	case *pcore.Array:
		for e := range right.Values() {
			unwanted.Set(e, pcore.Undef{})
		}
	default:
		unwanted.Set(right, pcore.Undef{})
	}
	gone := unwanted.Hash()
	if h, ok := left.(*pcore.Hash); ok {
		b := pcore.NewHashBuilder(h.Len())
		for k, v := range h.All() {
			if _, ok := gone.Get(k); !ok {
				b.Set(k, v)
			}
		}
		return b.Hash()
	}
	var kept []pcore.Value
	for e := range left.(*pcore.Array).Values() {
		if !contains(gone, e) {
			kept = append(kept, e)
		}
	}
	return pcore.NewArray(kept...)
}

// contains looks e up; 1 and 1.0 are the same element.
func contains(set *pcore.Hash, e pcore.Value) bool {
	if _, ok := set.Get(e); ok {
		return true
	}
	switch e := e.(type) {
	case pcore.Integer:
		_, ok := set.Get(pcore.Float(e))
		return ok
	case pcore.Float:
		if i := pcore.Integer(e); pcore.Float(i) == e {
			_, ok := set.Get(i)
			return ok
		}
	}
	return false
}
