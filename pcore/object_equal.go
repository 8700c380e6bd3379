package pcore

import "slices"

// equalObjectTypes reports whether a and b have the same name and declaration.
func equalObjectTypes(a, b *ObjectType) bool {
	var e typeEquality
	return e.objects(a, b)
}

func (e *typeEquality) objects(a, b *ObjectType) bool {
	pair := objectPair{a, b}
	if a == b || slices.Contains(e.open, pair) {
		return true
	}
	if a.name != b.name {
		return false
	}
	e.open = append(e.open, pair)
	defer func() { e.open = e.open[:len(e.open)-1] }()
	return e.equal(a.parent, b.parent) &&
		equalMembers(a.params, b.params, e.attributes) &&
		equalMembers(a.attrs, b.attrs, e.attributes) &&
		equalMembers(a.functions, b.functions, e.functions) &&
		(a.equality == nil) == (b.equality == nil) && slices.Equal(a.equality, b.equality) &&
		equalOrNil(a.checks, b.checks)
}

func equalMembers[M interface{ Name() string }](a, b members[M], equal func(a, b M) bool) bool {
	if len(a.list) != len(b.list) {
		return false
	}
	for _, m := range a.list {
		other, ok := b.get(m.Name())
		if !ok || !equal(m, other) {
			return false
		}
	}
	return true
}

func (e *typeEquality) attributes(a, b *objectAttribute) bool {
	return a.kind == b.kind && a.final == b.final && a.override == b.override &&
		e.equal(a.typ, b.typ) && equalOrNil(a.value, b.value)
}

func (e *typeEquality) functions(f, g *objectFunction) bool {
	return f.final == g.final && f.override == g.override && e.equal(f.typ, g.typ)
}

func equalOrNil(a, b Value) bool {
	return (a == nil) == (b == nil) && (a == nil || Identical(a, b))
}

// equalObjects compares two objects by the attributes that participate in
// equality, and by their types unless equality_include_type is false. As in the
// reference implementation, the type of the first object decides.
func equalObjects(a, b *Object) bool {
	t, ok := a.objectType()
	if !ok {
		return EqualTypes(a.typ, b.typ) && identicalHashes(a.attrs, b.attrs)
	}
	ignoreType := true
	for _, p := range t.lineage() {
		ignoreType = ignoreType && p.ignoreType
		for _, name := range p.equalityNames() {
			x, ok := a.attribute(name)
			y, both := b.attribute(name)
			if !ok || !both || !Identical(x, y) {
				return false
			}
		}
	}
	if ignoreType {
		_, known := b.objectType()
		return known
	}
	return EqualTypes(a.typ, b.typ)
}

// identityOfObject returns values that are the same for all objects that can be
// equal to v: the name of the farthest ancestor type, and the attributes that
// it compares.
func (v *Object) identityOfObject() (name string, values []Value) {
	t, ok := v.objectType()
	if !ok {
		return v.TypeName(), nil
	}
	root := t.lineage()[0]
	for _, name := range root.equalityNames() {
		if got, ok := v.attribute(name); ok {
			values = append(values, got)
		}
	}
	return root.name, values
}
