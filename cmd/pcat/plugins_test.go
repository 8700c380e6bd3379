package main

import (
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crypto/tls"

	"github.com/pcatdev/pcat/internal/test/live"
)

// TestConjurPlugin runs the example for conjur::secret against an imitation of Conjur's API.
func TestConjurPlugin(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the plugin is written in Python 3, which is not installed")
	}
	ca := live.NewCA(t, t.TempDir())
	files := ca.Issue(t, "localhost", time.Now().Add(time.Hour), "localhost")
	pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another host got the header %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	conjur := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.EscapedPath() {
		case "/authn/my%20account/host%2Fweb01/authenticate":
			key, err := io.ReadAll(r.Body)
			if err != nil || string(key) != "k3y-Of-The-Host" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(`{"token":"t"}`))
		case "/secrets/my%20account/variable/db%2Fpassword":
			if want := `Token token="` + base64.URLEncoding.EncodeToString([]byte(`{"token":"t"}`)) + `"`; r.Header.Get("Authorization") != want {
				t.Errorf("got the header %q, want %q", r.Header.Get("Authorization"), want)
			}
			_, _ = w.Write([]byte("t0p-s3cret"))
		case "/secrets/my%20account/variable/db%2Fmoved":
			http.Redirect(w, r, other.URL, http.StatusFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	conjur.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	conjur.StartTLS()
	defer conjur.Close()
	_, port, err := net.SplitHostPort(conjur.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	resolve := func(variable, key string) (stdout, stderr string, err error) {
		options := `{"appliance_url":"https://localhost:` + port + `","account":"my account","authn_login":"host/web01",` +
			`"authn_api_key":` + key + `,"cert_file":"` + ca.File + `"}`
		file := filepath.Join(t.TempDir(), "catalog.json")
		catalog := `{"name":"n","resources":[{"type":"File","title":"/a","parameters":{"content":` +
			`{"__ptype":"Deferred","name":"conjur::secret","arguments":["` + variable + `",` + options + `]}}}],"edges":[]}`
		if err := os.WriteFile(file, []byte(catalog), 0o600); err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(filepath.Join("..", "..", "examples", "plugins"))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("pcat", "resolve", "--allow", "run", "--plugin", path, file)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		return out.String(), errs.String(), err
	}
	out, errs, err := resolve("db/password", `{"__ptype":"Sensitive","__pvalue":"k3y-Of-The-Host"}`)
	if err != nil || !strings.Contains(out, `"content":"t0p-s3cret"`) || !strings.Contains(out, `"sensitive_parameters":["content"]`) {
		t.Errorf("got %v, %s, %s", err, out, errs)
	}
	_, errs, err = resolve("db/none", `{"__ptype":"Sensitive","__pvalue":"k3y-Of-The-Host"}`)
	if err == nil || !strings.Contains(errs, "Conjur server error: 404") {
		t.Errorf("got %v, %s", err, errs)
	}
	_, errs, err = resolve("db/moved", `{"__ptype":"Sensitive","__pvalue":"k3y-Of-The-Host"}`)
	if err == nil || !strings.Contains(errs, "Conjur server error: 302") {
		t.Errorf("got %v, %s", err, errs)
	}
	_, errs, err = resolve("db/password", `{"__ptype":"Sensitive","__pvalue":"wr0ng-k3y"}`)
	if err == nil || !strings.Contains(errs, "Conjur server error: 401") || strings.Contains(errs, "wr0ng") {
		t.Errorf("got %v, %s", err, errs)
	}
	_, errs, err = resolve("db/password", `"k3y-Of-The-Host"`)
	if err == nil || !strings.Contains(errs, "must be wrapped in 'Sensitive()'") {
		t.Errorf("got %v, %s", err, errs)
	}
}
