package live

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// CA is an authority for tests, as Puppet's CA is one: it signs certificates of
// servers and nodes, and a revocation list.
type CA struct {
	Dir  string // of all files
	File string // the certificate

	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	serial atomic.Int64
}

// Files are the files of a certificate.
type Files struct {
	Certificate, Key string
	Serial           *big.Int
}

// NewCA returns an authority with a certificate in dir/ca.pem.
func NewCA(t testing.TB, dir string) *CA {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Puppet CA: test"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		SubjectKeyId: []byte{1, 2, 3, 4},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	check(t, err)
	ca := &CA{Dir: dir, File: filepath.Join(dir, "ca.pem"), key: key}
	ca.cert, err = x509.ParseCertificate(der)
	check(t, err)
	ca.serial.Store(1)
	writePEM(t, ca.File, "CERTIFICATE", der)
	return ca
}

// Issue signs a certificate for a name, and for the given hosts, in the files
// NAME.pem and NAME.key. It is valid until end, which may be in the past.
func (ca *CA) Issue(t testing.TB, name string, end time.Time, hosts ...string) Files {
	t.Helper()
	key := rsaKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(ca.serial.Add(1)), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: end,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, key.Public(), ca.key)
	check(t, err)
	f := Files{filepath.Join(ca.Dir, name+".pem"), filepath.Join(ca.Dir, name+".key"), template.SerialNumber}
	writePEM(t, f.Certificate, "CERTIFICATE", der)
	writePEM(t, f.Key, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
	return f
}

// Revoke writes a revocation list with the given serial numbers, which expires
// at end, to a file and returns its name.
func (ca *CA) Revoke(t testing.TB, file string, end time.Time, serials ...*big.Int) string {
	t.Helper()
	list := &x509.RevocationList{Number: big.NewInt(1), ThisUpdate: time.Now().Add(-48 * time.Hour), NextUpdate: end}
	for _, serial := range serials {
		list.RevokedCertificateEntries = append(list.RevokedCertificateEntries, x509.RevocationListEntry{SerialNumber: serial, RevocationTime: time.Now()})
	}
	der, err := x509.CreateRevocationList(rand.Reader, list, ca.cert, ca.key)
	check(t, err)
	file = filepath.Join(ca.Dir, file)
	writePEM(t, file, "X509 CRL", der)
	return file
}

// key is the key of all servers and nodes: making one takes long. It is RSA, which every
// program reads.
var key = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func rsaKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	k, err := key()
	check(t, err)
	return k
}

func writePEM(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	check(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
