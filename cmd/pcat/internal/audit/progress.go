package audit

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// progress shows the progress of a long run on a terminal. It starts after one second, and clears its line
// at the end.
type progress struct {
	opened atomic.Int64
	total  int64
	done   chan struct{}
	ended  sync.WaitGroup
}

// startProgress starts to show the progress of a run over the given number of catalogs. The caller must call
// stop.
func startProgress(s *cli.IOStreams, catalogs int) *progress {
	p := &progress{total: int64(catalogs), done: make(chan struct{})}
	if !s.ErrTerminal || !s.Log.Enabled(context.Background(), slog.LevelWarn) || s.Getenv("TERM") == "dumb" {
		return p
	}
	p.ended.Go(func() { p.show(s.Err, time.Second, 100*time.Millisecond) })
	return p
}

// add counts a catalog that is opened.
func (p *progress) add() { p.opened.Add(1) }

// stop ends the display and clears its line.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
}

func (p *progress) show(w io.Writer, quiet, every time.Duration) {
	wait := time.NewTimer(quiet)
	defer wait.Stop()
	shown := false
	for {
		select {
		case <-p.done:
			if shown {
				_, _ = io.WriteString(w, "\r\x1b[K")
			}
			return
		case <-wait.C:
			shown = true
			_, _ = io.WriteString(w, "\r\x1b[K"+p.line()) // the display is not essential
			wait.Reset(every)
		}
	}
}

// line returns the text to show: the first pass collects secrets, the second searches for copies.
func (p *progress) line() string {
	n := p.opened.Load()
	if n <= p.total {
		return fmt.Sprintf("collecting secrets: %d of %d catalogs", n, p.total)
	}
	return fmt.Sprintf("searching: %d of %d catalogs", n-p.total, p.total)
}
