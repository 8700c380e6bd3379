package terminus

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pcatdev/pcat/fleet/internal/revocation"
)

// Access selects the clients that may send commands: the servers that compile.
type Access struct {
	// Certificate and Key are the files of the server's own certificate. It must be
	// valid for the name in the URL that the terminus uses.
	Certificate, Key string
	// CA is the file with the certificates of Puppet's CA, which signed the
	// certificates of the clients and of the server.
	CA string
	// CRL is the file with its revocation lists. Empty checks none. It is read for each
	// connection, so that it can be replaced.
	CRL string
	// Certnames are the names in the certificates of the clients that may connect. It
	// must not be empty: every node has a certificate of the CA.
	Certnames []string
}

// TLS returns the configuration of a server. A client without a certificate, or with the
// certificate of a name that is not allowed, gets no connection, which the terminus logs as
// a warning.
func (a Access) TLS() (*tls.Config, error) {
	if len(a.Certnames) == 0 {
		return nil, errors.New("no client may connect: name the certnames of the servers that compile (--terminus-client)")
	}
	pair, err := tls.LoadX509KeyPair(a.Certificate, a.Key)
	if err != nil {
		return nil, fmt.Errorf("the certificate %s with the key %s: %w", a.Certificate, a.Key, err)
	}
	text, err := os.ReadFile(a.CA)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s, the file of Puppet's CA, contains no certificate", a.CA)
	}
	if _, err := revocation.Read(a.CRL); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: roots,
		VerifyConnection: func(state tls.ConnectionState) error { return a.verify(state.VerifiedChains) },
	}, nil
}

// verify checks a client whose certificate the CA has signed.
func (a Access) verify(chains [][]*x509.Certificate) error {
	if len(chains) == 0 || len(chains[0]) == 0 {
		return errors.New("the client has no certificate")
	}
	if name := chains[0][0].Subject.CommonName; !slices.Contains(a.Certnames, name) {
		return fmt.Errorf("the client %q may not send catalogs", name)
	}
	return revocation.Check(a.CRL, chains)
}
