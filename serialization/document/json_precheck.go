package document

import (
	"io"
	"math/bits"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// survey looks over a document of JSON that is larger than memory, before it is
// carried: it counts the members of what is large, for its headers to be written
// before them. It knows strings, brackets and commas only; whether all between them is right is seen when the
// document is carried, and of one that is, the counts are right.
type survey struct {
	counts []count
	// broken tells that brackets do not match, or stand in each other more than
	// limit deep.
	broken bool
	limit  int
	// doubtful tells that there may be a `__ptype` that is not the first of its
	// map, so that what is carried before it is not what the map begins with.
	doubtful bool

	least  int64 // how many bytes make an array or map large
	base   int64 // where in the document the block stands
	open   []bracket
	blocks jsonwire.Blocks
	began  uint64 // 1 when a string begins right before it
	quote  int64  // where the last quote before it stands
	last   byte   // the last bracket or comma before it
}

// bracket is an array or map that is open.
type bracket struct {
	start  int64
	commas int
	filled bool // with another array or map, at least
}

const (
	block = jsonwire.BlockLen
	ahead = jsonwire.Ahead
)

// run looks over src, which gives up to left bytes. The error is that of src.
func (s *survey) run(src io.Reader, size int, left int64) error {
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
			for i := range room[n:] { // blanks mean nothing
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

// look takes the next block, of which 16 bytes more are known.
func (s *survey) look(b *[block + ahead]byte) {
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

// names looks at strings of which the first characters are told. structure are the
// brackets and commas.
func (s *survey) names(b *[block + ahead]byte, first, structure uint64) {
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

// brackets opens and closes what the brackets in the block tell.
func (s *survey) brackets(b *[block + ahead]byte, brackets, commas, quotes uint64) {
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

// count notes how many members there are in what ends now; quotes are those that
// stand before that in the block. Where nothing is but blanks, or maybe a number,
// that waits until it is carried: it makes no output that would have to be held.
func (s *survey) count(b *bracket, quotes uint64) {
	quote := s.quote
	if quotes != 0 {
		quote = s.base + int64(block-1-bits.LeadingZeros64(quotes))
	}
	if b.commas > 0 || b.filled || quote > b.start {
		s.counts = append(s.counts, count{b.start, b.commas + 1})
	}
}
