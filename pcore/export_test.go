package pcore

// For the tests.
var (
	ElementType    = elementType
	ErrEndlessType = errEndlessType
	ErrURI         = errURI
)
