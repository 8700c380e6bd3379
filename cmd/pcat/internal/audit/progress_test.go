package audit

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// screen is written to by one goroutine and read by another.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *screen) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *screen) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b screen
		p := &progress{total: 3, done: make(chan struct{})}
		p.ended.Go(func() { p.show(&b, time.Second, 100*time.Millisecond) })
		p.add()
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		if b.String() != "" {
			t.Errorf("shown before a second is over: %q", b.String())
		}
		time.Sleep(2 * time.Millisecond)
		for range 4 {
			p.add()
		}
		time.Sleep(100 * time.Millisecond)
		p.stop()
		got := strings.Split(b.String(), "\r\x1b[K")
		want := []string{"", "collecting secrets: 1 of 3 catalogs", "searching: 2 of 3 catalogs", ""}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestProgressOfShortRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := &progress{total: 3, done: make(chan struct{})}
		p.ended.Go(func() { p.show(&b, time.Second, time.Second) })
		time.Sleep(time.Millisecond)
		p.stop()
		if b.Len() > 0 {
			t.Errorf("shown %q", b.String())
		}
	})
}
