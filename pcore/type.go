package pcore

// Type is a type of the language, itself a value. The set is closed.
type Type interface {
	Value
	// Name returns the name without parameters: "Integer" for
	// Integer[1, 2], "My::Car" for an Object type or an alias of that name.
	Name() string

	typ()
}
