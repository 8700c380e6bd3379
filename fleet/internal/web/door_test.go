package web_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
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

// Over TLS, a certificate of the CA is needed for monitoring, and the one of a reader or the token for findings.
func TestCertificates(t *testing.T) {
	ca, foreign := live.NewCA(t, t.TempDir()), live.NewCA(t, t.TempDir())
	own := ca.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost")
	start := func(d *web.Door) *httptest.Server {
		config, err := (store.Files{Certificate: own.Certificate, Key: own.Key, CA: ca.File}).Config()
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewUnstartedServer(web.Handler(process(d)))
		s.TLS = d.TLS(config)
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	client := func(by *live.CA, name string) *http.Client {
		text, err := os.ReadFile(ca.File)
		if err != nil {
			t.Fatal(err)
		}
		c := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost"}
		c.RootCAs.AppendCertsFromPEM(text)
		if by != nil {
			files := by.Issue(t, name, time.Now().Add(time.Hour))
			pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
			if err != nil {
				t.Fatal(err)
			}
			c.Certificates = []tls.Certificate{pair}
		}
		transport := &http.Transport{TLSClientConfig: c}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	reader, other, nobody, stranger := client(ca, "dashboard"), client(ca, "prometheus"), client(nil, ""), client(foreign, "dashboard")
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
