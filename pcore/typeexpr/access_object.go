package typeexpr

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// class accepts the names of classes; several names, or a list, give a list.
func (b *brackets) class(t *pcore.ClassType) (pcore.Value, error) {
	if b.parsed {
		if err := b.count("Class", 1, 1); err != nil {
			return nil, err
		}
		name, ok := b.keys[0].(pcore.String)
		if !ok {
			return nil, b.bad("Class", 0, "the name of a class")
		}
		return pcore.NewClassType(string(name)), nil
	}
	if err := b.count("Class", 1, -1); err != nil {
		return nil, err
	}
	if t.Class() != "" && len(b.titles()) > 0 {
		return nil, fmt.Errorf("%w: the parameters of %s are in its catalog", errNotParameterized, t)
	}
	list := b.isList()
	types := []pcore.Value{}
	for _, k := range b.titles() {
		s, ok := k.(pcore.String)
		if !ok {
			return nil, fmt.Errorf("%w: Class needs the name of a class, not %s", errParameter, pcore.Generalize(pcore.Infer(k)))
		}
		name := strings.TrimPrefix(strings.ToLower(string(s)), "::")
		if !isClassName(name) {
			return nil, fmt.Errorf("%w: '%s' is not the name of a class, such as 'apache' or 'apache::mod'", errParameter, s)
		}
		types = append(types, pcore.NewClassType(name))
	}
	return listOrOne(types, list), nil
}

// isList reports whether the parameters denote several types.
func (b *brackets) isList() bool {
	_, array := b.keys[0].(*pcore.Array)
	return array || len(b.keys) > 1
}

// titles returns the parameters with lists flattened and undef dropped.
func (b *brackets) titles() []pcore.Value {
	var titles []pcore.Value
	for _, k := range flatten(nil, b.keys) {
		if _, ok := k.(pcore.Undef); !ok {
			titles = append(titles, k)
		}
	}
	return titles
}

func listOrOne(types []pcore.Value, list bool) pcore.Value {
	switch {
	case list:
		return pcore.NewArray(types...)
	case len(types) == 0:
		return pcore.Undef{}
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
func (b *brackets) resource(t *pcore.ResourceType) (pcore.Value, error) {
	if b.parsed {
		return b.parsedResource(t)
	}
	if err := b.count(pcore.TypeName(t), 1, -1); err != nil {
		return nil, err
	}
	if _, ok := t.Title(); ok && len(b.titles()) > 0 {
		return nil, fmt.Errorf("%w: the parameters of %s are in its catalog", errNotParameterized, t)
	}
	name := t.Resource()
	if name == "" {
		if first, ok := b.keys[0].(*pcore.ResourceType); ok && len(b.keys) == 1 {
			return first, nil
		}
		var err error
		if name, err = b.resourceName(); err != nil {
			return nil, err
		}
		b.keys = b.keys[1:]
		if len(b.keys) == 0 {
			return pcore.NewResourceType(name, nil)
		}
	}
	list := b.isList()
	types := []pcore.Value{}
	for _, k := range b.titles() {
		s, ok := k.(pcore.String)
		if !ok {
			return nil, fmt.Errorf("%w: a title is a String, not %s", errParameter, pcore.Generalize(pcore.Infer(k)))
		}
		r, err := pcore.NewResourceType(name, (*string)(&s))
		if err != nil {
			return nil, err
		}
		types = append(types, r)
	}
	return listOrOne(types, list), nil
}

func (b *brackets) resourceName() (string, error) {
	switch k := b.keys[0].(type) {
	case *pcore.ResourceType:
		if k.Resource() != "" {
			return k.Resource(), nil
		}
	case *pcore.TypeReferenceType:
		return k.Ref(), nil
	case pcore.String:
		if k != "" {
			return string(k), nil
		}
	default:
	}
	return "", b.bad("Resource", 0, "the name of a resource type")
}

// parsedResource accepts at most one title.
func (b *brackets) parsedResource(t *pcore.ResourceType) (pcore.Value, error) {
	name := t.Resource()
	if name == "" {
		if err := b.count("Resource", 1, 2); err != nil {
			return nil, err
		}
		var err error
		if name, err = b.resourceName(); err != nil {
			return b.resourceOf(err)
		}
		if base, rest, ok := strings.Cut(name, "["); ok { // Foo['x'] with an unknown Foo
			return b.reparsedResource(base, "["+rest)
		}
		b.keys = b.keys[1:]
	} else if err := b.count(name, 1, 1); err != nil {
		return nil, err
	}
	if len(b.keys) == 0 {
		return pcore.NewResourceType(name, nil)
	}
	switch title := b.keys[0].(type) {
	case pcore.String:
		return pcore.NewResourceType(name, (*string)(&title))
	case pcore.Undef:
		return pcore.NewResourceType(name, nil)
	default:
		return nil, b.bad(name, 0, "a title that is a String")
	}
}

// resourceOf handles Resource[Resource].
func (b *brackets) resourceOf(err error) (pcore.Value, error) {
	if r, ok := b.keys[0].(*pcore.ResourceType); ok && len(b.keys) == 1 {
		return r, nil
	}
	return nil, err
}

// reparsedResource handles Resource[Foo['x']] with an unknown Foo.
func (b *brackets) reparsedResource(name, list string) (pcore.Value, error) {
	keys, err := parseList(list, b.resolver)
	if err != nil {
		return nil, err
	}
	inner := brackets{parsed: true, keys: append([]pcore.Value{pcore.String(name)}, keys...), resolver: b.resolver}
	return inner.parsedResource(&pcore.ResourceType{})
}

// object creates an Object type from its declaration, or applies type
// parameters to a named Object type.
func (b *brackets) object(t *pcore.ObjectType) (pcore.Type, error) {
	if t.Named() {
		return t.Parameterize(b.keys...)
	}
	if err := b.count("Object", 1, 1); err != nil {
		return nil, err
	}
	switch k := b.keys[0].(type) {
	case *pcore.Hash:
		return pcore.NewObjectType(k)
	case pcore.String:
		return pcore.NewObjectType(pcore.NewHash(pcore.Entry{Key: pcore.String("name"), Value: k}))
	default:
		return nil, b.bad("Object", 0, "a Hash that declares it")
	}
}

func (b *brackets) typeSet() (pcore.Type, error) {
	if err := b.count("TypeSet", 1, 1); err != nil {
		return nil, err
	}
	h, ok := b.keys[0].(*pcore.Hash)
	if !ok {
		return nil, b.bad("TypeSet", 0, "a Hash that declares it")
	}
	return pcore.NewTypeSetType(h)
}
