package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// memory paces the garbage collector: below a size of the heap that a run may have, garbage is left, and
// above it there is at least a share of garbage before it is collected. Go does not know that a process
// ends soon, or that its input is large and little of it stays. GOGC, when it is set, decides instead.
type memory struct {
	mu      sync.Mutex
	started bool
	room    int64 // bytes of the heap up to which garbage is left
	least   int   // percent of garbage to live memory, above that
}

// The sizes of the heap that a run may have, and the shares of garbage.
const (
	smallRoom = 24 << 20 // an input in memory: hardly more than it needs in the end
	largeRoom = 32 << 20 // the other half of 64 MiB is the program, stacks and free pages
	mostLeft  = 600      // percent: Go's smallest heap of 4 MiB becomes smallRoom

	usualShare = 100
	largeShare = 40 // of a large input little stays, so that collecting is cheap
	manyShare  = 50 // a run over many inputs keeps its findings: the more, the rarer collections are
	jobsShare  = 200
)

// expect prepares the heap for an input of size bytes.
func (s *IOStreams) expect(size int64) {
	if size > inMemory {
		s.pace(largeRoom, largeShare)
		return
	}
	s.pace(smallRoom, 0)
}

// saveStops has garbage collected later, for jobs that work at the same time: they share a heap, and each
// collection stops all of them. A large input decides instead, whenever it comes.
func (s *IOStreams) saveStops() { s.pace(smallRoom, jobsShare) }

// KeepMuch has garbage collected earlier, for a run that keeps its findings in many inputs.
func (s *IOStreams) KeepMuch() { s.pace(smallRoom, manyShare) }

// LimitHeap has garbage collected in time when calls hold up to n bytes, and what they made before is garbage
// by then. GOMEMLIMIT decides instead when it is set.
func (s *IOStreams) LimitHeap(n int64) {
	const others = 256 << 20 // memory of the run itself, and room for garbage
	if s == nil || s.Getenv("GOMEMLIMIT") != "" || n > math.MaxInt64-others {
		return
	}
	debug.SetMemoryLimit(n + others)
}

// pace starts pacing, or changes it. A share of 0 leaves that of before, and so does any share but the
// smallest: an input that is large stays the reason.
func (s *IOStreams) pace(room int64, share int) {
	if s == nil || s.Getenv("GOGC") != "" {
		return
	}
	m := &s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.room = max(m.room, room)
	if share > 0 && (m.least == 0 || share < m.least) {
		m.least = share
	}
	if !m.started {
		m.started = true
		debug.SetGCPercent(mostLeft)
		m.next()
	}
}

// next has collected called after the next collection.
func (m *memory) next() {
	type garbage struct{ *memory } // that the collection finds
	runtime.AddCleanup(&garbage{m}, (*memory).collected, m)
}

// collected sets the share of garbage up to the next collection.
func (m *memory) collected() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.started {
		return
	}
	debug.SetGCPercent(m.share(liveHeap()))
	m.next()
}

// share returns the percent of garbage to live bytes before the next collection.
func (m *memory) share(live int64) int {
	least := m.least
	if least == 0 {
		least = usualShare
	}
	left := 100 * (m.room - live) / max(live, 1)
	return int(min(max(left, int64(least)), mostLeft))
}

// liveHeap returns the bytes that the last collection left.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
