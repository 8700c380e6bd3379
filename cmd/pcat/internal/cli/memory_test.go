package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// percent returns GOGC as it is now.
func percent() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

func TestShare(t *testing.T) {
	small, large := int64(2<<20), int64(inMemory+1)
	defer debug.SetGCPercent(percent())
	for _, tt := range []struct {
		name        string
		do          func(*IOStreams)
		at10, at100 int // the share of garbage where 10 and 100 MiB are live
	}{
		{"a small input", func(s *IOStreams) { s.expect(small) }, 140, 100},
		{"a large input", func(s *IOStreams) { s.expect(large) }, 180, 40},
		{"a large input after a small one", func(s *IOStreams) { s.expect(small); s.expect(large) }, 180, 40},
		{"a small input after a large one", func(s *IOStreams) { s.expect(large); s.expect(small) }, 180, 40},
		{"jobs", func(s *IOStreams) { s.saveStops(); s.expect(small); s.expect(small) }, 200, 200},
		{"much is kept", func(s *IOStreams) { s.KeepMuch(); s.expect(small); s.expect(small) }, 140, 50},
		{"jobs with a large input", func(s *IOStreams) { s.saveStops(); s.expect(small); s.expect(large) }, 180, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Streams(strings.NewReader(""), nil, nil)
			tt.do(s)
			if got := percent(); got != mostLeft {
				t.Errorf("GOGC is %d before a collection", got)
			}
			for live, want := range map[int64]int{0: mostLeft, 1 << 20: mostLeft, 10 << 20: tt.at10, 100 << 20: tt.at100} {
				if got := s.memory.share(live); got != want {
					t.Errorf("%d%% with %d MiB live, want %d%%", got, live>>20, want)
				}
			}
			stop(s)
		})
	}
}

// stop ends pacing, so that the cleanups of one test leave others alone.
func stop(s *IOStreams) {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.started = false
}

// The share is set after each collection, at no given time: this never returns if it is not.
func TestPacing(t *testing.T) {
	defer debug.SetGCPercent(percent())
	s := Streams(strings.NewReader(""), nil, nil)
	defer stop(s)
	s.expect(1)
	for range 3 {
		debug.SetGCPercent(1)
		for percent() == 1 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
}

func TestGOGCDecides(t *testing.T) {
	usual := percent()
	s := Streams(strings.NewReader(""), nil, nil)
	s.Getenv = func(string) string { return "50" }
	s.saveStops()
	s.KeepMuch()
	s.expect(inMemory + 1)
	if got := percent(); got != usual {
		t.Errorf("GOGC is %d, want %d as before", got, usual)
	}
}

// Garbage is a share of the memory beside a large input, whose limit grows with the live memory.
func TestHold(t *testing.T) {
	defer debug.SetGCPercent(percent())
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	s := Streams(strings.NewReader(""), nil, nil)
	s.Getenv = func(string) string { return "" }
	const size = inMemory + 1
	s.expect(size)
	defer stop(s)
	release := Source{streams: s}.Hold(size)
	if got := debug.SetMemoryLimit(-1); got != size+heldRoom {
		t.Fatalf("the limit is %d", got)
	}
	for own, want := range map[int64]int64{1 << 20: largeRoom - size - 1<<20, 12 << 20: 12 << 20 * largeShare / 100, 6 << 20: max(largeRoom-size-6<<20, leastGarbage)} {
		if got, want := s.memory.share(size+own), int(100*want/(size+own)); got != want {
			t.Errorf("%d%% with %d MiB beside the input, want %d%%", got, own>>20, want)
		}
	}
	live := make([]byte, 5*size)
	for start := time.Now(); debug.SetMemoryLimit(-1) < 8*size; runtime.GC() {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("the limit is still %d", debug.SetMemoryLimit(-1))
		}
	}
	runtime.KeepAlive(live)
	release()
	if got := s.memory.share(size); got != 100*(largeRoom-size)/size {
		t.Errorf("%d%% after the release", got)
	}
}
