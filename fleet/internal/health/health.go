// Package health knows whether the parts of a process do their work.
//
//	Monitor  the parts of a process, and their problems
//	Feed     the successes and faults of one feed
//	Problem  why a process is degraded
//
// Its texts contain no names of nodes and nothing of a catalog, so that monitoring may read
// them. What a text leaves out is in the log.
package health

import (
	"slices"
	"sync"
	"time"
)

// Problem is a reason why a process is degraded.
type Problem struct {
	// Part is the part with the problem, such as "storage" or "feed puppetdb".
	Part string `json:"part"`
	// Reason is the fault, with a remedy.
	Reason string `json:"reason"`
}

// String returns the problem as one line.
func (p Problem) String() string { return p.Part + ": " + p.Reason }

// remembered is how long an event counts as a problem after it happened. Events are faults
// that no later success repairs, such as a catalog that was refused.
const remembered = 10 * time.Minute

// Monitor gathers the problems of a process. It is safe for concurrent use. Create one with
// [New].
type Monitor struct {
	now    func() time.Time
	mu     sync.Mutex
	feeds  []*Feed
	checks []func() []Problem
	clock  clock
}

// New returns a Monitor without parts. now is the clock for times that are shown; nil means
// [time.Now].
func New(now func() time.Time) *Monitor {
	if now == nil {
		now = time.Now
	}
	return &Monitor{now: now}
}

// Add adds a check, which is called for each [Monitor.Problems] and must return at once.
func (m *Monitor) Add(check func() []Problem) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checks = append(m.checks, check)
}

// Check returns a check of one part, which has a problem while failed returns an error.
func Check(part string, failed func() error) func() []Problem {
	return func() []Problem {
		if err := failed(); err != nil {
			return []Problem{{part, err.Error()}}
		}
		return nil
	}
}

// Problems returns the problems of all parts now. A process without problems is healthy.
func (m *Monitor) Problems() []Problem {
	m.mu.Lock()
	checks := slices.Clone(m.checks)
	m.mu.Unlock()
	var list []Problem
	for _, check := range checks {
		list = append(list, check()...)
	}
	list = append(list, m.clock.problems(m.now())...)
	for _, f := range m.Feeds() {
		for _, reason := range f.Problems {
			list = append(list, Problem{"feed " + f.Name, reason})
		}
	}
	return list
}

// Feeds returns the states of all feeds, in the order in which they were added.
func (m *Monitor) Feeds() []FeedState {
	m.mu.Lock()
	feeds := slices.Clone(m.feeds)
	m.mu.Unlock()
	list := make([]FeedState, len(feeds))
	for i, f := range feeds {
		list[i] = f.state()
	}
	return list
}
