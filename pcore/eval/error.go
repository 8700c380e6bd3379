package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Errors of evaluation. Limits, functions and syntax have errors of their own.
var (
	// ErrUnknownVariable means that a variable has no value.
	ErrUnknownVariable = errors.New("unknown variable")
	// ErrOperand means that an operator does not support its operands.
	ErrOperand = errors.New("operator not applicable")
	// errAssignment means that a variable cannot be set.
	errAssignment = errors.New("cannot assign")
	// errOverflow means that an integer result exceeds 64 bits.
	errOverflow = errors.New("the result is beyond the range of 64 bit integers")
	// errParameter means that a lambda or template does not accept its
	// arguments.
	errParameter = errors.New("wrong parameter")
	// errDefinition means that a function or type cannot be defined.
	errDefinition = errors.New("cannot define")
)

// Error is a failure of evaluation with its location in the source. See the
// package comment for the values that its message may contain.
type Error struct {
	// File is the name of the source, possibly empty.
	File string
	// Line and Column count from 1. Column counts characters.
	Line, Column int
	// Text is the source line.
	Text string
	// Err is the cause.
	Err error
}

// Error returns the location and the cause, such as "site.pp:3:7: unknown
// variable: $x".
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %v", e.Line, e.Column, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

// Detail returns the message of Error, followed by the source line and a caret
// below the column.
func (e *Error) Detail() string {
	return (&syntax.Error{File: e.File, Line: e.Line, Column: e.Column, Message: e.Err.Error(), Text: e.Text}).Detail()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// operandError is an error that matches [ErrOperand] and has the reference's message.
type operandError struct{ error }

func (e *operandError) Is(target error) bool { return target == ErrOperand }

func (e *operandError) Unwrap() error { return e.error }

// at adds the location of n to err, unless err already has a location, which is
// the innermost. It returns a jump unchanged, because a jump may still be
// caught.
func (s *Scope) at(n syntax.Node, err error) error {
	if err == nil {
		return nil
	}
	if placed, ok := errors.AsType[*Error](err); ok {
		return placed
	}
	if j, ok := errors.AsType[*jump.Jump](err); ok {
		if s.run.jump.jump != j {
			s.run.jump = escape{j, s.newError(n, j)}
		}
		return j
	}
	return s.newError(n, err)
}

func (s *Scope) newError(n syntax.Node, err error) *Error {
	offset := syntax.Anchor(n)
	line, column := s.source.Position(offset)
	return &Error{File: s.source.File(), Line: line, Column: column, Text: s.source.Line(offset), Err: err}
}

// failf returns an error at n.
func (s *Scope) failf(n syntax.Node, cause error, format string, args ...any) error {
	return s.at(n, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...)))
}

// warn logs a fault that the mode permits, with the reference's message. It
// includes the location if the source has a name.
func (s *Scope) warn(n syntax.Node, text string) {
	line, column := s.source.Position(syntax.Anchor(n))
	s.run.warn(text, s.source.File(), line, column)
}

// warnings logs the warnings of the parser.
func (r *run) warnings(list syntax.ErrorList) {
	for _, w := range list {
		r.warn(w.Message, w.File, w.Line, w.Column)
	}
}

func (r *run) warn(text, file string, line, column int) {
	if r.env.Log == nil {
		return
	}
	if file != "" {
		text = fmt.Sprintf("%s (file: %s, line: %d, column: %d)", text, file, line, column)
	}
	r.env.Log(function.Warning, text)
}

// typeName returns the type of v for an error message.
func typeName(v pcore.Value) string { return pcore.Generalize(pcore.Infer(v)).String() }
