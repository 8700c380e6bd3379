package store

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// Files are the files of a TLS connection between a server and its clients.
type Files struct {
	Certificate, Key, CA string
}

// Config returns the configuration, or nil if no file is given. Both sides have to show a
// certificate of the CA.
func (f Files) Config() (*tls.Config, error) {
	if f == (Files{}) {
		return nil, nil //nolint:nilnil // no TLS
	}
	if f.Certificate == "" || f.Key == "" || f.CA == "" {
		return nil, errors.New("TLS needs all three: a certificate, a key and a CA")
	}
	pair, err := tls.LoadX509KeyPair(f.Certificate, f.Key)
	if err != nil {
		return nil, fmt.Errorf("TLS certificate: %w", err)
	}
	text, err := os.ReadFile(f.CA)
	if err != nil {
		return nil, fmt.Errorf("TLS CA: %w", err)
	}
	ca := x509.NewCertPool()
	if !ca.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("TLS CA: %s contains no certificate", f.CA)
	}
	return &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{pair},
		RootCAs:      ca,
		ClientCAs:    ca,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}
