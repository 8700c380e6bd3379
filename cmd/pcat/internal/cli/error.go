package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
)

// ExitCode is the status with which the process ends. Each code has one meaning in every command.
type ExitCode int

// The exit codes. String describes each.
const (
	ExitDone ExitCode = iota
	ExitFindings
	ExitUsage
	ExitBadInput
	ExitUnresolved
	ExitInternal

	exitBrokenPipe ExitCode = 128 + 13 // as shells report for a process ended by SIGPIPE
)

// String returns the meaning of the code, as in the help.
func (c ExitCode) String() string {
	switch c {
	case ExitDone:
		return "done"
	case ExitFindings:
		return "findings, differences, skipped resources, no value at a path, or the answer is no"
	case ExitUsage:
		return "invalid command line"
	case ExitBadInput:
		return "an input cannot be read, or is invalid, or there is none"
	case ExitUnresolved:
		return "a Deferred call could not be resolved"
	case ExitInternal:
		return "internal error, or an output cannot be written"
	default:
		return "ended by a signal"
	}
}

// Statuses returns the meanings of all exit codes, from 0 on.
func Statuses() []string {
	var all []string
	for code := ExitDone; code <= ExitInternal; code++ {
		all = append(all, code.String())
	}
	return all
}

// Error is a failure with its exit code and location. It prints as "FILE: LOCATION: message",
// without an empty File or Location.
type Error struct {
	Code     ExitCode
	File     string // the input or output file, "-" for a standard stream
	Location string // where in it, such as "File[/etc/motd]/content"
	Err      error  // nil ends the process with Code and prints nothing
}

// Error implements error.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Code.String()
	}
	return joinNonEmpty(e.File, e.Location, e.Err.Error())
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Usage returns an [Error] with code [ExitUsage]. The message should name the fault and the remedy.
func Usage(format string, args ...any) error {
	return &Error{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// BadInput returns an [Error] with code [ExitBadInput] about a location in a file; location may be empty.
// The file name is removed from the text of err.
func BadInput(file, location string, err error) error {
	return &Error{Code: ExitBadInput, File: file, Location: location, Err: WithoutPath(err)}
}

// Exit returns an error that ends the process with code and prints nothing, for example
// after findings were printed. Exit(ExitDone) is nil.
func Exit(code ExitCode) error {
	if code == ExitDone {
		return nil
	}
	return &Error{Code: code}
}

// CodeOf returns the exit code for err: [ExitDone] for nil, the code of an [Error], and
// [ExitInternal] for any other error. For joined errors, the first of this order is used:
// internal, usage, bad input, unresolved, findings. Findings in one file do not hide that
// another is unreadable.
func CodeOf(err error) ExitCode {
	if err == nil {
		return ExitDone
	}
	if isBrokenPipe(err) {
		return exitBrokenPipe
	}
	worst := ExitDone
	for _, e := range flatten(err) {
		code := ExitInternal
		var coded *Error
		if errors.As(e, &coded) {
			code = coded.Code
		}
		if gravity(code) > gravity(worst) {
			worst = code
		}
	}
	return worst
}

func gravity(code ExitCode) int {
	switch code {
	case ExitDone:
		return 0
	case ExitFindings:
		return 1
	case ExitUnresolved:
		return 2
	case ExitBadInput:
		return 3
	case ExitUsage:
		return 4
	default:
		return 5
	}
}

// Report logs err, one line for each joined error. It logs nothing after a broken pipe, for
// an [Exit], and for cancelled work.
func (s *IOStreams) Report(err error) {
	if err == nil || isBrokenPipe(err) {
		return
	}
	for _, e := range flatten(err) {
		if errors.Is(e, context.Canceled) {
			continue
		}
		if coded, ok := e.(*Error); ok { //nolint:errorlint // the text of a wrapper includes the location
			s.reportCoded(coded)
			continue
		}
		if text := e.Error(); text != "" {
			s.Log.Error(text)
		}
	}
}

func (s *IOStreams) reportCoded(e *Error) {
	if e.Err != nil {
		s.Log.LogAttrs(context.Background(), slog.LevelError, e.Err.Error(), locationAttrs(e)...)
	}
}

func locationAttrs(e *Error) []slog.Attr {
	var attrs []slog.Attr
	if e.File != "" {
		attrs = append(attrs, slog.String(FileKey, e.File))
	}
	if e.Location != "" {
		attrs = append(attrs, slog.String(LocationKey, e.Location))
	}
	return attrs
}

// flatten returns the errors joined by errors.Join, at any depth.
func flatten(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error }) // but not wrappers, which add text
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, flatten(e)...)
	}
	return all
}

func isBrokenPipe(err error) bool { return errors.Is(err, errBrokenPipe) }

// errBrokenPipe is the error of a standard stream without a reader. It does not cover pipes to other
// processes.
var errBrokenPipe error = brokenPipe{}

type brokenPipe struct{}

func (brokenPipe) Error() string { return "standard stream: " + syscall.EPIPE.Error() }

func (brokenPipe) Unwrap() error { return syscall.EPIPE }

// WithoutPath strips the file name that the standard library puts before an error.
func WithoutPath(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

func joinNonEmpty(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ": ")
}
