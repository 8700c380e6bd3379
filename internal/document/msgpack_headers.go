package document

import (
	"slices"

	"github.com/pcatdev/pcat/internal/mpwire/pack"
)

// msgpackHeaders writes the headers of MessagePack arrays and maps, which contain the
// number of members.
//
// If the number is unknown, one byte is reserved for the header and set at the end. If
// the header is longer, widen moves the bytes after it, each once. Output after such
// a header cannot be flushed before its end. So if a document is larger than memory,
// memberCounter counts the members of large arrays and maps.
type msgpackHeaders struct {
	// streams is set if the document is larger than memory.
	streams bool
	counts  []count // of large arrays and maps, in the order of the document
	next    int     // of counts
	// wrong is set if a count was wrong.
	wrong bool
	// wide are the arrays and maps whose header is longer than one byte.
	wide []wideHeader
	// held is the position of the outermost unknown header, or none. It is used
	// only in a stream.
	held int
}

// count is the number of members of the array or map at an offset of the input.
type count struct {
	start int64
	n     int
}

type wideHeader struct {
	at, n int
	fix   byte
}

// open begins an array or a map, depending on fix, at an offset of the input. It
// returns the position of the header, or if that is below none, which count was
// used for it.
func (c *msgpackHeaders) open(out []byte, start int64, fix byte) (_ []byte, header int) {
	for c.next < len(c.counts) && c.counts[c.next].start < start { // within a fragment
		c.next++
	}
	switch {
	case c.next < len(c.counts) && c.counts[c.next].start == start:
		c.next++
		return pack.Count(out, c.counts[c.next-1].n, fix, medium(fix)), none - c.next
	case c.held < 0:
		c.held = len(out)
	}
	return append(out, 0), len(out)
}

// close ends an array or a map of n members.
func (c *msgpackHeaders) close(out []byte, header, n int, fix byte) {
	switch {
	case header < none:
		c.wrong = c.wrong || c.counts[none-header-1].n != n
	case n <= pack.Fixed:
		out[header] = fix | byte(n)
	default:
		c.wide = append(c.wide, wideHeader{header, n, fix})
	}
	c.drop(header)
}

// medium returns the first byte of headers longer than a byte.
func medium(fix byte) byte {
	if fix == pack.FixMap {
		return pack.Map16
	}
	return pack.Array16
}

// drop notes that the header is complete.
func (c *msgpackHeaders) drop(header int) {
	if c.held == header {
		c.held = none
	}
}

// widen makes room for headers longer than a byte, beginning at the end.
func (c *msgpackHeaders) widen(out []byte) []byte {
	if len(c.wide) == 0 {
		return out
	}
	slices.SortFunc(c.wide, func(a, b wideHeader) int { return b.at - a.at })
	var scratch [5]byte
	more := 0
	for i := range c.wide {
		more += len(c.wide[i].bytes(scratch[:0])) - 1
	}
	from, to := len(out), len(out)+more
	out = slices.Grow(out, more)[:to]
	for i := range c.wide {
		h := &c.wide[i]
		tail := from - (h.at + 1)
		to -= tail
		copy(out[to:to+tail], out[h.at+1:from])
		header := h.bytes(scratch[:0])
		to -= len(header)
		copy(out[to:], header)
		from = h.at
	}
	c.wide = c.wide[:0]
	return out
}

func (h *wideHeader) bytes(b []byte) []byte { return pack.Count(b, h.n, h.fix, medium(h.fix)) }
