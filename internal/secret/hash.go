package secret

import (
	"bytes"
	"crypto/md5"  //nolint:gosec // what others made is to be found
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
)

// NumHashes is the number of results of [Hashes].
const NumHashes = 5

// Hashes returns the unsalted digests of a secret in their usual spelling: MD5, SHA-1,
// SHA-256, SHA-512, and the one that MySQL stores. They expose the secret to guessing.
func Hashes(secret string) (list [NumHashes][]byte) {
	b := []byte(secret)
	m, s1, s2, s5 := md5.Sum(b), sha1.Sum(b), sha256.Sum256(b), sha512.Sum512(b) //nolint:gosec // see above
	twice := sha1.Sum(s1[:])                                                     //nolint:gosec // what MySQL stores
	text := make([]byte, 0, 2*(len(m)+len(s1)+len(s2)+len(s5)+len(twice))+1)
	for i, sum := range [][]byte{m[:], s1[:], s2[:], s5[:]} {
		start := len(text)
		text = hex.AppendEncode(text, sum)
		list[i] = text[start:len(text):len(text)]
	}
	start := len(text)
	text = hex.AppendEncode(append(text, '*'), twice[:])
	list[NumHashes-1] = bytes.ToUpper(text[start:])
	return list
}
