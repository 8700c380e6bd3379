package deferred

import (
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// For the functions of an agent, a Binary is a byte string, and results derived
// from it are byte strings again. Here, a byte string is a String during the
// call, and a Binary outside of it.

// bytesAsText returns the arguments with each Binary replaced by a String. found
// reports whether there is one.
func bytesAsText(args []pcore.Value) (texts []pcore.Value, found bool) {
	if !slices.ContainsFunc(args, holdsBinary) {
		return args, false
	}
	texts = make([]pcore.Value, len(args))
	for i, v := range args {
		texts[i] = rewritten(v, func(v pcore.Value) pcore.Value {
			if b, ok := v.(pcore.Binary); ok {
				found = true
				return pcore.String(b.Raw())
			}
			return v
		})
	}
	return texts, found
}

// holdsBinary reports whether v contains a Binary, also in a key, but not in an
// Object.
func holdsBinary(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		return v.Kind() == pcore.KindBinary, v.Kind() != pcore.KindObject
	})
}

// textAsBytes replaces each String in v that is not valid UTF-8, or each String
// if all is set, by a Binary.
func textAsBytes(v pcore.Value, all bool) pcore.Value {
	return rewritten(v, func(v pcore.Value) pcore.Value {
		if s, ok := v.(pcore.String); ok && (all || !utf8.ValidString(string(s))) {
			return pcore.NewBinaryString(string(s))
		}
		return v
	})
}

// rewritten returns v with f applied to the values in it, except for keys and
// the contents of Objects.
func rewritten(v pcore.Value, f func(pcore.Value) pcore.Value) pcore.Value {
	if v.Kind() == pcore.KindObject {
		return v
	}
	to, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if c.IsKey() {
			return c.Value(), nil
		}
		return f(c.Value()), nil
	})
	if err != nil {
		return v // unreachable: f returns no error
	}
	return to
}

// givesBytes reports whether a function returns byte strings: the first text or
// Binary in its arguments determines the encoding.
func (r *Run) givesBytes(name string, args []pcore.Value) bool {
	if f, ok := r.Functions.Function(function.CanonicalName(name)); ok && f.OwnText {
		return false
	}
	var first pcore.Value
	for _, v := range args {
		_ = pcore.Walk(v, func(c *pcore.Cursor) error {
			kind := c.Value().Kind()
			if first == nil && !c.IsKey() && (kind == pcore.KindString || kind == pcore.KindBinary) {
				first = c.Value()
			}
			if first != nil || kind == pcore.KindObject {
				return pcore.SkipChildren
			}
			return nil
		})
	}
	return first != nil && first.Kind() == pcore.KindBinary
}
