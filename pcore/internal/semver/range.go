package semver

import (
	"errors"
	"slices"
)

// maxAlternatives is the maximum number of alternatives, the parts between ||,
// of a range. It is limited because joining overlapping alternatives compares
// all pairs.
const maxAlternatives = 256

// errTooManyAlternatives is wrapped by the error for a range with more than
// maxAlternatives alternatives.
var errTooManyAlternatives = errors.New("a range of versions has too many alternatives")

// Range is a set of versions: one or more alternatives, each an interval. The
// zero value contains no version. A Range is immutable and safe for concurrent
// use.
type Range struct {
	text         string
	alternatives []simple // they do not overlap; in the order in which Puppet prints them
}

// NewRange returns the range from min to max, which is excluded if excludeMax
// is set. A nil bound means no bound.
//
// Puppet creates such a range from SemVerRange(SemVer('1.0.0'),
// SemVer('2.0.0')), and from overlapping ranges of a SemVer type. It prints the
// bounds swapped, as "2.0.0 - 1.0.0", which parses as a range without versions,
// or "Infinity.0.0 - 1.0.0", which does not parse, if there is no upper bound.
// Here [Range.String] returns "1.0.0 - 2.0.0" and ">=1.0.0", which parse as
// equal ranges.
func NewRange(min, max *Version, excludeMax bool) Range {
	low, high := comparator{op: opAny}, comparator{op: opAny}
	if max != nil && *max != greatest {
		high = comparator{opLessEqual, *max}
		if excludeMax {
			high.op = opLess
		}
	}
	switch {
	case min != nil && *min != least:
		low = comparator{opGreaterEqual, *min}
	case high.op == opAny:
		low.op = opGreaterEqual // not "*", which includes pre-releases
	}
	both, ok := simple{min: low}.intersect(simple{min: high})
	if !ok {
		both = nothing
	}
	return Range{text: boundsText(low, high), alternatives: []simple{both}}
}

// boundsText returns a text that parses as a range with the given bounds.
func boundsText(low, high comparator) string {
	switch {
	case high.op == opAny:
		return string(low.appendText(nil))
	case low.op == opAny:
		return string(high.appendText(nil))
	case high.op == opLess:
		return string(high.appendText(append(low.appendText(nil), ' ')))
	default:
		return low.version.String() + " - " + high.version.String()
	}
}

// String returns the text from which the range was parsed, unchanged. For other
// ranges it is the normal form, except as described at [NewRange].
func (r Range) String() string {
	if r.text == "" {
		return r.Normalized()
	}
	return r.text
}

// Normalized returns the range as comparators, as in Puppet's format %p: "~1.2"
// becomes ">=1.2.0 <1.3.0".
func (r Range) Normalized() string {
	var dst []byte
	for i, s := range r.parts() {
		if i > 0 {
			dst = append(dst, " || "...)
		}
		dst = s.appendText(dst)
	}
	return string(dst)
}

// parts returns the alternatives, at least one.
func (r Range) parts() []simple {
	if len(r.alternatives) == 0 {
		return []simple{nothing}
	}
	return r.alternatives
}

// Equal reports whether r and o are equal in Puppet: whether they have the same
// alternatives in the same order. Their texts do not matter.
func (r Range) Equal(o Range) bool {
	return slices.Equal(r.parts(), o.parts())
}

// Contains reports whether v is in the range. For a pre-release, the
// alternative that contains it must also name a pre-release with the same
// major, minor and patch number, or be "*": 2.0.0-rc.1 is not in ">=1.0.0
// <2.0.0".
func (r Range) Contains(v Version) bool {
	return slices.ContainsFunc(r.alternatives, func(s simple) bool {
		return s.contains(v) && (v.IsStable() || s.admits(v))
	})
}

// Covers reports whether o is between the bounds of r, which is Puppet's rule
// for whether one SemVer type is assignable to another. Puppet fails for ranges
// with several alternatives; here each alternative of o must be covered by one
// of r.
func (r Range) Covers(o Range) bool {
	for _, part := range o.parts() {
		if !slices.ContainsFunc(r.parts(), func(s simple) bool { return s.covers(part) }) {
			return false
		}
	}
	return true
}

func (s simple) covers(o simple) bool {
	if s.begin().Compare(o.begin()) > 0 {
		return false
	}
	c := s.end().Compare(o.end())
	return c > 0 || c == 0 && (!s.excludeEnd() || o.excludeEnd())
}

// Intersection returns the range of the versions between the bounds of both. As
// in Puppet, it has no text of its own: String returns Normalized.
func (r Range) Intersection(o Range) Range {
	var result []simple
	for _, a := range r.alternatives {
		for _, b := range o.alternatives {
			if both, ok := a.intersect(b); ok && !slices.Contains(result, both) {
				result = append(result, both)
			}
		}
	}
	return Range{alternatives: join(result)}
}

// merge returns the range from the lower begin to the higher end of r and o. ok
// is false if there is a gap between them, or if one has more than one
// alternative. Puppet merges the ranges of a SemVer type in this way. As in
// Puppet, the result is too wide in two cases: it always includes its begin,
// and it includes its end if r excludes its end and o has a higher one.
func (r Range) merge(o Range) (merged Range, ok bool) {
	if len(r.parts()) != 1 || len(o.parts()) != 1 {
		return Range{}, false
	}
	a, b := r.parts()[0], o.parts()[0]
	switch {
	case r.Contains(b.begin()) || o.Contains(a.begin()):
		return fromTo(lowest(a, b).begin(), highest(a, b).end(), excludesMergedEnd(a, b)), true
	case a.excludeEnd() && a.end() == b.begin():
		return fromTo(a.begin(), b.end(), b.excludeEnd()), true
	case b.excludeEnd() && b.end() == a.begin():
		return fromTo(b.begin(), a.end(), a.excludeEnd()), true
	default:
		return Range{}, false
	}
}

// excludesMergedEnd reports whether the end of a merged with b is excluded. As
// in Puppet, it is not if a excludes its end and b has a higher one.
func excludesMergedEnd(a, b simple) bool {
	c := a.end().Compare(b.end())
	if a.excludeEnd() {
		return c > 0 || c == 0 && b.excludeEnd()
	}
	return b.excludeEnd() && c < 0
}

func fromTo(min, max Version, excludeMax bool) Range { return NewRange(&min, &max, excludeMax) }

// Merge joins ranges that overlap or touch, and returns the resulting
// ranges in the order of a SemVer type. It fails for more than
// 256 ranges.
func Merge(ranges []Range) ([]Range, error) {
	if len(ranges) > maxAlternatives {
		return nil, errTooManyAlternatives
	}
	return joinAll(ranges, Range.merge), nil
}

// join joins the alternatives of a range until no two of them can be joined.
func join(alternatives []simple) []simple {
	for len(alternatives) > 1 {
		joined := joinAll(alternatives, simple.union)
		if len(joined) == len(alternatives) {
			break
		}
		alternatives = joined
	}
	return alternatives
}

// joinAll makes one pass: it takes the last item, joins it with the others
// where possible, from the first on, and continues with the rest.
func joinAll[T any](items []T, merge func(T, T) (T, bool)) []T {
	items = slices.Clone(items)
	var result []T
	for len(items) > 0 {
		last := len(items) - 1
		joined, rest := items[last], items[:0]
		for _, item := range items[:last] {
			if m, ok := merge(joined, item); ok {
				joined = m
			} else {
				rest = append(rest, item)
			}
		}
		result, items = append(result, joined), rest
	}
	slices.Reverse(result)
	return result
}
