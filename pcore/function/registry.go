package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Registry holds functions by name. It is filled first and used afterwards:
// Add must not run together with any other method, everything else is safe
// for concurrent use.
type Registry struct {
	types     TypeParser
	functions map[string]*Function
}

// NewRegistry returns an empty Registry, which reads the types in the
// signatures of its functions by types.
func NewRegistry(types TypeParser) *Registry {
	texts := make(map[string]pcore.Type) // a few types are named again and again
	return &Registry{
		types: func(text string) (t pcore.Type, err error) {
			if t, ok := texts[text]; ok {
				return t, nil
			}
			if t, err = types(text); err == nil {
				texts[text] = t
			}
			return t, err
		},
		functions: make(map[string]*Function),
	}
}

// Add enters functions. It refuses one that is not whole or whose name is
// taken, and enters none of them then.
func (r *Registry) Add(functions ...Function) error {
	added := make(map[string]*Function, len(functions))
	for _, f := range functions {
		f.Dispatches = slices.Clone(f.Dispatches)
		if err := f.complete(r.types); err != nil {
			return err
		}
		if r.functions[f.Name] != nil || added[f.Name] != nil {
			return fmt.Errorf("function %s: the name is taken", f.Name)
		}
		added[f.Name] = &f
	}
	maps.Copy(r.functions, added)
	return nil
}

// Function implements [Finder].
func (r *Registry) Function(name string) (*Function, bool) {
	f, ok := r.functions[name]
	return f, ok
}

// All returns the functions, sorted by name.
func (r *Registry) All() []*Function {
	return slices.SortedFunc(maps.Values(r.functions), func(a, b *Function) int {
		return strings.Compare(a.Name, b.Name)
	})
}
