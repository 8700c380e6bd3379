package crypt

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// ErrCost is returned for a cost that bcrypt does not have, or that takes
// longer than anybody waits: above 2^16 rounds.
var ErrCost = errors.New("the cost must be between 04 and 16")

// ErrSalt is returned for a salt that is not 22 characters long.
var ErrSalt = errors.New("the salt must have 22 characters out of ./A-Za-z0-9")

const bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Bcrypt returns the hash of the form $2b$, or of another variant: a and y are
// the same, x reads bytes above 127 wrongly, as a faulty version did. The salt
// has 22 characters, of the last of which two bits count.
func Bcrypt(password string, variant byte, cost int, salt string) (string, error) {
	if cost < 4 || cost > 16 {
		return "", ErrCost
	}
	raw, err := bcryptDecode(salt)
	if err != nil {
		return "", err
	}
	key := append([]byte(password), 0)
	key = key[:min(len(key), 72)]
	state := newBlowfish()
	state.expand(words(key, variant == 'x'), words(raw, false))
	for range 1 << cost {
		state.expand(words(key, variant == 'x'), nil)
		state.expand(words(raw, false), nil)
	}
	text := words([]byte("OrpheanBeholderScryDoubt"), false)
	var out []byte
	for range 3 {
		l, r := text(), text()
		for range 64 {
			l, r = state.encrypt(l, r)
		}
		for _, w := range []uint32{l, r} {
			out = append(out, byte(w>>24), byte(w>>16), byte(w>>8), byte(w))
		}
	}
	return fmt.Sprintf("$2%c$%02d$%s%s", variant, cost, bcryptEncode(raw), bcryptEncode(out[:23])), nil
}

func bcryptDecode(salt string) ([]byte, error) {
	const length = 22
	if len(salt) < length {
		return nil, ErrSalt
	}
	var out []byte
	bits, n := uint32(0), 0
	for i := range length {
		v := strings.IndexByte(bcryptAlphabet, salt[i])
		if v < 0 {
			return nil, ErrSalt
		}
		if bits, n = bits<<6|uint32(v), n+6; n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
		}
	}
	return out, nil
}

func bcryptEncode(b []byte) string {
	var out strings.Builder
	bits, n := uint32(0), 0
	for _, c := range b {
		bits, n = bits<<8|uint32(c), n+8
		for n >= 6 {
			n -= 6
			out.WriteByte(bcryptAlphabet[bits>>n&63])
		}
	}
	if n > 0 {
		out.WriteByte(bcryptAlphabet[bits<<(6-n)&63])
	}
	return out.String()
}

// words returns a function that gives the next word of b, over and over. signed
// spreads the sign of each byte, which is the fault of the variant x.
func words(b []byte, signed bool) func() uint32 {
	i := 0
	return func() uint32 {
		var w uint32
		for range 4 {
			c := uint32(b[i])
			if signed {
				c = uint32(int32(int8(b[i])))
			}
			w = w<<8 | c
			i = (i + 1) % len(b)
		}
		return w
	}
}

// blowfish is the state of Schneier's cipher, as far as bcrypt needs it.
type blowfish struct {
	p [18]uint32
	s [4][256]uint32
}

// newBlowfish returns the state that the digits of pi give.
func newBlowfish() *blowfish {
	b := new(blowfish)
	next := piWords(len(b.p) + 4*256)
	for i := range b.p {
		b.p[i] = next()
	}
	for i := range b.s {
		for j := range b.s[i] {
			b.s[i][j] = next()
		}
	}
	return b
}

// piWords returns a function that gives the first n words after the point of
// pi, by Machin's formula.
func piWords(n int) func() uint32 {
	const guard = 64
	one := new(big.Int).Lsh(big.NewInt(1), uint(32*n+guard))
	pi := new(big.Int).Mul(arctan(one, 5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(arctan(one, 239), big.NewInt(4)))
	pi.Rsh(pi, guard)
	i := n
	return func() uint32 {
		i--
		return uint32(new(big.Int).Rsh(pi, uint(32*i)).Uint64())
	}
}

// arctan returns the arc tangent of 1/x, times one.
func arctan(one *big.Int, x int64) *big.Int {
	power := new(big.Int).Quo(one, big.NewInt(x))
	sum := new(big.Int).Set(power)
	for k := int64(1); power.Sign() != 0; k++ {
		power.Quo(power, big.NewInt(x*x))
		term := new(big.Int).Quo(power, big.NewInt(2*k+1))
		if k%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

// expand mixes the key, and the salt when there is one, into the state.
func (b *blowfish) expand(key, salt func() uint32) {
	for i := range b.p {
		b.p[i] ^= key()
	}
	if salt == nil {
		salt = func() uint32 { return 0 }
	}
	var l, r uint32
	for i := 0; i < len(b.p); i += 2 {
		l, r = b.encrypt(l^salt(), r^salt())
		b.p[i], b.p[i+1] = l, r
	}
	for i := range b.s {
		for j := 0; j < len(b.s[i]); j += 2 {
			l, r = b.encrypt(l^salt(), r^salt())
			b.s[i][j], b.s[i][j+1] = l, r
		}
	}
}

func (b *blowfish) encrypt(l, r uint32) (uint32, uint32) {
	for i := 0; i < 16; i += 2 {
		l ^= b.p[i]
		r ^= b.round(l)
		r ^= b.p[i+1]
		l ^= b.round(r)
	}
	return r ^ b.p[17], l ^ b.p[16]
}

func (b *blowfish) round(x uint32) uint32 {
	return (b.s[0][x>>24] + b.s[1][x>>16&0xFF] ^ b.s[2][x>>8&0xFF]) + b.s[3][x&0xFF]
}
