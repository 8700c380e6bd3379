package eval

// For the tests.
var (
	ErrAssignment = errAssignment
	ErrDefinition = errDefinition
	ErrCallDepth  = errDepth
	ErrHeight     = errHeight
	ErrOverflow   = errOverflow
	ErrParameter  = errParameter
)
