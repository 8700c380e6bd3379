package stdlib

import (
	"math/big"
	"math/bits"
)

// twister is the Mersenne Twister MT19937, seeded and read like Ruby's Random,
// so that fqdn_rand returns the numbers of the reference. See Matsumoto and
// Nishimura, "Mersenne Twister", 1998, and their initialization of 2002.
type twister struct {
	state [twisterSize]uint32
	next  int
}

const (
	twisterSize  = 624
	twisterShift = 397
)

// newTwister returns a twister seeded with a number of any size.
func newTwister(seed *big.Int) *twister {
	var key []uint32
	mask := big.NewInt(0xFFFFFFFF)
	for n := new(big.Int).Abs(seed); n.Sign() > 0; n.Rsh(n, 32) {
		key = append(key, uint32(new(big.Int).And(n, mask).Uint64()))
	}
	t := new(twister)
	switch {
	case len(key) == 0:
		t.seed(0)
	case len(key) == 1:
		t.seed(key[0])
	default:
		if key[len(key)-1] == 1 { // Ruby treats it as a guard
			key = key[:len(key)-1]
		}
		t.seedBy(key)
	}
	return t
}

func (t *twister) seed(s uint32) {
	t.state[0] = s
	for i := 1; i < twisterSize; i++ {
		t.state[i] = 1812433253*(t.state[i-1]^t.state[i-1]>>30) + uint32(i)
	}
	t.next = twisterSize
}

func (t *twister) seedBy(key []uint32) {
	t.seed(19650218)
	i, j := 1, 0
	for range max(twisterSize, len(key)) {
		t.state[i] = (t.state[i] ^ (t.state[i-1]^t.state[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == twisterSize {
			t.state[0] = t.state[twisterSize-1]
			i = 1
		}
		j = (j + 1) % len(key)
	}
	for range twisterSize - 1 {
		t.state[i] = (t.state[i] ^ (t.state[i-1]^t.state[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == twisterSize {
			t.state[0] = t.state[twisterSize-1]
			i = 1
		}
	}
	t.state[0] = 1 << 31
}

func (t *twister) refill() {
	for i := range t.state {
		y := t.state[i]&(1<<31) | t.state[(i+1)%twisterSize]&(1<<31-1)
		t.state[i] = t.state[(i+twisterShift)%twisterSize] ^ y>>1 ^ -(y&1)&0x9908B0DF
	}
	t.next = 0
}

func (t *twister) uint32() uint32 {
	if t.next == twisterSize {
		t.refill()
	}
	y := t.state[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9D2C5680
	y ^= y << 15 & 0xEFC60000
	return y ^ y>>18
}

// below returns a number in [0, n). n must not be 0. It draws bits, the high
// word first, until the number is below n.
func (t *twister) below(n uint64) uint64 {
	limit := n - 1
	mask := uint64(1)<<bits.Len64(limit) - 1
retry:
	var v uint64
	for shift := 32; shift >= 0; shift -= 32 {
		if mask>>shift&0xFFFFFFFF == 0 {
			continue
		}
		v |= uint64(t.uint32()) << shift
		if v &= mask; v > limit {
			goto retry
		}
	}
	return v
}
