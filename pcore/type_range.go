package pcore

import (
	"cmp"
	"fmt"
	"math"
)

// Bound is one end of a range. The zero value is an open end.
type Bound[T any] struct {
	value T
	set   bool
}

// At returns an inclusive bound.
func At[T any](v T) Bound[T] { return Bound[T]{v, true} }

// Get returns the bound, or false if the range is open at this end.
func (b Bound[T]) Get() (T, bool) { return b.value, b.set }

// bounds is a range with inclusive ends. Most methods take the function that
// orders the values.
type bounds[T any] struct{ from, to Bound[T] }

func checkBounds[T any](from, to Bound[T], compare func(a, b T) int) error {
	if from.set && to.set && compare(from.value, to.value) > 0 {
		return fmt.Errorf("the lower bound %v must not be above the upper bound %v", from.value, to.value)
	}
	return nil
}

func (r bounds[T]) unbounded() bool { return !r.from.set && !r.to.set }

func (r bounds[T]) contains(v T, compare func(a, b T) int) bool {
	return (!r.from.set || compare(r.from.value, v) <= 0) && (!r.to.set || compare(v, r.to.value) <= 0)
}

func (r bounds[T]) covers(o bounds[T], compare func(a, b T) int) bool {
	return (!r.from.set || o.from.set && compare(r.from.value, o.from.value) <= 0) &&
		(!r.to.set || o.to.set && compare(o.to.value, r.to.value) <= 0)
}

func (r bounds[T]) equal(o bounds[T], compare func(a, b T) int) bool {
	return equalBound(r.from, o.from, compare) && equalBound(r.to, o.to, compare)
}

func equalBound[T any](a, b Bound[T], compare func(a, b T) int) bool {
	return a.set == b.set && (!a.set || compare(a.value, b.value) == 0)
}

// hull returns the smallest range that covers both ranges.
func (r bounds[T]) hull(o bounds[T], compare func(a, b T) int) bounds[T] {
	var h bounds[T]
	if r.from.set && o.from.set {
		h.from = r.from
		if compare(o.from.value, r.from.value) < 0 {
			h.from = o.from
		}
	}
	if r.to.set && o.to.set {
		h.to = r.to
		if compare(o.to.value, r.to.value) > 0 {
			h.to = o.to
		}
	}
	return h
}

// intersects reports whether the ranges have a common value.
func (r bounds[T]) intersects(o bounds[T], compare func(a, b T) int) bool {
	return !(r.to.set && o.from.set && compare(r.to.value, o.from.value) < 0) &&
		!(o.to.set && r.from.set && compare(o.to.value, r.from.value) < 0)
}

// IntegerType describes the integers in a range with inclusive bounds:
// Integer[1, 10].
type IntegerType struct {
	typeKind
	bounds[int64]
}

// NewIntegerType returns Integer[from, to]. It is an error if from is greater
// than to.
func NewIntegerType(from, to Bound[int64]) (*IntegerType, error) {
	if err := checkBounds(from, to, cmp.Compare[int64]); err != nil {
		return nil, fmt.Errorf("Integer: %w", err)
	}
	return &IntegerType{bounds: bounds[int64]{from, to}}, nil
}

// From returns the lower bound.
func (t *IntegerType) From() Bound[int64] { return t.from }

// To returns the upper bound.
func (t *IntegerType) To() Bound[int64] { return t.to }

// typeName returns "Integer".
func (*IntegerType) typeName() string { return "Integer" }

func (t *IntegerType) String() string { return formatType(t) }

// integerRange returns Integer[from, to].
func integerRange(from, to int64) *IntegerType {
	return &IntegerType{bounds: bounds[int64]{At(from), At(to)}}
}

// atLeast returns Integer[from].
func atLeast(from int64) *IntegerType { return &IntegerType{bounds: bounds[int64]{from: At(from)}} }

// limits returns the range, with the smallest and largest int64 for open ends.
func (t *IntegerType) limits() (int64, int64) {
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	if t.from.set {
		from = t.from.value
	}
	if t.to.set {
		to = t.to.value
	}
	return from, to
}

// asSize returns the range limited to valid sizes, which are never below 0.
func (t *IntegerType) asSize() *IntegerType {
	switch {
	case t == nil || t.from.set && t.from.value >= 0:
		return t
	case t.to.set:
		return integerRange(0, max(0, t.to.value))
	default:
		return atLeast(0)
	}
}

