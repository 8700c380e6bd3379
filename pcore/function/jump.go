package function

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// JumpKind tells where a [Jump] leads.
type JumpKind uint8

// The jumps of the language.
const (
	Break  JumpKind = iota + 1 // out of the function that iterates
	Next                       // out of the block, which has a result then
	Return                     // out of the function around the block
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

// Jump is the error by which break, next and return leave the code that they
// stand in. It passes through calls unchanged, up to the one that it means; at
// the top it is an error indeed.
type Jump struct {
	Kind JumpKind
	// Value is the result that next and return carry.
	Value pcore.Value
}

func (j *Jump) Error() string {
	return j.Kind.String() + "() from context where this is illegal"
}

// IsBreak reports whether err is a break, which ends the iteration that the
// block was called in.
func IsBreak(err error) bool {
	j, ok := errors.AsType[*Jump](err)
	return ok && j.Kind == Break
}
