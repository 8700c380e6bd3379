package source

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Reason is why a request failed.
type Reason int

// The reasons.
const (
	Unknown     Reason = iota // none of the others
	NoHost                    // the name of the host cannot be resolved
	NoServer                  // the host refuses the connection, or cannot be reached
	Untrusted                 // the certificate of the server is not valid
	NotAllowed                // the server refuses the certificate, the token or the request of this client
	NotFound                  // the system has no such node
	Stalled                   // the server did not answer in time
	CutOff                    // the answer ended early, or the server closed the connection
	Unavailable               // the server is overloaded or starting: status 429, 502, 503 or 504
	Invalid                   // the server refuses the request as invalid, or cannot process it
)

// ofHost reports whether other requests to the host would fail for the same reason.
func (r Reason) ofHost() bool {
	switch r {
	case NoHost, NoServer, Untrusted, Stalled, CutOff, Unavailable:
		return true
	default:
		return false
	}
}

// Error is a failed request. Its text names the system, the reason and the
// remedy. It contains no part of an answer except the message of a failed
// request.
type Error struct {
	System System
	Host   string // host and port
	Reason Reason
	Status int   // of the answer; 0 without one
	Err    error // the cause with its remedy; never nil
}

// Error implements error.
func (e *Error) Error() string { return e.Host + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors that stop a request from here.
var (
	errReadTimeout = errors.New("no data arrived")
	errOtherHost   = errors.New("redirects to another host are not followed")
	errTooLarge    = errors.New("the answer is larger than the limit")
	errNoTLS       = errors.New("it does not speak TLS at this port; for the plain-text port of PuppetDB, use http:// in its URL, or ?tls=no")
)

// failure explains an error of a request or of reading its answer.
func (c *connection) failure(err error) error {
	e := &Error{System: c.system, Host: c.host}
	e.Reason, e.Err = c.explain(err)
	return e
}

// explain returns the reason for an error, and the error in words.
func (c *connection) explain(err error) (Reason, error) {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		revoked   *revokedError
		alert     tls.AlertError
		plain     tls.RecordHeaderError
		op        *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled) && !errors.Is(err, errReadTimeout):
		return Unknown, context.Canceled
	case errors.Is(err, errReadTimeout):
		return Stalled, fmt.Errorf("%w for %v; to wait longer, use --setting http_read_timeout=TIME", errReadTimeout, c.readTimeout)
	case errors.As(err, &dns):
		return NoHost, fmt.Errorf("no host has the name %q; check %s", dns.Name, c.configuredBy)
	case errors.As(err, &authority):
		return Untrusted, fmt.Errorf("its certificate is not signed by the CA in %s; if it is the right server, set localcacert to the CA that signed it", c.files.CA)
	case errors.As(err, &name):
		return Untrusted, fmt.Errorf("its certificate is valid for %s, but not for %q; use one of these names", namesOf(name.Certificate), name.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return Untrusted, expired(invalid.Cert, time.Now())
	case errors.As(err, &revoked):
		return Untrusted, revoked
	case errors.As(err, &invalid):
		return Untrusted, fmt.Errorf("its certificate is not valid: %w", invalid)
	case errors.As(err, &alert):
		return NotAllowed, fmt.Errorf("it refuses %s: %w", c.clientCertificate(), alert)
	case errors.As(err, &plain):
		return Untrusted, errNoTLS
	case errors.As(err, &op) && op.Op == "remote error": // an alert of TLS, which net wraps in its own error
		return NotAllowed, fmt.Errorf("it refuses %s: %w", c.clientCertificate(), op.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return NoServer, fmt.Errorf("connection refused; is %s running there? Check %s", c.system.title(), c.configuredBy)
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return NoServer, fmt.Errorf("no connection within %v; check %s and the firewall", c.connectTimeout, c.configuredBy)
	case errors.As(err, &op) && op.Op == "dial":
		return NoServer, fmt.Errorf("cannot connect: %w; check %s", op.Err, c.configuredBy)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return CutOff, errors.New("the server closed the connection before the end of the answer")
	case errors.Is(err, errOtherHost):
		return Invalid, err
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return Untrusted, errNoTLS
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return Stalled, fmt.Errorf("no answer within %v; to wait longer, use --setting http_read_timeout=TIME", c.readTimeout)
	}
	return Unknown, err
}

// title returns the name of the system for messages.
func (s System) title() string {
	return map[System]string{PuppetDB: "PuppetDB", PuppetServer: "Puppet Server", Agent: "the agent"}[s]
}

func namesOf(cert *x509.Certificate) string {
	names := append([]string(nil), cert.DNSNames...)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no host"
	}
	return strings.Join(names, ", ")
}

func expired(cert *x509.Certificate, now time.Time) error {
	const day = "2 January 2006, 15:04 MST"
	if now.Before(cert.NotBefore) {
		return fmt.Errorf("its certificate is valid from %s; is the clock of this machine right?", cert.NotBefore.UTC().Format(day))
	}
	return fmt.Errorf("the certificate of %q expired on %s; renew it", cert.Subject.CommonName, cert.NotAfter.UTC().Format(day))
}

// clientCertificate describes the certificate that was sent.
func (c *connection) clientCertificate() string {
	if !isFile(c.files.Certificate) {
		return fmt.Sprintf("a client without a certificate (%s does not exist)", c.files.Certificate)
	}
	return "the certificate in " + c.files.Certificate
}

// refusal explains an answer that is no success. text is the beginning of its body.
func (c *connection) refusal(status int, path, text string) error {
	e := &Error{System: c.system, Host: c.host, Status: status, Reason: Invalid}
	said := message(text)
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Reason, e.Err = NotAllowed, c.forbidden(status, path, said)
	case http.StatusNotFound:
		e.Reason, e.Err = NotFound, fmt.Errorf("not found (404): %s", said)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.Reason, e.Err = Unavailable, fmt.Errorf("status %d after %d attempts: %s", status, attempts, said)
	default:
		e.Err = fmt.Errorf("status %d: %s", status, said)
	}
	return e
}

// forbidden names the rule that would allow the request.
func (c *connection) forbidden(status int, path, said string) error {
	if c.system == PuppetDB {
		return fmt.Errorf("status %d: %s; PuppetDB's certificate-allowlist, or the rules of a token, must allow %s", status, said, c.clientCertificate())
	}
	rule := "puppetlabs v3 catalog from agents"
	if strings.Contains(path, "/v4/") {
		rule = "puppetlabs v4 catalog for services"
	}
	return fmt.Errorf("status %d: %s; to allow it, add the certname of %s to `allow` of the rule %q in auth.conf of the server, and reload it",
		status, said, c.files.Certificate, rule)
}
