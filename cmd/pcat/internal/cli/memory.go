package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
)

// memory is what a run decides about its heap, in the place of Go, which does not know that a process
// ends soon. Who sets GOGC decides instead.
type memory struct {
	mu      sync.Mutex
	begun   bool
	late    bool // the first collection is put off
	percent int  // of garbage to what stays, from then on; 0 for what Go has
}

// expect prepares the heap for an input of size bytes.
func (s *IOStreams) expect(size int64) {
	if s == nil || s.Getenv("GOGC") != "" {
		return
	}
	s.memory.begin()
	if size > inMemory {
		s.saveMemory()
	}
}

// LimitHeap has garbage collected in time when calls hold up to n bytes, and what they made before is garbage
// by then. GOMEMLIMIT decides instead when it is set.
func (s *IOStreams) LimitHeap(n int64) {
	const others = 256 << 20 // what the run itself needs, and room for garbage
	if s == nil || s.Getenv("GOMEMLIMIT") != "" || n > math.MaxInt64-others {
		return
	}
	debug.SetMemoryLimit(n + others)
}

// begin puts the first collection off: up to then most of the heap is in use, and to find that out takes
// longer than the memory is worth that a small input needs in the end. It has an effect once.
func (m *memory) begin() {
	const (
		first     = 24 << 20 // bytes of the heap at the first collection
		atHundred = 4 << 20  // bytes of the heap at the first collection when GOGC is 100
	)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.begun {
		return
	}
	m.begun, m.late = true, true
	usual := debug.SetGCPercent(100 * first / atHundred)
	if m.percent == 0 {
		m.percent = usual
	}
	type garbage struct{ *memory } // that the first collection finds
	runtime.AddCleanup(&garbage{m}, (*memory).collected, m)
}

// collected ends what begin put off.
func (m *memory) collected() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.late {
		m.late = false
		debug.SetGCPercent(m.percent)
	}
}

// saveMemory has garbage collected earlier: what passes of a large input makes much of it, and little
// stays.
func (s *IOStreams) saveMemory() {
	const percent = 40
	s.collectAt(percent)
}

// saveStops has garbage collected later, for jobs that work at the same time: they share a heap, and to
// collect its garbage stops all of them, for as long as it takes the last one to be stopped. It costs
// each job about as much memory as it keeps. A large input has its way, whenever it comes.
func (s *IOStreams) saveStops() {
	const percent = 200
	s.collectAt(percent)
}

// KeepMuch has garbage collected earlier, for a run that keeps what it finds in many inputs: the more that
// is, the less often anything is collected, so that it hardly takes time.
func (s *IOStreams) KeepMuch() {
	const percent = 50
	s.collectAt(percent)
}

// collectAt sets how much garbage there has to be, in percent of what stays.
func (s *IOStreams) collectAt(percent int) {
	if s == nil || s.Getenv("GOGC") != "" {
		return
	}
	m := &s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.late, m.percent = false, percent
	debug.SetGCPercent(percent)
}
