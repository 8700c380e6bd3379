package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/revocation"
	"github.com/pcatdev/pcat/internal/secretfile"
)

// Readers are the clients that may read findings over HTTP. The zero value has none.
type Readers struct {
	// Clients are the names in the certificates of clients.
	Clients []string
	// TokenFile is a file with a token. Empty means none.
	TokenFile string
	// CRL is a file with the revocation lists of the CA of all clients. Empty checks none. It is read for each
	// connection, so that it can be replaced.
	CRL string
}

// Door lets readers read findings, and monitoring the state of a process. The zero value has no
// readers. A Door is safe for concurrent use.
type Door struct {
	Readers

	token    atomic.Pointer[[sha256.Size]byte] // its digest, or nil
	config   atomic.Pointer[tls.Config]        // for new connections, or nil
	files    func() (*tls.Config, error)       // reads config; nil without TLS
	failed   atomic.Bool
	refusing atomic.Bool // clients with certificates, because of the revocation lists
}

// NewDoor reads the token of readers.
func NewDoor(r Readers) (*Door, error) {
	d := &Door{Readers: r}
	if slices.Contains(r.Clients, "") {
		return nil, errors.New("readers of HTTP: the name of a client is empty")
	}
	if _, err := revocation.Read(r.CRL); err != nil {
		return nil, fmt.Errorf("revocation lists of readers: %w", err)
	}
	token, err := d.readToken()
	d.token.Store(token)
	return d, err
}

// readToken returns the digest of the token in its file, or nil if there is no file.
func (d *Door) readToken() (*[sha256.Size]byte, error) {
	if d.TokenFile == "" {
		return nil, nil //nolint:nilnil // there is no token
	}
	token, err := readToken(d.TokenFile)
	if err != nil {
		return nil, fmt.Errorf("token of readers: %w", err)
	}
	sum := sha256.Sum256(token)
	return &sum, nil
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

// TLS returns the configuration of the server, which read reads from files, or nil without TLS: without a
// certificate, a client can still be a reader that has the token. It is called once.
func (d *Door) TLS(read func() (*tls.Config, error)) (*tls.Config, error) {
	c, err := read()
	if err != nil || c == nil {
		return nil, err
	}
	d.files = func() (*tls.Config, error) {
		c, err := read()
		if err != nil {
			return nil, err
		}
		return d.admitting(c), nil
	}
	d.config.Store(d.admitting(c))
	out := d.config.Load().Clone()
	out.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return d.config.Load(), nil }
	return out, nil
}

// admitting returns a configuration that checks clients.
func (d *Door) admitting(c *tls.Config) *tls.Config {
	c = c.Clone()
	if d.TokenFile != "" {
		c.ClientAuth = tls.VerifyClientCertIfGiven
	}
	c.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.VerifiedChains) == 0 { // a reader with the token
			return nil
		}
		return revocation.Check(d.CRL, state.VerifiedChains)
	}
	return c
}

// interval is the time between two looks at the files.
const interval = 2 * time.Second

// Run reads the token and the files of TLS when they change, until ctx ends.
func (d *Door) Run(ctx context.Context, log *slog.Logger) {
	t := time.NewTicker(interval)
	defer t.Stop()
	before := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		err, unusable := errors.Join(d.renewToken(log), d.renewTLS(log)), revocation.Usable(d.CRL)
		d.failed.Store(err != nil)
		d.refusing.Store(unusable != nil)
		err = errors.Join(err, unusable)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != before && err != nil {
			log.Error("the files of readers cannot be used", "error", err)
		}
		before = text
	}
}

func (d *Door) renewToken(log *slog.Logger) error {
	token, err := d.readToken()
	if err != nil || token == nil || *token == *d.token.Load() {
		return err
	}
	d.token.Store(token)
	log.Info("the token of readers was read again")
	return nil
}

func (d *Door) renewTLS(log *slog.Logger) error {
	if d.files == nil {
		return nil
	}
	c, err := d.files()
	if err != nil {
		return err
	}
	last := d.config.Load()
	if c.ClientCAs.Equal(last.ClientCAs) && slices.EqualFunc(c.Certificates[0].Certificate, last.Certificates[0].Certificate, bytes.Equal) {
		return nil
	}
	d.config.Store(c)
	log.Info("the certificates for HTTP were read again")
	return nil
}

// Healthy returns an error if the files cannot be used as they are now.
func (d *Door) Healthy() error {
	var failed, refusing error
	if d.failed.Load() {
		names := "--http-tls-…"
		if d.TokenFile != "" {
			names = "--http-token or " + names
		}
		failed = fmt.Errorf("the files of %s cannot be used, and their content before applies: see the log", names)
	}
	if d.refusing.Load() {
		refusing = errors.New("the file of --http-tls-crl cannot be used or has expired, and clients with certificates are refused: see the log")
	}
	return errors.Join(failed, refusing)
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
		if r.TLS != nil {
			once(w)
		}
		h.ServeHTTP(w, r)
	})
}

// once ends the connection after the answer: its certificate is verified when it begins, and can be revoked later.
func once(w http.ResponseWriter) { w.Header().Set("Connection", "close") }

// findings answers readers. A browser asks for the token as a password; the name of the user is of
// no importance.
func (d *Door) findings(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case certified(r) && slices.Contains(d.Clients, r.TLS.VerifiedChains[0][0].Subject.CommonName):
			once(w)
			h.ServeHTTP(w, r)
		case d.knows(r):
			h.ServeHTTP(w, r)
		case d.TokenFile != "":
			w.Header().Set("WWW-Authenticate", `Basic realm="pcatd: the token is the password", charset="UTF-8"`)
			http.Error(w, "give the token of readers: as the password, or as Authorization: Bearer TOKEN", http.StatusUnauthorized)
		case len(d.Clients) > 0:
			http.Error(w, "this needs the certificate of a reader: see pcatd serve --http-client", http.StatusForbidden)
		default:
			http.Error(w, "there are no readers: start pcatd serve with --http-token or --http-client", http.StatusForbidden)
		}
	})
}

// knows reports whether a request has the token.
func (d *Door) knows(r *http.Request) bool {
	want := d.token.Load()
	if want == nil {
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
	return subtle.ConstantTimeCompare(sum[:], want[:]) == 1
}
