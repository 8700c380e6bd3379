package feed

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Backoff is the time between two attempts, which doubles from Min to Max. The zero value is 1
// second to 30 seconds.
type Backoff struct{ Min, Max time.Duration }

// Wait waits before an attempt, of which the first has the number 1. It returns early with
// the error of ctx.
func (b Backoff) Wait(ctx context.Context, attempt int) error {
	if b.Min <= 0 {
		b.Min = time.Second
	}
	if b.Max <= 0 {
		b.Max = 30 * time.Second
	}
	pause := b.Min
	for range attempt - 1 {
		if pause >= b.Max {
			break
		}
		pause *= 2
	}
	timer := time.NewTimer(min(pause, b.Max))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Deliver calls deliver until it succeeds. While the sink is full, it tries again without
// end, so that the feed stops until there is room. It returns other errors after three attempts.
func Deliver(ctx context.Context, b Backoff, log *slog.Logger, deliver func(context.Context) error) error {
	failures := 0
	for attempt := 1; ; attempt++ {
		err := deliver(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrFull):
			if attempt == 1 {
				log.Warn("no room for more catalogs: waiting")
			}
		default:
			if failures++; failures == 3 {
				return err
			}
		}
		if err := b.Wait(ctx, attempt); err != nil {
			return err
		}
	}
}
