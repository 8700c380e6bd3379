package taint

import (
	"bytes"
	"crypto/md5" //nolint:gosec // what others made is to be found
	"crypto/sha512"
	"encoding/binary"
	"iter"
	"math/bits"
	"math/rand/v2"

	"github.com/pcatdev/pcat/internal/secret"
)

// LongestDigest is the number of hexadecimal digits of the longest digest.
const LongestDigest = 2 * sha512.Size

// shortestDigest is the number of hexadecimal digits of the shortest digest, numDigests
// the number of digests of a secret.
const shortestDigest, numDigests = 2 * md5.Size, secret.NumHashes

// Digests finds the digests of secrets in text. It stores a short signature of each
// digest and computes the digest again when a signature matches, because a run can have
// many secrets but a text rarely contains a digest. It is immutable and safe for
// concurrent use. A nil Digests finds nothing.
type Digests struct {
	secret func(number int) string
	hex    [256]bool
	spread uint64
	filter []uint64
	shift  uint
	// slots is an open-addressing hash table. The upper half of a slot holds a signature,
	// the lower half the number of the digest, plus one.
	slots []uint64
}

func newDigests(n int, text func(int) string) *Digests {
	log := max(13, bits.Len(uint(32*numDigests*n)))
	d := &Digests{
		secret: text,
		spread: rand.Uint64() | 1, //nolint:gosec // guards time, no secret
		filter: make([]uint64, 1<<(log-6)),
		shift:  uint(64 - log),
		slots:  make([]uint64, 1<<bits.Len(uint(2*numDigests*n))),
	}
	for _, c := range "0123456789abcdefABCDEF" {
		d.hex[c] = true
	}
	for i := range n {
		for k, text := range secret.Hashes(text(i)) {
			d.add(bytes.TrimPrefix(text, []byte("*")), numDigests*i+k)
		}
	}
	return d
}

// hash returns the hash of the first 16 digits.
func (d *Digests) hash(digits []byte) uint64 {
	low, high := binary.LittleEndian.Uint64(digits), binary.LittleEndian.Uint64(digits[8:])
	return (low ^ bits.RotateLeft64(high, 29)) * d.spread
}

func (d *Digests) add(digits []byte, number int) {
	h := d.hash(digits)
	bit := h >> d.shift
	d.filter[bit/64] |= 1 << (bit % 64)
	mask := uint64(len(d.slots) - 1)
	at := h >> 8 & mask
	for d.slots[at] != 0 {
		at = (at + 1) & mask
	}
	d.slots[at] = h>>32<<32 | uint64(number+1)
}

// Find returns an iterator over the occurrences of digests in text.
func (d *Digests) Find(text []byte) iter.Seq[secret.Span] {
	return func(yield func(secret.Span) bool) {
		if d == nil {
			return
		}
		d.find(text, func(start, end, number int) bool { return yield(secret.Span{Start: start, End: end, Pattern: number}) })
	}
}

// find yields the digests in text with the numbers of their secrets.
func (d *Digests) find(text []byte, yield func(start, end, number int) bool) {
	for i := 0; i+shortestDigest <= len(text); {
		// A long enough run that begins at or after i has a digit at this position.
		start := i + shortestDigest - 1
		if !d.hex[text[start]] {
			i = start + 1
			continue
		}
		end := start + 1
		for start > i && d.hex[text[start-1]] {
			start--
		}
		for end < len(text) && d.hex[text[end]] {
			end++
		}
		for at := start; at+shortestDigest <= end; at++ {
			h := d.hash(text[at:])
			if bit := h >> d.shift; d.filter[bit/64]>>(bit%64)&1 != 0 && !d.check(text, h, at, yield) {
				return
			}
		}
		i = end
	}
}

// check yields the digests that begin with the digits at position at.
func (d *Digests) check(text []byte, h uint64, at int, yield func(start, end, number int) bool) bool {
	mask := uint64(len(d.slots) - 1)
	for slot := h >> 8 & mask; d.slots[slot] != 0; slot = (slot + 1) & mask {
		e := d.slots[slot]
		if e>>32 != h>>32 {
			continue
		}
		number, which := int(uint32(e)-1)/numDigests, int(uint32(e)-1)%numDigests
		digest := secret.Hashes(d.secret(number))[which]
		start := at
		if digest[0] == '*' {
			start--
		}
		if start >= 0 && bytes.HasPrefix(text[start:], digest) && !yield(start, start+len(digest), number) {
			return false
		}
	}
	return true
}
