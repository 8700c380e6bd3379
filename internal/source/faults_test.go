package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crypto/tls"
	"crypto/x509"

	"github.com/pcatdev/pcat/internal/test/live"
)

// peer is an imitation of a server with faults, and a client for it.
type peer struct {
	ca       *live.CA
	settings Settings
	server   *httptest.Server
	log      bytes.Buffer
}

// newPeer starts a server with TLS. The certificate is valid for localhost until end.
func newPeer(t *testing.T, end time.Time, handle http.HandlerFunc) *peer {
	t.Helper()
	p := &peer{ca: live.NewCA(t, t.TempDir())}
	soon := time.Now().Add(time.Hour)
	files := p.ca.Issue(t, "server", end, "localhost")
	client := p.ca.Issue(t, "pcat", soon)
	pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	p.server = httptest.NewUnstartedServer(handle)
	p.server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	p.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	p.server.StartTLS()
	t.Cleanup(p.server.Close)
	p.settings = Settings{
		Certname: "pcat", Environment: "production", Server: p.host("localhost"), PuppetDB: []string{"https://" + p.host("localhost")},
		CA: p.ca.File, CRL: p.ca.Revoke(t, "crl.pem", soon), Revocation: "chain", Certificate: client.Certificate, Key: client.Key,
		ConnectTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
	}
	return p
}

// host returns the address of the server by a name of this machine.
func (p *peer) host(name string) string {
	return net.JoinHostPort(name, fmt.Sprint(p.server.Listener.Addr().(*net.TCPAddr).Port)) //nolint:forcetypeassert // of this network
}

// read reads an address with short waits.
func (p *peer) read(t *testing.T, address string) ([]byte, error) {
	t.Helper()
	a, err := ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	c := NewClient(&p.settings, slog.New(slog.NewTextHandler(&p.log, nil)))
	c.waits = waits{time.Millisecond, 2 * time.Millisecond}
	return c.Read(t.Context(), a, 1<<20)
}

// wants checks the reason of a failure and a part of its text.
func wants(t *testing.T, err error, reason Reason, text string) {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) || failed.Reason != reason || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want reason %d and %q", err, reason, text)
	}
}

