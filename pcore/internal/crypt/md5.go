package crypt

import "crypto/md5" //nolint:gosec // the form $1$ is made of it

// MD5 returns a hash of the form $1$. It uses at most 8 characters of the salt.
func MD5(password, salt string) string {
	const rounds = 1000
	salt = salt[:min(len(salt), 8)]
	key := []byte(password)

	inner := md5.New() //nolint:gosec // as above
	inner.Write(key)
	inner.Write([]byte(salt))
	inner.Write(key)
	sum := inner.Sum(nil)

	h := md5.New() //nolint:gosec // as above
	h.Write(key)
	h.Write([]byte("$1$" + salt))
	h.Write(repeated(sum, len(key)))
	for n := len(key); n > 0; n >>= 1 {
		if n&1 == 1 {
			h.Write([]byte{0})
		} else {
			h.Write(key[:1])
		}
	}
	sum = h.Sum(nil)

	for i := range rounds {
		h.Reset()
		either(h, i%2 == 1, key, sum)
		if i%3 != 0 {
			h.Write([]byte(salt))
		}
		if i%7 != 0 {
			h.Write(key)
		}
		either(h, i%2 == 0, key, sum)
		sum = h.Sum(nil)
	}

	var e encoder
	e.WriteString("$1$" + salt + "$")
	for i := range 5 {
		last := i + 12
		if i == 4 {
			last = 5
		}
		e.group(sum[i], sum[i+6], sum[last], 4)
	}
	e.group(0, 0, sum[11], 2)
	return e.String()
}
