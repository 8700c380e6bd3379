package hiera

import (
	"errors"
	"fmt"
)

// errNoKey reports that a key is not found.
var errNoKey = errors.New("no such key")

// ErrNotFound is wrapped by the error of a lookup that finds no value and has no default.
var ErrNotFound = errors.New("not found")

// Error is the failure of a lookup. Its text is the one of Puppet, where Puppet fails too. It
// does not contain the values of encrypted data.
type Error struct {
	// Message says what is wrong.
	Message string
	// File is the file with the fault; it can be empty.
	File string
	// Line is the line in File; 0 if it is not known.
	Line int

	kind  errorKind
	cause error
}

// errorKind distinguishes errors that Puppet passes on in different ways.
type errorKind uint8

const (
	lookupKind  errorKind = iota // gets the name of the key in the global layer
	issueKind                    // a fault of a configuration: passed on unchanged
	puppetKind                   // becomes a lookupKind error at the next recursion
	generalKind                  // any other: passed on unchanged
)

// Error returns the message and the location.
func (e *Error) Error() string {
	switch {
	case e.File != "" && e.Line > 0:
		return fmt.Sprintf("%s (file: %s, line: %d)", e.Message, e.File, e.Line)
	case e.File != "":
		return fmt.Sprintf("%s (file: %s)", e.Message, e.File)
	default:
		return e.Message
	}
}

// Unwrap returns the cause, such as [ErrNotFound]; nil for none.
func (e *Error) Unwrap() error { return e.cause }

func lookupErrorf(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

func issuef(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), kind: issueKind}
}

func puppetErrorf(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), kind: puppetKind}
}

func generalErrorf(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), kind: generalKind}
}
