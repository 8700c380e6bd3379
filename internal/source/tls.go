package source

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"
)

// tls returns the configuration of a client with the given files. A client certificate that
// does not exist is not sent.
func (s *Settings) tls(files Files, log *slog.Logger) (*tls.Config, error) {
	text, err := os.ReadFile(files.CA)
	if err != nil {
		return nil, fmt.Errorf("the certificate of Puppet's CA is needed to trust the server: %w; set localcacert to its file", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s, the file of Puppet's CA, contains no certificate", files.CA)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	if err := addCertificate(config, files); err != nil {
		return nil, err
	}
	lists, err := s.revocations(log)
	if err != nil {
		return nil, err
	}
	if lists != nil {
		config.VerifyConnection = lists.verify
	}
	return config, nil
}

// addCertificate adds the client certificate, if it exists.
func addCertificate(config *tls.Config, files Files) error {
	if !isFile(files.Certificate) {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		return keyError(files, err)
	}
	// Without regard to the authorities that the server names: Puppet has one.
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	return nil
}

// SystemTLS returns the configuration of a client for servers other than
// Puppet's, such as Vault: it trusts the authorities of the system and Puppet's
// CA, and sends the certificate of the node. Files that do not exist are left
// out.
func (s *Settings) SystemTLS() (*tls.Config, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	text, err := os.ReadFile(s.CA)
	if err == nil && !roots.AppendCertsFromPEM(text) {
		err = fmt.Errorf("%s, the file of Puppet's CA, contains no certificate", s.CA)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	return config, addCertificate(config, Files{s.CA, s.Certificate, s.Key})
}

// keyError explains why a client certificate cannot be used.
func keyError(files Files, err error) error {
	if text, readErr := os.ReadFile(files.Key); readErr == nil && bytes.Contains(text, []byte("ENCRYPTED")) {
		return fmt.Errorf("%s is encrypted with a password; use a key without one", files.Key)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the key of the client certificate: %w; only the user of the agent can read it", err)
	}
	return fmt.Errorf("the client certificate %s with the key %s: %w", files.Certificate, files.Key, err)
}

// revocations are the revocation lists of Puppet's CA.
type revocations struct {
	lists []*x509.RevocationList
	file  string
	leaf  bool // check only the certificate of the server
}

// revocations reads the revocation lists. The result is nil if none are checked.
func (s *Settings) revocations(log *slog.Logger) (*revocations, error) {
	if s.Revocation == "false" {
		return nil, nil
	}
	text, err := os.ReadFile(s.CRL)
	if errors.Is(err, fs.ErrNotExist) {
		log.Warn("certificates are not checked for revocation: " + s.CRL + " does not exist; set hostcrl to its file, or certificate_revocation to false")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &revocations{file: s.CRL, leaf: s.Revocation == "leaf"}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "X509 CRL" {
			continue
		}
		list, err := x509.ParseRevocationList(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.CRL, err)
		}
		r.lists = append(r.lists, list)
	}
	if len(r.lists) == 0 {
		return nil, fmt.Errorf("%s contains no revocation list", s.CRL)
	}
	return r, nil
}

// revokedError is a certificate that is revoked, or that cannot be looked up.
type revokedError struct{ text string }

// Error implements error.
func (e *revokedError) Error() string { return e.text }

// verify is a function of [tls.Config.VerifyConnection]: one chain of the server must have
// no revoked certificate.
func (r *revocations) verify(state tls.ConnectionState) error {
	var first error
	for _, chain := range state.VerifiedChains {
		err := r.chain(chain, time.Now())
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// chain checks the certificates of a chain, without its root.
func (r *revocations) chain(chain []*x509.Certificate, now time.Time) error {
	for i := range len(chain) - 1 {
		if err := r.certificate(chain[i], chain[i+1], now); err != nil || r.leaf {
			return err
		}
	}
	return nil
}

func (r *revocations) certificate(cert, issuer *x509.Certificate, now time.Time) error {
	for _, list := range r.lists {
		if !bytes.Equal(list.RawIssuer, cert.RawIssuer) || list.CheckSignatureFrom(issuer) != nil {
			continue
		}
		if !list.NextUpdate.IsZero() && now.After(list.NextUpdate) {
			return &revokedError{fmt.Sprintf("the revocation list of %q in %s expired on %s; get a new one from the CA",
				issuer.Subject.CommonName, r.file, list.NextUpdate.UTC().Format(time.DateOnly))}
		}
		for _, entry := range list.RevokedCertificateEntries {
			if entry.SerialNumber.Cmp(cert.SerialNumber) == 0 {
				return &revokedError{fmt.Sprintf("the certificate of %q was revoked on %s", cert.Subject.CommonName, entry.RevocationTime.UTC().Format(time.DateOnly))}
			}
		}
		return nil
	}
	return &revokedError{fmt.Sprintf("%s has no revocation list of %q; to connect without, set certificate_revocation to false",
		r.file, strings.TrimSpace(issuer.Subject.CommonName))}
}
