package function

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Registry holds functions by name. Fill it first, then use it: Add and
// AddUnread must not run concurrently with any other method. All other methods
// are safe for concurrent use.
type Registry struct {
	types     typeParser
	functions map[string]*entry
}

// entry is a function whose signatures are parsed at most once.
type entry struct {
	function Function
	read     sync.Once
}

// NewRegistry returns an empty Registry. The signatures of its functions can name
// the types of the language.
func NewRegistry() *Registry { return newRegistry(languageType) }

// languageType returns a type of the language.
func languageType(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) }

func newRegistry(types typeParser) *Registry {
	var texts sync.Map // the same few types occur in many signatures
	return &Registry{
		types: func(text string) (pcore.Type, error) {
			if t, ok := texts.Load(text); ok {
				return t.(pcore.Type), nil
			}
			t, err := types(text)
			if err == nil {
				texts.Store(text, t)
			}
			return t, err
		},
		functions: make(map[string]*entry),
	}
}

// Add adds functions. If one is incomplete or its name is taken, Add returns an
// error and adds none of them.
func (r *Registry) Add(functions ...Function) error {
	return r.add(functions, func(f *Function) error { return f.readSignatures(r.types) })
}

// AddUnread is like Add, but parses the signatures of a function when the
// function is first looked up: parsing hundreds of signatures takes longer than
// many programs run. Use it for functions that are known to be valid. A function
// with an invalid signature answers each call with the parse error.
func (r *Registry) AddUnread(functions ...Function) error {
	return r.add(functions, func(*Function) error { return nil })
}

func (r *Registry) add(functions []Function, read func(*Function) error) error {
	added, entries := make(map[string]*entry, len(functions)), make([]entry, len(functions))
	for i, f := range functions {
		f.Dispatches = slices.Clone(f.Dispatches)
		if err := f.check(); err != nil {
			return err
		}
		if err := read(&f); err != nil {
			return err
		}
		if r.functions[f.Name] != nil || added[f.Name] != nil {
			return fmt.Errorf("function %s: the name is taken", f.Name)
		}
		entries[i].function = f
		added[f.Name] = &entries[i]
	}
	maps.Copy(r.functions, added)
	return nil
}

// Function implements [Finder].
func (r *Registry) Function(name string) (*Function, bool) {
	e, ok := r.functions[name]
	if !ok {
		return nil, false
	}
	return r.whole(e), true
}

// whole returns the function with all its signatures parsed.
func (r *Registry) whole(e *entry) *Function {
	e.read.Do(func() {
		if err := e.function.readSignatures(r.types); err != nil {
			e.function.Dispatches = refusal(err)
		}
	})
	return &e.function
}

// All returns the functions, sorted by name.
func (r *Registry) All() []*Function {
	all := make([]*Function, 0, len(r.functions))
	for _, e := range r.functions {
		all = append(all, r.whole(e))
	}
	slices.SortFunc(all, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return all
}
