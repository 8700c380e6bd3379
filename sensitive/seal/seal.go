package seal

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"iter"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/smallstep/pkcs7"
)

// errKeyType reports that a key or a certificate is not RSA.
var errKeyType = errors.New("unsupported key: node_encrypt supports only RSA")

// ErrSigner reports that the key of a signer does not match its certificate. Recipients
// would reject its signatures.
var ErrSigner = errors.New("the key does not match the certificate of the signer")

// Function is the name of the function that an agent calls to decrypt.
const Function = "node_decrypt"

// blockType is the PEM label of a sealed text.
const blockType = "PKCS7"

// isSealed reports whether text begins like a sealed text.
func isSealed(text string) bool { return strings.HasPrefix(text, "-----BEGIN "+blockType+"-----") }

// Signer signs the text to be sealed. The function node_decrypt requires a signature but
// does not check the signer.
type Signer struct {
	Certificate *x509.Certificate
	Key         *rsa.PrivateKey
}

// NewSigner returns a Signer with a new key, which is never stored.
func NewSigner() (*Signer, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	name := pkix.Name{CommonName: "pcat"}
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      name,
		NotBefore:    time.Unix(0, 0),
		NotAfter:     time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), // no expiration, RFC 5280 section 4.1.2.5
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate, certificate, key.Public(), key)
	if err != nil {
		return nil, err
	}
	made, err := x509.ParseCertificate(der)
	return &Signer{made, key}, err
}

// Sealer encrypts text for one node. It is safe for concurrent use.
type Sealer struct {
	node   *x509.Certificate
	signer *Signer
}

// NewSealer returns a Sealer for the node with the given certificate. If signer is nil,
// NewSealer creates one. It fails if the node certificate is not RSA,
// and with [ErrSigner] if the key of the signer does not match its certificate.
func NewSealer(node *x509.Certificate, signer *Signer) (*Sealer, error) {
	if _, ok := node.PublicKey.(*rsa.PublicKey); !ok {
		return nil, errKeyType
	}
	if signer == nil {
		made, err := NewSigner()
		if err != nil {
			return nil, err
		}
		signer = made
	}
	if public, ok := signer.Certificate.PublicKey.(*rsa.PublicKey); !ok || !public.Equal(signer.Key.Public()) {
		return nil, ErrSigner
	}
	return &Sealer{node, signer}, nil
}

// Seal signs and encrypts text and returns it in PEM.
func (s *Sealer) Seal(text []byte) (string, error) {
	signed, err := pkcs7.NewSignedData(text)
	if err != nil {
		return "", err
	}
	signed.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	if err := signed.AddSigner(s.signer.Certificate, s.signer.Key, pkcs7.SignerInfoConfig{}); err != nil {
		return "", err
	}
	message, err := signed.Finish()
	if err != nil {
		return "", err
	}
	if message, err = envelop(message, s.node); err != nil {
		return "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: blockType, Bytes: message})), nil
}

// Opener decrypts texts that were sealed for a node. It is safe for concurrent use.
type Opener struct{ key *rsa.PrivateKey }

// NewOpener returns an Opener with the private key of the node.
func NewOpener(key *rsa.PrivateKey) *Opener { return &Opener{key} }

// Open returns the plain text of a sealed text. It fails if the text was
// sealed for another key, or its content is damaged or not signed; it never quotes the
// text.
func (o *Opener) Open(sealed string) ([]byte, error) {
	block, rest := pem.Decode([]byte(sealed))
	if block == nil || block.Type != blockType || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("not a PKCS#7 message in PEM format")
	}
	message, err := unwrap(block.Bytes, o.key, isMessage)
	if err != nil {
		return nil, err
	}
	signed, err := pkcs7.Parse(message)
	if err != nil {
		return nil, errOpen
	}
	if signed.Verify() != nil {
		return nil, errOpen
	}
	return signed.Content, nil
}

// OpenText returns the plain text of an encrypted PKCS#7 message in DER that is not signed, as
// hiera-eyaml writes it. Like Open, it never quotes the text. The text must be UTF-8: nothing else shows
// that the key is the right one.
func (o *Opener) OpenText(message []byte) (string, error) {
	content, err := unwrap(message, o.key, utf8.Valid)
	return string(content), err
}

// ParseCertificate returns the first certificate in a PEM text.
func ParseCertificate(text []byte) (*x509.Certificate, error) {
	for block := range blocks(text) {
		if block.Type == "CERTIFICATE" {
			return x509.ParseCertificate(block.Bytes)
		}
	}
	return nil, errors.New("no certificate found: expected PEM with a CERTIFICATE block")
}

// ParseKey returns the first private key in a PEM text, in PKCS#1 or PKCS#8. It fails
// if the key is not RSA. The error never quotes the text.
func ParseKey(text []byte) (*rsa.PrivateKey, error) {
	for block := range blocks(text) {
		switch block.Type {
		case "RSA PRIVATE KEY":
			return parsed(x509.ParsePKCS1PrivateKey(block.Bytes))
		case "PRIVATE KEY":
			return parsed(x509.ParsePKCS8PrivateKey(block.Bytes))
		case "EC PRIVATE KEY":
			return nil, errKeyType
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("the private key is encrypted; decrypt it first, for example with openssl pkey")
		}
	}
	return nil, errors.New("no private key found: expected PEM with a PRIVATE KEY or RSA PRIVATE KEY block")
}

func parsed[K any](key K, err error) (*rsa.PrivateKey, error) {
	if err != nil {
		return nil, errors.New("the private key is invalid")
	}
	k, ok := any(key).(*rsa.PrivateKey)
	if !ok {
		return nil, errKeyType
	}
	return k, nil
}

// blocks returns an iterator over the blocks of a PEM text.
func blocks(text []byte) iter.Seq[*pem.Block] {
	return func(yield func(*pem.Block) bool) {
		for {
			block, rest := pem.Decode(text)
			if block == nil || !yield(block) {
				return
			}
			text = rest
		}
	}
}
