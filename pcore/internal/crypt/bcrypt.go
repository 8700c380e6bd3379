package crypt

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/crypto/blowfish" //nolint:staticcheck // bcrypt is made of it, and x/crypto/bcrypt takes no salt
)

// ErrCost is returned for a cost that bcrypt does not have, or that takes too
// long for a catalog: above 2^16 rounds.
var ErrCost = errors.New("the cost must be between 04 and 16")

// ErrSalt is returned for a salt that does not begin with 22 characters of
// ./A-Za-z0-9.
var ErrSalt = errors.New("the salt must have 22 characters out of ./A-Za-z0-9")

const bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func bcryptText() *base64.Encoding {
	return base64.NewEncoding(bcryptAlphabet).WithPadding(base64.NoPadding)
}

// Bcrypt returns the hash in the form $2b$ or in another variant: a and y give
// the same hash, x sign-extends bytes above 127 as a faulty implementation did.
// The salt has 22 characters, of which the last one holds two bits.
func Bcrypt(password string, variant byte, cost int, salt string) (string, error) {
	if cost < 4 || cost > 16 {
		return "", ErrCost
	}
	raw, err := bcryptSalt(salt)
	if err != nil {
		return "", err
	}
	key := append([]byte(password), 0)
	key = key[:min(len(key), bcryptKeySize)]
	if variant == 'x' {
		key = signExtended(key)
	}
	c, err := blowfish.NewSaltedCipher(key, raw)
	if err != nil {
		return "", err // the key is never empty
	}
	for range 1 << cost {
		blowfish.ExpandKey(key, c)
		blowfish.ExpandKey(raw, c)
	}
	text := []byte("OrpheanBeholderScryDoubt")
	for block := text; len(block) > 0; block = block[blowfish.BlockSize:] {
		for range 64 {
			c.Encrypt(block, block)
		}
	}
	return fmt.Sprintf("$2%c$%02d$%s%s", variant, cost,
		bcryptText().EncodeToString(raw), bcryptText().EncodeToString(text[:len(text)-1])), nil
}

// bcryptSalt returns the 16 bytes of a salt.
func bcryptSalt(salt string) ([]byte, error) {
	const length = 22
	if len(salt) < length {
		return nil, ErrSalt
	}
	raw, err := bcryptText().DecodeString(salt[:length])
	if err != nil {
		return nil, ErrSalt // the decoder's error quotes the salt
	}
	return raw, nil
}

// bcryptKeySize is how many bytes of a key count: as many as Blowfish has
// subkeys of 32 bits.
const bcryptKeySize = 18 * 4

// signExtended returns a key from which Blowfish takes the words that the
// variant x makes of key: a byte above 127 sets all the bits before it.
func signExtended(key []byte) []byte {
	out := make([]byte, 0, bcryptKeySize)
	for i := 0; len(out) < bcryptKeySize; {
		var w uint32
		for range 4 {
			w = w<<8 | uint32(int32(int8(key[i%len(key)])))
			i++
		}
		out = binary.BigEndian.AppendUint32(out, w)
	}
	return out
}
