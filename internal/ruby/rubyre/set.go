package rubyre

import (
	"cmp"
	"iter"
	"slices"
	"unicode"
)

// runeRange is the range of characters lo to hi, both inclusive.
type runeRange struct{ lo, hi rune }

// runeSet is a set of characters: ascending ranges that are neither overlapping
// nor adjacent. The nil set is empty.
type runeSet []runeRange

// newSet returns the set of the characters in ranges, which may be in any
// order.
func newSet(ranges ...runeRange) runeSet {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b runeRange) int { return cmp.Compare(a.lo, b.lo) })
	out := sorted[:0]
	for _, r := range sorted {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
		} else {
			out = append(out, r)
		}
	}
	return runeSet(out)
}

// tableSet returns the union of the tables.
func tableSet(tables ...*unicode.RangeTable) runeSet {
	var ranges []runeRange
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			ranges = append(ranges, runeRange{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			ranges = append(ranges, runeRange{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return newSet(ranges...)
}

// allRunes returns the set of all characters.
func allRunes() runeSet { return runeSet{{0, unicode.MaxRune}} }

// asciiRunes returns the set of the ASCII characters.
func asciiRunes() runeSet { return runeSet{{0, unicode.MaxASCII}} }

// union returns the union of s and t.
func (s runeSet) union(t runeSet) runeSet {
	if len(s) == 0 {
		return t
	}
	if len(t) == 0 {
		return s
	}
	return newSet(slices.Concat(s, t)...)
}

// negate returns the complement of s.
func (s runeSet) negate() runeSet {
	var out runeSet
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, runeRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, runeRange{next, unicode.MaxRune})
	}
	return out
}

// intersect returns the intersection of s and t.
func (s runeSet) intersect(t runeSet) runeSet {
	var out runeSet
	for i, j := 0, 0; i < len(s) && j < len(t); {
		lo, hi := max(s[i].lo, t[j].lo), min(s[i].hi, t[j].hi)
		if lo <= hi {
			out = append(out, runeRange{lo, hi})
		}
		if s[i].hi < t[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// contains reports whether r is in s.
func (s runeSet) contains(r rune) bool {
	_, found := slices.BinarySearchFunc(s, r, func(x runeRange, r rune) int {
		switch {
		case x.hi < r:
			return -1
		case x.lo > r:
			return 1
		}
		return 0
	})
	return found
}

// smallSet is the maximum number of characters of a set to examine one by one.
const smallSet = 512

// small reports whether s has at most smallSet characters.
func (s runeSet) small() bool {
	n := 0
	for _, r := range s {
		if n += int(r.hi-r.lo) + 1; n > smallSet {
			return false
		}
	}
	return true
}

// all yields the characters of s.
func (s runeSet) all() iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, x := range s {
			for r := x.lo; r <= x.hi; r++ {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// single returns the only character of s, if it has exactly one.
func (s runeSet) single() (rune, bool) {
	if len(s) == 1 && s[0].lo == s[0].hi {
		return s[0].lo, true
	}
	return 0, false
}
