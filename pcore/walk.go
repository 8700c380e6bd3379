package pcore

import (
	"errors"
)

// SkipChildren is returned by the function passed to [Walk] to skip the values
// inside the current one. It is not a failure, and so its name follows
// fs.SkipDir.
var SkipChildren = errors.New("pcore: skip the children of this value")

// Cursor is the position of [Walk] or [Rewrite]. It is valid only during the
// call of the visit function.
type Cursor struct {
	value  Value
	path   Path
	secret int
}

// Value returns the current value.
func (c *Cursor) Value() Value { return c.value }

// Path returns a copy of the path from the root to the value.
func (c *Cursor) Path() Path { return append(Path(nil), c.path...) }

// Last returns the last step of the path, or false at the root.
func (c *Cursor) Last() (Step, bool) {
	if len(c.path) == 0 {
		return Step{}, false
	}
	return c.path[len(c.path)-1], true
}

// Depth returns the number of steps from the root.
func (c *Cursor) Depth() int { return len(c.path) }

// Secret reports whether the value is inside a Sensitive.
func (c *Cursor) Secret() bool { return c.secret > 0 }

// IsKey reports whether the value is a key of a Hash, or part of one.
func (c *Cursor) IsKey() bool {
	for _, s := range c.path {
		if s.Kind == StepKey {
			return true
		}
	}
	return false
}

// Walk calls visit for v and for every value inside it, outermost first and in
// order: elements, keys and values, the content of a Sensitive, the arguments
// of a Deferred, and the attributes of an Object. It does not descend into
// types. It stops at the first error of visit except [SkipChildren].
func Walk(v Value, visit func(*Cursor) error) error {
	return (&walker{visit: visit}).walk(v)
}

// Search calls look for v and for every value inside it, in the order of
// [Walk], until look reports found, and reports whether it did. The values
// inside a value are visited if look reports inside. Search is faster than
// Walk, but provides no paths.
func Search(v Value, look func(Value) (found, inside bool)) bool {
	found, inside := look(v)
	if found || !inside {
		return found
	}
	switch v := v.(type) {
	case *Array:
		return searchArray(v, look)
	case *Hash:
		return searchHash(v, look)
	case *Sensitive:
		return Search(v.Reveal(), look) //nolint:forbidigo // as Walk does
	case *Deferred:
		return searchArray(v.args, look)
	case *Object:
		for _, e := range v.attrs.All() { // names are not visited
			if Search(e, look) {
				return true
			}
		}
		return false
	default:
		return false
	}
}

func searchArray(v *Array, look func(Value) (found, inside bool)) bool {
	for e := range v.Values() {
		if Search(e, look) {
			return true
		}
	}
	return false
}

func searchHash(v *Hash, look func(Value) (found, inside bool)) bool {
	for k, e := range v.All() {
		if Search(k, look) || Search(e, look) {
			return true
		}
	}
	return false
}

type walker struct {
	Cursor
	visit func(*Cursor) error
}

func (w *walker) walk(v Value) error {
	w.value = v
	if err := w.visit(&w.Cursor); err != nil {
		if errors.Is(err, SkipChildren) {
			return nil
		}
		return err
	}
	return w.children(v, func(child Value) (Value, error) { return child, w.walk(child) }, nil)
}

// Rewrite returns v with every value inside it, innermost first, replaced by
// the result of visit. Unchanged parts are shared with v; if nothing changes,
// the result is v itself. Rewrite visits the same values as [Walk];
// [Cursor.IsKey] identifies keys.
func Rewrite(v Value, visit func(*Cursor) (Value, error)) (Value, error) {
	return (&rewriter{visit: visit}).rewrite(v)
}

type rewriter struct {
	Cursor
	visit func(*Cursor) (Value, error)
}

func (r *rewriter) rewrite(v Value) (Value, error) {
	changed := v
	err := r.children(v, r.rewrite, func(to Value) { changed = to })
	if err != nil {
		return nil, err
	}
	r.value = changed
	return r.visit(&r.Cursor)
}

// children calls f for each value directly inside v, with the path set to it.
// If a result differs from the value, rebuilt is called with a copy of v that
// contains the results.
func (c *Cursor) children(v Value, f func(Value) (Value, error), rebuilt func(Value)) error {
	switch v := v.(type) {
	case *Array:
		elems, err := c.list(v, StepIndex, f)
		if err == nil && elems != nil {
			rebuilt(&Array{elems})
		}
		return err
	case *Hash:
		h, err := c.hash(v, f)
		if err == nil && h != nil {
			rebuilt(h)
		}
		return err
	case *Sensitive:
		inner := v.Reveal() //nolint:forbidigo // Cursor.Secret informs the caller
		c.secret++
		to, err := c.step(Step{Kind: StepSecret}, inner, f)
		c.secret--
		if err == nil && to != inner {
			rebuilt(NewSensitive(to))
		}
		return err
	case *Deferred:
		args, err := c.list(v.args, StepArgument, f)
		if err == nil && args != nil {
			rebuilt(NewDeferred(v.name, &Array{args}))
		}
		return err
	case *Object:
		attrs, err := c.attributes(v, f)
		if err == nil && attrs != nil {
			rebuilt(NewObject(v.typ, attrs))
		}
		return err
	default:
		return nil
	}
}

func (c *Cursor) step(s Step, v Value, f func(Value) (Value, error)) (Value, error) {
	c.path = append(c.path, s)
	to, err := f(v)
	c.path = c.path[:len(c.path)-1]
	return to, err
}

// list returns nil if nothing changed.
func (c *Cursor) list(v *Array, kind StepKind, f func(Value) (Value, error)) ([]Value, error) {
	var elems []Value
	for i, e := range v.All() {
		to, err := c.step(Step{Kind: kind, Index: i}, e, f)
		if err != nil {
			return nil, err
		}
		if to != e && elems == nil {
			elems = append(make([]Value, 0, v.Len()), v.elems[:i]...)
		}
		if elems != nil {
			elems = append(elems, to)
		}
	}
	return elems, nil
}

// hash returns nil if nothing changed.
func (c *Cursor) hash(v *Hash, f func(Value) (Value, error)) (*Hash, error) {
	listed := !v.HasPlainKeys()
	entries := make([]Entry, 0, v.Len())
	changed := false
	i := 0
	for k, e := range v.All() {
		key, err := c.step(Step{Kind: StepKey, Index: i, Key: k, Listed: listed}, k, f)
		if err != nil {
			return nil, err
		}
		val, err := c.step(Step{Kind: StepEntry, Index: i, Key: k, Listed: listed}, e, f)
		if err != nil {
			return nil, err
		}
		changed = changed || key != k || val != e
		entries = append(entries, Entry{key, val})
		i++
	}
	if !changed {
		return nil, nil
	}
	return NewHash(entries...), nil
}

// attributes returns nil if nothing changed. Names are not visited.
func (c *Cursor) attributes(v *Object, f func(Value) (Value, error)) (*Hash, error) {
	b := NewHashBuilder(v.attrs.Len())
	changed := false
	i := 0
	for k, e := range v.attrs.All() {
		to, err := c.step(Step{Kind: StepAttribute, Index: i, Key: k}, e, f)
		if err != nil {
			return nil, err
		}
		changed = changed || to != e
		b.Set(k, to)
		i++
	}
	if !changed {
		return nil, nil
	}
	return b.Hash(), nil
}
