package feed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

func TestDeliver(t *testing.T) {
	failure := errors.New("storage")
	full := fmt.Errorf("disk: %w", feed.ErrFull)
	for name, test := range map[string]struct {
		errs  []error
		calls int
		want  error
	}{
		"at once":       {nil, 1, nil},
		"full for long": {[]error{full, full, full, full, full, full}, 7, nil},
		"fails twice":   {[]error{failure, full, failure}, 4, nil},
		"fails":         {[]error{failure, full, failure, failure}, 4, failure},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			calls := 0
			err := feed.Deliver(t.Context(), feed.Backoff{Min: 1, Max: 2}, slog.New(slog.NewTextHandler(&log, nil)), func(context.Context) error {
				calls++
				if calls <= len(test.errs) {
					return test.errs[calls-1]
				}
				return nil
			})
			if calls != test.calls || !errors.Is(err, test.want) {
				t.Errorf("%d calls, %v; want %d, %v", calls, err, test.calls, test.want)
			}
			if n := strings.Count(log.String(), "no room"); n > 1 {
				t.Errorf("%d warnings", n)
			}
		})
	}
}

// TestDeliverEnds ends with its context, also while the sink is full.
func TestDeliverEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := feed.Deliver(ctx, feed.Backoff{Min: time.Hour}, slog.New(slog.DiscardHandler), func(context.Context) error {
		cancel()
		return feed.ErrFull
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBackoff(t *testing.T) {
	b := feed.Backoff{Min: 10 * time.Millisecond, Max: 20 * time.Millisecond}
	for attempt, least := range map[int]time.Duration{1: 10 * time.Millisecond, 2: 20 * time.Millisecond, 3: 20 * time.Millisecond, 1000: 20 * time.Millisecond} {
		begin := time.Now()
		if err := b.Wait(t.Context(), attempt); err != nil || time.Since(begin) < least {
			t.Errorf("attempt %d: %v after %v", attempt, err, time.Since(begin))
		}
	}
}
