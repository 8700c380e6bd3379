package eval

// For the tests.
var (
	ErrAssignment = errAssignment
	ErrDefinition = errDefinition
	ErrOperand    = errOperand
	ErrCallDepth  = errDepth
	ErrHeight     = errHeight
	ErrOverflow   = errOverflow
	ErrParameter  = errParameter
)
