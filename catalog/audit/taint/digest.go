package taint

import (
	"crypto/md5"  //nolint:gosec // what others made is to be found
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"strings"
)

// digests returns the digests of a secret that need no salt, as they are
// written: anybody can try passwords on them.
func digests(secret string) [][]byte {
	b := []byte(secret)
	m, s1, s2, s5 := md5.Sum(b), sha1.Sum(b), sha256.Sum256(b), sha512.Sum512(b) //nolint:gosec // see above
	twice := sha1.Sum(s1[:])                                                     //nolint:gosec // what MySQL stores
	list := [][]byte{
		hex.AppendEncode(nil, m[:]), hex.AppendEncode(nil, s1[:]), hex.AppendEncode(nil, s2[:]), hex.AppendEncode(nil, s5[:]),
		[]byte("*" + strings.ToUpper(hex.EncodeToString(twice[:]))),
	}
	return list
}
