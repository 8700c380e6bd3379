package pcore

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrNotCreatable is wrapped by the error for a type that has no constructor.
var ErrNotCreatable = errors.New("creation of a new instance is not supported")

// InitType describes the values from which an instance of its inner type can be
// created: the instances of Init[Integer] are the values that Integer.new
// accepts as its only argument. An array of the arguments of a constructor is
// an instance, too.
type InitType struct {
	typeKind
	elem Type
	args []Value

	once  sync.Once // an alias may not be complete before
	found initForms
	err   error
}

// initForms contains the types of the values that an Init accepts.
type initForms struct {
	single  Type         // a value that is the only argument, or already an instance
	lists   []*TupleType // an array of arguments
	wrapped bool         // a value v counts as the list [v]
	facts   typeFacts    // of all of them
}

// newInitType returns Init[elem, args...]. A nil elem means no parameter: the
// instances are those of RichData. args are passed after the value, as in
// elem.new(value, args...).
func newInitType(elem Type, args ...Value) (*InitType, error) {
	if elem == nil && len(args) > 0 {
		return nil, errors.New("the arguments of an Init need the type to which they are given")
	}
	return initType(elem, slices.Clone(args)), nil
}

func initType(elem Type, args []Value) *InitType {
	return &InitType{elem: elem, args: args}
}

// forms returns the forms, which are computed once.
func (t *InitType) forms() (*initForms, error) {
	t.once.Do(func() {
		if t.found, t.err = t.findForms(); t.err == nil {
			t.found.facts = variantFacts(t.found.all())
		}
	})
	return &t.found, t.err
}

// all returns the types that decide about a value. At least one of them must
// accept it, alone or in a list.
func (f *initForms) all() []Type {
	all := []Type{f.single}
	for _, list := range f.lists {
		all = append(all, list)
		if f.wrapped && list.takes(1) {
			all = append(all, list.first())
		}
	}
	return all
}

// Elem returns the type to be created, or nil if there is none.
func (t *InitType) Elem() Type { return t.elem }

// Arguments returns a copy of the arguments that follow the value.
func (t *InitType) Arguments() []Value { return slices.Clone(t.args) }

// typeName returns "Init".
func (*InitType) typeName() string { return "Init" }

func (t *InitType) String() string { return formatType(t) }

// Err returns an error if the inner type has no constructor, or none that
// accepts the arguments. Then the type has no instances.
func (t *InitType) Err() error {
	if t.elem == nil {
		return nil
	}
	_, err := t.forms()
	return err
}

var errEndlessInit = errors.New("what the constructor takes is described by the type Init itself")

// endless reports whether the parameters of the constructor depend on t itself:
// the constructor belongs to an Object type with an attribute of type t, or is
// called with arguments after the value.
func (t *InitType) endless() bool {
	found, asks := false, len(t.args) > 0
	WalkType(t.elem, func(u Type) bool {
		_, isObject := u.(*ObjectType)
		asks = asks || isObject
		found = found || u == Type(t)
		return !found || !asks
	})
	return found && asks
}

func (t *InitType) findForms() (initForms, error) {
	switch t.elem.(type) {
	case *InitType, *OptionalType, *NotUndefType:
		return initForms{}, notCreatableError{t.elem}
	}
	if t.endless() {
		return initForms{}, errEndlessInit
	}
	signatures, err := ConstructorParameters(t.elem)
	if err != nil {
		return initForms{}, err
	}
	if len(t.args) > 0 {
		return t.formsWithArguments(signatures)
	}
	single := []Type{t.elem}
	forms := initForms{}
	for _, s := range signatures {
		switch from, to := s.sizeRange().limits(); {
		case from == 1 && to == 1:
			single = append(single, s.types[0])
		default:
			forms.lists = append(forms.lists, s)
			forms.wrapped = forms.wrapped || from == 1
		}
	}
	forms.single = NewVariantType(single...)
	return forms, nil
}

// formsWithArguments returns the forms of the constructors that accept the
// arguments after the value.
func (t *InitType) formsWithArguments(signatures []*TupleType) (initForms, error) {
	given := make([]Type, 1, 1+len(t.args))
	for _, v := range t.args {
		given = append(given, InferDetailed(v))
	}
	single := []Type{t.elem}
	for _, s := range signatures {
		if len(s.types) == 0 || !s.sizeRange().hasSize(len(given)) {
			continue
		}
		given[0] = s.types[0]
		if Accepts(s, NewTupleType(given, nil)) {
			single = append(single, s.types[0])
		}
	}
	if len(single) == 1 {
		return initForms{}, fmt.Errorf("%s: no constructor of %s takes these arguments", t, t.elem.typeName())
	}
	return initForms{single: NewVariantType(single...)}, nil
}

func (c *container) containsInit(t *InitType, v Value) bool {
	if t.elem == nil {
		return c.contains(richDataType(), v)
	}
	forms, err := t.forms()
	if err != nil {
		return false
	}
	switch forms.facts.contains.answer(kindsOf(v)) {
	case yes:
		return true
	case no:
		return false
	}
	if c.contains(forms.single, v) {
		return true
	}
	for _, list := range forms.lists {
		if c.contains(list, v) || forms.wrapped && list.takes(1) && c.contains(list.first(), v) {
			return true
		}
	}
	return false
}

// first returns the type of the first element.
func (t *TupleType) first() Type {
	if len(t.types) == 0 {
		return AnyType{}
	}
	return t.types[0]
}

func (a *acceptor) acceptsInit(t *InitType, u Type) bool {
	if t.elem == nil {
		_, ok := u.(*InitType)
		return ok || a.accepts(richDataType(), u)
	}
	forms, err := t.forms()
	if err != nil {
		return EqualTypes(t, u) // it has no instances, and accepts only itself
	}
	if u, ok := u.(*InitType); ok {
		return u.elem != nil && a.inside(t.elem, u.elem)
	}
	switch forms.facts.accepts.answer(factsOf(u).parts) {
	case yes:
		return true
	case no:
		return false
	}
	if a.accepts(forms.single, u) {
		return true
	}
	for _, list := range forms.lists {
		if a.accepts(list, u) || forms.wrapped && a.acceptsAlone(list, u) {
			return true
		}
	}
	return false
}

// acceptsAlone is accepts for Tuple[u].
func (a *acceptor) acceptsAlone(t *TupleType, u Type) bool {
	return t.takes(1) && a.inside(t.first(), u)
}
