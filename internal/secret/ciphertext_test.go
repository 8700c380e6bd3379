package secret_test

import (
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

func TestIsCiphertext(t *testing.T) {
	message := func(last int) []byte {
		type content struct{ Version int }
		der, err := asn1.Marshal(struct {
			Type    asn1.ObjectIdentifier
			Content content `asn1:"explicit,tag:0"`
		}{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, last}, content{0}})
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	encode := func(typ string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der}))
	}
	enveloped, signed := message(3), message(2)
	base64 := base64.StdEncoding.EncodeToString(enveloped)
	for _, tt := range []struct {
		text string
		want bool
	}{
		{encode("PKCS7", enveloped), true},
		{encode("CMS", enveloped), true},
		{"\n" + encode("PKCS7", enveloped) + "\n", true},
		{"ENC[PKCS7," + base64 + "]", true},
		{"ENC[PKCS7," + base64[:8] + "\n  " + base64[8:] + "]\n", true},
		{"", false},
		{"-----BEGIN PKCS7-----\nhunter2-horse\n-----END PKCS7-----\n", false},
		{"-----BEGIN PKCS7-----\nhunter2-horse", false},
		{encode("PKCS7", enveloped) + "hunter2-horse", false},
		{"hunter2-horse\n" + encode("PKCS7", enveloped), false},
		{encode("PKCS7", enveloped) + encode("PKCS7", enveloped), false},
		{encode("PKCS7", append(enveloped, "hunter2-horse"...)), false},
		{encode("PKCS7", signed), false},
		{encode("PRIVATE KEY", enveloped), false},
		{"ENC[PKCS7,hunter2-horse]", false},
		{"ENC[PKCS7," + base64, false},
		{"ENC[PKCS7," + base64 + "] hunter2-horse", false},
		{"ENC[PLAIN," + base64 + "]", false},
		{"DEC::PKCS7[hunter2-horse]!", false},
	} {
		if got := secret.IsCiphertext(tt.text); got != tt.want {
			t.Errorf("IsCiphertext(%q) = %v", tt.text, got)
		}
	}
}
