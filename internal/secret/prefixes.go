package secret

import "math/bits"

// prefixes are the beginnings of spellings, of one to longestPrefix bytes each. They reject
// nearly all others, and are folded.
type prefixes struct {
	words [longestPrefix][]uint64
	shift int // of a hash that yields a bit
}

const (
	longestPrefix = 4
	// The base-2 logarithms of the number of bits for each length and secret, and of the
	// least and the most bits for each length.
	prefixesPerSecret = 10
	leastPrefixes     = 12
	mostPrefixes      = 18
)

func newPrefixes(secrets int) prefixes {
	log := min(max(leastPrefixes, prefixesPerSecret+bits.Len(uint(secrets))), mostPrefixes)
	p := prefixes{shift: 64 - log}
	for n := range p.words {
		p.words[n] = make([]uint64, 1<<(log-6))
	}
	return p
}

// add adds the beginnings of a spelling, of which the first byte is the lowest.
func (p *prefixes) add(spelling uint64) {
	for n := range p.words {
		bit := p.bit(spelling, n+1)
		p.words[n][bit/64] |= 1 << (bit % 64)
	}
}

// mayHave reports whether a spelling may begin with the bytes. False is certain.
func (p *prefixes) mayHave(read []byte) bool {
	n := len(read)
	if n == 0 || n > longestPrefix {
		return true
	}
	var beginning uint64
	for i, c := range read {
		beginning |= uint64(c) << (8 * i)
	}
	bit := p.bit(beginning, n)
	return p.words[n-1][bit/64]>>(bit%64)&1 != 0
}

// bit returns the bit of the first n bytes of a spelling.
func (p *prefixes) bit(spelling uint64, n int) uint64 {
	return fold(spelling) << (64 - 8*n) * 0x9e3779b97f4a7c15 >> (p.shift & 63)
}
