package eval

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// access evaluates left[keys…]: an element, a slice, or a parameterized type.
func (s *Scope) access(n *syntax.Access) (pcore.Value, error) {
	left, err := s.evaluate(n.Left)
	if err != nil {
		return nil, err
	}
	keys := make([]pcore.Value, len(n.Keys))
	for i, k := range n.Keys {
		if keys[i], err = s.evaluate(k); err != nil {
			return nil, err
		}
	}
	switch left := left.(type) {
	case pcore.Type:
		v, err := typeexpr.Access(left, keys...)
		if err != nil {
			return nil, err
		}
		if a, ok := v.(*pcore.Array); pcore.Is[pcore.Undef](v) || ok && a.Len() == 0 {
			s.warn(n.Keys[0], "Arguments to Resource[] are all empty/undefined")
		}
		return v, s.run.admit(v)
	case *pcore.Hash:
		return hashAt(left, keys)
	case *pcore.Array:
		return s.arrayAt(n, left, flatten(keys))
	case pcore.String:
		if err := s.run.looked(len(left)); err != nil {
			return nil, err
		}
		text, err := stringAt(string(left), flatten(keys))
		return pcore.String(text), err
	case pcore.Binary:
		return binaryAt(left, flatten(keys))
	case pcore.Undef:
		if s.run.evaluator.mode.LaxUndef {
			return left, nil
		}
		return nil, s.failf(n.Left, ErrOperand, "'[]' with %s", typeName(left))
	default:
		return nil, s.failf(n.Left, ErrOperand, "'[]' with %s", typeName(left))
	}
}

func flatten(keys []pcore.Value) []pcore.Value {
	var flat []pcore.Value
	for _, k := range keys {
		if a, ok := k.(*pcore.Array); ok {
			flat = append(flat, flatten(slices.Collect(a.Values()))...)
			continue
		}
		flat = append(flat, k)
	}
	return flat
}

// hashAt returns the value for one key, or an array of the existing values for
// several keys.
func hashAt(h *pcore.Hash, keys []pcore.Value) (pcore.Value, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: a Hash supports [] with one or more keys, got none", ErrOperand)
	}
	values := []pcore.Value{}
	for _, k := range keys {
		v, ok := h.Get(k)
		if !ok {
			v = pcore.Undef{}
		}
		if len(keys) == 1 {
			return v, nil
		}
		if !pcore.Is[pcore.Undef](v) {
			values = append(values, v)
		}
	}
	return pcore.NewArray(values...), nil
}

func (s *Scope) arrayAt(n *syntax.Access, a *pcore.Array, keys []pcore.Value) (pcore.Value, error) {
	at, err := s.positions(n, keys)
	if err != nil {
		return nil, err
	}
	if len(at) == 1 {
		i := at[0]
		if i < 0 {
			i += a.Len()
		}
		if i < 0 || i >= a.Len() {
			return pcore.Undef{}, nil
		}
		return a.At(i), nil
	}
	from, to := slice(a.Len(), at[0], at[1])
	return a.Slice(from, to), nil
}

// positions returns the one or two integers in brackets.
func (s *Scope) positions(n *syntax.Access, keys []pcore.Value) ([]int, error) {
	if len(keys) < 1 || len(keys) > 2 {
		return nil, fmt.Errorf("%w: [] takes one or two arguments here, got %d", ErrOperand, len(keys))
	}
	at := make([]int, len(keys))
	for i, k := range keys {
		node := syntax.Node(n)
		if i < len(n.Keys) {
			node = n.Keys[i]
		}
		number, err := s.number(node, k)
		if err != nil {
			return nil, err
		}
		p, ok := number.(pcore.Integer)
		if !ok {
			return nil, s.failf(node, ErrOperand, "[] takes an Integer here, not %s", typeName(number))
		}
		at[i] = int(p)
	}
	return at, nil
}

// slice returns the range selected by start and length in a sequence of n
// members. A negative start counts from the end. A negative length does too: -1
// extends the range to the last member.
func slice(n, start, length int) (from, to int) {
	if start < 0 {
		start += n
	}
	switch {
	case length < 0:
		to = n + length + 1
	case start >= 0 && length > n-start: // avoids overflow of the sum
		to = n
	default:
		to = start + length
	}
	from = max(start, 0)
	if from >= n || to <= from {
		return 0, 0
	}
	return from, min(to, n)
}

// stringAt returns the characters of text at the given positions. As in the
// reference, a key can be a text with a number, even in strict mode.
func stringAt(text string, keys []pcore.Value) (string, error) {
	at, err := textPositions(keys)
	if err != nil {
		return "", err
	}
	if isASCII(text) {
		from, to := characters(len(text), at)
		return text[from:to], nil
	}
	from, to := characters(utf8.RuneCountInString(text), at)
	begin := offset(text, from)
	end := begin + offset(text[begin:], to-from)
	return string([]rune(text[begin:end])), nil // replaces invalid UTF-8 by U+FFFD
}

// offset returns the byte offset of the n-th character.
func offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func binaryAt(b pcore.Binary, keys []pcore.Value) (pcore.Value, error) {
	at, err := textPositions(keys)
	if err != nil {
		return nil, err
	}
	from, to := characters(b.Len(), at)
	return pcore.NewBinaryString(b.Raw()[from:to]), nil
}

func characters(n int, at []int) (from, to int) {
	if len(at) == 2 {
		return slice(n, at[0], at[1])
	}
	if at[0] < -n {
		return 0, 0
	}
	return slice(n, at[0], 1)
}

func textPositions(keys []pcore.Value) ([]int, error) {
	if len(keys) < 1 || len(keys) > 2 {
		return nil, fmt.Errorf("%w: a String supports [] with one or two arguments, got %d", ErrOperand, len(keys))
	}
	at := make([]int, len(keys))
	for i, k := range keys {
		if text, ok := k.(pcore.String); ok {
			if number, ok := pcore.ParseNumber(string(text)); ok {
				k = number
			}
		}
		p, ok := k.(pcore.Integer)
		if !ok {
			return nil, fmt.Errorf("%w: [] of a String takes an Integer, not %s", ErrOperand, typeName(k))
		}
		at[i] = int(p)
	}
	return at, nil
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
