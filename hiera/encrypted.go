package hiera

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// ErrNoKey is wrapped by the error for an encrypted value when there is no key to decrypt it.
var ErrNoKey = errors.New("the value is encrypted, and there is no key")

var (
	encryptedMark = lazyregexp.New(`ENC\[.*?\]`)
	block         = lazyregexp.New(`ENC\[(?:([A-Za-z0-9]+),)?([A-Za-z0-9+/=\s]+?)\]`)
)

// decryptAll returns a text with the encrypted parts ENC[METHOD,BASE64] in plain. encrypted
// reports whether there is any.
func decryptAll(text string, decrypt func(method, data string) (string, error)) (plain string, encrypted bool, err error) {
	if !encryptedMark.Get().MatchString(text) {
		return text, false, nil
	}
	var b strings.Builder
	end := 0
	for _, m := range block.Get().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[end:m[0]])
		end = m[1]
		method := "PKCS7"
		if m[2] >= 0 {
			method = strings.ToUpper(text[m[2]:m[3]])
		}
		if method != "PKCS7" {
			return "", true, errors.New("the encryption method " + method + " is not supported; only PKCS7 is")
		}
		if decrypt == nil {
			return "", true, ErrNoKey
		}
		data := strings.Join(strings.Fields(text[m[4]:m[5]]), "")
		part, err := decrypt(method, data)
		if err != nil {
			return "", true, err
		}
		b.WriteString(part)
	}
	b.WriteString(text[end:])
	return b.String(), true, nil
}
