package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/redact"
)

// An encoded text may have several secrets. All of them are replaced, also in the encoded text, where the rest can be decoded.
func TestSeveralSecretsInEncodedText(t *testing.T) {
	const letters = "ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	for name, encode := range map[string]func(text string) string{
		"base64":  func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
		"hex":     func(text string) string { return hex.EncodeToString([]byte(text)) },
		"percent": url.PathEscape,
		"base64 of base64": func(text string) string {
			return base64.StdEncoding.EncodeToString([]byte("next = " + base64.StdEncoding.EncodeToString([]byte(text))))
		},
	} {
		for _, n := range []int{2, 12, 100} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				r := rand.New(rand.NewPCG(2, uint64(n)))
				var text strings.Builder
				var secrets []string
				for i := range n {
					w := make([]byte, 16)
					for k := range w {
						w[k] = letters[r.IntN(len(letters))]
					}
					copy(w, "xQ7")
					secrets = append(secrets, string(w))
					fmt.Fprintf(&text, "db%d_password: %s\n", i, w)
				}
				content, err := json.Marshal(encode(text.String()))
				if err != nil {
					t.Fatal(err)
				}
				doc := fmt.Sprintf(`{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"content":%s}},{"type":"File","title":"/y","parameters":{"content":"%s"}}],"edges":[]}`,
					content, strings.Join(secrets, " "))
				d := &document{text: doc}
				result, err := redact.Run(t.Context(), inputs(t, []*document{d}), redact.Options{Audit: auditor(t)})
				if err != nil || result.Failures[0] != nil {
					t.Fatal(err, result.Failures)
				}
				for _, s := range secrets {
					if strings.Contains(d.out.String(), s) {
						t.Fatal("a copy of a secret of the encoded text is left")
					}
				}
				// Each way to read a part of the text.
				left := d.out.String()
				for from := range 4 {
					for part := range strings.FieldsFuncSeq(left, func(r rune) bool {
						return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", r)
					}) {
						part = part[min(from, len(part)):]
						plain, _ := base64.RawStdEncoding.DecodeString(part[:len(part)&^3])
						digits, _ := hex.DecodeString(part[:len(part)&^1])
						inner, _ := base64.RawStdEncoding.DecodeString(string(plain[strings.LastIndexByte(string(plain), ' ')+1:]))
						for _, s := range secrets {
							if read := string(plain) + " " + string(digits) + " " + string(inner); strings.Contains(read, s) {
								t.Fatal("a secret of the encoded text can be decoded")
							}
						}
					}
				}
			})
		}
	}
}
