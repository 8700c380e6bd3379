package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Sealer encrypts a text so that only one node can read it; package sensitive/seal has
// one. With [InTurn], it must be safe for concurrent use.
type Sealer interface {
	Seal(text []byte) (string, error)
}

// encrypter is a Masker that encrypts secrets in their own locations.
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
func (m *encrypter) Value(own *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	return pcore.Rewrite(
		own.Reveal(), //nolint:forbidigo // every text of it is encrypted here
		func(c *pcore.Cursor) (pcore.Value, error) {
			if key, ok := c.Value().(pcore.String); ok && c.IsKey() && secret.IsSecretKey(string(key)) {
				return pcore.String(m.text(string(key))), nil
			}
			if c.IsKey() {
				return c.Value(), nil
			}
			return m.sealed(c.Value())
		})
}

func (m *encrypter) sealed(v pcore.Value) (pcore.Value, error) {
	text, ok := toEncrypt(v)
	if !ok {
		return v, nil
	}
	sealed, err := m.sealer.Seal([]byte(text))
	if err != nil {
		return nil, err
	}
	return pcore.NewDeferred(m.function, pcore.NewArray(pcore.String(sealed))), nil
}

// toEncrypt returns the text of v. It returns false if v needs no encryption: because it
// has no text, is a marker, or is encrypted already.
func toEncrypt(v pcore.Value) (text string, ok bool) {
	switch v := v.(type) {
	case pcore.Undef, pcore.Default, pcore.Boolean, *pcore.Array, *pcore.Hash, *pcore.Sensitive, *pcore.Deferred, *pcore.Object:
		return "", false
	case pcore.String:
		text = string(v)
	case pcore.Binary:
		text = v.Raw()
	default:
		text = v.String()
	}
	return text, !secret.IsMarker(text) && !secret.IsCiphertext(text)
}

// ciphertextKeeper is a Masker that keeps encrypted secrets.
type ciphertextKeeper struct{ *texts }

// NewMaskUnencrypted returns a Masker that works like that of [NewMask], but keeps secrets
// that are already encrypted, such as those from [NewEncrypt].
func NewMaskUnencrypted() Masker { return ciphertextKeeper{newMask()} }

// Value implements Masker.
func (m ciphertextKeeper) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	if v := secret.Reveal(); isEncrypted(v) { //nolint:forbidigo // only a ciphertext is returned
		return v, nil
	}
	return m.texts.Value(secret, at)
}

// isEncrypted reports whether all text in v is ciphertext.
func isEncrypted(v pcore.Value) bool {
	ciphertext, plain := false, false
	_ = pcore.Walk(v, func(c *pcore.Cursor) error { // never fails
		text, isText := c.Value().(pcore.String)
		if c.IsKey() {
			plain = plain || !isText || secret.IsSecretKey(string(text))
			return nil
		}
		_, open := toEncrypt(c.Value())
		plain = plain || open
		ciphertext = ciphertext || isText && secret.IsCiphertext(string(text))
		return nil
	})
	return ciphertext && !plain
}
