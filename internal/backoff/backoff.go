// Package backoff has the waits between the attempts of a call. How long to wait belongs here;
// whether to try again is the decision of the caller.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Limits of the wait before another attempt.
const (
	First   = 250 * time.Millisecond
	Longest = 10 * time.Second
)

// LongestAsked is the longest wait that a server can ask for.
const LongestAsked = 5 * time.Minute

// Wait returns the wait before the n-th retry, counted from 1. It doubles from First up to
// Longest, and is reduced by a random amount of up to one half, so that calls that failed
// together are not repeated together.
func Wait(n int) time.Duration {
	wait := Longest
	if shift := n - 1; shift < 16 {
		wait = min(First<<shift, Longest)
	}
	return wait/2 + rand.N(wait/2) //nolint:gosec // not security-sensitive
}

// Sleep waits for d, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
