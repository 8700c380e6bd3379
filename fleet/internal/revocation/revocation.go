// Package revocation checks the certificates of clients against the revocation lists of a CA, such as
// ca_crl.pem of Puppet.
package revocation

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Read reads a file of revocation lists. Without a file, there are none.
func Read(file string) ([]*x509.RevocationList, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lists []*x509.RevocationList
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		list, err := x509.ParseRevocationList(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		lists = append(lists, list)
	}
	if len(lists) == 0 {
		return nil, fmt.Errorf("%s contains no revocation list", file)
	}
	return lists, nil
}

// Usable returns an error if the file cannot be read, or if all its lists of an issuer have expired. Without a
// file, it returns nil.
func Usable(file string) error {
	lists, err := Read(file)
	if err != nil {
		return err
	}
	for _, list := range lists {
		if !slices.ContainsFunc(lists, func(l *x509.RevocationList) bool { return bytes.Equal(l.RawIssuer, list.RawIssuer) && current(l) }) {
			return expired(list)
		}
	}
	return nil
}

// Check reads a file of revocation lists and returns an error unless all certificates of a chain are valid
// according to them. Without a file, it checks nothing. A file that cannot be read is an error.
func Check(file string, chains [][]*x509.Certificate) error {
	lists, err := Read(file)
	if err != nil || lists == nil {
		return err
	}
	for _, chain := range chains {
		if err = unrevoked(chain, lists); err == nil {
			return nil
		}
	}
	return err
}

// unrevoked checks the certificates of a chain, without its root. Each needs a list of its issuer that has not
// expired, and none of the lists may name it.
func unrevoked(chain []*x509.Certificate, lists []*x509.RevocationList) error {
	for i, cert := range chain[:len(chain)-1] {
		problem := fmt.Errorf("no revocation list of %q", strings.TrimSpace(cert.Issuer.CommonName))
		for _, list := range lists {
			if list.CheckSignatureFrom(chain[i+1]) != nil {
				continue
			}
			if slices.ContainsFunc(list.RevokedCertificateEntries, func(e x509.RevocationListEntry) bool { return e.SerialNumber.Cmp(cert.SerialNumber) == 0 }) {
				return fmt.Errorf("the certificate of %q is revoked", cert.Subject.CommonName)
			}
			if current(list) {
				problem = nil
			} else if problem != nil {
				problem = expired(list)
			}
		}
		if problem != nil {
			return problem
		}
	}
	return nil
}

// current reports whether a list has not expired.
func current(l *x509.RevocationList) bool {
	return l.NextUpdate.IsZero() || time.Now().Before(l.NextUpdate)
}

func expired(l *x509.RevocationList) error {
	return fmt.Errorf("the revocation list of %q expired on %s", l.Issuer.CommonName, l.NextUpdate.UTC().Format(time.DateOnly))
}
