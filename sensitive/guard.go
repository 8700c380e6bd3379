package sensitive

import (
	"errors"
	"io"

	"github.com/pcatdev/pcat/internal/unescape"
)

// ErrLeak tells that a secret would have been written in spite of all. It is a
// fault of this package, or a secret in a place where nothing can replace it.
var ErrLeak = errors.New("the output would contain a secret; nothing was written")

// guard looks at everything that goes through it, and writes only what it has
// looked at. A secret that begins in one piece and ends in the next is seen.
type guard struct {
	dst     io.Writer
	leaks   func(text []byte) bool
	overlap int // how much must be seen together
	buf     []byte
	scratch []byte
	json    bool
	err     error
}

// holdBack is how much output is searched at once: one that is smaller is
// searched as a whole before its first byte is written.
const holdBack = 1 << 20

func (s *matcher) guard(dst io.Writer, wire string) *guard {
	// In JSON, one byte can take six.
	return &guard{dst: dst, leaks: s.hits, overlap: 6 * (s.set.Longest() + 1), json: wire == "json"}
}

// Write implements io.Writer.
func (g *guard) Write(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	g.buf = append(g.buf, p...)
	if len(g.buf) >= g.overlap+holdBack {
		g.flush(g.overlap)
	}
	if g.err != nil {
		return 0, g.err
	}
	return len(p), nil
}

// Close writes what is held back.
func (g *guard) Close() error {
	if g.err == nil {
		g.flush(0)
	}
	return g.err
}

// guards is a guard that passes on to another.
type guards struct{ first, then io.WriteCloser }

// Write implements io.Writer.
func (g guards) Write(p []byte) (int, error) { return g.first.Write(p) }

// Close writes what both hold back.
func (g guards) Close() error {
	if err := g.first.Close(); err != nil {
		return err
	}
	return g.then.Close()
}

func (g *guard) flush(keep int) {
	if g.leaks(g.buf) {
		g.err = ErrLeak
		return
	}
	if g.json {
		if g.scratch = unescape.Strings(g.scratch[:0], g.buf); g.leaks(g.scratch) {
			g.err = ErrLeak
			return
		}
	}
	end := len(g.buf) - keep
	for end > 0 && end < len(g.buf) && g.buf[end-1] == '\\' {
		end-- // an escape stays whole
	}
	if _, err := g.dst.Write(g.buf[:end]); err != nil {
		g.err = err
		return
	}
	g.buf = g.buf[:copy(g.buf, g.buf[end:])]
}
