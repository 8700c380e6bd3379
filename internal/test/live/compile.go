package live

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// client returns an HTTP client with the certificate of "pcat".
func (s *Systems) client(t *testing.T) *http.Client {
	t.Helper()
	text, err := os.ReadFile(s.CA.File)
	check(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	pair, err := tls.LoadX509KeyPair(s.Client.Certificate, s.Client.Key)
	check(t, err)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: startTime}
}

// Terminus replaces the settings of the terminus of PuppetDB, which is the section
// main of puppetdb.conf, and makes Puppet Server read them.
func (s *Systems) Terminus(t *testing.T, settings ...string) {
	t.Helper()
	s.Configure(t, map[string]string{"puppetdb.conf": "[main]\n" + strings.Join(settings, "\n") + "\n"})
}

// Configure writes files beside puppet.conf, and makes Puppet Server read them.
func (s *Systems) Configure(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		check(t, os.WriteFile(filepath.Join(s.Dir, "ps/puppet", name), []byte(text), 0o600))
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, "https://"+s.Server+"/puppet-admin-api/v1/jruby-pool", nil)
	check(t, err)
	answer, err := s.client(t).Do(r)
	check(t, err)
	check(t, answer.Body.Close())
	if answer.StatusCode != http.StatusNoContent {
		t.Fatalf("the server does not read its settings: status %d", answer.StatusCode)
	}
}

// Compile makes Puppet Server compile the catalog of a node, as for the run of an
// agent. It returns the status and the body of the answer, and the time that it took.
func (s *Systems) Compile(t *testing.T, node, environment string) (status int, body string, took time.Duration) {
	t.Helper()
	facts, err := json.Marshal(map[string]any{
		"name": node, "values": map[string]any{"kernel": "Linux", "fqdn": node}, "timestamp": time.Now(), "expiration": time.Now().Add(time.Hour),
	})
	check(t, err)
	form := url.Values{"environment": {environment}, "facts_format": {"application/json"}, "facts": {url.QueryEscape(string(facts))}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://"+s.Server+"/puppet/v3/catalog/"+node+"?environment="+url.QueryEscape(environment), strings.NewReader(form.Encode()))
	check(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/vnd.puppet.rich+json")
	client := s.client(t)
	begin := time.Now()
	answer, err := client.Do(r)
	check(t, err)
	text, err := io.ReadAll(answer.Body)
	check(t, err)
	check(t, answer.Body.Close())
	return answer.StatusCode, string(text), time.Since(begin)
}

// ServerLog returns the log of Puppet Server.
func (s *Systems) ServerLog(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, "ps/log.txt"))
	check(t, err)
	return string(text)
}