func ok(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"catalog": {}}`)) }

func TestCertificates(t *testing.T) {
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	t.Run("good", func(t *testing.T) {
		if _, err := newPeer(t, soon, ok).read(t, "puppetdb:web01"); err != nil {
			t.Error(err)
		}
	})
	t.Run("other authority", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.CA = live.NewCA(t, t.TempDir()).File
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Untrusted, "its certificate is not signed by the CA in "+p.settings.CA)
	})
	t.Run("expired", func(t *testing.T) {
		_, err := newPeer(t, past, ok).read(t, "puppetdb:web01")
		wants(t, err, Untrusted, `the certificate of "server" expired on `)
	})
	t.Run("other name", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.PuppetDB = []string{"https://" + p.host("127.0.0.1")}
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Untrusted, `its certificate is valid for localhost, but not for "127.0.0.1"`)
	})
	t.Run("revoked", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		leaf := p.server.TLS.Certificates[0].Leaf
		p.settings.CRL = p.ca.Revoke(t, "revoked.pem", soon, leaf.SerialNumber)
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Untrusted, `the certificate of "server" was revoked on `)
		p.settings.Revocation = "false"
		if _, err := p.read(t, "puppetdb:web01"); err != nil {
			t.Error(err)
		}
	})
	t.Run("old revocation list", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.CRL = p.ca.Revoke(t, "old.pem", past)
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Untrusted, "the revocation list of \"Puppet CA: test\" in "+p.settings.CRL+" expired on ")
	})
	t.Run("list of another authority", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.CRL = live.NewCA(t, t.TempDir()).Revoke(t, "crl.pem", soon)
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Untrusted, "has no revocation list of")
	})
	t.Run("no revocation list", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.CRL = filepath.Join(t.TempDir(), "none.pem")
		if _, err := p.read(t, "puppetdb:web01"); err != nil || !strings.Contains(p.log.String(), "not checked for revocation") {
			t.Errorf("got %v and the log %s", err, p.log.String())
		}
	})
	t.Run("no client certificate", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.requireClient(t)
		p.settings.Certificate = filepath.Join(t.TempDir(), "none.pem")
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, NotAllowed, "it refuses a client without a certificate ("+p.settings.Certificate+" does not exist)")
	})
	t.Run("refused client certificate", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.requireClient(t)
		stranger := live.NewCA(t, t.TempDir()).Issue(t, "pcat", soon)
		p.settings.Certificate, p.settings.Key = stranger.Certificate, stranger.Key
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, NotAllowed, "it refuses the certificate in "+stranger.Certificate)
	})
	t.Run("no CA", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.CA = filepath.Join(t.TempDir(), "none.pem")
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Unknown, "the certificate of Puppet's CA is needed")
	})
	t.Run("encrypted key", func(t *testing.T) {
		p := newPeer(t, soon, ok)
		p.settings.Key = filepath.Join(t.TempDir(), "key.pem")
		if err := os.WriteFile(p.settings.Key, []byte("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := p.read(t, "puppetdb:web01")
		wants(t, err, Unknown, "is encrypted with a password")
	})
}

// requireClient makes the server refuse clients without a certificate of its authority.
func (p *peer) requireClient(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(p.ca.File)
	if err != nil {
		t.Fatal(err)
	}
	p.server.TLS.ClientCAs = x509.NewCertPool()
	p.server.TLS.ClientCAs.AppendCertsFromPEM(text)
	p.server.TLS.ClientAuth = tls.RequireAndVerifyClientCert
}

// Faults of the network and of servers. each answers the request with the given number, from 1.
func TestFaults(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	status := func(code int, text string) func(int, http.ResponseWriter, *http.Request) {
		return func(_ int, w http.ResponseWriter, _ *http.Request) { http.Error(w, text, code) }
	}
	stall := func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	}
	for _, tt := range []struct {
		name    string
		address string
		each    func(n int, w http.ResponseWriter, r *http.Request)
		reason  Reason
		text    string // empty for success
		tries   int64
	}{
		{"forbidden v4", "puppetserver:web01", func(_ int, w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/pdb/") {
				_, _ = w.Write([]byte("[]"))
				return
			}
			http.Error(w, "Forbidden request", http.StatusForbidden)
		}, NotAllowed, `to ` + "`allow`" + ` of the rule "puppetlabs v4 catalog for services" in auth.conf`, 2},
		{"forbidden v3", "puppetserver:web01?api=v3", status(403, "Forbidden request: /puppet/v3/catalog/web01"), NotAllowed, `the rule "puppetlabs v3 catalog from agents"`, 1},
		{"forbidden PuppetDB", "puppetdb:web01", status(403, "no"), NotAllowed, "certificate-allowlist", 1},
		{"no such node", "puppetdb:web01", status(404, `{"error":"No information is known about catalog web01"}`), NotFound, `PuppetDB has no catalog of "web01"`, 1},
		{"failed compilation", "puppetserver:web01?api=v3", status(500, `{"message":"Server Error: Evaluation Error","issue_kind":"RUNTIME_ERROR"}`), Invalid, "status 500: Server Error: Evaluation Error", 1},
		{"page of a proxy", "puppetdb:web01", status(400, "<html><body>no</body></html>"), Invalid, "status 400: the server gives no reason", 1},
		{"overloaded twice", "puppetdb:web01", func(n int, w http.ResponseWriter, r *http.Request) {
			if n < 3 {
				http.Error(w, "busy", http.StatusTooManyRequests)
				return
			}
			ok(w, r)
		}, 0, "", 3},
		{"overloaded", "puppetdb:web01", status(503, "starting"), Unavailable, "status 503 after 4 attempts: starting", 4},
		{"cut off once", "puppetdb:web01", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				w.Header().Set("Content-Length", "1000")
			}
			ok(w, r)
		}, 0, "", 2},
		{"cut off", "puppetdb:web01", func(_ int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			ok(w, r)
		}, CutOff, "closed the connection before the end of the answer", 4},
		{"reset", "puppetdb:web01", func(_ int, w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = conn.Close()
		}, CutOff, "closed the connection", 4},
		{"stalled", "puppetdb:web01", func(_ int, w http.ResponseWriter, r *http.Request) { stall(w, r) }, Stalled, "no data arrived for 300ms", 1},
		{"stalled before the answer", "puppetdb:web01", func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, Stalled, "no answer within 300ms", 1},
		{"too large", "puppetdb:web01", func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2<<20)) }, Unknown, "larger than the limit of 1048576 bytes", 1},
		{"no catalog in the answer", "puppetserver:web01", func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) }, CutOff, "the answer is not a complete catalog", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int64
			p := newPeer(t, soon, func(w http.ResponseWriter, r *http.Request) { tt.each(int(tries.Add(1)), w, r) })
			p.settings.ReadTimeout = 300 * time.Millisecond
			_, err := p.read(t, tt.address)
			if tt.text == "" {
				if err != nil {
					t.Error(err)
				}
			} else {
				wants(t, err, tt.reason, tt.text)
			}
			if got := tries.Load(); got != tt.tries {
				t.Errorf("%d requests, want %d", got, tt.tries)
			}
		})
	}
}

// A redirect to another host is not followed: the other host sees neither the token nor a connection.
func TestRedirect(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	other := newPeer(t, soon, func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") })
	p := newPeer(t, soon, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("X-Authentication"); got != "t0ken" {
			t.Errorf("got the token %q", got)
		}
		http.Redirect(w, r, "https://"+other.host("localhost")+r.URL.Path, http.StatusTemporaryRedirect)
	})
	p.settings.TokenFile = filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(p.settings.TokenFile, []byte("t0ken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := p.read(t, "puppetdb:web01")
	wants(t, err, Invalid, "redirects to another host are not followed")
	if text := fmt.Sprint(err, p.log.String()); strings.Contains(text, "t0ken") {
		t.Errorf("the token is in %s", text)
	}
}

// A token is not sent in plain text.
func TestTokenNeedsTLS(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Authentication") != "" {
			t.Error("a token was sent")
		}
		ok(w, r)
	}))
	defer server.Close()
	s := Settings{PuppetDB: []string{server.URL}, TokenFile: filepath.Join(t.TempDir(), "none"), ConnectTimeout: time.Second, ReadTimeout: time.Second}
	if _, err := NewClient(&s, nil).Read(t.Context(), Address{System: PuppetDB, Node: "web01"}, 0); err != nil {
		t.Error(err)
	}
}

// Without a host at the first URL, the next one is asked.
func TestSeveralURLs(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), ok)
	gone := httptest.NewServer(nil)
	gone.Close()
	p.settings.PuppetDB = append([]string{gone.URL}, p.settings.PuppetDB...)
	if _, err := p.read(t, "puppetdb:web01"); err != nil {
		t.Error(err)
	}
	p.settings.PuppetDB = []string{gone.URL}
	_, err := p.read(t, "puppetdb:web01")
	wants(t, err, NoServer, "connection refused; is PuppetDB running there?")
	p.settings.PuppetDB = []string{"https://no-such-host.invalid:8081"}
	_, err = p.read(t, "puppetdb:web01")
	var failed *Error
	if !errors.As(err, &failed) || failed.Reason != NoHost && failed.Reason != NoServer {
		t.Errorf("got %v, want a host that is not found", err)
	}
}

// An interrupt ends a request at once.
func TestCancel(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := NewClient(&p.settings, nil).Read(ctx, Address{System: PuppetDB, Node: "web01"}, 0)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the error of the context", err)
	}
	var failed *Error
	if errors.As(err, &failed) {
		t.Errorf("the host is blamed: %v", err)
	}
}

// The v4 API gets the facts of PuppetDB, and is asked to store nothing.
func TestCompileStoresNothing(t *testing.T) {
	var asked string
	p := newPeer(t, time.Now().Add(time.Hour), func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pdb/query/v4/inventory":
			if query, err := url.ParseQuery(r.URL.RawQuery); err != nil || query.Get("query") != `["=","certname","web01"]` {
				t.Errorf("got the query %v", query)
			}
			_, _ = w.Write([]byte(`[{"certname":"web01","environment":"test","facts":{"a":1},"trusted":{"b":2}}]`))
		case "/puppet/v4/catalog":
			var body bytes.Buffer
			_, _ = body.ReadFrom(r.Body)
			asked = body.String()
			ok(w, r)
		default:
			t.Errorf("asked for %s", r.URL)
		}
	})
	if _, err := p.read(t, "puppetserver:web01"); err != nil {
		t.Fatal(err)
	}
	want := `{"certname":"web01","environment":"test","persistence":{"catalog":false,"facts":false},` +
		`"facts":{"values":{"a":1}},"trusted_facts":{"values":{"b":2}},"options":{"prefer_requested_environment":true}}`
	if asked != want {
		t.Errorf("got  %s\nwant %s", asked, want)
	}
	if text := p.log.String(); !strings.Contains(text, "as text") {
		t.Errorf("no warning in %s", text)
	}
}

// A failure of a host stays what it was when the host is given up: with untrusted servers,
// no catalog is compiled without the facts of PuppetDB.
func TestGivenUp(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), ok)
	p.settings.PuppetDBFiles.CA = live.NewCA(t, t.TempDir()).File
	c := NewClient(&p.settings, nil)
	for i := range mostBroken + 1 {
		_, err := c.Read(t.Context(), Address{System: PuppetServer, Node: "web01"}, 0)
		wants(t, err, Untrusted, `the facts of "web01"`)
		if got := errors.Is(err, ErrNotTried); got != (i == mostBroken) {
			t.Errorf("request %d: got %v", i+1, err)
		}
	}
}

// PuppetDB writes null for facts and trusted data that it does not know. Puppet Server refuses null.
func TestCompileWithoutTrusted(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/pdb/") {
			_, _ = w.Write([]byte(`[{"certname":"web01","environment":"test","facts":{"a":1},"trusted":null}]`))
			return
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		if strings.Contains(body.String(), "null") {
			t.Errorf("got %s", body.String())
		}
		ok(w, r)
	})
	if _, err := p.read(t, "puppetserver:web01"); err != nil {
		t.Error(err)
	}
}

// A server cannot make a client wait longer than the limit for an answer.
func TestRetryAfter(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "86400")
		http.Error(w, "busy", http.StatusServiceUnavailable)
	})
	p.settings.ReadTimeout = 100 * time.Millisecond
	_, err := p.read(t, "puppetdb:web01")
	wants(t, err, Unavailable, "status 503 after 4 attempts: busy")
}

// A server that stops to take a request ends in an error, too.
func TestStalledUpload(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), func(http.ResponseWriter, *http.Request) { <-t.Context().Done() })
	p.settings.ReadTimeout = 300 * time.Millisecond
	cmd := Command{Certname: "web01", Payload: make([]byte, 64<<20), Time: time.Now()}
	err := NewClient(&p.settings, nil).Submit(t.Context(), Address{System: PuppetDB}, cmd, 0)
	wants(t, err, Stalled, "no data arrived for 300ms")
}

// A length that is not true reserves no memory, and no limit is too large.
func TestClaimedLength(t *testing.T) {
	p := newPeer(t, time.Now().Add(time.Hour), ok)
	c := NewClient(&p.settings, nil)
	if data, err := c.Read(t.Context(), Address{System: PuppetDB, Node: "web01"}, math.MaxInt64); err != nil || len(data) == 0 {
		t.Errorf("got %q, %v", data, err)
	}
}

// Without being asked, nothing is stored: only the catalog that the agent of this node
// would ask for comes from v3. And without the facts of a PuppetDB that is configured,
// nothing is compiled.
func TestDefaultAPI(t *testing.T) {
	for address, want := range map[string]string{
		"puppetserver:pcat":                        "/puppet/v3/catalog/pcat",
		"puppetserver:pcat?environment=production": "/puppet/v3/catalog/pcat",
		"puppetserver:pcat?environment=feature":    "/puppet/v4/catalog",
		"puppetserver:web01":                       "/puppet/v4/catalog",
		"puppetserver:web01?api=v3":                "/puppet/v3/catalog/web01",
	} {
		got := ""
		p := newPeer(t, time.Now().Add(time.Hour), func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/pdb/query/v4/inventory" {
				_, _ = w.Write([]byte("[]"))
				return
			}
			got = r.URL.Path
			ok(w, r)
		})
		if _, err := p.read(t, address); err != nil || got != want {
			t.Errorf("%s: asked for %s, %v, want %s", address, got, err, want)
		}
	}
	p := newPeer(t, time.Now().Add(time.Hour), ok)
	gone := httptest.NewServer(nil)
	gone.Close()
	p.settings.PuppetDB = []string{gone.URL}
	_, err := p.read(t, "puppetserver:web01")
	wants(t, err, NoServer, `the facts of "web01": `)
	p.settings.puppetDBAssumed = true
	if _, err := p.read(t, "puppetserver:web01"); err != nil || !strings.Contains(p.log.String(), "no PuppetDB to ask for facts") {
		t.Errorf("got %v and the log %s", err, p.log.String())
	}
}
