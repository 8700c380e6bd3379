// Package seal encrypts and names the data of a fleet.
//
//	Key   the secret of a fleet, of which all other keys are derived
//
// [Key.Seal] encrypts a value for one location, [Key.Name] and [Key.Digest] replace names
// and contents by values that cannot be guessed without the key.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// Size is the number of bytes of a key.
const Size = 32

// ErrSealed reports that a value is damaged, belongs to another location, or was
// encrypted with another key.
var ErrSealed = errors.New("the value is damaged, or encrypted with another fleet key")

// A sealed value is a version, a random salt, and the result of AES-256-GCM. Key and
// nonce of each value are derived from its salt, so that the number of values is not
// limited, as it would be with random nonces of 12 bytes under one key.
const (
	version  = 1
	saltSize = 24
	nonce    = 12
	tagSize  = 16
)

// Overhead is the number of bytes that [Key.Seal] adds to a value.
const Overhead = 1 + saltSize + tagSize

// Key is the key of a fleet. It is safe for concurrent use. Printing it does not show it.
type Key struct {
	derive          func(purpose string, n int) []byte // closures hide the keys from reflection
	names, contents func() []byte
}

// New returns the key that consists of the given bytes.
func New(secret *[Size]byte) *Key {
	root, err := hkdf.Extract(sha256.New, secret[:], []byte("pcat fleet"))
	if err != nil {
		panic(err) //nolint:forbidigo // only for keys of fewer than 14 bytes, in FIPS mode
	}
	k := &Key{derive: func(purpose string, n int) []byte {
		key, err := hkdf.Expand(sha256.New, root, purpose, n)
		if err != nil {
			panic(err) //nolint:forbidigo // n is 32 or 44; the limit is 8160
		}
		return key
	}}
	names, digests := k.Derive("names"), k.Derive("digests")
	k.names, k.contents = func() []byte { return names }, func() []byte { return digests }
	return k
}

// String returns a text without the key.
func (k *Key) String() string { return "fleet key [redacted]" }

// GoString returns a text without the key.
func (k *Key) GoString() string { return k.String() }

// Derive returns the key of 32 bytes for a purpose.
func (k *Key) Derive(purpose string) []byte { return k.derive("purpose\x00"+purpose, Size) }

// Name returns a name of 32 hexadecimal digits for a list of texts.
func (k *Key) Name(texts ...string) string {
	h := hmac.New(sha256.New, k.names())
	for _, t := range texts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(t))))
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Digest returns 32 hexadecimal digits that are equal for equal data.
func (k *Key) Digest(data []byte) string {
	h := hmac.New(sha256.New, k.contents())
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Seal encrypts data for a location. [Key.Open] needs the same location.
func (k *Key) Seal(location string, data []byte) []byte {
	sealed := make([]byte, 1+saltSize, len(data)+Overhead)
	sealed[0] = version
	_, _ = rand.Read(sealed[1:]) // never fails
	return k.box(sealed, func(c cipher.AEAD, nonce []byte) []byte {
		return c.Seal(sealed, nonce, data, additional(sealed[0], location))
	})
}

// Open decrypts a value of [Key.Seal]. The error is [ErrSealed].
func (k *Key) Open(location string, sealed []byte) ([]byte, error) {
	if len(sealed) < Overhead || sealed[0] != version {
		return nil, ErrSealed
	}
	var data []byte
	var err error
	k.box(sealed, func(c cipher.AEAD, nonce []byte) []byte {
		data, err = c.Open(nil, nonce, sealed[1+saltSize:], additional(sealed[0], location))
		return nil
	})
	if err != nil {
		return nil, ErrSealed
	}
	return data, nil
}

// box calls f with the cipher and the nonce of a sealed value.
func (k *Key) box(sealed []byte, f func(c cipher.AEAD, nonce []byte) []byte) []byte {
	derived := k.derive("value\x00"+string(sealed[1:1+saltSize]), Size+nonce)
	block, err := aes.NewCipher(derived[:Size])
	if err != nil {
		panic(err) //nolint:forbidigo // a key of 32 bytes is one of AES
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) //nolint:forbidigo // only for blocks of another size than those of AES
	}
	return f(aead, derived[Size:])
}

func additional(version byte, location string) []byte {
	return append([]byte{version}, location...)
}
