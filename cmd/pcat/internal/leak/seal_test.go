package leak

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/sensitive/seal"
	"github.com/pcatdev/pcat/serialization"
)

// TestSealing checks that encrypted secrets, and the values that encrypt and
// decrypt them, reveal nothing.
func TestSealing(t *testing.T) {
	signer, err := seal.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.NewSealer(signer.Certificate, signer)
	if err != nil {
		t.Fatal(err)
	}
	masker := sensitive.NewEncrypt(seal.Function, sealer)
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := c.Secrets().Redactor(masker)
	if err := r.Redact(t.Context(), &out, rich(t), reader(t)); err != nil {
		t.Fatal(err)
	}
	noLeak(t, "an encrypted catalog", out.String())
	machinery(t, "a masker", masker)
	printed(t, "a report", r.Report())

	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []*rsa.PrivateKey{other, signer.Key} {
		opener := seal.NewOpener(key)
		for res, err := range catalog.NewReaderBytes(out.Bytes(), rich(t), serialization.DecodeOptions{}).Resources() {
			if err != nil {
				t.Fatal(err)
			}
			opened, err := opener.Resource(t.Context(), res)
			printed(t, "an error of decrypting", err)
			if opened != nil {
				printed(t, "a decrypted resource", opened)
			}
		}
	}
}
