package sensitive

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Sealer encrypts a text so that only one node can read it; package sensitive/seal has
// one. With [InTurn], it must be safe for concurrent use.
type Sealer interface {
	Seal(text []byte) (string, error)
}

// encrypter is a Masker that encrypts secrets in their own places.
type encrypter struct {
	*texts
	function string
	sealer   Sealer
}

// NewEncrypt returns a Masker that keeps secrets, encrypted: each text of one
// becomes a Deferred call of function with the text that sealer encrypted, so
// that only an agent gets the secret back. Numbers and other
// rich values are encrypted as their text. Parts that an agent does not resolve are
// not encrypted: the keys of a secret Hash stay as they are, unless they are
// secrets themselves, and copies in other text are masked as [NewMask] does.
func NewEncrypt(function string, sealer Sealer) Masker {
	return &encrypter{newMask(), function, sealer}
}

// Value implements Masker.
func (m *encrypter) Value(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	return pcore.Rewrite(
		secret.Reveal(), //nolint:forbidigo // every text of it is encrypted here
		func(c *pcore.Cursor) (pcore.Value, error) {
			if key, ok := c.Value().(pcore.String); ok && c.IsKey() && isSecretKey(string(key)) {
				return pcore.String(m.text(string(key))), nil
			}
			if c.IsKey() {
				return c.Value(), nil
			}
			return m.sealed(c.Value())
		})
}

func (m *encrypter) sealed(v pcore.Value) (pcore.Value, error) {
	var text string
	switch v := v.(type) {
	case pcore.Undef, pcore.Default, pcore.Boolean, *pcore.Array, *pcore.Hash, *pcore.Sensitive, *pcore.Deferred, *pcore.Object:
		return v, nil
	case pcore.String:
		text = string(v)
	case pcore.Binary:
		text = v.Raw()
	default:
		text = v.String()
	}
	if secret.IsMarker(text) || isCiphertext(text) {
		return v, nil
	}
	sealed, err := m.sealer.Seal([]byte(text))
	if err != nil {
		return nil, err
	}
	return pcore.NewDeferred(m.function, pcore.NewArray(pcore.String(sealed))), nil
}

// isCiphertext reports whether a text is one that NewEncrypt left, or that was
// encrypted before: it means nothing without the key.
func isCiphertext(text string) bool {
	return strings.HasPrefix(text, "-----BEGIN PKCS7-----") || strings.HasPrefix(text, "-----BEGIN CMS-----")
}
