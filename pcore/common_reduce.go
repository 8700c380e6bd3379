package pcore

import (
	"maps"
	"slices"
)

// reducer computes the common type of many types. The result is that of calling
// [Common] on one after the other, but the time is linear: the strings of an
// Enum are collected in a set, and the element types of arrays and hashes in
// nested reducers. The zero value has seen no type.
type reducer struct {
	t      Type                // set if none of the other fields is
	values map[string]struct{} // of a case-sensitive Enum
	elem   *reducer            // of an Array of any size
	key    *reducer            // of a Hash of any size
	val    *reducer
}

// result returns the common type: Undef if only Undef was added, nil if nothing
// was.
func (r *reducer) result() Type {
	switch {
	case r.values != nil:
		return &EnumType{values: slices.Sorted(maps.Keys(r.values))}
	case r.elem != nil:
		return NewArrayType(r.elem.result(), nil)
	case r.key != nil:
		return NewHashType(r.key.result(), r.val.result(), nil)
	default:
		return r.t
	}
}

func (r *reducer) isUnit() bool { return r.t != nil && isUnit(r.t) }

func (r *reducer) add(t Type) {
	if !r.collect(t) {
		*r = reducer{t: r.result()}
		r.start(t)
	}
}

// collect adds t to the set or the nested reducers. It reports false if t is
// not of the kind being collected.
func (r *reducer) collect(t Type) bool {
	if isNothing(t) || isUnit(t) {
		return r.values != nil || r.elem != nil || r.key != nil
	}
	switch t := t.(type) {
	case *StringType:
		if r.values != nil && t.literal != nil {
			r.values[*t.literal] = struct{}{}
			return true
		}
	case *EnumType:
		if r.values != nil && !t.fold && len(t.values) > 0 {
			for _, v := range t.values {
				r.values[v] = struct{}{}
			}
			return true
		}
	case *ArrayType:
		if r.elem != nil {
			if !r.elem.isUnit() { // a Unit accepts all elements
				r.elem.add(t.Elem())
			}
			return true
		}
	case *HashType:
		if r.key != nil && !r.key.isUnit() && !r.val.isUnit() {
			r.key.add(t.keyType())
			r.val.add(t.Elem())
			return true
		}
	}
	return false
}

// start begins to collect if neither type accepts the other and both are of a
// kind that collect supports. Otherwise the common type is computed at once.
func (r *reducer) start(t Type) {
	first := r.t
	if first == nil || isNothing(first) || isNothing(t) || isUnit(first) || isUnit(t) || Accepts(first, t) || Accepts(t, first) {
		r.t = Common(first, t)
		return
	}
	switch first := first.(type) {
	case *StringType, *EnumType:
		kind := reducer{values: make(map[string]struct{})}
		if kind.collect(first) && kind.collect(t) {
			*r = kind
			return
		}
	case *ArrayType:
		if t, ok := t.(*ArrayType); ok {
			*r = reducer{elem: pairReducer(first.Elem(), t.Elem())}
			return
		}
	case *HashType:
		if t, ok := t.(*HashType); ok {
			*r = reducer{key: pairReducer(first.keyType(), t.keyType()), val: pairReducer(first.Elem(), t.Elem())}
			return
		}
	}
	r.t = Common(first, t)
}

func pairReducer(a, b Type) *reducer {
	r := &reducer{t: a}
	r.add(b)
	return r
}
