package external

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// backoff repeats calls that fail temporarily.
type backoff struct {
	retries int
	sleep   func(context.Context, time.Duration)
}

// Limits of the wait before a retry.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 10 * time.Second
)

// do calls try until it succeeds or fails permanently, or until the retries or
// the time of the call are exhausted.
func (b backoff) do(c *function.Call, try func() (pcore.Value, error)) (pcore.Value, error) {
	for n := 0; ; n++ {
		v, err := try()
		if !errors.Is(err, errTemporary) {
			return v, err
		}
		wait := waitBefore(n + 1)
		deadline, bounded := c.Context().Deadline()
		if n == b.retries || bounded && time.Until(deadline) <= wait {
			return nil, fmt.Errorf("%w, tried %s: %w", errTemporary, times(n+1), err)
		}
		c.Say(function.Info, fmt.Sprintf("%s(): temporary failure, retrying in %s", c.Function().Name, wait.Round(time.Millisecond)))
		if b.sleep(c.Context(), wait); c.Context().Err() != nil {
			return nil, context.Cause(c.Context())
		}
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// waitBefore returns the wait before the n-th retry, counted from 1. It is
// random, so that calls that failed together are not repeated together.
func waitBefore(n int) time.Duration {
	wait := longestWait
	if shift := n - 1; shift < 16 {
		wait = min(firstWait<<shift, longestWait)
	}
	return wait/2 + rand.N(wait/2) //nolint:gosec // not security-sensitive
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
