package health

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// step is the smallest change of the clock that counts. Smaller ones are corrections by NTP.
const step = 10 * time.Second

// clock notices that the clock of the machine was set. The zero value is ready.
type clock struct {
	mu     sync.Mutex
	wall   time.Time // of the last look
	ticks  time.Time // of the last look, by a clock that nobody sets
	jumps  uint64
	jumped time.Time     // when the last change was noticed, by ticks
	by     time.Duration // the last change
	behind time.Time     // the latest time before the clock was set back
}

// look compares the clock with the time that passed.
func (c *clock) look(now time.Time) {
	now = now.Round(0) // without its reading of the other clock
	ticks := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.wall.IsZero() {
		if by := now.Sub(c.wall) - ticks.Sub(c.ticks); by.Abs() >= step {
			c.jumps++
			c.jumped, c.by = ticks, by
			if by < 0 && c.wall.After(c.behind) {
				c.behind = c.wall
			}
		}
	}
	c.wall, c.ticks = now, ticks
}

func (c *clock) problems(now time.Time) []Problem {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case now.Before(c.behind):
		return []Problem{{"clock", fmt.Sprintf("it was set back by %s: times do not advance until it has caught up", c.by.Abs().Round(time.Second))}}
	case !c.jumped.IsZero() && time.Since(c.jumped) < remembered:
		return []Problem{{"clock", fmt.Sprintf("it was set, by %s: check the synchronization of the time", c.by.Round(time.Second))}}
	}
	return nil
}

// Watch looks at the clock of the machine until ctx ends.
func (m *Monitor) Watch(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		m.clock.look(m.now())
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// Jumps returns how often the clock of the machine was set while the process ran.
func (m *Monitor) Jumps() uint64 {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	return m.clock.jumps
}
