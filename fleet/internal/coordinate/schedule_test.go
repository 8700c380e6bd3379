package coordinate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

var (
	schedules = flag.Int("schedules", 200, "number of schedules of TestSchedules")
	first     = flag.Uint64("first", 0, "first schedule of TestSchedules")
)

// Whatever is killed, doubled, delayed, reordered or refused: when nothing is left to do,
// the report equals that of one audit over the newest catalogs, and the recorded findings
// are those of the report.
func TestSchedules(t *testing.T) {
	n := *schedules
	if testing.Short() {
		n = 20
	}
	const together = 6 // most of the time is spent waiting
	for lane := range together {
		t.Run(fmt.Sprint("lane", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < n; i += together {
				t.Run(fmt.Sprint("schedule", *first+uint64(i)), func(t *testing.T) { newSchedule(t, *first+uint64(i)).run() })
			}
		})
	}
}

// schedule is a sequence of random faults.
type schedule struct {
	*fleet
	rand *rand.Rand
	want map[string]delivered // the newest catalogs, by name

	mu     sync.Mutex
	faults *rand.Rand // of the workers
	calm   atomic.Bool
	full   atomic.Bool  // the disk
	skew   atomic.Int64 // of the clock
}

// delivered is a catalog that the fleet has accepted.
type delivered struct {
	data     []byte
	produced time.Time
}

func newSchedule(t *testing.T, seed uint64) *schedule {
	t.Helper()
	s := &schedule{rand: rand.New(rand.NewPCG(seed, 1)), faults: rand.New(rand.NewPCG(seed, 2)), want: map[string]delivered{}}
	s.fleet = newFleetWith(t, work.Options{Batches: 1000, Units: 1000, Fault: s.fault}, store.Options{
		AckWait: 300 * time.Millisecond,
		Free: func() (int64, error) {
			if s.full.Load() {
				return 0, nil
			}
			return 1 << 40, nil
		},
	})
	s.now = func() time.Time { return time.Now().Add(time.Duration(s.skew.Load())) }
	return s
}

// fault kills or delays a worker at some steps.
func (s *schedule) fault(string, string) error {
	if s.calm.Load() {
		return nil
	}
	s.mu.Lock()
	kind := s.faults.IntN(40)
	delay := time.Duration(s.faults.IntN(60)) * time.Millisecond
	s.mu.Unlock()
	switch kind {
	case 0, 1:
		return work.ErrKilled
	case 2, 3, 4:
		time.Sleep(delay)
	}
	return nil
}

