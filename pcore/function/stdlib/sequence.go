package stdlib

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// sequence is the result of iterating over a value.
type sequence struct {
	elem   func() pcore.Type // of all values; computed only for an iterator, because it is slow
	values iter.Seq[pcore.Value]
	// backward yields the values in reverse, or is nil if that requires
	// collecting them first.
	backward iter.Seq[pcore.Value]
	numbers  *numbers // the values, if they are a range
}

// iterate returns the sequence of an Iterable: the characters of a text, the
// elements of an array, the pairs of a hash, the numbers below an integer, or
// the values of an enumerable type.
func iterate(v pcore.Value) (sequence, error) {
	switch v := v.(type) {
	case *pcore.Iterator:
		if n, ok := numbersOf(v); ok {
			return n.sequence(), nil
		}
		return sequence{elem: v.Elem, values: v.Values()}, nil
	case *pcore.Array:
		return indexed(func() pcore.Type { return variantOf(v.Values()) }, v.Len(), v.At), nil
	case *pcore.Hash:
		return indexed(func() pcore.Type { return pairType(v) }, v.Len(), func(i int) pcore.Value { return pairOf(v.At(i)) }), nil
	case pcore.String:
		return characters(string(v)), nil
	case pcore.Integer:
		return numbers{0, int64(v) - 1, 1}.sequence(), nil
	case *pcore.IntegerType:
		from, ok := v.From().Get()
		to, bounded := v.To().Get()
		if ok && bounded {
			return numbers{from, to, 1}.sequence(), nil
		}
	case *pcore.EnumType:
		values := v.Values()
		return indexed(func() pcore.Type { return v }, len(values), func(i int) pcore.Value { return pcore.String(values[i]) }), nil
	case *pcore.TypeAliasType:
		return iterate(v.Resolved())
	default:
	}
	return sequence{}, errors.New("the value cannot be iterated")
}

// characters returns the sequence of a text's characters, without building a
// list.
func characters(s string) sequence {
	return sequence{
		elem: charType,
		values: func(yield func(pcore.Value) bool) {
			for rest := s; rest != ""; {
				_, n := utf8.DecodeRuneInString(rest)
				if !yield(pcore.String(rest[:n])) {
					return
				}
				rest = rest[n:]
			}
		},
		backward: func(yield func(pcore.Value) bool) {
			for rest := s; rest != ""; {
				_, n := utf8.DecodeLastRuneInString(rest)
				if !yield(pcore.String(rest[len(rest)-n:])) {
					return
				}
				rest = rest[:len(rest)-n]
			}
		},
	}
}

// reversed returns the characters of a text in reverse.
func reversed(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for rest := s; rest != ""; {
		_, n := utf8.DecodeLastRuneInString(rest)
		b.WriteString(rest[len(rest)-n:])
		rest = rest[:len(rest)-n]
	}
	return b.String()
}

// indexed returns a sequence of n values by index.
func indexed(elem func() pcore.Type, n int, at func(int) pcore.Value) sequence {
	return sequence{
		elem: elem,
		values: func(yield func(pcore.Value) bool) {
			for i := range n {
				if !yield(at(i)) {
					return
				}
			}
		},
		backward: func(yield func(pcore.Value) bool) {
			for i := n - 1; i >= 0; i-- {
				if !yield(at(i)) {
					return
				}
			}
		},
	}
}

// numbers is a range of integers with the absolute distance step. A positive
// step counts up from `from`, and a negative step counts down from `to`.
type numbers struct{ from, to, step int64 }

// numbersOf returns the range of an iterator that was made from one. The
// iterator's element type gives the bounds, and its first two values give the
// step.
func numbersOf(it *pcore.Iterator) (numbers, bool) {
	t, ok := it.Elem().(*pcore.IntegerType)
	if !ok {
		return numbers{}, false
	}
	from, hasFrom := t.From().Get()
	to, hasTo := t.To().Get()
	if !hasFrom || !hasTo || from >= to {
		return numbers{}, false
	}
	var first []int64
	for v := range it.Values() {
		i, ok := v.(pcore.Integer)
		if first = append(first, int64(i)); !ok || len(first) == 2 {
			return numbers{from, to, int64(i) - first[0]}, ok
		}
	}
	return numbers{}, false
}

