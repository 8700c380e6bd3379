package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
)

// The signing library can also envelop, but it takes the cipher from a package variable
// and does not support CFB, which node_encrypt uses.

// contentInfo is ContentInfo of RFC 2315 section 7.
type contentInfo struct {
	ContentType asn1.ObjectIdentifier
	Content     envelopedData `asn1:"explicit,tag:0"`
}

// envelopedData is EnvelopedData of section 10.1.
type envelopedData struct {
	Version          int
	RecipientInfos   []recipientInfo `asn1:"set"`
	EncryptedContent encryptedContentInfo
}

type recipientInfo struct {
	Version                int
	IssuerAndSerialNumber  issuerAndSerial
	KeyEncryptionAlgorithm pkix.AlgorithmIdentifier
	EncryptedKey           []byte
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type encryptedContentInfo struct {
	ContentType asn1.ObjectIdentifier
	Algorithm   contentAlgorithm
	Content     []byte `asn1:"tag:0,optional"`
}

type contentAlgorithm struct {
	Algorithm asn1.ObjectIdentifier
	IV        []byte
}

// oid returns the object identifier with the given numbers.
func oid(numbers ...int) asn1.ObjectIdentifier { return numbers }

func oidData() asn1.ObjectIdentifier          { return oid(1, 2, 840, 113549, 1, 7, 1) }
func oidEnvelopedData() asn1.ObjectIdentifier { return oid(1, 2, 840, 113549, 1, 7, 3) }
func oidRSA() asn1.ObjectIdentifier           { return oid(1, 2, 840, 113549, 1, 1, 1) }
func oidAES256CBC() asn1.ObjectIdentifier     { return oid(2, 16, 840, 1, 101, 3, 4, 1, 42) }

// contentCipher is a supported way to encrypt content.
type contentCipher struct {
	key  int // length in bytes
	open func(block cipher.Block, iv, content []byte) ([]byte, error)
}

// cipherOf returns the cipher of an algorithm: AES with CBC or CFB.
func cipherOf(id asn1.ObjectIdentifier) (contentCipher, bool) {
	const cbc, cfb = 2, 4 // the last number; 128, 192 and 256 bits are 20 apart
	aesModes := oid(2, 16, 840, 1, 101, 3, 4, 1)
	if len(id) != len(aesModes)+1 || !id[:len(aesModes)].Equal(aesModes) {
		return contentCipher{}, false
	}
	last := id[len(id)-1]
	c := contentCipher{key: 16 + last/20*8}
	if last < 0 || c.key > 32 {
		return contentCipher{}, false
	}
	switch last % 20 {
	case cbc:
		c.open = openCBC
	case cfb:
		c.open = openCFB
	default:
		return contentCipher{}, false
	}
	return c, true
}

// errOpen reports that a text cannot be decrypted because it is damaged or was sealed for
// another key. It does not say which, because repeated attempts with changed texts could
// otherwise find out the plain text.
var errOpen = errors.New("cannot be decrypted with this key")

func openCBC(block cipher.Block, iv, content []byte) ([]byte, error) {
	if len(content) == 0 || len(content)%aes.BlockSize != 0 {
		return nil, errOpen
	}
	plain := make([]byte, len(content))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, content)
	return plain[:len(plain)-padding(plain[len(plain)-aes.BlockSize:])], nil
}

// padding returns the length of the padding at the end of the last block, in constant
// time, or 0 if it is invalid. Then the content fails to parse.
func padding(last []byte) int {
	pad := int(last[len(last)-1])
	valid := subtle.ConstantTimeLessOrEq(1, pad) & subtle.ConstantTimeLessOrEq(pad, len(last))
	for i, b := range last {
		isPadding := subtle.ConstantTimeLessOrEq(len(last)-i, pad)
		valid &= subtle.ConstantTimeSelect(isPadding, subtle.ConstantTimeByteEq(b, byte(pad)), 1)
	}
	return subtle.ConstantTimeSelect(valid, pad, 0)
}

func openCFB(block cipher.Block, iv, content []byte) ([]byte, error) {
	plain := make([]byte, len(content))
	cipher.NewCFBDecrypter(block, iv).XORKeyStream(plain, content) //nolint:staticcheck // what node_encrypt uses; the signature within tells of changes
	return plain, nil
}

// envelop encrypts content for the owner of a certificate.
func envelop(content []byte, to *x509.Certificate) ([]byte, error) {
	public, ok := to.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, errKeyType
	}
	key, iv := make([]byte, 32), make([]byte, aes.BlockSize)
	_, _ = rand.Read(key) // never fails, according to its documentation
	_, _ = rand.Read(iv)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	pad := aes.BlockSize - len(content)%aes.BlockSize
	padded := make([]byte, len(content)+pad)
	for i := range padded[copy(padded, content):] {
		padded[len(content)+i] = byte(pad)
	}
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(padded, padded)
	sealed, err := rsa.EncryptPKCS1v15(rand.Reader, public, key) //nolint:staticcheck // the one way that node_decrypt knows
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(contentInfo{
		ContentType: oidEnvelopedData(),
		Content: envelopedData{
			RecipientInfos: []recipientInfo{{
				IssuerAndSerialNumber:  issuerAndSerial{asn1.RawValue{FullBytes: to.RawIssuer}, to.SerialNumber},
				KeyEncryptionAlgorithm: pkix.AlgorithmIdentifier{Algorithm: oidRSA(), Parameters: asn1.NullRawValue},
				EncryptedKey:           sealed,
			}},
			EncryptedContent: encryptedContentInfo{oidData(), contentAlgorithm{oidAES256CBC(), iv}, padded},
		},
	})
}

// unwrap reverses envelop. It tries every recipient, because a renewed certificate for
// the same key has another serial number, and returns the first valid content. Errors other than
// errOpen depend only on the parts that are not encrypted.
func unwrap(message []byte, key *rsa.PrivateKey, valid func(content []byte) bool) ([]byte, error) {
	var info contentInfo
	rest, err := asn1.Unmarshal(message, &info)
	if err != nil || len(rest) > 0 || !info.ContentType.Equal(oidEnvelopedData()) {
		return nil, errors.New("not an encrypted PKCS#7 message")
	}
	encrypted := info.Content.EncryptedContent
	c, ok := cipherOf(encrypted.Algorithm.Algorithm)
	if !ok || len(encrypted.Algorithm.IV) != aes.BlockSize {
		return nil, fmt.Errorf("unsupported cipher %s; use AES with CBC or CFB", encrypted.Algorithm.Algorithm)
	}
	for _, recipient := range info.Content.RecipientInfos {
		// For a wrong key this leaves a random session key, so the two cases cannot be
		// distinguished by repeated attempts. The content then fails to parse.
		session := make([]byte, c.key)
		_, _ = rand.Read(session)
		if err := rsa.DecryptPKCS1v15SessionKey(nil, key, recipient.EncryptedKey, session); err != nil { //nolint:staticcheck // see envelop
			continue
		}
		block, err := aes.NewCipher(session)
		if err != nil {
			return nil, err
		}
		if content, err := c.open(block, encrypted.Algorithm.IV, encrypted.Content); err == nil && valid(content) {
			return content, nil
		}
	}
	return nil, errOpen
}

// isMessage reports whether content is a single ASN.1 value.
func isMessage(content []byte) bool {
	var any asn1.RawValue
	rest, err := asn1.Unmarshal(content, &any)
	return err == nil && len(rest) == 0
}
