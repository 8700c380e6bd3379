package vault_test

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"testing"
	"time"

	"github.com/pcatdev/pcat/internal/test/live"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func soon() time.Time { return time.Now().Add(time.Hour) }

// clientTLS returns settings that trust an authority, with a certificate unless it is empty.
func clientTLS(ca string, f live.Files) (*tls.Config, error) {
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
	c.RootCAs.AppendCertsFromPEM(text)
	if f.Certificate == "" {
		return c, nil
	}
	pair, err := tls.LoadX509KeyPair(f.Certificate, f.Key)
	c.Certificates = []tls.Certificate{pair}
	return c, err
}
