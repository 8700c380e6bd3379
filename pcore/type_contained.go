package pcore

import "slices"

// OptionalType describes undef and the instances of its inner type.
type OptionalType struct {
	typeKind
	composed typeFacts
	elem     Type
}

// NewOptionalType returns Optional[elem]. A nil elem means no parameter: only
// undef is an instance.
func NewOptionalType(elem Type) *OptionalType {
	return &OptionalType{elem: elem, composed: optionalFacts(elem)}
}

// Elem returns the inner type, or nil if there is none.
func (t *OptionalType) Elem() Type { return t.elem }

// typeName returns "Optional".
func (*OptionalType) typeName() string { return "Optional" }

func (t *OptionalType) String() string { return formatType(t) }

// NotUndefType describes the instances of its inner type except undef.
type NotUndefType struct {
	typeKind
	composed typeFacts
	elem     Type
}

// newNotUndefType returns NotUndef[elem]; nil and Any mean no parameter.
func newNotUndefType(elem Type) *NotUndefType {
	if elem != nil && isAny(elem) {
		elem = nil
	}
	return &NotUndefType{elem: elem, composed: notUndefFacts(elem)}
}

// Elem returns the inner type, or nil if there is none.
func (t *NotUndefType) Elem() Type { return t.elem }

// typeName returns "NotUndef".
func (*NotUndefType) typeName() string { return "NotUndef" }

func (t *NotUndefType) String() string { return formatType(t) }

// TypeType describes types: the instances of Type[Integer] are the types that
// Integer accepts.
type TypeType struct {
	typeKind
	elem Type
}

// newTypeType returns Type[elem]. A nil elem means no parameter: all types are
// instances.
func newTypeType(elem Type) *TypeType { return &TypeType{elem: elem} }

// Elem returns the inner type, or nil if there is none.
func (t *TypeType) Elem() Type { return t.elem }

// typeName returns "Type".
func (*TypeType) typeName() string { return "Type" }

func (t *TypeType) String() string { return formatType(t) }

// SensitiveType describes Sensitive values by the type of their content.
type SensitiveType struct {
	typeKind
	elem Type
}

// NewSensitiveType returns Sensitive[elem]; nil means Any. It generalizes elem,
// so that the type does not expose the secret.
func NewSensitiveType(elem Type) *SensitiveType {
	if elem == nil || isAny(elem) {
		return &SensitiveType{}
	}
	return &SensitiveType{elem: Generalize(elem)}
}

// elemType returns the type of the content.
func (t *SensitiveType) elemType() Type { return elemOrAny(t.elem) }

// typeName returns "Sensitive".
func (*SensitiveType) typeName() string { return "Sensitive" }

func (t *SensitiveType) String() string { return formatType(t) }

// IterableType describes values that can be iterated, by the type of the
// elements.
type IterableType struct {
	typeKind
	elem Type
}

// newIterableType returns Iterable[elem]; nil means no parameter.
func newIterableType(elem Type) *IterableType { return &IterableType{elem: elem} }

// typeName returns "Iterable".
func (*IterableType) typeName() string { return "Iterable" }

func (t *IterableType) String() string { return formatType(t) }

// IteratorType describes [Iterator] values, by the type of the elements.
type IteratorType struct {
	typeKind
	elem Type
}

// newIteratorType returns Iterator[elem]; nil means no parameter.
func newIteratorType(elem Type) *IteratorType { return &IteratorType{elem: elem} }

// typeName returns "Iterator".
func (*IteratorType) typeName() string { return "Iterator" }

func (t *IteratorType) String() string { return formatType(t) }

// VariantType describes the instances of any of its types. Without types, it
// has no instances.
type VariantType struct {
	typeKind
	composed typeFacts
	types    []Type
}

// NewVariantType returns a type whose instances are those of any of types. It
// flattens Variants, removes equal types, and returns a single remaining type
// as is.
func NewVariantType(types ...Type) Type {
	var flat distinctTypes
	for _, t := range types {
		if v, ok := t.(*VariantType); ok {
			flat.add(v.types...)
			continue
		}
		flat.add(t)
	}
	if len(flat.types) == 1 {
		return flat.types[0]
	}
	return variant(flat.types...)
}

// variant returns Variant[types...] without simplifying it.
func variant(types ...Type) *VariantType {
	return &VariantType{types: types, composed: variantFacts(types)}
}

// Types returns a copy of the types.
func (t *VariantType) Types() []Type { return slices.Clone(t.types) }

// typeName returns "Variant".
func (*VariantType) typeName() string { return "Variant" }

func (t *VariantType) String() string { return formatType(t) }

// CallableType describes functions and lambdas: Callable[[String, Integer],
// Boolean].
type CallableType struct {
	typeKind
	params *TupleType
	block  Type
	result Type
}

// NewCallableType returns the type of functions with the given parameters,
// block and result. Nil params means any arguments, a nil block means no block,
// and a nil result means Any.
func NewCallableType(params *TupleType, block, result Type) *CallableType {
	if result != nil && isAny(result) {
		result = nil
	}
	return &CallableType{params: params, block: block, result: result}
}

// resultType returns the type of the result.
func (t *CallableType) resultType() Type { return elemOrAny(t.result) }

// typeName returns "Callable".
func (*CallableType) typeName() string { return "Callable" }

func (t *CallableType) String() string { return formatType(t) }
