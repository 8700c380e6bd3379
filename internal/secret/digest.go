package secret

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// digests computes the polynomial digest of any part of a text in constant time. The base
// is random, so texts cannot be crafted to collide.
type digests struct {
	base   uint64
	prefix []uint64 // prefix[i] is the digest of text[:i]
	powers map[int]uint64
}

// modulus is a Mersenne prime.
const modulus = 1<<61 - 1

// newBase returns a random base.
func newBase() uint64 {
	return rand.Uint64N(modulus-1<<32) + 1<<31 //nolint:gosec // guards time, no secret
}

// digestOf returns the digest of a text alone.
func digestOf(base uint64, text []byte) (digest uint64) {
	for _, b := range text {
		digest = nextDigest(base, digest, b)
	}
	return digest
}

func nextDigest(base, digest uint64, b byte) uint64 {
	return reduce(multiply(digest, base) + uint64(b) + 1)
}

func newDigests(base uint64, text []byte) *digests {
	return &digests{base: base, prefix: prefixDigests(nil, base, text), powers: map[int]uint64{}}
}

// prefixDigests returns the digests of the prefixes of a text by their length. It reuses
// the memory of dst.
func prefixDigests(dst []uint64, base uint64, text []byte) []uint64 {
	digest := uint64(0)
	dst = append(slices.Grow(dst[:0], len(text)+1), digest)
	for _, b := range text {
		digest = nextDigest(base, digest, b)
		dst = append(dst, digest)
	}
	return dst
}

// of returns the digest of text[start:end].
func (d *digests) of(start, end int) uint64 {
	n := end - start
	power, ok := d.powers[n]
	if !ok {
		power = d.power(n)
		d.powers[n] = power
	}
	return reduce(d.prefix[end] + modulus - multiply(d.prefix[start], power))
}

func (d *digests) power(n int) uint64 {
	result, square := uint64(1), d.base
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = multiply(result, square)
		}
		square = multiply(square, square)
	}
	return result
}

func multiply(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduce(lo&modulus + (lo>>61 | hi<<3))
}

// reduce returns n modulo modulus; n must be less than twice the modulus.
func reduce(n uint64) uint64 {
	if n >= modulus {
		n -= modulus
	}
	return n
}

// newSeed returns a random seed for mix, so pairs cannot be crafted to collide.
func newSeed() [2]uint64 {
	return [2]uint64{rand.Uint64(), rand.Uint64()} //nolint:gosec // guards time, no secret
}

// mix returns the hash of two numbers.
func mix(seed [2]uint64, a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^seed[0], b^seed[1])
	return hi ^ lo
}