func (n numbers) sequence() sequence {
	if n.to < n.from {
		return indexed(unitType, 0, nil)
	}
	t, err := pcore.NewIntegerType(pcore.At(n.from), pcore.At(n.to))
	if err != nil {
		return indexed(unitType, 0, nil) // from is not above to
	}
	return sequence{elem: func() pcore.Type { return t }, values: n.all, numbers: &n}
}

func (n numbers) all(yield func(pcore.Value) bool) {
	first, stride := n.from, uint64(n.step)
	if n.step < 0 {
		first, stride = n.to, -stride
	}
	left := uint64(n.to) - uint64(n.from)
	for i := first; yield(pcore.Integer(i)) && left >= stride; i += n.step {
		left -= stride
	}
}

// every returns every k-th number. As in the reference, descending numbers lose
// the last one unless it is at the end of the range: reversed, 0 to 10 by threes
// is 10, 7, 4.
func (n numbers) every(k int64) (numbers, error) {
	width := uint64(n.to) - uint64(n.from)
	high, stride := bits.Mul64(uint64(k), uint64(max(n.step, -n.step)))
	if high > 0 || stride > math.MaxInt64 {
		stride = math.MaxInt64
	}
	rest := width % stride
	switch {
	case n.step > 0:
		return numbers{n.from, n.to - int64(rest), int64(stride)}, nil
	case rest == 0:
		return numbers{n.from, n.to, -int64(stride)}, nil
	case stride-rest > width:
		return numbers{}, fmt.Errorf("the step %d leaves nothing of what is reversed", k)
	default:
		return numbers{n.from + int64(stride-rest), n.to, -int64(stride)}, nil
	}
}

// reversed returns the sequence in reverse.
func (s sequence) reversed() sequence {
	switch {
	case s.numbers != nil:
		n := *s.numbers
		n.step = -n.step
		return n.sequence()
	case s.backward != nil:
		return sequence{elem: s.elem, values: s.backward, backward: s.values}
	}
	return sequence{elem: s.elem, backward: s.values, values: func(yield func(pcore.Value) bool) {
		for _, v := range slices.Backward(slices.Collect(s.values)) {
			if !yield(v) {
				return
			}
		}
	}}
}

// every returns every n-th value, beginning with the first.
func (s sequence) every(n int64) (sequence, error) {
	if n == 1 {
		return s, nil
	}
	if s.numbers != nil {
		some, err := s.numbers.every(n)
		return some.sequence(), err
	}
	return sequence{elem: s.elem, values: func(yield func(pcore.Value) bool) {
		skip := int64(0)
		for v := range s.values {
			if skip > 0 {
				skip--
				continue
			}
			if !yield(v) {
				return
			}
			skip = n - 1
		}
	}}, nil
}

// iterator returns the sequence as an Iterator.
func (s sequence) iterator() *pcore.Iterator { return pcore.NewIterator(s.elem(), s.values) }

// mapped returns the array of the results of f for the elements of v.
func mapped(c *function.Call, v pcore.Value, f func(pcore.Value) (pcore.Value, error)) (pcore.Value, error) {
	s, err := iterate(v)
	if err != nil {
		return nil, err
	}
	var out []pcore.Value
	for e := range s.values {
		if err := reserveElements(c, 1); err != nil {
			return nil, err
		}
		to, err := f(e)
		if err != nil {
			return nil, err
		}
		out = append(out, to)
	}
	return pcore.NewArray(out...), nil
}

func pairOf(e pcore.Entry) pcore.Value { return pcore.NewArray(e.Key, e.Value) }

func unitType() pcore.Type { return pcore.UnitType{} }

func charType() pcore.Type { return pcore.NewStringType(exactly(1)) }

func exactly(n int64) *pcore.IntegerType {
	t, err := pcore.NewIntegerType(pcore.At(n), pcore.At(n))
	if err != nil {
		return nil // unreachable: n is not above n
	}
	return t
}

// variantOf returns the union of the types of the values.
func variantOf(values iter.Seq[pcore.Value]) pcore.Type {
	var types []pcore.Type
	for v := range values {
		types = append(types, pcore.InferDetailed(v))
	}
	if len(types) == 0 {
		return pcore.UnitType{}
	}
	return pcore.NewVariantType(types...)
}

func pairType(v *pcore.Hash) pcore.Type {
	return pcore.NewTupleType([]pcore.Type{variantOf(v.Keys()), variantOf(v.Values())}, exactly(2))
}
