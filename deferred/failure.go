package deferred

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore/function"
)

// Failure is a call that could not be made.
type Failure struct {
	// At is where the Deferred stands.
	At catalog.Location
	// Function is the name in the Deferred.
	Function string
	// Err is why: a [function.UnknownError], a [function.RefusedError], a
	// [function.ArgumentError], or what the function says. It quotes no
	// secret.
	Err error
}

// Error returns the place and the reason, such as
// `File[/x]/content: vault_lookup::lookup is not known`.
func (f *Failure) Error() string {
	reason := f.Err.Error()
	if unknown, ok := errors.AsType[*function.UnknownError](f.Err); ok {
		reason = unknown.Name + " is not known"
	}
	if at := f.At.String(); at != "" {
		return at + ": " + reason
	}
	return reason
}

// Unwrap returns the reason.
func (f *Failure) Unwrap() error { return f.Err }

// Failures are all calls of a run that could not be made, in the order in which
// they were tried.
type Failures []*Failure

// Error returns one line for each failure.
func (fs Failures) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the failures.
func (fs Failures) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}

// Errors that a [Failure] may hold.
var (
	// ErrNeedsFacts is the reason when a call reads facts and [Resolver.Facts]
	// is nil. It is [function.ErrNeedsFacts].
	ErrNeedsFacts = function.ErrNeedsFacts
	// ErrUnwritable is the reason when the result of a call cannot be written,
	// as an Iterator. The error of [Resolver.Writable] is in the chain, unless
	// a secret is among the arguments or in the result.
	ErrUnwritable = errors.New("the result cannot be written")
	// ErrTooManyCalls is the reason when [Resolver.MaxCalls] were made.
	ErrTooManyCalls = errors.New("the limit of calls is reached")
	// ErrTimeout is the reason when a call took longer than
	// [Resolver.Timeout].
	ErrTimeout = errors.New("the call took too long")
	// ErrRounds is the reason when a call keeps returning a Deferred.
	ErrRounds error = roundsError{}
)

// roundsError makes its words when they are asked for, not when a program starts.
type roundsError struct{}

func (roundsError) Error() string {
	return fmt.Sprintf("the results are Deferred again, %d times over", MaxRounds)
}

// MaxRounds is how often the result of a call may be a Deferred again, or hold
// one.
const MaxRounds = 10
