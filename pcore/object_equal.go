package pcore

import "slices"

// equalObjectTypes compares what was declared; the name is part of it.
func equalObjectTypes(a, b *ObjectType) bool {
	if a == b {
		return true
	}
	return a.name == b.name && EqualTypes(a.parent, b.parent) &&
		equalMembers(a.params, b.params, (*Attribute).equal) &&
		equalMembers(a.attrs, b.attrs, (*Attribute).equal) &&
		equalMembers(a.functions, b.functions, (*ObjectFunction).equal) &&
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

func (a *Attribute) equal(b *Attribute) bool {
	return a.name == b.name && a.kind == b.kind && a.final == b.final && a.override == b.override &&
		EqualTypes(a.typ, b.typ) && equalOrNil(a.value, b.value)
}

func (f *ObjectFunction) equal(g *ObjectFunction) bool {
	return f.name == g.name && f.final == g.final && f.override == g.override && EqualTypes(f.typ, g.typ)
}

func equalOrNil(a, b Value) bool {
	return (a == nil) == (b == nil) && (a == nil || Identical(a, b))
}
