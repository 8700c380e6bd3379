package roundtrip

import (
	"fmt"
	"math"

	"github.com/pcatdev/pcat/pcore"
)

// comparison finds the first difference of two values.
type comparison struct {
	path          pcore.Path
	secrets       int // number of enclosing Sensitives
	before, after string
}

// first returns the path of the first difference of a and b in writing order,
// and descriptions of both values there. Unlike [pcore.Identical] it also
// compares the order of keys, the sign of zero and the text of a version range.
func first(a, b pcore.Value) (path pcore.Path, before, after string, differ bool) {
	var c comparison
	if c.same(a, b) {
		return nil, "", "", false
	}
	return c.path, c.before, c.after, true
}

// differ records the difference at the current path, and returns false.
func (c *comparison) differ(before, after string) bool {
	if c.secrets > 0 {
		before, after = "a secret", "a different one"
	}
	c.before, c.after = before, after
	return false
}

func (c *comparison) same(a, b pcore.Value) bool {
	if pcore.KindOf(a) != pcore.KindOf(b) {
		return c.differ(describe(a), describe(b))
	}
	switch a := a.(type) {
	case *pcore.Array:
		return c.arrays(a, b.(*pcore.Array))
	case *pcore.Hash:
		return c.hashes(a, b.(*pcore.Hash), pcore.StepEntry)
	case *pcore.Sensitive:
		return c.sensitives(a, b.(*pcore.Sensitive))
	case *pcore.Deferred:
		return c.deferreds(a, b.(*pcore.Deferred))
	case *pcore.Object:
		return c.objects(a, b.(*pcore.Object))
	default:
		return identical(a, b) || c.differ(describe(a), another(a, b))
	}
}

// identical compares values without members.
func identical(a, b pcore.Value) bool {
	switch a := a.(type) {
	case pcore.Float:
		b, ok := b.(pcore.Float)
		return ok && math.Float64bits(float64(a)) == math.Float64bits(float64(b))
	case *pcore.SemVerRange:
		b, ok := b.(*pcore.SemVerRange)
		return ok && a.Text() == b.Text()
	case pcore.Type:
		b, ok := b.(pcore.Type)
		return ok && pcore.EqualTypes(a, b)
	default:
		return pcore.Identical(a, b)
	}
}

func (c *comparison) within(step pcore.Step, a, b pcore.Value) bool {
	c.path = append(c.path, step)
	if !c.same(a, b) {
		return false
	}
	c.path = c.path[:len(c.path)-1]
	return true
}

func (c *comparison) arrays(a, b *pcore.Array) bool {
	if a.Len() != b.Len() {
		return c.differ(describe(a), describe(b))
	}
	for i := range a.Len() {
		x, y := a.At(i), b.At(i)
		if !sameText(x, y) && !c.within(pcore.Step{Kind: pcore.StepIndex, Index: i}, x, y) {
			return false
		}
	}
	return true
}

// sameText reports whether a and b are equal Strings, as most values are.
func sameText(a, b pcore.Value) bool {
	x, ok := a.(pcore.String)
	if !ok {
		return false
	}
	y, ok := b.(pcore.String)
	return ok && x == y
}

func (c *comparison) hashes(a, b *pcore.Hash, kind pcore.StepKind) bool {
	if a.Len() != b.Len() {
		return c.differ(describe(a), describe(b))
	}
	for i := range a.Len() {
		x, y := a.At(i), b.At(i)
		if !sameText(x.Key, y.Key) {
			if !pcore.Identical(x.Key, y.Key) {
				return c.differ(fmt.Sprintf("the key at index %d", i), "a different one")
			}
			if !c.within(pcore.Step{Kind: pcore.StepKey, Index: i, Key: x.Key}, x.Key, y.Key) {
				return false
			}
		}
		if !sameText(x.Value, y.Value) && !c.within(pcore.Step{Kind: kind, Index: i, Key: x.Key}, x.Value, y.Value) {
			return false
		}
	}
	return true
}

func (c *comparison) sensitives(a, b *pcore.Sensitive) bool {
	c.secrets++
	x, y := a.Reveal(), b.Reveal() //nolint:forbidigo // compared, never shown
	if !c.within(pcore.Step{Kind: pcore.StepSecret}, x, y) {
		return false
	}
	c.secrets--
	return true
}

func (c *comparison) deferreds(a, b *pcore.Deferred) bool {
	if a.Name() != b.Name() {
		return c.differ("a call of a function", "a call of another function")
	}
	if (a.Arguments() == nil) != (b.Arguments() == nil) || a.Arguments().Len() != b.Arguments().Len() {
		return c.differ(fmt.Sprintf("a call with %d arguments", a.Arguments().Len()), fmt.Sprintf("a call with %d", b.Arguments().Len()))
	}
	for i, e := range a.Arguments().All() {
		if !c.within(pcore.Step{Kind: pcore.StepArgument, Index: i}, e, b.Arguments().At(i)) {
			return false
		}
	}
	return true
}

// objects compares the written attributes of two objects. One format may contain
// the name of a type where another contains its definition.
func (c *comparison) objects(a, b *pcore.Object) bool {
	if a.TypeName() != b.TypeName() {
		return c.differ("an object of type "+a.TypeName(), "an object of type "+b.TypeName())
	}
	return c.hashes(a.Arguments(), b.Arguments(), pcore.StepAttribute)
}

// describe describes a value without revealing it.
func describe(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.String:
		return fmt.Sprintf("a String of %d bytes", len(v))
	case pcore.Binary:
		return fmt.Sprintf("a Binary of %d bytes", v.Len())
	case *pcore.Array:
		return fmt.Sprintf("an Array of %d elements", v.Len())
	case *pcore.Hash:
		return fmt.Sprintf("a Hash of %d entries", v.Len())
	case pcore.Undef:
		return "undef"
	case pcore.Default:
		return "default"
	case pcore.Integer, pcore.BigInteger:
		return "an Integer"
	case *pcore.Object:
		return "an object of type " + v.TypeName()
	case pcore.Type:
		return "a type"
	default:
		return "a " + pcore.KindOf(v).String()
	}
}

func another(a, b pcore.Value) string {
	if was, is := describe(a), describe(b); was != is {
		return is
	}
	return "a different one"
}
