package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// memory sets the pace of the garbage collector. While the heap is smaller than room,
// garbage is not collected. In a larger heap, a collection starts when the garbage is a
// share of the live memory. Go's own pace is for servers: it does not know that this
// process ends soon, or that it retains little of a large input. If GOGC is set, it applies
// instead.
type memory struct {
	mu      sync.Mutex
	started bool
	room    int64 // in bytes
	least   int   // share of garbage in a larger heap, in percent of the live memory; 0 means usualShare
	held    int64 // bytes of large inputs that are in memory as a whole
	bound   int64 // memory limit in bytes for such inputs; 0 means none
	fixed   bool  // there is a memory limit for calls, which applies instead
}

const (
	smallRoom = 24 << 20 // for inputs in memory
	largeRoom = 28 << 20 // for large inputs; the program, stacks and free pages fit the rest of 64 MiB
	mostLeft  = 600      // the largest share: with it, Go's minimum heap of 4 MiB becomes smallRoom

	heldRoom     = 24 << 20 // beside a large input in memory as a whole
	leastGarbage = 3 << 20  // there

	usualShare = 100 // that of Go
	largeShare = 40  // a large input leaves little live memory, so that collections are cheap
	manyShare  = 50  // the findings of many inputs are live memory, so that garbage adds to much
	jobsShare  = 200 // a collection stops all jobs
)

// expect prepares the heap for an input of size bytes.
func (s *IOStreams) expect(size int64) {
	if size > inMemory {
		s.pace(largeRoom, largeShare)
		return
	}
	s.pace(smallRoom, 0)
}

// saveStops makes collections rarer, for concurrent jobs. A large input, before or after
// the call, takes precedence.
func (s *IOStreams) saveStops() { s.pace(smallRoom, jobsShare) }

// KeepMuch makes collections more frequent, for a run that retains its findings in many inputs.
func (s *IOStreams) KeepMuch() { s.pace(smallRoom, manyShare) }

// LimitHeap sets a memory limit for a run with calls that use up to n bytes, so that the
// garbage of earlier calls is collected in time. If GOMEMLIMIT is set, it applies instead.
func (s *IOStreams) LimitHeap(n int64) {
	const others = 256 << 20 // for the rest of the process, and garbage
	if s == nil || s.Getenv("GOMEMLIMIT") != "" || n > math.MaxInt64-others {
		return
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.fixed = true
	debug.SetMemoryLimit(n + others)
}

// Hold prepares the heap for an input of size bytes that is in memory as a whole until release is
// called. Such an input is one block, which costs a collection nothing, so the garbage is a share of
// the other live memory. A memory limit applies from the first collection on: the one that finds the
// input alive would let the heap grow to several times its size, until the pace is adapted. The limit
// grows with the live memory, such as that of many findings. A small input needs none of this, and if
// GOMEMLIMIT or GOGC is set, it applies instead.
func (src Source) Hold(size int64) (release func()) {
	s := src.streams
	if size <= inMemory || s.Getenv("GOMEMLIMIT") != "" || s.Getenv("GOGC") != "" {
		return func() {}
	}
	m := &s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held += size
	if bound := m.held + heldRoom; !m.fixed && m.bound < bound {
		m.bound = bound
		debug.SetMemoryLimit(bound)
	}
	if m.started {
		debug.SetGCPercent(m.share(liveHeap() + size))
	}
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held -= size
	})
}

// pace starts pacing, or changes the pace: the largest room and the smallest share of all
// calls apply. A share of 0 sets none.
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

// next arranges for a call of collected after the next collection.
func (m *memory) next() {
	type garbage struct{ *memory } // not a *memory, which stays reachable
	runtime.AddCleanup(&garbage{m}, (*memory).collected, m)
}

// collected sets the share of garbage for the next collection.
func (m *memory) collected() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.started {
		return
	}
	live := liveHeap()
	debug.SetGCPercent(m.share(live))
	if m.bound > 0 && !m.fixed && live-m.held > (m.bound-m.held)*3/4 { // near the limit, collections would follow each other
		m.bound = m.held + 2*(live-m.held)
		debug.SetMemoryLimit(m.bound)
	}
	m.next()
}

// share returns the share of garbage for the next collection, with live bytes of live memory.
func (m *memory) share(live int64) int {
	least := m.least
	if least == 0 {
		least = usualShare
	}
	garbage := max(m.room-live, int64(least)*(live-m.held)/100)
	if m.held > 0 {
		garbage = max(garbage, leastGarbage)
	}
	return int(min(100*garbage/max(live, 1), mostLeft))
}

// liveHeap returns the number of bytes that were live at the last collection.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
