package stdlib

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

// New returns a registry with all functions of this package. types reads the
// types in their signatures, each when its function is asked for.
func New(types function.TypeParser) (*function.Registry, error) {
	r := function.NewRegistry(types)
	if err := r.AddUnread(Functions()...); err != nil {
		return nil, err
	}
	return r, nil
}

// Functions returns the functions of this package, to be added to a registry.
func Functions() []function.Function { return slices.Concat(Core(), Module()) }

// Core returns the functions that the language comes with.
func Core() []function.Function {
	core := slices.Concat(
		caseFunctions(),
		textFunctions(),
		patternFunctions(),
		numberFunctions(),
		compareFunctions(),
		collectionFunctions(),
		navigateFunctions(),
		iterateFunctions(),
		lazyFunctions(),
		typeFunctions(),
		controlFunctions(),
		digestFunctions(),
		timeFunctions(),
		fileFunctions(),
		logFunctions(),
	)
	for i := range core {
		core[i].Source = "puppet"
	}
	return core
}

// on is a dispatch on the arguments that a signature accepts.
func on(signature string, call function.Implementation) function.Dispatch {
	return function.Dispatch{Text: signature, Call: call}
}

// one is the dispatches of a function that has only one.
func one(signature string, call function.Implementation) []function.Dispatch {
	return []function.Dispatch{on(signature, call)}
}

// same returns its first argument.
func same(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return args[0], nil }

func str(v pcore.Value) string { return string(v.(pcore.String)) }

// optional returns the argument at index i, or undef when it was not given.
func optional(args []pcore.Value, i int) pcore.Value {
	if i < len(args) {
		return args[i]
	}
	return pcore.Undef{}
}

// isTruthy reports whether v counts as true: everything but false and undef.
func isTruthy(v pcore.Value) bool {
	return v != pcore.Value(pcore.Boolean(false)) && v != pcore.Value(pcore.Undef{})
}

// longer returns what f makes of the text of v, which has at most so many bytes
// for each of them.
func longer(c *function.Call, v pcore.Value, times int, f func(string) string) (pcore.Value, error) {
	s, err := c.TextOf(v, rubytext.Text)
	if err != nil {
		return nil, err
	}
	const copies = 2 // while it is made
	if err := c.Hold(copies * int64(times) * int64(len(s))); err != nil {
		return nil, err
	}
	s = f(s)
	return pcore.String(s), c.Spend(len(s))
}

func stringArray(texts []string) *pcore.Array {
	elems := make([]pcore.Value, len(texts))
	for i, s := range texts {
		elems[i] = pcore.String(s)
	}
	return pcore.NewArray(elems...)
}
