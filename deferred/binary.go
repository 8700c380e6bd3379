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

// textAsBytes replaces each String in the result of a call that is a byte string by a
// Binary.
func (r *Run) textAsBytes(name string, args []pcore.Value, result pcore.Value) pcore.Value {
	o := r.originOf(name, args)
	if result.Kind() == pcore.KindObject {
		return result
	}
	to, err := pcore.Rewrite(result, func(c *pcore.Cursor) (pcore.Value, error) {
		if s, ok := c.Value().(pcore.String); ok && !c.IsKey() && o.isBytes(string(s), c.Path()) {
			return pcore.NewBinaryString(string(s)), nil
		}
		return c.Value(), nil
	})
	if err != nil {
		return result // unreachable: the function returns no error
	}
	return to
}

// origin decides whether a text in the result of a call is a byte string. The functions of an
// agent keep the encoding of a text that they pass on or convert by itself, and texts that
// they put together have the encoding of the first.
type origin struct {
	own          bool            // the function makes its texts itself
	first        pcore.Value     // the argument that is converted, if the result has its shape
	bytes, texts map[string]bool // the Binary values and Strings in arrays and hashes among the arguments
	together     bool            // the first text is a byte string
}

func (r *Run) originOf(name string, args []pcore.Value) *origin {
	o := &origin{bytes: make(map[string]bool), texts: make(map[string]bool), together: r.givesBytes(name, args)}
	if f, ok := r.Functions.Function(function.CanonicalName(name)); ok {
		o.own = f.OwnText
	}
	if len(args) > 0 {
		o.first = args[0]
	}
	keys := make(map[string]bool)
	for _, v := range args {
		_ = pcore.Walk(v, func(c *pcore.Cursor) error {
			switch v := c.Value().(type) {
			case *pcore.Object:
				return pcore.SkipChildren
			case pcore.String:
				if c.IsKey() {
					keys[string(v)] = true
				} else if c.Depth() > 0 {
					o.texts[string(v)] = true
				}
			case pcore.Binary:
				if c.Depth() > 0 {
					o.bytes[v.Raw()] = true
				}
			default: // no text
			}
			return nil
		})
	}
	for key := range keys {
		if !o.bytes[key] {
			o.texts[key] = true
		}
	}
	return o
}

// isBytes reports whether the text at a path of the result is a byte string.
func (o *origin) isBytes(text string, at pcore.Path) bool {
	switch {
	case !utf8.ValidString(text):
		return true
	case o.own:
		return false
	case o.bytes[text] != o.texts[text]:
		return o.bytes[text] // passed on
	}
	if source, ok := lookup(o.first, at); ok && len(at) > 0 {
		switch source.(type) {
		case pcore.Binary:
			return true
		case pcore.String:
			return false
		default: // the text is made of something else
		}
	}
	return o.together
}

// lookup returns the part of v at a path, or false if there is none.
func lookup(v pcore.Value, at pcore.Path) (pcore.Value, bool) {
	for _, step := range at {
		ok := false
		switch within := v.(type) {
		case *pcore.Array:
			if ok = step.Kind == pcore.StepIndex && step.Index < within.Len(); ok {
				v = within.At(step.Index)
			}
		case *pcore.Hash:
			if step.Kind == pcore.StepEntry {
				v, ok = within.Get(step.Key)
			}
		default: // it has no parts
		}
		if !ok {
			return nil, false
		}
	}
	return v, v != nil
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
