package pcore

import (
	"cmp"
	"slices"
)

// Common returns a type that accepts both a and b, as narrow as the reference
// implementation finds. If one of them accepts the other, it is the result.
// Otherwise it is a type of the same kind, or an abstract one: Numeric,
// ScalarData, Scalar, Data, RichData, and finally Any.
//
// Undef and nil are ignored: the common type of Undef and T is T, even if T
// does not accept undef. The common type of two Optional types, or of a Variant
// and a type of another kind, is often Data.
func Common(a, b Type) Type {
	switch {
	case isNothing(a):
		return b
	case isNothing(b):
		return a
	case isUnit(a):
		return b
	case isUnit(b):
		return a
	case Accepts(a, b):
		return a
	case Accepts(b, a):
		return b
	}
	if t := commonOfKind(a, b); t != nil {
		return t
	}
	return commonAbstract(a, b)
}

func isNothing(t Type) bool {
	_, undef := t.(UndefType)
	return t == nil || undef
}

// commonOfKind returns the common type of two types of one kind, or nil if only
// an abstract type accepts both.
func commonOfKind(a, b Type) Type {
	switch a := a.(type) {
	case *ArrayType:
		if b, ok := b.(*ArrayType); ok {
			return NewArrayType(Common(a.Elem(), b.Elem()), nil)
		}
	case *HashType:
		if b, ok := b.(*HashType); ok {
			return NewHashType(Common(a.keyType(), b.keyType()), Common(a.Elem(), b.Elem()), nil)
		}
	case *ClassType:
		if _, ok := b.(*ClassType); ok {
			return &ClassType{}
		}
	case *ResourceType:
		if b, ok := b.(*ResourceType); ok {
			if a.resource == b.resource {
				return &ResourceType{resource: a.resource}
			}
			return &ResourceType{}
		}
	case *IntegerType:
		if b, ok := b.(*IntegerType); ok {
			return &IntegerType{bounds: a.hull(b.bounds, cmp.Compare[int64])}
		}
	case *FloatType:
		if b, ok := b.(*FloatType); ok {
			return &FloatType{bounds: a.hull(b.bounds, compareFloats)}
		}
	case *StringType:
		return commonString(a, b)
	case *EnumType:
		return commonEnum(a, b)
	case *PatternType:
		if b, ok := b.(*PatternType); ok {
			return newPatternType(append(a.Patterns(), b.Patterns()...)...)
		}
	case *VariantType:
		if b, ok := b.(*VariantType); ok {
			return NewVariantType(slices.Concat(a.types, b.types)...)
		}
	case *RegexpType:
		if _, ok := b.(*RegexpType); ok {
			return &RegexpType{}
		}
	case *CallableType:
		if _, ok := b.(*CallableType); ok {
			return &CallableType{}
		}
	}
	return nil
}

func commonString(a *StringType, b Type) Type {
	switch b := b.(type) {
	case *EnumType:
		if a.literal == nil {
			return &EnumType{}
		}
		return NewEnumType(false, append(b.Values(), *a.literal)...)
	case *StringType:
		if a.size != nil && b.size != nil {
			size, _ := Common(a.size, b.size).(*IntegerType)
			return NewStringType(size)
		}
		if a.literal == nil || b.literal == nil {
			return &StringType{}
		}
		return NewEnumType(false, *a.literal, *b.literal)
	}
	return nil
}

func commonEnum(a *EnumType, b Type) Type {
	switch b := b.(type) {
	case *EnumType:
		return NewEnumType(false, slices.Concat(a.values, b.values)...)
	case *StringType:
		if b.literal == nil {
			return &EnumType{}
		}
		return NewEnumType(false, append(a.Values(), *b.literal)...)
	}
	return nil
}

func commonAbstract(a, b Type) Type {
	both := func(t Type) bool { return Accepts(t, a) && Accepts(t, b) }
	switch {
	case both(NumericType{}):
		return NumericType{}
	case both(ScalarDataType{}):
		return ScalarDataType{}
	case both(ScalarType{}):
		return ScalarType{}
	case both(dataType()):
		return dataType()
	}
	if t, ok := a.(*TypeType); ok {
		if u, ok := b.(*TypeType); ok {
			return newTypeType(Common(t.elem, u.elem))
		}
	}
	if both(richDataType()) {
		return richDataType()
	}
	return commonRuntime(a, b)
}

// commonRuntime returns the common type of two equal Runtime types, otherwise
// Any.
func commonRuntime(a, b Type) Type {
	t, ok := a.(*RuntimeType)
	u, both := b.(*RuntimeType)
	if ok && both && EqualTypes(t, u) {
		return t
	}
	return AnyType{}
}
