package eval

import (
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// For the tests.
var (
	ErrAssignment = errAssignment
	ErrDefinition = errDefinition
	ErrCallDepth  = errDepth
	ErrHeight     = errHeight
	ErrOverflow   = errOverflow
	ErrParameter  = errParameter
)

// Declared returns the function that a file of a module defines.
func Declared(e *Evaluator, n *syntax.FunctionDefinition, source *syntax.Locator) *function.Function {
	return e.declared(n, source)
}
