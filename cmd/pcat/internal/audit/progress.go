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

// progress tells on a terminal how far a long run is. It is quiet for the first second, and leaves
// nothing behind.
type progress struct {
	opened atomic.Int64
	total  int64
	done   chan struct{}
	ended  sync.WaitGroup
}

// startProgress starts to tell about a run over so many catalogs. Call stop at the end.
func startProgress(s *cli.IOStreams, catalogs int) *progress {
	p := &progress{total: int64(catalogs), done: make(chan struct{})}
	if !s.ErrTerminal || !s.Log.Enabled(context.Background(), slog.LevelWarn) || s.Getenv("TERM") == "dumb" {
		return p
	}
	p.ended.Go(func() { p.tell(s.Err, time.Second, 100*time.Millisecond) })
	return p
}

// add tells that a catalog is opened once more.
func (p *progress) add() { p.opened.Add(1) }

// stop ends the telling. The line is free again when it returns.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
}

func (p *progress) tell(w io.Writer, quiet, every time.Duration) {
	wait := time.NewTimer(quiet)
	defer wait.Stop()
	told := false
	for {
		select {
		case <-p.done:
			if told {
				_, _ = io.WriteString(w, "\r\x1b[K")
			}
			return
		case <-wait.C:
			told = true
			_, _ = io.WriteString(w, "\r\x1b[K"+p.line()) // who does not see it misses nothing
			wait.Reset(every)
		}
	}
}

// line is what is told: secrets are gathered from all catalogs first, then looked for in all.
func (p *progress) line() string {
	n := p.opened.Load()
	if n <= p.total {
		return fmt.Sprintf("collecting secrets: %d of %d catalogs", n, p.total)
	}
	return fmt.Sprintf("searching: %d of %d catalogs", n-p.total, p.total)
}
