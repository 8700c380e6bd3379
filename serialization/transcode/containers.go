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
	// counting is the first pass: headers stay what they are, counts are
	// noted.
	counting bool
	least    int64 // how many bytes of the input make an array or map large
	counts   []count
	next     int // of counts, in the second pass
	// wide are the arrays and maps whose header is longer than the one byte
	// that was left for it.
	wide []wideHeader
	// held is where the outermost header stands that is not known, none when
	// all are.
	held int
}

// count tells how many members the array or map has that begins at an offset of
// the input.
type count struct {
	start int64
	n     int
}

type wideHeader struct {
	at, n       int
	fix, medium byte
}

// container is an array or a map that is open.
type container struct {
	start   int64 // in the input
	header  int   // in the output
	isKnown bool  // it is written already
}

// open begins an array or a map that begins at an offset of the input.
func (c *containers) open(out []byte, start int64, fix, medium byte) ([]byte, container) {
	if c.next < len(c.counts) && !c.counting && c.counts[c.next].start == start {
		c.next++
		return pack.Count(out, c.counts[c.next-1].n, fix, medium), container{start, len(out), true}
	}
	if c.held < 0 {
		c.held = len(out)
	}
	return append(out, 0), container{start, len(out), false}
}

// close ends an array or a map of n members, which ends at an offset of the
// input.
func (c *containers) close(out []byte, o container, end int64, n int, fix, medium byte) {
	switch {
	case c.counting:
		if end-o.start > c.least {
			c.counts = append(c.counts, count{o.start, n})
		}
	case o.isKnown:
	case n <= pack.Fixed:
		out[o.header] = fix | byte(n)
	default:
		c.wide = append(c.wide, wideHeader{o.header, n, fix, medium})
	}
	if c.held == o.header && !o.isKnown {
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

func (h *wideHeader) bytes(b []byte) []byte { return pack.Count(b, h.n, h.fix, h.medium) }
