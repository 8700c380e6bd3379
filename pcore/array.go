package pcore

import (
	"iter"
	"slices"
)

// Array is an ordered sequence of values. The zero value and nil are empty.
type Array struct{ elems []Value }

// NewArray returns an Array of the given values. The slice is not copied: a
// caller that passes its own with elems... must not change it afterwards.
func NewArray(elems ...Value) *Array { return &Array{elems} }

// kind returns kindArray.
func (*Array) kind() Kind { return kindArray }

func (v *Array) String() string { return format(v) }

func (*Array) value() {}

// Len returns the number of elements.
func (v *Array) Len() int {
	if v == nil {
		return 0
	}
	return len(v.elems)
}

// At returns the element at index i, which must be at least 0 and below Len.
func (v *Array) At(i int) Value { return v.elems[i] }

// All returns an iterator over the indexes and elements.
func (v *Array) All() iter.Seq2[int, Value] { return slices.All(v.slice()) }

// Values returns an iterator over the elements.
func (v *Array) Values() iter.Seq[Value] { return slices.Values(v.slice()) }

// Append returns an Array of the elements of v followed by elems. v is
// unchanged.
func (v *Array) Append(elems ...Value) *Array {
	return &Array{slices.Concat(v.slice(), elems)}
}

// Slice returns an Array of the elements from low up to, but not including,
// high. Both must be valid in a Go slice expression.
func (v *Array) Slice(low, high int) *Array {
	return &Array{v.slice()[low:high:high]}
}

func (v *Array) slice() []Value {
	if v == nil {
		return nil
	}
	return v.elems
}
