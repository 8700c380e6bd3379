package sensitive

import (
	"io"
	"sort"
)

// guard searches all output for secrets and writes only output that it has searched. It
// also finds secrets that span several writes.
type guard struct {
	dst     io.Writer
	matcher *matcher
	overlap int // number of bytes to search together with the next ones
	buf     []byte
	scratch []byte
	json    bool
	written int64 // number of bytes written to dst
	err     error

	shown *shown        // looks at the output; nil for a document that is not printed itself
	own   func() []byte // the fixed words of the output, or nil
	known map[int]bool  // the secrets in own, made by leaksIn
}

// leastOverlap is more than the length of a marker.
const leastOverlap = 64

// holdBack is the minimum number of bytes searched at once. Smaller output is searched as
// a whole before its first byte is written.
const holdBack = 1 << 20

func (s *matcher) guard(dst io.Writer, wire string) *guard {
	return &guard{dst: dst, matcher: s, overlap: max(s.set.Longest(), leastOverlap), json: wire == "json"}
}

// Write implements io.Writer.
func (g *guard) Write(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	g.buf = append(g.buf, p...)
	// The overlap is searched again, so enough has to come after it.
	if len(g.buf) >= g.overlap+max(holdBack, g.overlap/2) {
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

// leaksIn reports whether output contains a secret that own does not contain.
func (g *guard) leaksIn(output []byte) bool {
	if !g.hits(output, func(pattern int) bool { return !g.known[pattern] }) {
		return false
	}
	if g.own == nil || g.known != nil {
		return true
	}
	g.known = make(map[int]bool)
	g.hits(g.own(), func(pattern int) bool {
		g.known[pattern] = true
		return false
	})
	return g.leaksIn(output)
}

// hits reports whether output contains a secret, with or without escapes, that counts.
func (g *guard) hits(output []byte, counts func(pattern int) bool) (hit bool) {
	if !g.json {
		return g.matcher.hitsOf(output, counts)
	}
	hit, g.scratch = g.matcher.hitsJSONOf(output, g.scratch, counts)
	return hit
}

func (g *guard) flush(keep int) {
	if g.leaksIn(g.buf) {
		end := sort.Search(len(g.buf), func(n int) bool { return g.leaksIn(g.buf[:n]) })
		g.err = leakNear(g.written + int64(end))
		return
	}
	end := len(g.buf) - keep
	for end > 0 && end < len(g.buf) && g.buf[end-1] == '\\' {
		end-- // do not split an escape
	}
	if g.shown != nil {
		g.shown.look(g.buf) // with the overlap: a marker may span several writes
	}
	n, err := g.dst.Write(g.buf[:end])
	g.written += int64(n)
	if err != nil {
		g.err = err
		return
	}
	g.buf = g.buf[:copy(g.buf, g.buf[end:])]
}
