package deferred

import (
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// To the functions that an agent calls, a Binary is a string of bytes, and what
// they make of one is bytes again, a Binary. Here, such a string is a String
// during the call.

// bytesAsText returns the arguments with a String in place of each Binary, and
// whether there is one.
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

// holdsBinary reports whether there is a Binary where rewritten looks, or in a
// key.
func holdsBinary(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		return v.Kind() == pcore.KindBinary, v.Kind() != pcore.KindObject
	})
}

// textAsBytes returns a result with a Binary in place of each String that is no
// text, or of all when it was made of bytes.
func textAsBytes(v pcore.Value, all bool) pcore.Value {
	return rewritten(v, func(v pcore.Value) pcore.Value {
		if s, ok := v.(pcore.String); ok && (all || !utf8.ValidString(string(s))) {
			return pcore.NewBinaryString(string(s))
		}
		return v
	})
}

// rewritten returns v with f applied to what is in it, but for keys, and for
// what an Object holds.
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
		return v // f gives none
	}
	return to
}

// givesBytes reports whether the text that a function returns is made of bytes:
// the first text among its arguments gives the encoding.
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
