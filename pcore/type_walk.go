package pcore

// WalkType calls visit for t and for the types inside it, outermost first:
// elements, parameters, the type of an alias, and the members of Object types.
// If visit returns false, the types inside are skipped. Each alias, Object type
// and TypeSet is visited once, so that recursive types terminate.
func WalkType(t Type, visit func(Type) bool) {
	(&typeWalker{visit: visit}).walk(t)
}

type typeWalker struct {
	visit func(Type) bool
	seen  map[Type]bool
}

func (w *typeWalker) walk(t Type) {
	if t == nil || w.again(t) || !w.visit(t) {
		return
	}
	for _, inner := range children(t) {
		w.walk(inner)
	}
}

// again reports whether t may be recursive and was visited before.
func (w *typeWalker) again(t Type) bool {
	switch t.(type) {
	case *TypeAliasType, *ObjectType, *TypeSetType:
		if w.seen[t] {
			return true
		}
		if w.seen == nil {
			w.seen = make(map[Type]bool)
		}
		w.seen[t] = true
	}
	return false
}

// children returns the types directly inside t, which may include nil.
func children(t Type) []Type {
	switch t := t.(type) {
	case *ArrayType:
		return []Type{t.elem}
	case *HashType:
		return []Type{t.key, t.val}
	case *TupleType:
		return t.types
	case *StructType:
		inner := make([]Type, 0, 2*len(t.elems))
		for _, e := range t.elems {
			inner = append(inner, e.key, e.value)
		}
		return inner
	case *VariantType:
		return t.types
	case *OptionalType:
		return []Type{t.elem}
	case *NotUndefType:
		return []Type{t.elem}
	case *TypeType:
		return []Type{t.elem}
	case *SensitiveType:
		return []Type{t.elem}
	case *IterableType:
		return []Type{t.elem}
	case *IteratorType:
		return []Type{t.elem}
	case *InitType:
		return []Type{t.elem}
	case *CallableType:
		if t.params == nil {
			return []Type{t.block, t.result}
		}
		return []Type{t.params, t.block, t.result}
	case *TypeAliasType:
		return []Type{t.resolved}
	case *ObjectType:
		return t.memberTypes()
	case *ObjectTypeExtension:
		return []Type{t.base}
	case *TypeSetType:
		return t.memberTypes()
	}
	return nil
}
