package cli

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// terminalBuffer is a terminal that two goroutines use.
type terminalBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *terminalBuffer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *terminalBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

func (t *terminalBuffer) Len() int { return len(t.String()) }

// startedProgress returns a Progress with three steps, and the terminal that it writes to.
func startedProgress(columns int) (*Progress, *screen, *terminalBuffer) {
	var b terminalBuffer
	s := &screen{w: &b}
	p := &Progress{line: counted("reading", 3), start: time.Now(), end: make(chan struct{})}
	p.ended.Go(func() { p.show(s, func() int { return columns }, time.Second, 100*time.Millisecond) })
	return p, s, &b
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s, b := startedProgress(0)
		p.Add()
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		if b.String() != "" {
			t.Errorf("shown before a second is over: %q", b)
		}
		time.Sleep(2 * time.Millisecond)
		p.Add()
		synctest.Wait()
		out := standardWriter{b, stderrName, s}
		for range 2 {
			if _, err := io.WriteString(out, "a message\n"); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(100 * time.Millisecond)
		p.Stop()
		want := "\r\x1b[Kreading: 1 of 3, 1s\r\x1b[Ka message\na message\n\r\x1b[Kreading: 2 of 3, 1s\r\x1b[K"
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestProgressOfShortRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, b := startedProgress(0)
		time.Sleep(time.Millisecond)
		p.Stop()
		if b.Len() > 0 {
			t.Errorf("shown %q", b)
		}
	})
}

// The line does not replace the beginning of other output.
func TestProgressWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s, b := startedProgress(0)
		out := standardWriter{b, stdoutName, s}
		for _, text := range []string{"begin", " end\n"} {
			if _, err := io.WriteString(out, text); err != nil {
				t.Error(err)
			}
			time.Sleep(1050 * time.Millisecond)
			synctest.Wait()
		}
		p.Stop()
		if got := strings.TrimRight(b.String(), clearLine); !strings.HasPrefix(got, "begin end\n"+clearLine+"reading") {
			t.Errorf("got %q", got)
		}
	})
}

// A line that is longer than the terminal could not be cleared.
func TestProgressFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, b := startedProgress(10)
		time.Sleep(1050 * time.Millisecond)
		p.Stop()
		if got := strings.Split(b.String(), clearLine); len(got) != 3 || got[1] != "reading: " {
			t.Errorf("got %q", got)
		}
	})
}

// Nothing is shown in a pipe.
func TestProgressInPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := Streams(nil, nil, &b).StartProgress(counted("reading", 3))
		time.Sleep(time.Minute)
		p.Stop()
		if b.Len() > 0 {
			t.Errorf("shown %q", &b)
		}
	})
}
