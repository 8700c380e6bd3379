package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// collect applies + - << to an Array or a Hash, or + to a URI or a Binary. ok is
// false for any other left operand.
func (s *Scope) collect(n *syntax.Binary, left, right pcore.Value) (v pcore.Value, ok bool, err error) {
	switch left.(type) {
	case *pcore.URI, pcore.Binary:
		ok = n.Op == syntax.OpPlus
	case *pcore.Array, *pcore.Hash:
		ok = n.Op == syntax.OpPlus || n.Op == syntax.OpMinus || n.Op == syntax.OpLeftShift
	default:
	}
	if !ok {
		return nil, false, nil
	}
	if err := s.run.holdElements(size(left) + size(right)); err != nil {
		return nil, false, err
	}
	if err := s.run.spend(size(left) + size(right)); err != nil {
		return nil, false, err
	}
	switch n.Op {
	case syntax.OpPlus:
		v, err = join(left, right)
	case syntax.OpMinus:
		if err := s.compared(left, right); err != nil {
			return nil, false, err
		}
		return remove(left, right), true, nil
	default:
		list, isArray := left.(*pcore.Array)
		if !isArray {
			return nil, false, s.failf(n.Left, ErrOperand, "'<<' needs an Array on its left side, not a Hash")
		}
		v = list.Append(right)
	}
	if err != nil {
		return nil, false, err
	}
	return v, true, s.run.admit(v)
}

// size returns the number of members of a value.
func size(v pcore.Value) int {
	switch v := v.(type) {
	case *pcore.Array:
		return v.Len()
	case *pcore.Hash:
		return v.Len()
	case pcore.Binary:
		return v.Len()
	default:
		return 1
	}
}

// join evaluates left + right.
func join(left, right pcore.Value) (pcore.Value, error) {
	switch left := left.(type) {
	case *pcore.Array:
		switch right := right.(type) {
		case *pcore.Array:
			return concat(left, right), nil
		case *pcore.Hash:
			return concat(left, pairs(right)), nil
		default:
			return left.Append(right), nil
		}
	case *pcore.Hash:
		return merge(left, right)
	case *pcore.URI:
		return joinURI(left, right)
	case pcore.Binary:
		if b, ok := right.(pcore.Binary); ok {
			return pcore.NewBinaryString(left.Raw() + b.Raw()), nil
		}
		return nil, fmt.Errorf("%w: only a Binary can be appended to a Binary", ErrOperand)
	default:
	}
	return nil, ErrOperand
}

func concat(a, b *pcore.Array) *pcore.Array {
	elems := make([]pcore.Value, 0, a.Len()+b.Len())
	for e := range a.Values() {
		elems = append(elems, e)
	}
	for e := range b.Values() {
		elems = append(elems, e)
	}
	return pcore.NewArray(elems...)
}

func joinURI(left *pcore.URI, right pcore.Value) (pcore.Value, error) {
	switch right := right.(type) {
	case *pcore.URI:
		return left.Merge(right)
	case pcore.String:
		u, err := pcore.ParseURI(string(right))
		if err != nil {
			return nil, err
		}
		return left.Merge(u)
	default:
		return nil, fmt.Errorf("%w: a URI can only be merged with a URI or String", ErrOperand)
	}
}

func pairs(h *pcore.Hash) *pcore.Array {
	elems := make([]pcore.Value, 0, h.Len())
	for k, v := range h.All() {
		elems = append(elems, pcore.NewArray(k, v))
	}
	return pcore.NewArray(elems...)
}

// merge returns h with the entries of right, which is a Hash, an Array of pairs,
// or a flat Array of keys and values.
func merge(h *pcore.Hash, right pcore.Value) (pcore.Value, error) {
	b := pcore.NewHashBuilder(h.Len() + size(right))
	setAll(b, h)
	switch right := right.(type) {
	case *pcore.Hash:
		setAll(b, right)
	case *pcore.Array:
		if err := setList(b, right); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: only an Array or a Hash can be appended to a Hash", ErrOperand)
	}
	return b.Hash(), nil
}

func setAll(b *pcore.HashBuilder, h *pcore.Hash) {
	for k, v := range h.All() {
		b.Set(k, v)
	}
}

// setList sets entries from an array: the entries of a single Hash in it, or
// pairs if all elements are arrays, or else alternating keys and values.
func setList(b *pcore.HashBuilder, list *pcore.Array) error {
	if list.Len() == 1 {
		if h, ok := list.At(0).(*pcore.Hash); ok {
			setAll(b, h)
			return nil
		}
	}
	if list.Len() > 0 && allArrays(list) {
		return setPairs(b, list)
	}
	if list.Len()%2 != 0 {
		return errors.New("odd number of keys and values for a Hash")
	}
	for i := 0; i < list.Len(); i += 2 {
		b.Set(list.At(i), list.At(i+1))
	}
	return nil
}

func setPairs(b *pcore.HashBuilder, list *pcore.Array) error {
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
		if !pcore.Is[*pcore.Array](e) {
			return false
		}
	}
	return true
}

// remove evaluates left - right: an Array without the elements of right, or a
// Hash without its keys.
func remove(left, right pcore.Value) pcore.Value {
	if h, ok := left.(*pcore.Hash); ok {
		return removeKeys(h, right)
	}
	var gone pcore.HashBuilder
	for e := range elements(right).Values() {
		gone.Set(sameNumbers(e), pcore.Undef{})
	}
	unwanted := gone.Hash()
	var kept []pcore.Value
	for e := range left.(*pcore.Array).Values() {
		if _, ok := unwanted.Get(sameNumbers(e)); !ok {
			kept = append(kept, e)
		}
	}
	return pcore.NewArray(kept...)
}

func removeKeys(h *pcore.Hash, right pcore.Value) pcore.Value {
	keys, ok := right.(*pcore.Hash)
	if !ok {
		var b pcore.HashBuilder
		for e := range elements(right).Values() {
			b.Set(e, pcore.Undef{})
		}
		keys = b.Hash()
	}
	kept := pcore.NewHashBuilder(h.Len())
	for k, v := range h.All() {
		if _, ok := keys.Get(k); !ok {
			kept.Set(k, v)
		}
	}
	return kept.Hash()
}

func elements(v pcore.Value) *pcore.Array {
	switch v := v.(type) {
	case *pcore.Array:
		return v
	case *pcore.Hash:
		return pairs(v)
	default:
		return pcore.NewArray(v)
	}
}

// sameNumbers returns v with integral Floats converted to Integers, also in
// nested arrays, because 1 and 1.0 are the same element.
func sameNumbers(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case pcore.Float:
		if i := pcore.Integer(v); pcore.Float(i) == v && i < 1<<62 && i > -1<<62 {
			return i
		}
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, e := range v.All() {
			elems[i] = sameNumbers(e)
		}
		return pcore.NewArray(elems...)
	default:
	}
	return v
}
