package function

import (
	"context"
	"time"
)

// TemporaryError is a failure that another attempt may not have: a server that is
// overloaded, sealed or cannot be reached.
type TemporaryError struct {
	Err error
	// After is the time that the server asks its clients to wait; 0 if it
	// asks for none.
	After time.Duration
}

func (e *TemporaryError) Error() string { return e.Err.Error() }

// Unwrap returns e.Err.
func (e *TemporaryError) Unwrap() error { return e.Err }

// SingleAttempt returns a context for calls whose caller makes them again after a
// [TemporaryError]. The functions do not repeat a request then.
func SingleAttempt(ctx context.Context) context.Context {
	return context.WithValue(ctx, singleAttemptKey{}, true)
}

// IsSingleAttempt reports whether the context is one of [SingleAttempt].
func IsSingleAttempt(ctx context.Context) bool { return ctx.Value(singleAttemptKey{}) != nil }

type singleAttemptKey struct{}
