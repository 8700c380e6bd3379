package pcore

import (
	"fmt"
	"strings"
)

// class accepts the names of classes; several names, or a list, give a list.
func (b *brackets) class(t *ClassType) (Value, error) {
	if b.parsed {
		if err := b.count("Class", 1, 1); err != nil {
			return nil, err
		}
		name, ok := b.keys[0].(String)
		if !ok {
			return nil, b.bad("Class", 0, "the name of a class")
		}
		return newClassType(string(name)), nil
	}
	if err := b.count("Class", 1, -1); err != nil {
		return nil, err
	}
	if t.Class() != "" && len(b.titles()) > 0 {
		return nil, fmt.Errorf("%w: the parameters of %s are in its catalog", errNotParameterized, t)
	}
	list := b.isList()
	types := []Value{}
	for _, k := range b.titles() {
		s, ok := k.(String)
		if !ok {
			return nil, fmt.Errorf("%w: Class needs the name of a class, not %s", errParameter, Generalize(Infer(k)))
		}
		name := strings.TrimPrefix(strings.ToLower(string(s)), "::")
		if !isClassName(name) {
			return nil, fmt.Errorf("%w: '%s' is not the name of a class, such as 'apache' or 'apache::mod'", errParameter, s)
		}
		types = append(types, newClassType(name))
	}
	return listOrOne(types, list), nil
}

// isList reports whether the parameters denote several types.
func (b *brackets) isList() bool {
	_, array := b.keys[0].(*Array)
	return array || len(b.keys) > 1
}

// titles returns the parameters with lists flattened and undef dropped.
func (b *brackets) titles() []Value {
	var titles []Value
	for _, k := range flatten(nil, b.keys) {
		if _, ok := k.(Undef); !ok {
			titles = append(titles, k)
		}
	}
	return titles
}

func listOrOne(types []Value, list bool) Value {
	switch {
	case list:
		return NewArray(types...)
	case len(types) == 0:
		return Undef{}
	default:
		return types[len(types)-1]
	}
}

// isClassName reports whether name is a lower-case name such as my::class.
func isClassName(name string) bool {
	for s := range strings.SplitSeq(name, "::") {
		if s == "" || s[0] < 'a' || s[0] > 'z' {
			return false
		}
		for i := range len(s) {
			if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
				return false
			}
		}
	}
	return true
}

// resource accepts the name of a resource type, unless t already has one, and
// titles.
func (b *brackets) resource(t *ResourceType) (Value, error) {
	if b.parsed {
		return b.parsedResource(t)
	}
	if err := b.count(TypeName(t), 1, -1); err != nil {
		return nil, err
	}
	if _, ok := t.Title(); ok && len(b.titles()) > 0 {
		return nil, fmt.Errorf("%w: the parameters of %s are in its catalog", errNotParameterized, t)
	}
	name := t.Resource()
	if name == "" {
		if first, ok := b.keys[0].(*ResourceType); ok && len(b.keys) == 1 {
			return first, nil
		}
		var err error
		if name, err = b.resourceName(); err != nil {
			return nil, err
		}
		b.keys = b.keys[1:]
		if len(b.keys) == 0 {
			return newResourceType(name, nil)
		}
	}
	list := b.isList()
	types := []Value{}
	for _, k := range b.titles() {
		s, ok := k.(String)
		if !ok {
			return nil, fmt.Errorf("%w: a title is a String, not %s", errParameter, Generalize(Infer(k)))
		}
		r, err := newResourceType(name, (*string)(&s))
		if err != nil {
			return nil, err
		}
		types = append(types, r)
	}
	return listOrOne(types, list), nil
}

func (b *brackets) resourceName() (string, error) {
	switch k := b.keys[0].(type) {
	case *ResourceType:
		if k.Resource() != "" {
			return k.Resource(), nil
		}
	case *TypeReferenceType:
		return k.Ref(), nil
	case String:
		if k != "" {
			return string(k), nil
		}
	default:
	}
	return "", b.bad("Resource", 0, "the name of a resource type")
}

// parsedResource accepts at most one title.
func (b *brackets) parsedResource(t *ResourceType) (Value, error) {
	name := t.Resource()
	if name == "" {
		if err := b.count("Resource", 1, 2); err != nil {
			return nil, err
		}
		var err error
		if name, err = b.resourceName(); err != nil {
			return b.resourceOf(err)
		}
		b.keys = b.keys[1:]
	} else if err := b.count(name, 1, 1); err != nil {
		return nil, err
	}
	if len(b.keys) == 0 {
		return newResourceType(name, nil)
	}
	switch title := b.keys[0].(type) {
	case String:
		return newResourceType(name, (*string)(&title))
	case Undef:
		return newResourceType(name, nil)
	default:
		return nil, b.bad(name, 0, "a title that is a String")
	}
}

// resourceOf handles Resource[Resource].
func (b *brackets) resourceOf(err error) (Value, error) {
	if r, ok := b.keys[0].(*ResourceType); ok && len(b.keys) == 1 {
		return r, nil
	}
	return nil, err
}

// object creates an Object type from its declaration, or applies type
// parameters to a named Object type.
func (b *brackets) object(t *ObjectType) (Type, error) {
	if t.Named() {
		return t.Parameterize(b.keys...)
	}
	if err := b.count("Object", 1, 1); err != nil {
		return nil, err
	}
	switch k := b.keys[0].(type) {
	case *Hash:
		return NewObjectType(k)
	case String:
		return NewObjectType(NewHash(Entry{Key: String("name"), Value: k}))
	default:
		return nil, b.bad("Object", 0, "a Hash that declares it")
	}
}

func (b *brackets) typeSet() (Type, error) {
	if err := b.count("TypeSet", 1, 1); err != nil {
		return nil, err
	}
	h, ok := b.keys[0].(*Hash)
	if !ok {
		return nil, b.bad("TypeSet", 0, "a Hash that declares it")
	}
	return newTypeSetType(h)
}
