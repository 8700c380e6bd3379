package document

import (
	"cmp"
	"io"
	"math/bits"
	"slices"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/serialization"
)

// countMembers counts the members of the arrays and maps in src that are longer than
// piece bytes. It reports false if brackets do not match, or the document exceeds the
// limit on depth or length. The error is that of src.
func countMembers(src io.Reader, piece int, o serialization.DecodeOptions) (counts []count, ok bool, err error) {
	c := memberCounter{limit: codec.Depth(&o), least: int64(piece)}
	if err := c.run(src, piece, codec.ByteLimit(&o)); err != nil || c.broken {
		return nil, false, err
	}
	slices.SortFunc(c.counts, func(a, b count) int { return cmp.Compare(a.start, b.start) })
	return c.counts, true, nil
}

// memberCounter is the first pass over JSON larger than memory. The headers of large
// arrays and maps contain the number of their members and are written before them. It
// sees only strings, brackets and commas; the second pass checks the rest. The counts
// are right if the document is well-formed.
type memberCounter struct {
	counts []count
	// broken is set if brackets do not match or are nested deeper than limit.
	broken bool
	limit  int

	least  int64 // size of a large array or map in bytes
	base   int64 // offset of the block in the document
	open   []bracket
	blocks jsonwire.Blocks
	quote  int64 // offset of the last quote before it
}

// bracket is an open array or map.
type bracket struct {
	start  int64
	commas int
	filled bool // contains an array or map
}

const (
	block = jsonwire.BlockLen
	ahead = jsonwire.Ahead
)

// run reads src, up to left bytes. The error is that of src.
func (s *memberCounter) run(src io.Reader, size int, left int64) error {
	size = max(size, 2*(block+ahead)) &^ (block - 1)
	s.open = []bracket{{}}
	room := make([]byte, size+block+ahead)
	n := 0
	for final := false; !final; {
		read, err := io.ReadFull(src, room[n:size])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			final = true
		} else if err != nil {
			return err
		}
		n += read
		if left -= int64(read); left < 0 {
			s.broken = true
		}
		end := n - ahead
		if final {
			for i := range room[n:] { // blanks have no effect
				room[n+i] = ' '
			}
			end = n + block - 1
		}
		i := 0
		for ; i+block <= end && !s.broken; i += block {
			s.look((*[block + ahead]byte)(room[i:]))
			s.base += block
		}
		if s.broken {
			return nil
		}
		n = copy(room, room[i:max(i, n)])
	}
	s.broken = len(s.open) != 1 || s.blocks.InString()
	return nil
}

// look takes the next block and the bytes after it.
func (s *memberCounter) look(b *[block + ahead]byte) {
	m := s.blocks.Next(b)
	s.brackets(b, m.Marks&^m.Strings, m.Commas, m.Quotes)
	if m.Quotes != 0 {
		s.quote = s.base + int64(block-1-bits.LeadingZeros64(m.Quotes))
	}
}

// brackets opens and closes arrays and maps.
func (s *memberCounter) brackets(b *[block + ahead]byte, brackets, commas, quotes uint64) {
	for ; brackets != 0; brackets &= brackets - 1 {
		i := bits.TrailingZeros64(brackets)
		before := uint64(1)<<i - 1
		top := &s.open[len(s.open)-1]
		top.commas += bits.OnesCount64(commas & before)
		commas &^= before
		at := s.base + int64(i)
		switch b[i] {
		case '{', '[':
			top.filled = true
			if len(s.open) > s.limit {
				s.broken = true
				return
			}
			s.open = append(s.open, bracket{start: at})
		case '}', ']':
			if len(s.open) == 1 {
				s.broken = true
				return
			}
			if at-top.start > s.least {
				s.count(top, quotes&before)
			}
			s.open = s.open[:len(s.open)-1]
		default:
			s.broken = true
			return
		}
	}
	s.open[len(s.open)-1].commas += bits.OnesCount64(commas)
}

// count notes the number of members of an array or map that ends. quotes are the
// quotes before its end in the block. One that may contain only blanks or a number
// is left to the second pass, because its output is small.
func (s *memberCounter) count(b *bracket, quotes uint64) {
	quote := s.quote
	if quotes != 0 {
		quote = s.base + int64(block-1-bits.LeadingZeros64(quotes))
	}
	if b.commas > 0 || b.filled || quote > b.start {
		s.counts = append(s.counts, count{b.start, b.commas + 1})
	}
}
