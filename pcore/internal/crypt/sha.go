package crypt

import (
	"crypto/sha256"
	"crypto/sha512"
	"hash"
)

// SHA256 returns a hash of the form $5$. It uses at most 16 characters of the
// salt.
func SHA256(password, salt string) string {
	salt = salt[:min(len(salt), 16)]
	sum := shaRounds(sha256.New, password, salt)
	var e encoder
	e.WriteString("$5$" + salt + "$")
	a, b, c := 0, 10, 20
	for range 10 {
		e.group(sum[a], sum[b], sum[c], 4)
		a, b, c = c+1, a+1, b+1
	}
	e.group(0, sum[31], sum[30], 3)
	return e.String()
}

// SHA512 returns a hash of the form $6$. It uses at most 16 characters of the
// salt.
func SHA512(password, salt string) string {
	salt = salt[:min(len(salt), 16)]
	sum := shaRounds(sha512.New, password, salt)
	var e encoder
	e.WriteString("$6$" + salt + "$")
	a, b, c := 0, 21, 42
	for range 21 {
		e.group(sum[a], sum[b], sum[c], 4)
		a, b, c = b+1, c+1, a+1
	}
	e.group(0, 0, sum[63], 2)
	return e.String()
}

// shaRounds is the common part of both forms; see Drepper, "Unix crypt using
// SHA-256 and SHA-512".
func shaRounds(sha func() hash.Hash, password, salt string) []byte {
	const rounds = 5000
	key, saltBytes := []byte(password), []byte(salt)

	inner := sha()
	inner.Write(key)
	inner.Write(saltBytes)
	inner.Write(key)
	sum := inner.Sum(nil)

	h := sha()
	h.Write(key)
	h.Write(saltBytes)
	h.Write(repeated(sum, len(key)))
	for n := len(key); n > 0; n >>= 1 {
		either(h, n&1 == 0, key, sum)
	}
	sum = h.Sum(nil)

	h.Reset()
	for range key {
		h.Write(key)
	}
	p := repeated(h.Sum(nil), len(key))
	h.Reset()
	for range 16 + int(sum[0]) {
		h.Write(saltBytes)
	}
	s := repeated(h.Sum(nil), len(salt))

	for i := range rounds {
		h.Reset()
		either(h, i%2 == 1, p, sum)
		if i%3 != 0 {
			h.Write(s)
		}
		if i%7 != 0 {
			h.Write(p)
		}
		either(h, i%2 == 0, p, sum)
		sum = h.Sum(nil)
	}
	return sum
}

// either writes a if first is set, otherwise b.
func either(h hash.Hash, first bool, a, b []byte) {
	if first {
		h.Write(a)
	} else {
		h.Write(b)
	}
}

// repeated returns n bytes, repeating b.
func repeated(b []byte, n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		out = append(out, b[:min(len(b), n-len(out))]...)
	}
	return out
}
