package convert

import (
	"github.com/pcatdev/pcat/pcore"
)

func newSensitive(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	return pcore.NewSensitive(args[0]), nil
}

// objectConstructor accepts the attributes by name, in a hash, or by position. The type Annotation has only the latter.
func objectConstructor(t *pcore.ObjectType) constructor {
	var names []string
	for _, e := range t.InitType().Elements() {
		names = append(names, e.Name())
	}
	ways := []way{
		by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
			return instance(t.NewByName(args[0].(*pcore.Hash)))
		}, "hash"),
		by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) { return instance(t.New(args...)) }, names...),
	}
	if accepts, err := pcore.ConstructorParameters(t); err == nil && len(accepts) == 1 {
		ways = ways[1:]
	}
	return constructor{name: "new_" + t.Name(), ways: ways}
}

// instance returns an object, converted to a Deferred if it is one.
func instance(o *pcore.Object, err error) (pcore.Value, error) {
	if err != nil {
		return nil, err
	}
	if o.Type() != pcore.Type(pcore.DeferredType()) {
		return o, nil
	}
	name, _ := o.Get("name")
	text, _ := name.(pcore.String)
	arguments, _ := o.Get("arguments")
	list, _ := arguments.(*pcore.Array)
	return pcore.NewDeferred(string(text), list), nil
}

// initConstructor creates an instance of the type in an Init from one value. An
// array that is not an argument itself is the list of all arguments.
func initConstructor(t *pcore.InitType) constructor {
	create := func(c *Converter, args []pcore.Value) (pcore.Value, error) {
		if err := t.Err(); err != nil {
			return nil, err
		}
		more := t.Arguments()
		if list, ok := args[0].(*pcore.Array); ok && len(more) == 0 && !isArgument(t.Elem(), list) {
			args = args[:0:0]
			for e := range list.Values() {
				args = append(args, e)
			}
		}
		return c.New(t.Elem(), append(args[:len(args):len(args)], more...)...)
	}
	return constructor{name: "new_Init", ways: []way{by(create, "value")}}
}

// isArgument reports whether v is an instance of t, or an argument of a
// constructor of t with exactly one parameter.
func isArgument(t pcore.Type, v pcore.Value) bool {
	if pcore.Contains(t, v) {
		return true
	}
	accepts, err := pcore.ConstructorParameters(t)
	if err != nil {
		return false
	}
	for _, a := range accepts {
		if types := a.Types(); len(types) == 1 && a.Size() == nil && pcore.Contains(types[0], v) {
			return true
		}
	}
	return false
}
