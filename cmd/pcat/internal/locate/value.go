package locate

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// LocationError reports that a resource has no value at a location.
type LocationError struct {
	Ref  catalog.Ref
	Path []string // up to the step that is missing
	// Known are the names at that step; none if the value before it has no parts.
	Known []string
}

// Error implements error. It does not include Known.
func (e *LocationError) Error() string {
	if len(e.Path) == 1 {
		return fmt.Sprintf("%s has no parameter %q", e.Ref, e.Path[0])
	}
	before, last := strings.Join(e.Path[:len(e.Path)-1], "/"), e.Path[len(e.Path)-1]
	if len(e.Known) == 0 {
		return fmt.Sprintf("%s/%s has no parts, so there is no %q", e.Ref, before, last)
	}
	return fmt.Sprintf("%s/%s has no key %q", e.Ref, before, last)
}

// Value returns the value at [Found.Path], which must not be empty: of a parameter or of
// another member, or a part of it. A part of a secret is not looked up: the result is the
// whole Sensitive. The error is a *[LocationError], or a *[catalog.Error] about a
// parameter that cannot be decoded.
func (f *Found) Value() (pcore.Value, error) {
	r := f.Resource
	var d descent
	named := false
	for n := len(f.Path); n > 0; n-- { // the name may contain slashes
		name := strings.Join(f.Path[:n], "/")
		v, ok, err := r.Parameter(name)
		if err != nil {
			return nil, err
		}
		if !ok {
			v, ok = r.Member(name)
		}
		if !ok {
			continue
		}
		named = true
		if found := d.find(v, f.Path[n:], n); found != nil {
			return found, nil
		}
	}
	if !named {
		return nil, &LocationError{Ref: r.Ref(), Path: f.Path[:1], Known: r.ParameterNames()}
	}
	return nil, &LocationError{Ref: r.Ref(), Path: f.Path[:d.depth+1], Known: d.known}
}

// descent is a search for a location in a value. It remembers the deepest step that is
// missing, with the names at that step.
type descent struct {
	depth int
	known []string
}

// find returns the value at a path below v, or nil. v is at the given depth.
func (d *descent) find(v pcore.Value, path []string, depth int) pcore.Value {
	if _, secret := v.(*pcore.Sensitive); secret || len(path) == 0 {
		return v
	}
	matched := false
	var names []string
	for name, part := range partsOf(v) {
		if len(names) < maxKnown {
			names = append(names, name)
		}
		n := 1 + strings.Count(name, "/") // a key may contain slashes
		if n > len(path) || strings.Join(path[:n], "/") != name {
			continue
		}
		matched = true
		if found := d.find(part, path[n:], depth+n); found != nil {
			return found
		}
	}
	if !matched && depth >= d.depth {
		d.depth, d.known = depth, names
	}
	return nil
}

// maxKnown bounds the names in a [LocationError].
const maxKnown = 1000

// partsOf returns an iterator over the parts of a value, with their names as locations
// show them.
func partsOf(v pcore.Value) iter.Seq2[string, pcore.Value] {
	return func(yield func(string, pcore.Value) bool) {
		switch v := v.(type) {
		case *pcore.Array:
			for i := range v.Len() {
				if !yield(strconv.Itoa(i), v.At(i)) {
					return
				}
			}
		case *pcore.Hash:
			for k, e := range v.All() {
				name := k.String()
				if text, ok := k.(pcore.String); ok {
					name = string(text)
				}
				if !yield(name, e) {
					return
				}
			}
		case *pcore.Object:
			partsOf(v.Attributes())(yield)
		case *pcore.Deferred:
			_ = yield("name", pcore.String(v.Name())) && yield("arguments", v.Arguments())
		default:
		}
	}
}
