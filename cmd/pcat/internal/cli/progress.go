package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Progress shows on a terminal how far a run is that takes longer than a second. Create one with
// [IOStreams.StartProgress]. It is safe for concurrent use.
type Progress struct {
	line  func(done int64) string
	start time.Time
	done  atomic.Int64
	end   chan struct{}
	ended sync.WaitGroup
}

// StartProgress starts to show the text that line returns for the number of Add calls, with
// the elapsed time behind it. Nothing is shown if standard error is not a terminal, and
// with -q. The caller must call Stop.
func (s *IOStreams) StartProgress(line func(done int64) string) *Progress {
	p := &Progress{line: line, start: time.Now(), end: make(chan struct{})}
	err, ok := s.Err.(standardWriter)
	if ok && err.screen != nil && s.Log.Enabled(context.Background(), slog.LevelWarn) && s.Getenv("TERM") != "dumb" {
		p.ended.Go(func() { p.show(err.screen, func() int { return s.Columns(s.Err) }, time.Second, 100*time.Millisecond) })
	}
	return p
}

// Add counts a step.
func (p *Progress) Add() { p.done.Add(1) }

// Stop ends the display and clears its line.
func (p *Progress) Stop() {
	close(p.end)
	p.ended.Wait()
}

func (p *Progress) show(to *screen, columns func() int, quiet, every time.Duration) {
	defer to.clear()
	wait := time.NewTimer(quiet)
	defer wait.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-wait.C:
			text := fmt.Sprintf("%s, %s", p.line(p.done.Load()), time.Since(p.start).Truncate(time.Second))
			to.show(cut(text, columns()-1))
			wait.Reset(every)
		}
	}
}

// cut returns the beginning of a text with at most n characters; all of it if n is not positive.
func cut(text string, n int) string {
	if n <= 0 || utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

// counted returns a line for a number of inputs.
func counted(doing string, total int) func(done int64) string {
	return func(done int64) string { return fmt.Sprintf("%s: %d of %d", doing, done, total) }
}

// screen is a terminal with the line of a [Progress] below all other output. It is safe for
// concurrent use.
type screen struct {
	mu    sync.Mutex
	w     io.Writer
	shown bool
	open  bool // the last line of other output has no end yet
}

const clearLine = "\r\x1b[K"

// show replaces the line, unless that would clear other output. Errors are ignored, because
// the line is not essential.
func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open {
		return
	}
	s.shown = true
	_, _ = io.WriteString(s.w, clearLine+line)
}

func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearLocked()
}

func (s *screen) clearLocked() {
	if s.shown {
		s.shown = false
		_, _ = io.WriteString(s.w, clearLine)
	}
}

// write writes other output to w, which is the same terminal, after the line is cleared.
func (s *screen) write(w io.Writer, p []byte) (int, error) {
	if s == nil {
		return w.Write(p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearLocked()
	s.open = len(p) > 0 && p[len(p)-1] != '\n'
	return w.Write(p)
}
