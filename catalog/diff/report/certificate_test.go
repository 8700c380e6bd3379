package report

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"
)

// A certificate is described by its subject, its names and its dates; a damaged one is
// the text that it is.
func TestWithoutCertificates(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(0x1f), Subject: pkix.Name{CommonName: "web01", Organization: []string{"Example"}}, DNSNames: []string{"web01.example.com", "www"},
		NotBefore: begin, NotAfter: begin.AddDate(1, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	const want = "certificate of CN=web01,O=Example\n  for    web01.example.com www\n  from   CN=web01,O=Example\n  valid  2026-01-02 to 2027-01-02\n  serial 1f"
	if got := withoutCertificates("# one\n" + text + "# two\n" + text); got != "# one\n"+want+"\n# two\n"+want+"\n" {
		t.Errorf("got\n%s", got)
	}
	for _, damaged := range []string{strings.Replace(text, "MI", "AA", 1), text[:len(text)/2], "no certificate", ""} {
		if got := withoutCertificates(damaged); got != damaged {
			t.Errorf("%q became %q", damaged, got)
		}
	}
}
