package sensitive

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/pcatdev/pcat/catalog"
)

// errChanged is the error for a document that was collected in pieces and cannot be
// redacted so.
var errChanged = errors.New("the document changed after its secrets were collected")

// redactPieces is redactOutline for a document that is streamed. It reports false, and
// has written nothing, if the document must be read part by part. It writes none in
// pieces if the pieces of one ended early: its output could not be taken back.
func (r *stage) redactPieces(ctx context.Context, dst io.Writer, src *catalog.Reader) (done bool, err error) {
	if !r.worksInPieces() {
		return false, nil
	}
	// The searcher searches the end of the previous write with each write, so a write
	// should be as long.
	size := max(64<<10, r.set.Longest())
	out := bufio.NewWriterSize(&seamSearcher{dst: dst, matcher: r.matcher}, size)
	search := r.rereader()
	for o, err := range src.Pieces() {
		switch {
		case err != nil && !done:
			return false, nil // the parts report it
		case err != nil:
			return true, errors.Join(errChanged, err)
		}
		done = true
		if err := r.redactPiece(ctx, out, newPlan(o), search); err != nil {
			return true, err
		}
		// The end of a piece is the end of a write, where the searcher looks.
		if err := out.Flush(); err != nil {
			return true, err
		}
	}
	return true, nil
}

// worksInPieces reports whether documents that are streamed can be redacted in pieces.
func (s *matcher) worksInPieces() bool { return s.inPieces && !s.endsEarly }

// redactPiece writes a piece without its secrets. If one seems to be between two
// parts, all parts are rewritten and the result is searched as a whole.
func (r *stage) redactPiece(ctx context.Context, out io.Writer, p *plan, search *rereader) error {
	if found := search.again(p); found.ok {
		return r.redactPlan(ctx, out, p, found.hits)
	}
	g := r.guard(out, "json")
	if err := r.redactPlan(ctx, g, p, slices.Repeat([]bool{true}, len(p.Parts))); err != nil {
		return err
	}
	return g.Close()
}

// seamSearcher searches the ends of consecutive writes for secrets that reach from one
// into the other.
type seamSearcher struct {
	dst     io.Writer
	matcher *matcher
	tail    []byte // of the output
	written int64  // number of bytes written to dst

	seam   []byte
	memory searcher
}

// Write implements io.Writer.
func (s *seamSearcher) Write(p []byte) (int, error) {
	n := s.matcher.set.Longest()
	if len(s.tail) > 0 {
		s.seam = append(append(s.seam[:0], s.tail...), p[:min(n, len(p))]...)
		if s.matcher.hitsJSON(s.seam, &s.memory) {
			return 0, leakNear(s.written)
		}
	}
	s.tail = append(s.tail, p[max(0, len(p)-n):]...)
	s.tail = s.tail[max(0, len(s.tail)-n):]
	written, err := s.dst.Write(p)
	s.written += int64(written)
	return written, err
}
