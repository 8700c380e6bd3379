package document

import (
	"io"
	"math/bits"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// jsonPrecheck is the first pass over JSON larger than memory: it counts the members
// of large arrays and maps, because their headers are written before them. It sees
// only strings, brackets and commas; the second pass checks the rest. The counts are
// right if the document is well-formed.
type jsonPrecheck struct {
	counts []count
	// broken is set if brackets do not match or are nested deeper than limit.
	broken bool
	limit  int
	// doubtful is set if `__ptype` may not be the first key of a map, so that the
	// keys before it could be written wrongly.
	doubtful bool

	least  int64 // size of a large array or map in bytes
	base   int64 // offset of the block in the document
	open   []bracket
	blocks jsonwire.Blocks
	began  uint64 // 1 if a string begins directly before it
	quote  int64  // offset of the last quote before it
	last   byte   // the last bracket or comma before it
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
func (s *jsonPrecheck) run(src io.Reader, size int, left int64) error {
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
func (s *jsonPrecheck) look(b *[block + ahead]byte) {
	m := s.blocks.Next(b)
	for escaped := m.Escaped; escaped != 0; escaped &= escaped - 1 {
		i := bits.TrailingZeros64(escaped)
		if b[i] == 'u' && b[i+1] == '0' && b[i+2] == '0' && '5' <= b[i+3] && b[i+3] <= '7' {
			s.doubtful = true // it may spell a letter of `__ptype`
		}
	}
	starts := m.Quotes & m.Strings
	outside := m.Marks &^ m.Strings
	s.names(b, (starts<<1|s.began)&m.Marks, outside|m.Commas)
	s.began = starts >> (block - 1)
	s.brackets(b, outside, m.Commas, m.Quotes)
	if m.Quotes != 0 {
		s.quote = s.base + int64(block-1-bits.LeadingZeros64(m.Quotes))
	}
	if all := outside | m.Commas; all != 0 {
		s.last = b[block-1-bits.LeadingZeros64(all)]
	}
}

// names checks the strings that begin at the bits of first. structure has the
// brackets and commas.
func (s *jsonPrecheck) names(b *[block + ahead]byte, first, structure uint64) {
	for ; first != 0; first &= first - 1 {
		i := bits.TrailingZeros64(first)
		if string(b[i:i+8]) != `__ptype"` {
			continue
		}
		last := s.last
		if before := structure & (1<<i - 1); before != 0 {
			last = b[block-1-bits.LeadingZeros64(before)]
		}
		if last != '{' {
			s.doubtful = true
		}
	}
}

// brackets opens and closes arrays and maps.
func (s *jsonPrecheck) brackets(b *[block + ahead]byte, brackets, commas, quotes uint64) {
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
func (s *jsonPrecheck) count(b *bracket, quotes uint64) {
	quote := s.quote
	if quotes != 0 {
		quote = s.base + int64(block-1-bits.LeadingZeros64(quotes))
	}
	if b.commas > 0 || b.filled || quote > b.start {
		s.counts = append(s.counts, count{b.start, b.commas + 1})
	}
}
