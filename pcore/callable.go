package pcore

// isCallable reports whether t is a Callable, or an Optional or a Variant of
// Callables: a valid type of a block. seen are the aliases that were followed.
func isCallable(t Type, seen []*TypeAliasType) bool {
	switch t := t.(type) {
	case *CallableType:
		return true
	case *OptionalType:
		return t.elem != nil && isCallable(t.elem, seen)
	case *VariantType:
		for _, alternative := range t.types {
			if !isCallable(alternative, seen) {
				return false
			}
		}
		return true
	case *TypeAliasType:
		for _, s := range seen {
			if s == t {
				return false
			}
		}
		return isCallable(t.Resolved(), append(seen, t))
	}
	return false
}
