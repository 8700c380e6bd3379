package deferred

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore/function"
)

// Failure is a call that failed.
type Failure struct {
	// At is the location of the Deferred.
	At catalog.Location
	// Function is the name in the Deferred.
	Function string
	// Err is the reason: a [function.UnknownError], a
	// [function.RefusedError], a [function.ArgumentError], or an error of
	// the function. It contains no secret.
	Err error
}

// Error returns the location and the reason, such as
// `File[/x]/content: unknown function vault_lookup::lookup`.
func (f *Failure) Error() string {
	reason := f.Err.Error()
	if unknown, ok := errors.AsType[*function.UnknownError](f.Err); ok {
		reason = "unknown function " + unknown.Name
	}
	if at := f.At.String(); at != "" {
		return at + ": " + reason
	}
	return reason
}

// Unwrap returns f.Err.
func (f *Failure) Unwrap() error { return f.Err }

// Failures are all failed calls of a run, in the order of the attempts.
type Failures []*Failure

// Error returns one line for each failure.
func (fs Failures) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// err returns the failures as an error, or nil if there are none.
func (fs Failures) err() error {
	if len(fs) == 0 {
		return nil
	}
	return fs
}

// Unwrap returns the failures.
func (fs Failures) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}

// Reasons of a [Failure]. Another is [function.ErrNeedsFacts]: the call reads facts, and
// [Resolver.Facts] is nil.
var (
	// ErrUnwritable means that the result of a call cannot be written, such
	// as an Iterator. The error of [Resolver.Writable] is in the chain,
	// unless the arguments or the result contain a secret.
	ErrUnwritable = errors.New("the result cannot be represented")
	// errTooManyCalls means that [Resolver.MaxCalls] is reached.
	errTooManyCalls = errors.New("the limit of calls is exceeded")
	// ErrTimeout means that a call exceeded [Resolver.Timeout].
	ErrTimeout = errors.New("the call timed out")
	// errAgent means that an agent does not make the call as intended; see
	// [Resolver.Agent].
	errAgent = errors.New("the agent does not make this call as intended")
	// errRounds means that a call keeps returning a Deferred.
	errRounds error = roundsError{}
)

// roundsError formats its message on demand, not at program start.
type roundsError struct{}

func (roundsError) Error() string {
	return fmt.Sprintf("the result is Deferred again after %d rounds", maxRounds)
}

// maxRounds is the maximum number of times that the result of a call may again
// contain a Deferred.
const maxRounds = 10
