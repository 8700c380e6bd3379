package web

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/fleet/internal/secretfile"
)

// Readers are the clients that may read findings over HTTP. The zero value has none.
type Readers struct {
	// Clients are the names in the certificates of clients.
	Clients []string
	// TokenFile is a file with a token. Empty means none.
	TokenFile string
}

// Door lets readers read findings, and monitoring the state of a process. The zero value has no
// readers.
type Door struct {
	clients []string
	token   *[sha256.Size]byte // its digest, or nil
}

// NewDoor reads the token of readers.
func NewDoor(r Readers) (*Door, error) {
	d := &Door{clients: r.Clients}
	if slices.Contains(r.Clients, "") {
		return nil, errors.New("readers of HTTP: the name of a client is empty")
	}
	if r.TokenFile == "" {
		return d, nil
	}
	token, err := readToken(r.TokenFile)
	if err != nil {
		return nil, fmt.Errorf("token of readers: %w", err)
	}
	sum := sha256.Sum256(token)
	d.token = &sum
	return d, nil
}

// tokenPattern matches a token of RFC 6750 that cannot be guessed.
var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]{32,512}=*$`)

// readToken reads a token from a file that only its owner can read. The errors do not quote it.
func readToken(path string) ([]byte, error) {
	text, err := secretfile.Read(path, 1024)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("pcat-fleet-")) {
		return nil, fmt.Errorf("%s is a key of the fleet: make a token with openssl rand -hex 32", path)
	}
	if !tokenPattern.Match(text) {
		return nil, fmt.Errorf("%s is not one line of at least 32 letters and digits: make a token with openssl rand -hex 32", path)
	}
	return text, nil
}

// TLS returns the configuration of the server: without a certificate, a client can still be a reader
// that has the token.
func (d *Door) TLS(c *tls.Config) *tls.Config {
	if c == nil || d.token == nil {
		return c
	}
	c = c.Clone()
	c.ClientAuth = tls.VerifyClientCertIfGiven
	return c
}

// certified reports whether a client has shown a certificate that was verified.
func certified(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 }

// monitoring answers the clients that have a certificate, and all of a loopback address without TLS.
func (d *Door) monitoring(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil && !certified(r) {
			http.Error(w, "monitoring needs a client certificate", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// findings answers readers. A browser asks for the token as a password; the name of the user is of
// no importance.
func (d *Door) findings(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case certified(r) && slices.Contains(d.clients, r.TLS.VerifiedChains[0][0].Subject.CommonName), d.knows(r):
			h.ServeHTTP(w, r)
		case d.token != nil:
			w.Header().Set("WWW-Authenticate", `Basic realm="pcatd: the token is the password", charset="UTF-8"`)
			http.Error(w, "give the token of readers: as the password, or as Authorization: Bearer TOKEN", http.StatusUnauthorized)
		case len(d.clients) > 0:
			http.Error(w, "this needs the certificate of a reader: see pcatd serve --http-client", http.StatusForbidden)
		default:
			http.Error(w, "there are no readers: start pcatd serve with --http-token or --http-client", http.StatusForbidden)
		}
	})
}

// knows reports whether a request has the token.
func (d *Door) knows(r *http.Request) bool {
	if d.token == nil {
		return false
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		var basic bool
		if _, token, basic = r.BasicAuth(); !basic {
			return false
		}
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], d.token[:]) == 1
}
