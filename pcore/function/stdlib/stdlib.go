package stdlib

import (
	"slices"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// New returns a new registry with the functions of a reference, to which others
// can be added. It parses a function's signatures when the function is first
// looked up.
func New(reference pcore.Reference) (*function.Registry, error) {
	r := function.NewRegistry()
	if err := r.AddUnread(functions(reference)...); err != nil {
		return nil, err
	}
	return r, nil
}

// functions returns all functions of this package.
func functions(reference pcore.Reference) []function.Function {
	return slices.Concat(core(reference), module(reference), databaseFunctions())
}

// core returns the built-in functions of the language.
func core(reference pcore.Reference) []function.Function {
	core := slices.Concat(
		caseFunctions(),
		textFunctions(reference),
		patternFunctions(reference),
		numberFunctions(),
		compareFunctions(reference),
		collectionFunctions(),
		navigateFunctions(),
		iterateFunctions(),
		lazyFunctions(),
		typeFunctions(),
		annotationFunctions(),
		controlFunctions(),
		digestFunctions(),
		timeFunctions(),
		fileFunctions(),
		logFunctions(),
	)
	return from("puppet", core)
}

// from completes functions of the same origin.
func from(source string, functions []function.Function) []function.Function {
	for i := range functions {
		f := &functions[i]
		f.Source = source
		if isLegacy(f.Name) {
			f.Convert = legacyArguments
		}
	}
	return functions
}

// on returns a dispatch with the given signature.
func on(signature string, call function.Implementation) function.Dispatch {
	return function.Dispatch{Text: signature, Call: call}
}

// one returns the dispatches of a function with a single signature.
func one(signature string, call function.Implementation) []function.Dispatch {
	return []function.Dispatch{on(signature, call)}
}

// same returns its first argument.
func same(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return args[0], nil }

func unchanged(v pcore.Value) pcore.Value { return v }

func str(v pcore.Value) string { return string(v.(pcore.String)) }

// optional returns the argument at index i, or undef if it is omitted.
func optional(args []pcore.Value, i int) pcore.Value {
	if i < len(args) {
		return args[i]
	}
	return pcore.Undef{}
}

// isTruthy reports whether v is neither false nor undef.
func isTruthy(v pcore.Value) bool {
	return v != pcore.Value(pcore.Boolean(false)) && v != pcore.Value(pcore.Undef{})
}

// longer returns f of the text of v. times is the maximum growth factor of the
// text.
func longer(c *function.Call, v pcore.Value, times int, f func(string) string) (pcore.Value, error) {
	s, err := textOf(c, v, rubytext.Text)
	if err != nil {
		return nil, err
	}
	const copies = 2 // held during the conversion
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
