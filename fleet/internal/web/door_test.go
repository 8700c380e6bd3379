package web_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/internal/test/live"
)

const token = "reader-token-0123456789abcdef0123456789"

func door(t *testing.T, clients ...string) *web.Door {
	t.Helper()
	d, err := web.NewDoor(web.Readers{Clients: clients, TokenFile: write(t, token+"\n", 0o600)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func write(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// answer is an answer of a server. Without a connection, its status is refused and its body the error.
type answer struct {
	status int
	header http.Header
	body   string
}

const refused = 0

// ask asks for an address with a header.
func ask(t *testing.T, client *http.Client, url, authorization string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	got, err := client.Do(r)
	if err != nil {
		return answer{refused, nil, err.Error()}
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{got.StatusCode, got.Header, string(body)}
}

func basic(user, password string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(user, password)
	return r.Header.Get("Authorization")
}

func process(d *web.Door) web.Process {
	return web.Process{Health: health.New(nil), Door: d, Findings: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "findings") })}
}

// On loopback without TLS, a token is needed for findings and for nothing else.
func TestToken(t *testing.T) {
	s := httptest.NewServer(web.Handler(process(door(t))))
	defer s.Close()
	for authorization, want := range map[string]int{
		"": 401, "Bearer": 401, "Bearer ": 401, "Bearer " + token: 200, "bearer " + token: 200, "Bearer " + token + "x": 401, "Bearer " + token[:len(token)-1]: 401, token: 401,
		"Bearer " + strings.ToUpper(token): 401, basic("", token): 200, basic("ann", token): 200, basic(token, ""): 401, basic(token, "x"): 401, "Basic " + token: 401, "Digest " + token: 401,
	} {
		for _, path := range []string{"/", "/findings.json"} {
			a := ask(t, s.Client(), s.URL+path, authorization)
			if a.status != want || (want == 200) != (a.body == "findings") || (want == 401) != strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Basic realm=") || a.header.Get("Cache-Control") != "no-store" || strings.Contains(a.body, token) {
				t.Errorf("%s with %q: %+v", path, authorization, a)
			}
		}
	}
	for _, path := range []string{"/metrics", "/healthz"} {
		if a := ask(t, s.Client(), s.URL+path, ""); a.status != http.StatusOK {
			t.Errorf("%s: %+v", path, a)
		}
	}
	none := httptest.NewServer(web.Handler(process(&web.Door{})))
	defer none.Close()
	if a := ask(t, none.Client(), none.URL, "Bearer "+token); a.status != http.StatusForbidden || !strings.Contains(a.body, "--http-token") {
		t.Errorf("without readers: %+v", a)
	}
	worker := httptest.NewServer(web.Handler(web.Process{Health: health.New(nil), Door: door(t)}))
	defer worker.Close()
	if a := ask(t, worker.Client(), worker.URL, "Bearer "+token); a.status != http.StatusNotFound {
		t.Errorf("a worker has a page: %+v", a)
	}
}

// The token of a reader changes nothing: other methods are refused, with and without it.
func TestMethods(t *testing.T) {
	s := httptest.NewServer(web.Handler(process(door(t))))
	defer s.Close()
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace, http.MethodConnect, "PROPFIND"} {
		for _, path := range []string{"/", "/findings.json", "/findings.schema.json", "/metrics", "/healthz", "/pdb/cmd/v1", "/feed/v1/catalogs/web01", "/debug/pprof/"} {
			for _, authorization := range []string{"", "Bearer " + token, "Bearer " + token + "x"} {
				r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader("x"))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", authorization)
				a, err := s.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(a.Body)
				_ = a.Body.Close()
				if err != nil || a.StatusCode != http.StatusMethodNotAllowed || strings.Contains(string(body), "findings") {
					t.Errorf("%s %s with %q: %d, %s", method, path, authorization, a.StatusCode, body)
				}
			}
		}
	}
}

