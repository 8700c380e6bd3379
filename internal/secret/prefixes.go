package secret

// prefixes reject nearly all beginnings of what is searched for, of one to longestPrefix
// bytes, that were not added. They are folded. The zero value rejects all.
type prefixes struct {
	words [longestPrefix][1 << (prefixBits - 6)]uint64
}

const (
	longestPrefix = 4
	// prefixBits is the base-2 logarithm of the number of bits for each length.
	prefixBits = 16
)

// add adds the beginnings of at least longestPrefix bytes, of which the first is lowest.
func (p *prefixes) add(lo uint64) {
	lo = fold(lo)
	for n := range longestPrefix {
		bit := prefixHash(lo, n+1)
		p.words[n][bit/64] |= 1 << (bit % 64)
	}
}

// mayHave reports whether what was read may be the beginning of something. False is certain.
func (p *prefixes) mayHave(read []byte) bool {
	n := len(read)
	if n == 0 || n > longestPrefix {
		return true
	}
	var lo uint64
	for i, c := range read {
		lo |= uint64(c) << (8 * i)
	}
	bit := prefixHash(fold(lo), n)
	return p.words[n-1][bit/64]>>(bit%64)&1 != 0
}

// prefixHash returns the bit of the first n bytes of lo.
func prefixHash(lo uint64, n int) uint64 {
	return lo << (64 - 8*n) * 0x9e3779b97f4a7c15 >> (64 - prefixBits)
}
