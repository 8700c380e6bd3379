package secret

import (
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"strings"
)

// IsCiphertext reports whether text is a message that was encrypted for the owner of a
// private key, and nothing else: PKCS #7 or CMS enveloped data, in PEM as the module
// node_encrypt writes it, or as the `ENC[PKCS7,…]` of Hiera's eyaml. It means nothing
// without the key, so it may be shared.
func IsCiphertext(text string) bool {
	text = strings.TrimSpace(text)
	if content, ok := strings.CutPrefix(text, "ENC[PKCS7,"); ok {
		content, ok = strings.CutSuffix(content, "]")
		message, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(content), ""))
		return ok && err == nil && isEnveloped(message)
	}
	if !strings.HasPrefix(text, "-----BEGIN ") { // Decode skips text before the block
		return false
	}
	block, rest := pem.Decode([]byte(text))
	return block != nil && len(rest) == 0 && len(block.Headers) == 0 &&
		(block.Type == "PKCS7" || block.Type == "CMS") && isEnveloped(block.Bytes)
}

// isEnveloped reports whether message is the DER of enveloped data (RFC 5652, section 6).
func isEnveloped(message []byte) bool {
	var info struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue
	}
	rest, err := asn1.Unmarshal(message, &info)
	return err == nil && len(rest) == 0 && info.Type.Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3})
}
