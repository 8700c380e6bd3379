// Package jump defines the errors with which break, next and return leave the
// enclosing code of the Puppet language.
package jump

import "github.com/pcatdev/pcat/pcore"

// Kind is the kind of a [Jump].
type Kind uint8

// The jumps of the language.
const (
	Break  Kind = iota + 1 // leaves the function that iterates
	Next                   // leaves the block and sets its result
	Return                 // leaves the function that contains the block
)

func (k Kind) String() string {
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

// Jump is an error with which break, next and return leave the enclosing code.
// It passes through calls unchanged until it reaches its target. At top level it
// is reported as an error.
type Jump struct {
	Kind Kind
	// Value is the value of a next or a return.
	Value pcore.Value
}

func (j *Jump) Error() string {
	return j.Kind.String() + "() from context where this is illegal"
}