var (
	nodes = []string{"n1", "n2", "n3", "n4", "icingaweb2"}
	feeds = []string{"test", "timed"}
	epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

func (s *schedule) run() {
	s.start(1 + s.rand.IntN(3))
	for range 5 + s.rand.IntN(25) {
		s.event()
		if s.rand.IntN(4) == 0 {
			time.Sleep(time.Duration(s.rand.IntN(40)) * time.Millisecond)
		}
	}
	s.calm.Store(true)
	s.full.Store(false)
	if s.cancel == nil {
		s.start(2)
	}
	s.docs = map[string][]byte{}
	for name, d := range s.want {
		s.docs[name] = d.data
	}
	s.check()
	s.checkRecords()
	s.stop()
}

// event is one random event.
func (s *schedule) event() {
	feed, node := feeds[s.rand.IntN(2)], nodes[s.rand.IntN(len(nodes))]
	switch s.rand.IntN(16) {
	case 0:
		s.leave(feed, node)
	case 1: // nobody leads and works for a while
		s.stop()
	case 2:
		if s.cancel == nil {
			s.start(1 + s.rand.IntN(3))
		}
	case 3: // the server, too
		if s.rand.IntN(3) == 0 {
			s.stop()
			s.store.Close()
			s.open()
			s.start(1)
		}
	case 4:
		s.full.Store(s.rand.IntN(2) == 0)
	case 5: // the clock jumps
		s.skew.Store(int64(time.Duration(s.rand.IntN(200)-100) * time.Hour))
	case 6:
		s.stray(feed, node)
	default:
		s.deliver(feed, node, fleettest.Catalog(s.rand, node))
	}
}

// deliver delivers a catalog, sometimes twice or together with another one.
func (s *schedule) deliver(name, node string, data []byte) {
	c := feed.Catalog{Feed: name, Node: node, Data: data}
	if name == "timed" { // catalogs arrive in any order
		c.Produced = epoch.Add(time.Duration(s.rand.IntN(100)) * time.Minute)
	}
	for range 1 + s.rand.IntN(2) {
		switch err := s.store.Put(s.t.Context(), c); {
		case err == nil:
			s.accept(c)
		case !errors.Is(err, feed.ErrFull) || !s.full.Load():
			s.t.Fatalf("%s: %v", node, err)
		}
	}
}

// accept records what the fleet has to do with a catalog.
func (s *schedule) accept(c feed.Catalog) {
	name := c.Feed + "/" + c.Node
	old, known := s.want[name]
	switch {
	case known && !c.Produced.IsZero() && c.Produced.Before(old.produced):
		return
	case known && bytes.Equal(c.Data, old.data) && !c.Produced.After(old.produced):
		return
	}
	s.want[name] = delivered{c.Data, c.Produced}
}

func (s *schedule) leave(feed, node string) {
	if err := s.store.Remove(s.t.Context(), feed, node); err != nil {
		s.t.Fatal(err)
	}
	delete(s.want, feed+"/"+node)
}

// stray adds a task that was not asked for.
func (s *schedule) stray(feed, node string) {
	state, _, err := s.store.State(s.t.Context())
	if err != nil || state == nil {
		return
	}
	task := &store.Task{
		ID: fmt.Sprint("stray", s.rand.Uint64()), Engine: state.Engine, Epoch: state.Epoch, Version: uint64(s.rand.IntN(4)), Inspect: s.rand.IntN(2) == 0,
		Units: []store.Want{{Unit: s.store.Unit(feed, node), Digest: "of another time"}},
	}
	if err := s.store.AddTask(s.t.Context(), task); err != nil {
		s.t.Fatal(err)
	}
}

// checkRecords compares the recorded findings with the report.
func (s *schedule) checkRecords() {
	r, err := fleettest.Report(s.docs, s.key.Derive("fingerprints"))
	if err != nil {
		s.t.Fatal(err)
	}
	names, want := slices.Sorted(maps.Keys(s.docs)), map[string]int{}
	for _, f := range r.Findings {
		want[names[f.Input]+" "+f.Fingerprint]++
	}
	got := map[string]int{}
	for _, name := range feeds {
		for _, node := range nodes {
			var r history.Record
			if _, err := s.store.Findings(context.Background(), s.store.Unit(name, node), &r); err != nil {
				s.t.Fatal(err)
			}
			for _, f := range r.Findings {
				if f.First.After(f.Last.Add(200*time.Hour)) || f.Fingerprint == "" {
					s.t.Errorf("%s %s: %v to %v", node, f.Fingerprint, f.First, f.Last)
				}
				if f.Gone.IsZero() {
					got[name+"/"+node+" "+f.Fingerprint] += f.Count
				}
			}
		}
	}
	if !maps.Equal(got, want) {
		s.t.Errorf("recorded findings:\n%v\nwant\n%v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// A leader hangs if its loop does not turn for longer than any work takes.
func TestHangs(t *testing.T) {
	c := New(Options{})
	if c.Hangs() {
		t.Error("a process that does not lead hangs")
	}
	for ago, want := range map[time.Duration]bool{time.Minute: false, longest + time.Minute: true} {
		last := time.Now().Add(-ago)
		c.turned.Store(&last)
		if c.Hangs() != want {
			t.Errorf("after %s: %t", ago, c.Hangs())
		}
	}
	f := newFleet(t, work.Options{})
	c = f.start(0)
	f.settle()
	if c.turned.Load() == nil {
		t.Error("the loop does not record its turns")
	}
	f.stop()
	if c.turned.Load() != nil {
		t.Error("a coordinator that ended still turns")
	}
}
