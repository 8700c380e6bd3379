package cli

import (
	"runtime"
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

// untilCollected collects garbage until GOGC is want: that it is set follows a collection, at no given
// time. It never returns when that does not come.
func untilCollected(want int) {
	for percent() != want {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestMemory(t *testing.T) {
	usual := percent()
	defer func() { untilCollected(usual) }()
	defer Streams(nil, nil, nil).collectAt(usual)

	small, large := int64(2<<20), int64(inMemory+1)
	for _, tt := range []struct {
		name       string
		do         func(*IOStreams)
		now, later int
	}{
		{"a small input", func(s *IOStreams) { s.expect(small) }, 600, usual},
		{"a large input", func(s *IOStreams) { s.expect(large) }, 40, 40},
		{"a large input after a small one", func(s *IOStreams) { s.expect(small); s.expect(large) }, 40, 40},
		{"a small input after a large one", func(s *IOStreams) { s.expect(large); s.expect(small) }, 40, 40},
		{"jobs", func(s *IOStreams) { s.saveStops(); s.expect(small); s.expect(small) }, 600, 200},
		{"much is kept", func(s *IOStreams) { s.KeepMuch(); s.expect(small); s.expect(small) }, 600, 50},
		{"jobs with a large input", func(s *IOStreams) { s.saveStops(); s.expect(small); s.expect(large) }, 40, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Streams(strings.NewReader(""), nil, nil)
			s.collectAt(usual)
			s.memory = memory{}
			tt.do(s)
			if got := percent(); got != tt.now {
				t.Errorf("GOGC is %d before a collection, want %d", got, tt.now)
			}
			untilCollected(tt.later)
		})
	}
	t.Run("the user decides", func(t *testing.T) {
		s := Streams(strings.NewReader(""), nil, nil)
		s.collectAt(usual)
		s.Getenv = func(string) string { return "50" }
		s.saveStops()
		s.expect(large)
		if got := percent(); got != usual {
			t.Errorf("GOGC is %d, want %d as before", got, usual)
		}
	})
}
