package report

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	certificateBegin = "-----BEGIN CERTIFICATE-----"
	certificateEnd   = "-----END CERTIFICATE-----"
)

// withoutCertificates returns text with a description instead of each certificate.
func withoutCertificates(text string) string {
	var b strings.Builder
	for {
		begin := strings.Index(text, certificateBegin)
		if begin < 0 {
			break
		}
		length := strings.Index(text[begin:], certificateEnd)
		if length < 0 {
			break
		}
		end := begin + length + len(certificateEnd)
		b.WriteString(text[:begin])
		b.WriteString(certificate(text[begin:end]))
		text = text[end:]
	}
	return b.String() + text
}

// certificate describes a certificate, or returns it if it is damaged.
func certificate(text string) string {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return text
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return text
	}
	lines := []string{
		"certificate of " + c.Subject.String(),
		"  from   " + c.Issuer.String(),
		"  valid  " + c.NotBefore.UTC().Format(time.DateOnly) + " to " + c.NotAfter.UTC().Format(time.DateOnly),
		fmt.Sprintf("  serial %x", c.SerialNumber),
	}
	if len(c.DNSNames) > 0 {
		lines = slices.Insert(lines, 1, "  for    "+strings.Join(c.DNSNames, " "))
	}
	return strings.Join(lines, "\n")
}
