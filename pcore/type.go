package pcore

// Type is a type of the language, itself a value. The set is closed: only the
// types of this package implement it. Types are immutable and safe for
// concurrent use. An alias, an Object type and a TypeSet are the exception: the
// declaring code completes them after creation, before it shares them.
//
// Types without parameters are empty structs, used directly: AnyType{}. All
// others are pointers, whose zero value is the type without parameters:
// &IntegerType{} is Integer.
type Type interface {
	Value
	// typeName is TypeName.
	typeName() string

	// facts must not be called on nil: see factsOf.
	facts() *typeFacts
}

// TypeName returns the name of a type without parameters: "Integer" for Integer[1, 2],
// "My::Car" for an Object type or an alias of that name.
func TypeName(t Type) string { return t.typeName() }

// typeKind implements the methods that are the same for all types.
type typeKind struct{}

// kind returns kindType.
func (typeKind) kind() Kind { return kindType }

func (typeKind) value() {}

// elemOrAny returns t, or Any if t is nil.
func elemOrAny(t Type) Type {
	if t == nil {
		return AnyType{}
	}
	return t
}

func isAny(t Type) bool {
	_, ok := t.(AnyType)
	return ok
}
