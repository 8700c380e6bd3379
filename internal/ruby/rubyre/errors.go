package rubyre

import (
	"errors"
	"fmt"
)

// Errors of a search. Their texts never contain any part of the searched
// string.
var (
	// ErrTimeout reports a search that took longer than Options.Timeout.
	ErrTimeout = errors.New("rubyre: the search took too long and was stopped; simplify the pattern's nested repetitions")
	// ErrTooComplex reports a search that exceeded the stack of the
	// backtracking engine, or that needs too large a program for RE2.
	ErrTooComplex = errors.New("rubyre: the search had to remember too many positions and was stopped; simplify the pattern's repetitions")
	// ErrInvalidUTF8 reports a searched string that is not valid UTF-8.
	ErrInvalidUTF8 = errors.New("rubyre: invalid byte sequence in UTF-8")
)

// SyntaxError reports a pattern that Ruby rejects, with Ruby's message.
type SyntaxError struct {
	Source  string // the whole pattern
	Message string // such as "premature end of char-class"
}

// Error returns the message and the pattern, as Ruby's RegexpError does.
func (e *SyntaxError) Error() string { return e.Message + ": /" + e.Source + "/" }

// UnsupportedError reports a construct that is valid in Ruby, but that no Go
// engine here can run with the same semantics.
type UnsupportedError struct {
	Source    string // the whole pattern
	Construct string // the unsupported construct, such as "absence operator (?~…)"
}

// Error names the construct and the pattern.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("unsupported in a regular expression: %s: /%s/", e.Construct, e.Source)
}

// ReferenceError reports a replacement that refers to a group the pattern
// lacks.
type ReferenceError struct {
	Name string // the group's name in the replacement
}

// Error returns Ruby's message for the error.
func (e *ReferenceError) Error() string {
	return "undefined group name reference: " + e.Name
}

// ErrReferenceFormat reports a replacement with an unfinished \k<name>.
var ErrReferenceFormat = errors.New("invalid group name reference format")
