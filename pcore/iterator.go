package pcore

import "iter"

// Iterator is a lazy sequence of values, the result of `reverse_each` and
// `step`. It can be iterated several times. It is not data and cannot be
// serialized.
type Iterator struct {
	elem Type
	seq  iter.Seq[Value]
}

// NewIterator returns an Iterator over seq, whose values are of type elem.
func NewIterator(elem Type, seq iter.Seq[Value]) *Iterator { return &Iterator{elem, seq} }

// Elem returns the type of the values.
func (v *Iterator) Elem() Type { return v.elem }

// Values returns the sequence.
func (v *Iterator) Values() iter.Seq[Value] { return v.seq }

// kind returns kindIterator.
func (*Iterator) kind() Kind { return kindIterator }

// String returns the text that the reference implementation interpolates.
func (v *Iterator) String() string { return "Iterator[" + Generalize(v.elem).String() + "]-Value" }

func (*Iterator) value() {}
