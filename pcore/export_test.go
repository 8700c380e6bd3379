package pcore

// For the tests.
var (
	ErrEndlessType = errEndlessType
	ErrURI         = errURI
)
