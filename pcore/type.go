package pcore

// Type is a type of the language, itself a value. The set is closed: the types
// of this package are all there are. Types are immutable and safe for
// concurrent use; only an alias, an Object type and a TypeSet are completed
// after they were made, by whoever declares them, before anybody else sees
// them.
//
// Types without parameters are empty structs, used as they are: AnyType{}. All
// others are pointers, whose zero value is the type without parameters:
// &IntegerType{} is Integer.
type Type interface {
	Value
	// Name returns the name without parameters: "Integer" for
	// Integer[1, 2], "My::Car" for an Object type or an alias of that name.
	Name() string

	typ()
}

// typeKind gives the types what is the same for all of them.
type typeKind struct{}

// Kind returns KindType.
func (typeKind) Kind() Kind { return KindType }

func (typeKind) value() {}
func (typeKind) typ()   {}

// elemOrAny returns t, and Any for nil.
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
