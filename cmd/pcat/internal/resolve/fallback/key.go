package fallback

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
)

// ParseKey returns the key of a [Cache] for a private key in PEM, such as the one of the
// agent: RSA, EC or Ed25519. The error does not quote the text.
func ParseKey(text []byte) (*Key, error) {
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return nil, errors.New("no private key found; expected PEM")
		}
		if !strings.HasSuffix(block.Type, "PRIVATE KEY") {
			continue
		}
		key, err := privateKey(block)
		if err != nil {
			return nil, err
		}
		// The same bytes for a key, however its file spells it.
		secret, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			return nil, errors.New("this kind of private key is not supported")
		}
		return newKey(secret)
	}
}

func privateKey(block *pem.Block) (any, error) {
	if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
		return nil, errors.New("the private key is encrypted with a password, which is not supported")
	}
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, errors.New("the private key is damaged")
	}
	return key, nil
}
