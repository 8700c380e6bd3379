package function

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// JumpKind is the kind of a [Jump].
type JumpKind uint8

// The jumps of the language.
const (
	Break  JumpKind = iota + 1 // leaves the function that iterates
	Next                       // leaves the block and sets its result
	Return                     // leaves the function that contains the block
)

func (k JumpKind) String() string {
	switch k {
	case Break:
		return "break"
	case Next:
		return "next"
	case Return:
		return "return"
	default:
		return "jump"
	}
}

// Jump is the error with which break, next and return leave the enclosing code.
// It passes through calls unchanged until it reaches its target. At top level it
// is reported as an error.
type Jump struct {
	Kind JumpKind
	// Value is the value of a next or a return.
	Value pcore.Value
}

func (j *Jump) Error() string {
	return j.Kind.String() + "() from context where this is illegal"
}

// IsBreak reports whether err is a break, which ends the iteration that called
// the block.
func IsBreak(err error) bool {
	j, ok := errors.AsType[*Jump](err)
	return ok && j.Kind == Break
}
