package health

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// Outcome is the fate of a catalog that a feed delivered.
type Outcome string

// The outcomes.
const (
	Stored  Outcome = "stored"  // the storage has it, or a newer one
	Full    Outcome = "full"    // the storage had no room
	Failed  Outcome = "failed"  // the storage failed
	Refused Outcome = "refused" // it is not a valid catalog, or too large
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Stored, Full, Failed, Refused} }

// ahead is how far the time of a catalog may be in the future.
const ahead = 5 * time.Minute

// Feed records the successes and faults of a feed. It is safe for concurrent use. It
// implements [feed.Observer].
type Feed struct {
	name   string
	within time.Duration
	now    func() time.Time

	mu       sync.Mutex
	last     time.Time // of the last success, as it is shown
	alive    time.Time // of the last success, or the start
	fault    string    // since the last success; empty without one
	faulted  time.Time
	refused  time.Time // of the last catalog that was refused
	future   time.Time // of the last catalog with a time in the future
	errors   uint64
	catalogs map[Outcome]uint64
}

// Feed adds a feed. A feed that polls must succeed again within some time; 0 is for a feed
// that waits for others.
func (m *Monitor) Feed(name string, within time.Duration) *Feed {
	f := &Feed{name: name, within: within, now: m.now, alive: time.Now(), catalogs: map[Outcome]uint64{}}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.feeds = append(m.feeds, f)
	return f
}

// FeedState is the state of a feed.
type FeedState struct {
	Name string `json:"name"`
	// Last is the time at which the feed delivered a catalog, or found that nothing was new.
	// It is zero before that.
	Last time.Time `json:"last_success,omitzero"`
	// Errors is the number of faults, and Catalogs that of catalogs by outcome.
	Errors   uint64             `json:"errors"`
	Catalogs map[Outcome]uint64 `json:"catalogs"`
	// Problems are the reasons why the feed is not healthy.
	Problems []string `json:"problems,omitempty"`
}

func (f *Feed) state() FeedState {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := FeedState{Name: f.name, Last: f.last, Errors: f.errors, Catalogs: maps.Clone(f.catalogs)}
	silent := time.Since(f.alive)
	if f.fault != "" && (f.within > 0 || time.Since(f.faulted) < remembered) {
		s.Problems = append(s.Problems, f.fault)
	} else if f.within > 0 && silent > f.within {
		s.Problems = append(s.Problems, fmt.Sprintf("it has not succeeded for %s: its source or the storage does not answer", silent.Round(time.Second)))
	}
	if !f.refused.IsZero() && time.Since(f.refused) < remembered {
		s.Problems = append(s.Problems, "catalogs are refused: see the log")
	}
	if !f.future.IsZero() && time.Since(f.future) < remembered {
		s.Problems = append(s.Problems, "catalogs have times in the future: check the clocks of the compilers and of this machine")
	}
	return s
}

// Succeeded implements [feed.Observer].
func (f *Feed) Succeeded() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.alive, f.last = time.Now(), f.now()
	if f.within > 0 { // else the success is one of another catalog
		f.fault = ""
	}
}

// Failed implements [feed.Observer].
func (f *Feed) Failed(reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail(reason)
}

func (f *Feed) fail(reason string) {
	f.errors++
	f.fault, f.faulted = reason, time.Now()
}

// Refused implements [feed.Observer].
func (f *Feed) Refused() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors++
	f.catalogs[Refused]++
	f.refused = time.Now()
}

// Sink returns a sink that records the outcomes of the catalogs of the feed.
func (f *Feed) Sink(s feed.Sink) feed.Sink { return &sink{s, f} }

// sink is a sink for [Feed.Sink].
type sink struct {
	feed.Sink
	f *Feed
}

// Put implements [feed.Sink].
func (s *sink) Put(ctx context.Context, c feed.Catalog) error {
	err := s.Sink.Put(ctx, c)
	f := s.f
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.catalogs[Stored]++
		f.alive, f.last = time.Now(), f.now()
	case errors.Is(err, feed.ErrFull):
		f.catalogs[Full]++
		f.fail("the storage has no room for its catalogs")
	case ctx.Err() == nil:
		f.catalogs[Failed]++
		f.fail("its catalogs could not be stored: see the log")
	}
	if c.Produced.Sub(f.now()) > ahead {
		f.errors++
		f.future = time.Now()
	}
	return err
}
