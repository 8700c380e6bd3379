package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// What evaluation can fail with beyond its limits, and the errors of functions
// and of syntax.
var (
	// ErrUnknownVariable tells that a variable has no value.
	ErrUnknownVariable = errors.New("unknown variable")
	// ErrAssignment tells that a variable cannot be set.
	ErrAssignment = errors.New("cannot assign")
	// ErrOperand tells that an operator cannot be applied to its operands.
	ErrOperand = errors.New("operator not applicable")
	// ErrOverflow tells that a result is beyond 64 bits.
	ErrOverflow = errors.New("the result is beyond the range of 64 bit integers")
	// ErrParameter tells that a lambda or template does not accept what it
	// was given.
	ErrParameter = errors.New("wrong parameter")
	// ErrDefinition tells that a function or type cannot be defined.
	ErrDefinition = errors.New("cannot define")
)

// Error is a failure of evaluation, with the place in the source. It quotes
// names and types from there, and no values.
type Error struct {
	// File is the name of the source; it may be empty.
	File string
	// Line and Column count from 1. Column counts characters.
	Line, Column int
	// Text is the line of the source.
	Text string
	// Err says what is wrong.
	Err error
}

// Error returns the place and what is wrong, as
// "site.pp:3:7: unknown variable: $x".
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %v", e.Line, e.Column, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

// Detail returns Error followed by the source line and a caret below the
// column, for a person to read.
func (e *Error) Detail() string {
	return (&syntax.Error{File: e.File, Line: e.Line, Column: e.Column, Message: e.Err.Error(), Text: e.Text}).Detail()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// at returns err with the place of n, unless it has a place already; that is
// the one deepest inside. A jump stays what it is, for it is no failure yet.
func (s *Scope) at(n syntax.Node, err error) error {
	if err == nil {
		return nil
	}
	if placed, ok := errors.AsType[*Error](err); ok {
		return placed
	}
	if jump, ok := errors.AsType[*function.Jump](err); ok {
		if s.run.jump.jump != jump {
			s.run.jump = escape{jump, s.newError(n, jump)}
		}
		return jump
	}
	return s.newError(n, err)
}

func (s *Scope) newError(n syntax.Node, err error) *Error {
	offset := syntax.Anchor(n)
	line, column := s.source.Position(offset)
	return &Error{File: s.source.File(), Line: line, Column: column, Text: s.source.Line(offset), Err: err}
}

// failf is an error at n.
func (s *Scope) failf(n syntax.Node, cause error, format string, args ...any) error {
	return s.at(n, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...)))
}

// warn logs what the mode does not make an error, in the words of the
// reference, and with the place when the source has a name.
func (s *Scope) warn(n syntax.Node, text string) {
	line, column := s.source.Position(syntax.Anchor(n))
	s.run.warn(text, s.source.File(), line, column)
}

// warnings logs what was doubtful when a source was parsed.
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

// typeName names the type of v for an error.
func typeName(v pcore.Value) string { return pcore.Generalize(pcore.Infer(v)).String() }
