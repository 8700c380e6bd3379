package sensitive_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/sensitive"
)

// unlucky is a Sealer whose first ciphertexts contain a secret by chance.
type unlucky struct{ times, calls int }

func (u *unlucky) Seal([]byte) (string, error) {
	u.calls++
	text := "c2VhbGVk"
	if u.calls <= u.times {
		text += "pa55wd"
	}
	return fmt.Sprintf("-----BEGIN PKCS7-----\n%s%d\n-----END PKCS7-----\n", text, u.calls), nil
}

// Ciphertext that contains a secret by chance is made again.
func TestCiphertextThatHoldsASecret(t *testing.T) {
	for name, resource := range map[string]string{
		"listed": `{"type":"T","title":"t","parameters":{"a":"pa55wd"},"sensitive_parameters":["a"]}`,
		"values": `{"type":"T","title":"pa55wd","parameters":{"a":{"__ptype":"Sensitive","__pvalue":["pa55wd"]},"b":"as pa55wd is"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			out := string(mustRedact(t, []byte(in(resource)), "rich-json", sensitive.NewEncrypt("open", &unlucky{times: 2})))
			if strings.Contains(out, "pa55wd") || !strings.Contains(out, "c2VhbGVk") {
				t.Error(out)
			}
			_, _, err := redact(t, []byte(in(resource)), "rich-json", "rich-json", sensitive.NewEncrypt("open", &unlucky{times: 1000}))
			if !errors.Is(err, sensitive.ErrLeak) {
				t.Error(err)
			}
		})
	}
}
