// Package crypt computes password hashes in the forms of crypt(3), from a
// password and a salt, for the function pw_hash:
//
//	MD5     $1$SALT$HASH
//	SHA256  $5$SALT$HASH
//	SHA512  $6$SALT$HASH
//	Bcrypt  $2b$COST$SALTHASH, and the variants a, x and y
//
// The caller provides the salt: the same arguments always give the same hash.
package crypt

import "strings"

// alphabet contains the 64 characters of crypt(3), in a different order than
// base64.
const alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// encoder writes groups of 6 bits, the lowest ones first.
type encoder struct{ strings.Builder }

// group writes three bytes as n characters.
func (e *encoder) group(b2, b1, b0 byte, n int) {
	v := uint32(b2)<<16 | uint32(b1)<<8 | uint32(b0)
	for range n {
		e.WriteByte(alphabet[v&63])
		v >>= 6
	}
}
