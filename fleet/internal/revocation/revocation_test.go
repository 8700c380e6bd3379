package revocation_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/revocation"
)

// authority issues certificates and revocation lists.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string, by *authority) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(name))), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCRLSign | x509.KeyUsageCertSign, SubjectKeyId: []byte(name),
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key}
}

// list returns a revocation list in PEM.
func (a *authority) list(t *testing.T, until time.Time, revoked ...*x509.Certificate) string {
	t.Helper()
	template := &x509.RevocationList{Number: big.NewInt(1), ThisUpdate: until.Add(-time.Hour), NextUpdate: until}
	for _, cert := range revoked {
		template.RevokedCertificateEntries = append(template.RevokedCertificateEntries, x509.RevocationListEntry{SerialNumber: cert.SerialNumber, RevocationTime: time.Now()})
	}
	der, err := x509.CreateRevocationList(rand.Reader, template, a.cert, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: der}))
}

// Each certificate of a chain needs a list of its issuer that has not expired, and none may name it, in any order.
func TestCheck(t *testing.T) {
	root := newAuthority(t, "the root", nil)
	ca := newAuthority(t, "the CA", root)
	client := newAuthority(t, "a client", ca)
	other := newAuthority(t, "another root", nil)
	soon, before := time.Now().Add(time.Minute), time.Now().Add(-time.Minute)
	of := root.list(t, soon)
	for name, c := range map[string]struct{ lists, check, usable string }{
		"valid":                          {of + ca.list(t, soon), "", ""},
		"revoked":                        {of + ca.list(t, soon, client.cert), `"a client" is revoked`, ""},
		"revoked by the second list":     {of + ca.list(t, soon) + ca.list(t, soon, client.cert), `"a client" is revoked`, ""},
		"revoked by an expired list":     {of + ca.list(t, soon) + ca.list(t, before, client.cert), `"a client" is revoked`, ""},
		"expired, and a newer one":       {of + ca.list(t, before) + ca.list(t, soon), "", ""},
		"expired":                        {of + ca.list(t, before), `of "the CA" expired`, `of "the CA" expired`},
		"the CA is revoked":              {root.list(t, soon, ca.cert) + ca.list(t, soon), `"the CA" is revoked`, ""},
		"no list of the root":            {ca.list(t, soon), `no revocation list of "the root"`, ""},
		"only a list of another":         {other.list(t, soon, client.cert), `no revocation list of "the CA"`, ""},
		"no list at all":                 {"nothing", "contains no revocation list", "contains no revocation list"},
		"a list that is cut in its PEM":  {ca.list(t, soon)[:80], "contains no revocation list", "contains no revocation list"},
		"a list that is cut in its data": {"-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n", "crl.pem: x509: ", "crl.pem: x509: "},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "crl.pem")
			if err := os.WriteFile(file, []byte(c.lists), 0o600); err != nil {
				t.Fatal(err)
			}
			check := revocation.Check(file, [][]*x509.Certificate{{client.cert, ca.cert, root.cert}})
			for what, got := range map[string]struct {
				err  error
				want string
			}{"Check": {check, c.check}, "Usable": {revocation.Usable(file), c.usable}} {
				if (got.err == nil) != (got.want == "") || got.err != nil && !strings.Contains(got.err.Error(), got.want) {
					t.Errorf("%s: got %v, want %q", what, got.err, got.want)
				}
			}
		})
	}
	if err := revocation.Usable(""); err != nil {
		t.Error(err)
	}
}
