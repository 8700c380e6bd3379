package pcore

// EqualTypes reports whether a and b are the same type.
func EqualTypes(a, b Type) bool { return a == b || a.String() == b.String() }

func equalObjects(a, b *Object, equal func(a, b Value) bool) bool {
	return EqualTypes(a.typ, b.typ) && equal(a.Attributes(), b.Attributes())
}
