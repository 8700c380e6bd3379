package external

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/internal/backoff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// retries repeats calls that fail temporarily.
type retries struct {
	most  int
	sleep func(context.Context, time.Duration)
}

// do calls try until it succeeds or fails permanently, or until the retries or
// the time of the call are exhausted. It calls try once if the caller retries.
func (b retries) do(c *function.Call, try func() (pcore.Value, error)) (pcore.Value, error) {
	for n := 0; ; n++ {
		v, err := try()
		if !errors.Is(err, errTemporary) || function.IsSingleAttempt(c.Context()) {
			return v, err
		}
		wait := backoff.Wait(n + 1)
		deadline, bounded := c.Context().Deadline()
		if n == b.most || bounded && time.Until(deadline) <= wait {
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