// Over TLS, a certificate of the CA is needed for monitoring, and the one of a reader or the token for findings.
func TestCertificates(t *testing.T) {
	ca, foreign := live.NewCA(t, t.TempDir()), live.NewCA(t, t.TempDir())
	own := ca.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost")
	start := func(d *web.Door) *httptest.Server {
		config, err := d.TLS(store.Files{Certificate: own.Certificate, Key: own.Key, CA: ca.File}.Config)
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewUnstartedServer(web.Handler(process(d)))
		s.TLS = config
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	reader, other, nobody, stranger := client(t, ca, ca, "dashboard"), client(t, ca, ca, "prometheus"), client(t, ca, nil, ""), client(t, ca, foreign, "dashboard")
	both := start(door(t, "dashboard"))
	certificates, err := web.NewDoor(web.Readers{Clients: []string{"dashboard"}})
	if err != nil {
		t.Fatal(err)
	}
	strict := start(certificates)
	for _, c := range []struct {
		server        *httptest.Server
		client        *http.Client
		who, token    string
		page, metrics int
	}{
		{both, reader, "reader", "", 200, 200},
		{both, other, "other", "", 401, 200},
		{both, other, "other", "Bearer " + token, 200, 200},
		{both, nobody, "nobody", "", 401, 403},
		{both, nobody, "nobody", "Bearer " + token, 200, 403},
		{both, nobody, "nobody", "Bearer " + token + "x", 401, 403},
		{strict, reader, "reader", "", 200, 200},
		{strict, other, "other", "Bearer " + token, 403, 200},
		{strict, nobody, "nobody", "Bearer " + token, refused, refused},
		{both, stranger, "stranger", "Bearer " + token, refused, refused},
		{strict, stranger, "stranger", "", refused, refused},
	} {
		for path, want := range map[string]int{"/": c.page, "/metrics": c.metrics, "/healthz": c.metrics} {
			if a := ask(t, c.client, c.server.URL+path, c.token); a.status != want {
				t.Errorf("%s with %q asks for %s: %+v; want %d", c.who, c.token, path, a, want)
			}
		}
	}
}

// A changed token or CA applies without a restart; a broken one leaves the last one in place, and is a problem.
func TestChangedFiles(t *testing.T) {
	first, second := live.NewCA(t, t.TempDir()), live.NewCA(t, t.TempDir())
	own := first.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost")
	accepted := filepath.Join(t.TempDir(), "ca.pem")
	copyFile := func(from string) {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(accepted, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copyFile(first.File)
	tokenFile := write(t, token, 0o600)
	d, err := web.NewDoor(web.Readers{Clients: []string{"dashboard"}, TokenFile: tokenFile})
	if err != nil {
		t.Fatal(err)
	}
	config, err := d.TLS(store.Files{Certificate: own.Certificate, Key: own.Key, CA: accepted}.Config)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(web.Handler(process(d)))
	s.TLS, s.Config.ErrorLog = config, log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	go d.Run(t.Context(), slog.New(slog.DiscardHandler))
	get := func(by *live.CA, authorization string) int {
		return ask(t, client(t, first, by, "dashboard"), s.URL, authorization).status
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		for range 200 {
			if holds() {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%s: never", what)
	}
	bearer := "Bearer " + token
	if get(nil, bearer) != 200 || get(first, "") != 200 || get(second, "") != refused || d.Healthy() != nil {
		t.Fatal("the first files do not apply")
	}
	if err := os.WriteFile(tokenFile, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	until("the problem of a broken token", func() bool { err := d.Healthy(); return err != nil && strings.Contains(err.Error(), "--http-token") })
	if get(nil, bearer) != 200 {
		t.Error("the last token does not apply")
	}
	if err := os.WriteFile(tokenFile, []byte("another-"+token), 0o600); err != nil {
		t.Fatal(err)
	}
	until("another token", func() bool {
		return get(nil, "Bearer another-"+token) == 200 && get(nil, bearer) == 401 && d.Healthy() == nil
	})
	if err := os.WriteFile(accepted, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	until("the problem of a broken CA", func() bool { return d.Healthy() != nil })
	if get(first, "") != 200 {
		t.Error("the last CA does not apply")
	}
	copyFile(second.File)
	until("another CA", func() bool { return get(second, "") == 200 && get(first, "") == refused && d.Healthy() == nil })
}

// The problem of a worker, which has no token, names no flag that it does not have.
func TestProblemOfWorker(t *testing.T) {
	d, config := new(web.Door), &tls.Config{MinVersion: tls.VersionTLS13}
	read := func() (*tls.Config, error) {
		c := config
		config = nil
		if c == nil {
			return nil, errors.New("no file")
		}
		return c, nil
	}
	if _, err := d.TLS(read); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { d.Run(ctx, slog.New(slog.DiscardHandler)); close(ended) }()
	for start := time.Now(); d.Healthy() == nil && time.Since(start) < time.Minute; {
		time.Sleep(50 * time.Millisecond)
	}
	if err := d.Healthy(); err == nil || !strings.HasPrefix(err.Error(), "the files of --http-tls-… cannot be used") {
		t.Errorf("got %v", err)
	}
	cancel()
	<-ended
}

// A client whose certificate is in a revocation list gets no connection, also when the list was replaced.
func TestRevokedReader(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	ca := live.NewCA(t, t.TempDir())
	own, reader := ca.Issue(t, "pcatd", soon, "localhost"), ca.Issue(t, "dashboard", soon)
	list := ca.Revoke(t, "crl.pem", soon, big.NewInt(99))
	d, err := web.NewDoor(web.Readers{Clients: []string{"dashboard"}, TokenFile: write(t, token, 0o600), CRL: list})
	if err != nil {
		t.Fatal(err)
	}
	config, err := d.TLS(store.Files{Certificate: own.Certificate, Key: own.Key, CA: ca.File}.Config)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(web.Handler(process(d)))
	s.TLS, s.Config.ErrorLog = config, log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	kept := clientOf(t, ca, &reader) // keeps its connection, if the server lets it
	if a := ask(t, kept, s.URL, ""); a.status != 200 {
		t.Errorf("a reader: %+v", a)
	}
	ca.Revoke(t, "crl.pem", soon, reader.Serial, big.NewInt(99))
	if a := ask(t, kept, s.URL, ""); a.status != refused {
		t.Errorf("a revoked reader with a connection: %+v", a)
	}
	if a := ask(t, clientOf(t, ca, &reader), s.URL, ""); a.status != refused {
		t.Errorf("a revoked reader: %+v", a)
	}
	if a := ask(t, clientOf(t, ca, nil), s.URL, "Bearer "+token); a.status != 200 {
		t.Errorf("a reader with the token: %+v", a)
	}
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, clientOf(t, ca, &reader), s.URL, ""); a.status != refused {
		t.Errorf("a reader with a certificate, without the list: %+v", a)
	}
	if a := ask(t, clientOf(t, ca, nil), s.URL, "Bearer "+token); a.status != 200 {
		t.Errorf("a reader with the token, without the list: %+v", a)
	}
	if _, err := web.NewDoor(web.Readers{CRL: list + ".none"}); err == nil {
		t.Error("no error for a missing list")
	}
}

// client returns a client with a certificate of a CA, or none, for a server with one of another.
func client(t *testing.T, server, by *live.CA, name string) *http.Client {
	t.Helper()
	if by == nil {
		return clientOf(t, server, nil)
	}
	files := by.Issue(t, name, time.Now().Add(time.Hour))
	return clientOf(t, server, &files)
}

func clientOf(t *testing.T, server *live.CA, files *live.Files) *http.Client {
	t.Helper()
	text, err := os.ReadFile(server.File)
	if err != nil {
		t.Fatal(err)
	}
	c := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost", MinVersion: tls.VersionTLS12}
	c.RootCAs.AppendCertsFromPEM(text)
	if files != nil {
		pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
		if err != nil {
			t.Fatal(err)
		}
		// A client shows it also to a server that names other authorities.
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	transport := &http.Transport{TLSClientConfig: c}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// A token that others can read, that can be guessed, or that is a key of the fleet is refused, and not quoted.
func TestTokenFile(t *testing.T) {
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{token, 0o640, "others can read"},
		{"", 0o600, "is not one line of at least 32"},
		{token[:31], 0o600, "is not one line of at least 32"},
		{token + "\n" + token, 0o600, "is not one line of at least 32"},
		{token + " x", 0o600, "is not one line of at least 32"},
		{strings.Repeat("a", 2000), 0o600, "is not one line of at least 32"},
		{"pcat-fleet-reader-1:" + token, 0o600, "is a key of the fleet"},
	} {
		_, err := web.NewDoor(web.Readers{TokenFile: write(t, c.text, c.mode)})
		if err == nil || !strings.Contains(err.Error(), c.want) || c.text != "" && strings.Contains(err.Error(), c.text) {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := web.NewDoor(web.Readers{Clients: []string{""}}); err == nil {
		t.Error("a client without a name is a reader")
	}
}
