package transcode

import (
	"cmp"
	"slices"

	"github.com/pcatdev/pcat/serialization/internal/pack"
)

// containers writes the headers of arrays and maps of MessagePack, which tell
// the number of members before the members come.
//
// Where the number is not known, one byte is left for the header. It is put in
// at the end, when the number fits; else the bytes behind it are moved by widen,
// so that each moves once. Nothing from such a header on can be passed on before
// its end: of a document larger than memory, a first pass counts the members of
// what is large, and what is small waits for its end in the second.
type containers struct {
	// counting is the first pass over a document that is larger than memory:
	// counts are noted. streams tells that it is this or the second.
	counting, streams bool
	least             int64 // how many bytes of the input make an array or map large
	counts            []count
	next              int // of counts, in the second pass
	// wide are the arrays and maps whose header is longer than the one byte
	// that was left for it.
	wide []wideHeader
	// held is where the outermost header stands that is not known, none when
	// all are. It counts in the second pass only.
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
// input. It returns where the header is to be put in, none when it is not.
func (c *containers) open(out []byte, start int64, fix byte) (_ []byte, header int) {
	switch {
	case c.counting:
		return append(out, 0), none
	case c.next < len(c.counts) && c.counts[c.next].start == start:
		c.next++
		return pack.Count(out, c.counts[c.next-1].n, fix, medium(fix)), none
	case c.held < 0:
		c.held = len(out)
	}
	return append(out, 0), len(out)
}

// close ends an array or a map of n members that stands from an offset of the
// input to another.
func (c *containers) close(out []byte, start, end int64, header, n int, fix byte) {
	switch {
	case c.counting:
		if end-start > c.least {
			c.counts = append(c.counts, count{start, n})
		}
	case header < 0:
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

// counted returns what the first pass found.
func (c *containers) counted() []count {
	slices.SortFunc(c.counts, func(a, b count) int { return cmp.Compare(a.start, b.start) })
	return c.counts
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
