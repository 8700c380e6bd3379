package sensitive

import (
	"io"
	"slices"
	"sort"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
)

// guard searches all output for secrets and writes only output that it has searched. It
// also finds secrets that span several writes.
type guard struct {
	dst     io.Writer
	next    *guard // dst if it is the guard for the next set of secrets, otherwise nil
	matcher *matcher
	overlap int // number of bytes to search together with the next ones
	buf     []byte
	memory  searcher
	json    bool
	written int64 // number of bytes written to dst
	err     error

	shown *shown   // looks at the output; nil for a document that is not printed itself
	own   *ownText // nil for none
	fixed []span   // the parts of buf that are own text

	// clean masks the location of the secret in an error. If it is nil, the error has none.
	clean func(catalog.Location) catalog.Location
	found int // the number of the secret that leaksIn found last
}

// span is a part of a text.
type span struct{ start, end int }

// ownWriter is a writer for catalogs and for own text between them.
type ownWriter interface {
	WriteOwn(p []byte) (int, error)
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
func (g *guard) Write(p []byte) (int, error) { return g.write(p, false) }

// WriteOwn is Write for text that does not depend on catalogs. A secret that is a part of it
// is no copy.
func (g *guard) WriteOwn(p []byte) (int, error) { return g.write(p, true) }

func (g *guard) write(p []byte, own bool) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if own {
		g.fix(len(g.buf), len(g.buf)+len(p))
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

// Close writes the remaining output, and closes the guard that it is written to.
func (g *guard) Close() error {
	if g.err == nil {
		g.flush(0)
	}
	if g.err != nil || g.next == nil {
		return g.err
	}
	return g.next.Close()
}

// leaksIn reports whether output, the beginning of buf, contains a secret. A part of own text
// is none.
func (g *guard) leaksIn(output []byte) bool {
	counts := func(text []byte, h secret.Hit) bool {
		g.found = h.Pattern
		return !g.isFixed(text, h) && !g.own.has(text, h)
	}
	if !g.json {
		return g.matcher.hitsOf(output, counts)
	}
	return g.matcher.hitsJSONOf(output, &g.memory, counts)
}

// fix marks a part of buf as own text.
func (g *guard) fix(start, end int) {
	if n := len(g.fixed); n > 0 && g.fixed[n-1].end == start {
		g.fixed[n-1].end = end
		return
	}
	g.fixed = append(g.fixed, span{start, end})
}

// isFixed reports whether a hit in text is inside of a part that was written as own text.
func (g *guard) isFixed(text []byte, h secret.Hit) bool {
	if len(text) == 0 || len(g.fixed) == 0 || &text[0] != &g.buf[0] {
		return false
	}
	i, _ := slices.BinarySearchFunc(g.fixed, h.End, func(s span, end int) int { return s.end - end })
	return i < len(g.fixed) && g.fixed[i].start <= h.Start
}

// pass writes the first n bytes of buf, and removes them from it.
func (g *guard) pass(n int) {
	to, isGuard := g.dst.(ownWriter)
	at := 0
	for _, own := range g.fixed {
		if start, end := min(own.start, n), min(own.end, n); isGuard && start < end {
			g.put(g.dst.Write, g.buf[at:start])
			g.put(to.WriteOwn, g.buf[start:end])
			at = end
		}
	}
	g.put(g.dst.Write, g.buf[at:n])
	for i := range g.fixed {
		g.fixed[i].start, g.fixed[i].end = max(0, g.fixed[i].start-n), g.fixed[i].end-n
	}
	g.fixed = slices.DeleteFunc(g.fixed, func(s span) bool { return s.end <= 0 })
	g.buf = g.buf[:copy(g.buf, g.buf[n:])]
}

// put writes a part of buf.
func (g *guard) put(write func([]byte) (int, error), part []byte) {
	if g.err != nil || len(part) == 0 {
		return
	}
	n, err := write(part)
	g.written += int64(n)
	g.err = err
}

func (g *guard) flush(keep int) {
	if g.leaksIn(g.buf) {
		end := sort.Search(len(g.buf), func(n int) bool { return g.leaksIn(g.buf[:n]) })
		leak := &LeakError{Offset: g.written + int64(end)}
		if g.clean != nil && g.leaksIn(g.buf[:end]) {
			leak.of(g.matcher.texts[g.found].origin, g.clean)
		}
		g.err = leak
		return
	}
	end := len(g.buf) - keep
	for end > 0 && end < len(g.buf) && g.buf[end-1] == '\\' {
		end-- // do not split an escape
	}
	if g.shown != nil {
		g.shown.look(g.buf) // with the overlap: a marker may span several writes
	}
	g.pass(end)
}
