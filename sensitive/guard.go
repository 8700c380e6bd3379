package sensitive

import (
	"errors"
	"io"
)

// ErrLeak reports that the output would have contained a secret. The cause is a bug in
// this package, or a secret in a place where it cannot be replaced.
var ErrLeak = errors.New("the output would contain a secret, so writing stopped")

// guard searches all output for secrets and writes only output that it has searched. It
// also finds secrets that span several writes.
type guard struct {
	dst     io.Writer
	matcher *matcher
	overlap int // number of bytes to search together with the next ones
	buf     []byte
	scratch []byte
	json    bool
	err     error
}

// holdBack is the number of bytes searched at once. Smaller output is searched as a whole
// before its first byte is written.
const holdBack = 1 << 20

func (s *matcher) guard(dst io.Writer, wire string) *guard {
	return &guard{dst: dst, matcher: s, overlap: s.set.Longest(), json: wire == "json"}
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

// Close writes the remaining output.
func (g *guard) Close() error {
	if g.err == nil {
		g.flush(0)
	}
	return g.err
}

// guards is a guard that writes to another one.
type guards struct{ first, then io.WriteCloser }

// Write implements io.Writer.
func (g guards) Write(p []byte) (int, error) { return g.first.Write(p) }

// Close writes the remaining output of both.
func (g guards) Close() error {
	if err := g.first.Close(); err != nil {
		return err
	}
	return g.then.Close()
}

func (g *guard) flush(keep int) {
	var leaks bool
	if g.json {
		leaks, g.scratch = g.matcher.hitsJSON(g.buf, g.scratch)
	} else {
		leaks = g.matcher.hits(g.buf)
	}
	if leaks {
		g.err = ErrLeak
		return
	}
	end := len(g.buf) - keep
	for end > 0 && end < len(g.buf) && g.buf[end-1] == '\\' {
		end-- // do not split an escape
	}
	if _, err := g.dst.Write(g.buf[:end]); err != nil {
		g.err = err
		return
	}
	g.buf = g.buf[:copy(g.buf, g.buf[end:])]
}
