// Package seal encrypts and names the data of a fleet.
//
//	Key      the key of a fleet, of which all other keys are derived
//	Reader   the key of a reader, which opens only answers to questions
//	Box      encrypts values; both keys have one
//	Writer   encrypts a file of any size, for FileReader
//
// [Box.Seal] encrypts a value for one location, [Key.Name] and [Key.Digest] replace names
// and contents by values that cannot be guessed without the key.
//
// A key consists of two secrets. The identity names units and fingerprints, and remains for
// ever. The other one encrypts, and [Rotate] replaces it.
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

// Size is the number of bytes of a secret.
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

// Overhead is the number of bytes that [Box.Seal] adds to a value.
const Overhead = 1 + saltSize + tagSize

// tree derives keys from a secret, which reflection does not find in a closure.
type tree func(purpose string, n int) []byte

func newTree(secret *[Size]byte, salt string) tree {
	root, err := hkdf.Extract(sha256.New, secret[:], []byte(salt))
	if err != nil {
		panic(err) //nolint:forbidigo // only for keys of fewer than 14 bytes, in FIPS mode
	}
	return func(purpose string, n int) []byte {
		key, err := hkdf.Expand(sha256.New, root, purpose, n)
		if err != nil {
			panic(err) //nolint:forbidigo // n is 32 or 44; the limit is 8160
		}
		return key
	}
}

// key returns the key of 32 bytes for a purpose.
func (t tree) key(purpose string) []byte { return t("purpose\x00"+purpose, Size) }

// secret returns key as an array.
func (t tree) secret(purpose string) *[Size]byte { return (*[Size]byte)(t.key(purpose)) }

// Box encrypts and decrypts values. It is safe for concurrent use. The zero value cannot be
// used.
type Box struct {
	trees []tree // the first one encrypts, each decrypts
}

// Login returns the key of 32 bytes with which the owner of the Box proves who it is.
func (b *Box) Login() []byte { return b.trees[0].key("nats user") }

// Current returns a Box that opens only the values that this one would seal today, and not
// those of a secret that was replaced.
func (b *Box) Current() *Box { return &Box{b.trees[:1]} }

// Key is the key of a fleet. It is safe for concurrent use. Printing it does not show it.
type Key struct {
	Box             // for everything but answers to readers
	answers         Box
	identity        tree
	names, contents func() []byte // closures hide the keys from reflection
}

// newKey returns the key of the secrets of a file: the identity, the secret that encrypts
// and, while it is being replaced, the one before.
func newKey(secrets [][Size]byte) *Key {
	k := &Key{identity: newTree(&secrets[0], saltFleet)}
	for i := range secrets[1:] {
		k.trees = append(k.trees, newTree(&secrets[1+i], saltFleet))
	}
	for _, t := range k.trees {
		k.answers.trees = append(k.answers.trees, newTree(t.secret(purposeReader), saltReader))
	}
	names, digests := k.Derive("names"), k.Derive("digests")
	k.names, k.contents = func() []byte { return names }, func() []byte { return digests }
	return k
}

const (
	saltFleet     = "pcat fleet"
	saltReader    = "pcat fleet reader"
	purposeReader = "reader"
)

// String returns a text without the key.
func (k *Key) String() string { return "fleet key [redacted]" }

// GoString returns a text without the key.
func (k *Key) GoString() string { return k.String() }

// Answers returns the Box for answers to readers, which is also that of [Key.Reader].
func (k *Key) Answers() *Box { return &k.answers }

// Rotating reports whether the key also opens the values of a secret that is being replaced:
// a rotation has begun and not ended.
func (k *Key) Rotating() bool { return len(k.trees) > 1 }

// Same reports whether two keys are of the same fleet, before or after a rotation.
func (k *Key) Same(other *Key) bool { return hmac.Equal(k.names(), other.names()) }

// Derive returns the key of 32 bytes for a purpose. It remains when the key is rotated.
func (k *Key) Derive(purpose string) []byte { return k.identity.key(purpose) }

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

// Reader is the key of a reader. Its Box opens the answers to its questions, and nothing that
// is stored. It is safe for concurrent use. Printing it does not show it.
type Reader struct {
	Box
	secret func() [Size]byte
}

// Reader returns the key of a reader. It is another one after a rotation.
func (k *Key) Reader() *Reader { return newReader(k.trees[0].secret(purposeReader)) }

func newReader(secret *[Size]byte) *Reader {
	value := *secret
	return &Reader{Box: Box{[]tree{newTree(&value, saltReader)}}, secret: func() [Size]byte { return value }}
}

// String returns a text without the key.
func (r *Reader) String() string { return "reader's key [redacted]" }

// GoString returns a text without the key.
func (r *Reader) GoString() string { return r.String() }

// Seal encrypts data for a location. [Box.Open] needs the same location.
func (b *Box) Seal(location string, data []byte) []byte {
	sealed := make([]byte, 1+saltSize, len(data)+Overhead)
	sealed[0] = version
	_, _ = rand.Read(sealed[1:]) // never fails
	c, nonce := b.trees[0].cipher(sealed)
	return c.Seal(sealed, nonce, data, additional(sealed[0], location))
}

// Open decrypts a value of [Box.Seal]. The error is [ErrSealed].
func (b *Box) Open(location string, sealed []byte) ([]byte, error) {
	if len(sealed) < Overhead || sealed[0] != version {
		return nil, ErrSealed
	}
	for _, t := range b.trees {
		c, nonce := t.cipher(sealed)
		if data, err := c.Open(nil, nonce, sealed[1+saltSize:], additional(sealed[0], location)); err == nil {
			return data, nil
		}
	}
	return nil, ErrSealed
}

// cipher returns the cipher and the nonce of a sealed value.
func (t tree) cipher(sealed []byte) (c cipher.AEAD, n []byte) {
	derived := t("value\x00"+string(sealed[1:1+saltSize]), Size+nonce)
	block, err := aes.NewCipher(derived[:Size])
	if err != nil {
		panic(err) //nolint:forbidigo // a key of 32 bytes is one of AES
	}
	if c, err = cipher.NewGCM(block); err != nil {
		panic(err) //nolint:forbidigo // only for blocks of another size than those of AES
	}
	return c, derived[Size:]
}

func additional(version byte, location string) []byte {
	return append([]byte{version}, location...)
}
