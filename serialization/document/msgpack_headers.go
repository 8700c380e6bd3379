package document

import (
	"slices"

	"github.com/pcatdev/pcat/serialization/internal/pack"
)

// containers writes the headers of arrays and maps of MessagePack, which tell
// the number of members before the members come.
//
// Where the number is not known, one byte is left for the header. It is put in
// at the end, when the number fits; else the bytes behind it are moved by widen,
// so that each moves once. Nothing from such a header on can be passed on before
// its end: of a document larger than memory, a survey counts the members of what
// is large, and what is small waits for its end.
type containers struct {
	// streams tells that the document is larger than memory.
	streams bool
	counts  []count // of what is large, in the order of the document
	next    int     // of counts
	// wrong tells that there are not as many members as were counted.
	wrong bool
	// wide are the arrays and maps whose header is longer than the one byte
	// that was left for it.
	wide []wideHeader
	// held is where the outermost header stands that is not known, none when
	// all are. It counts in a stream only.
	held int
}

// count tells how many members the array or map has that begins at an offset of
// the input.
type count struct {
	start int64
	n     int
}

type wideHeader struct {
	at, n int
	fix   byte
}

// open begins an array or a map, as fix tells, that begins at an offset of the
// input. It returns where the header is to be put in; below none, it tells which
// of the counts was taken for it.
func (c *containers) open(out []byte, start int64, fix byte) (_ []byte, header int) {
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
func (c *containers) close(out []byte, header, n int, fix byte) {
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

// medium returns what headers begin with that are longer than a byte.
func medium(fix byte) byte {
	if fix == pack.FixMap {
		return pack.Map16
	}
	return pack.Array16
}

// drop tells that nothing waits for the header any more.
func (c *containers) drop(header int) {
	if c.held == header {
		c.held = none
	}
}

// widen makes room for the headers that are longer than a byte, from the end
// on.
func (c *containers) widen(out []byte) []byte {
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