// sizeOrDefault returns t, or for nil Integer[0], which is any size.
func sizeOrDefault(t *IntegerType) *IntegerType {
	if t == nil {
		return atLeast(0)
	}
	return t
}

// sizeBounds returns the bounds of sizeOrDefault.
func sizeBounds(t *IntegerType) bounds[int64] {
	if t == nil {
		return bounds[int64]{from: At[int64](0)}
	}
	return t.bounds
}

func exactly(n int) bounds[int64] { return bounds[int64]{At(int64(n)), At(int64(n))} }

func (t *IntegerType) coversSize(o *IntegerType) bool { return coversBounds(t.bounds, o.bounds) }

func (t *IntegerType) coversRange(o bounds[int64]) bool { return coversBounds(t.bounds, o) }

// coversSizes is coversSize for sizes that may be nil, which means Integer[0].
func coversSizes(t, o *IntegerType) bool { return coversBounds(sizeBounds(t), sizeBounds(o)) }

// coversBounds is covers for integers, without a comparison function.
func coversBounds(r, o bounds[int64]) bool {
	return (!r.from.set || o.from.set && r.from.value <= o.from.value) &&
		(!r.to.set || o.to.set && o.to.value <= r.to.value)
}

// has reports whether n is in the range.
func (t *IntegerType) has(n int64) bool {
	return (!t.from.set || t.from.value <= n) && (!t.to.set || n <= t.to.value)
}

func equalSizes(a, b *IntegerType) bool {
	return (a == nil) == (b == nil) && (a == nil || a.equal(b.bounds, cmp.Compare[int64]))
}

func (t *IntegerType) hasSize(n int) bool {
	return t == nil || t.has(int64(n))
}

// FloatType describes the floats in a range with inclusive bounds: Float[0.0,
// 1.0].
type FloatType struct {
	typeKind
	bounds[float64]
}

// newFloatType returns Float[from, to]. An infinite bound is an open end. It is
// an error if from is greater than to.
func newFloatType(from, to Bound[float64]) (*FloatType, error) {
	if from.set && math.IsInf(from.value, -1) {
		from = Bound[float64]{}
	}
	if to.set && math.IsInf(to.value, 1) {
		to = Bound[float64]{}
	}
	if err := checkBounds(from, to, compareFloats); err != nil {
		return nil, fmt.Errorf("Float: %w", err)
	}
	return &FloatType{bounds: bounds[float64]{from, to}}, nil
}

// compareFloats orders like cmp.Compare, except that NaN is greater than all
// other values.
func compareFloats(a, b float64) int {
	switch {
	case math.IsNaN(a):
		if math.IsNaN(b) {
			return 0
		}
		return 1
	case math.IsNaN(b):
		return -1
	}
	return cmp.Compare(a, b)
}

// typeName returns "Float".
func (*FloatType) typeName() string { return "Float" }

func (t *FloatType) String() string { return formatType(t) }

// TimespanType describes the durations in a range with inclusive bounds.
type TimespanType struct {
	typeKind
	bounds[Timespan]
}

// newTimespanType returns Timespan[from, to]. It is an error if from is greater
// than to.
func newTimespanType(from, to Bound[Timespan]) (*TimespanType, error) {
	if err := checkBounds(from, to, Timespan.Compare); err != nil {
		return nil, fmt.Errorf("Timespan: %w", err)
	}
	return &TimespanType{bounds: bounds[Timespan]{from, to}}, nil
}

// typeName returns "Timespan".
func (*TimespanType) typeName() string { return "Timespan" }

func (t *TimespanType) String() string { return formatType(t) }

// TimestampType describes the times in a range with inclusive bounds.
type TimestampType struct {
	typeKind
	bounds[Timestamp]
}

// newTimestampType returns Timestamp[from, to]. It is an error if from is after
// to.
func newTimestampType(from, to Bound[Timestamp]) (*TimestampType, error) {
	if err := checkBounds(from, to, Timestamp.Compare); err != nil {
		return nil, fmt.Errorf("Timestamp: %w", err)
	}
	return &TimestampType{bounds: bounds[Timestamp]{from, to}}, nil
}

// typeName returns "Timestamp".
func (*TimestampType) typeName() string { return "Timestamp" }

func (t *TimestampType) String() string { return formatType(t) }
