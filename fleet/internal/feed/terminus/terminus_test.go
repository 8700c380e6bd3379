package terminus_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/internal/test/live"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// payload is a catalog as the terminus sends it.
const payload = `{"certname":"web01","version":"1","environment":"production","transaction_uuid":null,"catalog_uuid":null,"code_id":null,` +
	`"job_id":null,"producer":"localhost","producer_timestamp":"2026-01-31T12:00:00.123+00:00",` +
	`"resources":[{"type":"File","title":"/etc/motd","tags":["file"],"exported":false,"parameters":{"content":"hello"}}],` +
	`"edges":[]}`

// server starts a handler for a sink. Outcomes are recorded.
func server(t *testing.T, sink feed.Sink, o terminus.Options) (send func(url.Values, []byte, ...string) (int, map[string]any), outcomes func() []terminus.Outcome) {
	t.Helper()
	var mu sync.Mutex
	var all []terminus.Outcome
	o.Observe = func(outcome terminus.Outcome, _ time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, outcome)
	}
	s := httptest.NewServer(terminus.NewHandler(sink, o))
	t.Cleanup(s.Close)
	send = func(query url.Values, body []byte, headers ...string) (int, map[string]any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/pdb/cmd/v1?"+query.Encode(), bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		var object map[string]any
		if err := json.NewDecoder(answer.Body).Decode(&object); err != nil {
			t.Fatalf("status %d: the answer is not JSON: %v", answer.StatusCode, err)
		}
		if after := answer.Header.Get("Retry-After"); after != "" {
			t.Errorf("Retry-After: %s makes puppet apply wait", after)
		}
		return answer.StatusCode, object
	}
	return send, func() []terminus.Outcome {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// query returns the parameters of a catalog of web01, changed by pairs of a name and a value.
func query(change ...string) url.Values {
	q := url.Values{
		"command": {"replace_catalog"}, "version": {"9"}, "certname": {"web01"}, "producer-timestamp": {"2026-01-31T12:00:00.123Z"},
	}
	for i := 0; i < len(change); i += 2 {
		q.Set(change[i], change[i+1])
		if change[i+1] == "" {
			q.Del(change[i])
		}
	}
	return q
}

func digest(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCatalog(t *testing.T) {
	old := `{"command":"replace catalog","version":9,"certname":"web01","payload":` + payload + `}`
	for name, test := range map[string]struct {
		query   url.Values
		body    []byte
		headers []string
		waited  bool
	}{
		"plain":                {query(), []byte(payload), nil, false},
		"version 6":            {query("version", "6"), []byte(payload), nil, false},
		"space in the command": {query("command", "replace catalog"), []byte(payload), nil, false},
		"gzip":                 {query(), zipped(t, payload), []string{"Content-Encoding", "gzip", "X-Uncompressed-Length", fmt.Sprint(len(payload))}, false},
		"length too small":     {query(), zipped(t, payload), []string{"Content-Encoding", "gzip", "X-Uncompressed-Length", "1"}, false},
		"length too large":     {query(), []byte(payload), []string{"X-Uncompressed-Length", "99999999999"}, false},
		"length negative":      {query(), []byte(payload), []string{"X-Uncompressed-Length", "-9223372036854775808"}, false},
		"checksum of terminus": {query("checksum", digest(old)), []byte(payload), nil, false},
		"checksum of payload":  {query("checksum", strings.ToUpper(digest(payload))), []byte(payload), nil, false},
		"wait":                 {query("secondsToWaitForCompletion", "5"), []byte(payload), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			sink := feedtest.NewSink(terminus.Feed)
			send, outcomes := server(t, sink, terminus.Options{})
			status, answer := send(test.query, test.body, test.headers...)
			id, _ := answer["uuid"].(string)
			if status != http.StatusOK || len(id) != 36 || (answer["processed"] == true) != test.waited {
				t.Fatalf("status %d, %v", status, answer)
			}
			c, ok := sink.Get(terminus.Feed, "web01")
			if !ok || string(c.Data) != payload || !c.Produced.Equal(time.Date(2026, 1, 31, 12, 0, 0, 123e6, time.UTC)) {
				t.Errorf("stored: %v %v %s", ok, c.Produced, c.Data)
			}
			feedtest.Until(t, func() bool { return slices.Equal(outcomes(), []terminus.Outcome{terminus.Stored}) }, func() string { return fmt.Sprint(outcomes()) })
		})
	}
}

// TestPayload reads the payload as the audit does.
func TestPayload(t *testing.T) {
	r := catalog.NewReaderBytes([]byte(payload), formats.RichJSON(), serialization.DecodeOptions{})
	for c, err := range r.Catalogs() {
		if err != nil || c.Name() != "web01" {
			t.Errorf("%v %v", c, err)
		}
	}
}

// TestRefused has commands that are not valid. No status is a 4xx, which would fail the compile.
func TestRefused(t *testing.T) {
	const limit = 4096
	large := `{"resources":"` + strings.Repeat("x", 3*limit) + `"}`
	for name, test := range map[string]struct {
		query   url.Values
		body    string
		headers []string
		status  int
		text    string
	}{
		"no command":      {query("command", ""), payload, nil, 500, "the command must be one of"},
		"unknown command": {query("command", "hunter2"), payload, nil, 500, "the command must be one of"},
		"no node":         {query("certname", ""), payload, nil, 500, "certname is missing"},
		"no certname":     {query("certname", "a/b"), payload, nil, 500, "certname is missing"},
		"no version":      {query("version", "x"), payload, nil, 500, "version must be a number"},
		"old version":     {query("version", "5"), payload, nil, 500, "version 5 is not supported"},
		"new version":     {query("version", "10"), payload, nil, 500, "version 10 is not supported"},
		"no time":         {query("producer-timestamp", "yesterday"), payload, nil, 500, "producer-timestamp must be a time"},
		"checksum":        {query("checksum", digest("x")), payload, nil, 500, "does not match its checksum"},
		"no JSON":         {query(), payload[:80], nil, 500, "is not JSON"},
		"too large":       {query(), large, nil, 507, "too large"},
		"too large gzip":  {query(), string(zipped(t, large)), []string{"Content-Encoding", "gzip"}, 507, "too large"},
		"large facts":     {query("command", "replace_facts"), large, nil, 507, "too large"},
		"no gzip":         {query(), payload, []string{"Content-Encoding", "gzip"}, 500, "cannot be read"},
		"gzip cut off":    {query(), string(zipped(t, payload)[:60]), []string{"Content-Encoding", "gzip"}, 500, "cannot be read"},
		"encoding":        {query(), payload, []string{"Content-Encoding", "br"}, 500, "content encoding"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			sink := feedtest.NewSink(terminus.Feed)
			send, outcomes := server(t, sink, terminus.Options{MaxBody: limit, Log: slog.New(slog.NewTextHandler(&log, nil))})
			status, answer := send(test.query, []byte(test.body), test.headers...)
			text, _ := answer["error"].(string)
			if status != test.status || !strings.Contains(text, test.text) {
				t.Errorf("status %d, %v; want %d, %s", status, answer, test.status, test.text)
			}
			if names := sink.Names(); len(names) > 0 {
				t.Errorf("stored: %v", names)
			}
			feedtest.Until(t, func() bool { return slices.Equal(outcomes(), []terminus.Outcome{terminus.Refused}) }, func() string { return fmt.Sprint(outcomes()) })
			if !strings.Contains(log.String(), test.text) || strings.Contains(log.String()+text, "hello") || strings.Contains(log.String()+text, "hunter2") {
				t.Errorf("log: %s", log.String())
			}
		})
	}
}

func TestOtherCommands(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed, "web01", "web02")
	send, outcomes := server(t, sink, terminus.Options{})
	for _, name := range []string{"replace_facts", "store_report", "replace_catalog_inputs", "configure_expiration"} {
		if status, answer := send(query("command", name, "version", "1"), []byte(`{}`)); status != http.StatusOK || answer["uuid"] == nil {
			t.Errorf("%s: status %d, %v", name, status, answer)
		}
	}
	if calls := sink.Calls(); len(calls) > 0 {
		t.Errorf("calls: %v", calls)
	}
	if status, answer := send(query("command", "deactivate_node", "version", "3"), []byte(`{"certname":"web01"}`)); status != http.StatusOK {
		t.Errorf("deactivate: status %d, %v", status, answer)
	}
	if names := sink.Names(); !slices.Equal(names, []string{"terminus/web02"}) {
		t.Errorf("nodes: %v", names)
	}
	feedtest.Until(t, func() bool { return len(outcomes()) == 5 && outcomes()[4] == terminus.Removed }, func() string { return fmt.Sprint(outcomes()) })
}

// TestReportsAndFacts stores reports and facts beside the catalog of their node, which
// deactivate node removes with it.
func TestReportsAndFacts(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed, "web01", "web02")
	send, outcomes := server(t, sink, terminus.Options{})
	report := func(message string) []byte {
		return fmt.Appendf(nil, `{"certname":"web01","report_format":12,"transaction_uuid":"x","logs":[{"message":%q,"source":"Puppet","tags":[]}],"resources":[]}`, message)
	}
	facts := []byte(`{"certname":"web01","values":{"kernel":"` + strings.Repeat("x", 100<<10) + `"},"environment":"production","producer_timestamp":"2026-01-31T12:00:00.123Z"}`)
	for _, sent := range []struct {
		command, version string
		body             []byte
	}{{"store_report", "8", report("first")}, {"replace_facts", "5", facts}, {"store_report", "8", report("second")}} {
		if status, answer := send(query("command", sent.command, "version", sent.version), sent.body); status != http.StatusOK {
			t.Errorf("%s: status %d, %v", sent.command, status, answer)
		}
	}
	if names, want := sink.Names(), []string{"terminus/web01", "terminus/web02", "terminus:facts/web01", "terminus:reports/web01"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	c, _ := sink.Get(terminus.Reports, "web01")
	if !c.NoPast || c.Produced.IsZero() || !bytes.Equal(c.Data, report("second")) {
		t.Errorf("%+v", c)
	}
	if c, _ := sink.Get(terminus.Facts, "web01"); !c.NoPast || !bytes.Equal(c.Data, facts) {
		t.Errorf("%d bytes of facts", len(c.Data))
	}
	if status, _ := send(query("command", "store_report", "version", "8", "checksum", digest("x")), report("third")); status != http.StatusInternalServerError {
		t.Errorf("a wrong checksum: status %d", status)
	}
	send(query("command", "deactivate_node", "version", "3"), []byte(`{"certname":"web01"}`))
	if names := sink.Names(); !slices.Equal(names, []string{"terminus/web02"}) {
		t.Errorf("nodes: %v", names)
	}
	want := []terminus.Outcome{terminus.Stored, terminus.Stored, terminus.Stored, terminus.Refused, terminus.Removed}
	feedtest.Until(t, func() bool { return slices.Equal(outcomes(), want) }, func() string { return fmt.Sprint(outcomes()) })
}

func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault   func(context.Context) error
		status  int
		outcome terminus.Outcome
	}{
		"full":          {func(context.Context) error { return fmt.Errorf("disk: %w", feed.ErrFull) }, 503, terminus.Full},
		"obeys context": {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 503, terminus.Slow},
		"fails":         {func(context.Context) error { return errors.New("internal detail") }, 500, terminus.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			sink := feedtest.NewSink(terminus.Feed)
			sink.Break(test.fault)
			send, outcomes := server(t, sink, terminus.Options{Timeout: 100 * time.Millisecond})
			status, answer := send(query(), []byte(payload))
			if status != test.status || strings.Contains(fmt.Sprint(answer), "detail") {
				t.Errorf("status %d, %v", status, answer)
			}
			feedtest.Until(t, func() bool { return slices.Equal(outcomes(), []terminus.Outcome{test.outcome}) }, func() string { return fmt.Sprint(outcomes()) })
			sink.Break(nil)
			if status, answer := send(query(), []byte(payload)); status != http.StatusOK {
				t.Errorf("repaired: status %d, %v", status, answer)
			}
		})
	}
}

// TestHung has a sink that ignores its context: requests end in time, the memory stays
// bounded, and later ones are refused at once.
func TestHung(t *testing.T) {
	repaired := make(chan struct{})
	sink := feedtest.NewSink(terminus.Feed)
	sink.Break(func(context.Context) error { <-repaired; return nil })
	const timeout = 200 * time.Millisecond
	send, outcomes := server(t, sink, terminus.Options{Timeout: timeout, Pause: time.Hour, MaxBody: 2000, Memory: 4002})
	large := `{"resources":"` + strings.Repeat("x", 1900) + `"}`
	for range 3 {
		if status, _ := send(query(), []byte(large)); status != http.StatusServiceUnavailable {
			t.Errorf("status %d", status)
		}
	}
	feedtest.Until(t, func() bool { return len(outcomes()) == 3 }, func() string { return fmt.Sprint(outcomes()) })
	if got := outcomes(); got[0] != terminus.Slow || got[2] != terminus.Full { // the first ones have all of the memory
		t.Errorf("outcomes %v", got)
	}
	close(repaired)
	feedtest.Until(t, func() bool { status, _ := send(query(), []byte(payload)); return status == http.StatusOK }, func() string { return "not repaired" })
}

// TestPause refuses catalogs at once after three in a row were slow, and tries again after the pause.
func TestPause(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed)
	tried := make(chan struct{}, 100)
	sink.Break(func(ctx context.Context) error { tried <- struct{}{}; <-ctx.Done(); return ctx.Err() })
	send, _ := server(t, sink, terminus.Options{Timeout: 50 * time.Millisecond, Pause: 500 * time.Millisecond})
	for range 6 {
		if status, _ := send(query(), []byte(payload)); status != http.StatusServiceUnavailable {
			t.Errorf("status %d", status)
		}
	}
	if n := len(tried); n != 3 {
		t.Errorf("the sink was called %d times, want 3", n)
	}
	sink.Break(nil)
	feedtest.Until(t, func() bool { status, _ := send(query(), []byte(payload)); return status == http.StatusOK }, func() string { return "no attempt after the pause" })
}

// TestSlowClient has a client that sends half of a catalog and then nothing.
func TestSlowClient(t *testing.T) {
	sink := feedtest.NewSink(terminus.Feed)
	s := httptest.NewServer(terminus.NewHandler(sink, terminus.Options{Timeout: 100 * time.Millisecond}))
	defer s.Close()
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	go func() { _, _ = io.WriteString(w, payload[:40]) }()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/pdb/cmd/v1?"+query().Encode(), r)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable || len(sink.Names()) > 0 {
		t.Errorf("status %d, %v", answer.StatusCode, sink.Names())
	}
}

func TestStatus(t *testing.T) {
	s := httptest.NewServer(terminus.NewHandler(feedtest.NewSink(terminus.Feed), terminus.Options{}))
	defer s.Close()
	for path, want := range map[string]string{"/status/v1/services/puppetdb-status": `"state":"running"`, "/status/v1/simple": "running"} {
		answer, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), want) {
			t.Errorf("%s: %d %s %v", path, answer.StatusCode, text, err)
		}
	}
}

func TestAccess(t *testing.T) {
	soon := time.Now().Add(time.Hour)
	ca := live.NewCA(t, t.TempDir())
	other := live.NewCA(t, t.TempDir())
	own := ca.Issue(t, "pcatd", soon, "localhost")
	compiler, node, foreign := ca.Issue(t, "compiler", soon), ca.Issue(t, "web01", soon), other.Issue(t, "compiler", soon)
	revoked, expired := ca.Issue(t, "compiler2", soon), ca.Issue(t, "compiler3", time.Now().Add(-time.Hour))
	list := ca.Revoke(t, "crl.pem", soon, revoked.Serial)
	access := terminus.Access{
		Certificate: own.Certificate, Key: own.Key, CA: ca.File, CRL: list, Certnames: []string{"compiler", "compiler2", "compiler3"},
	}
	config, err := access.TLS()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(terminus.NewHandler(feedtest.NewSink(terminus.Feed), terminus.Options{}))
	s.TLS = config
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	defer s.Close()
	get := func(files *live.Files) error {
		text, err := os.ReadFile(ca.File)
		if err != nil {
			t.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(text)
		client := &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
		if files != nil {
			pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
			if err != nil {
				t.Fatal(err)
			}
			client.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		transport := &http.Transport{TLSClientConfig: client}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport}).Get(strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/status/v1/simple")
		if err == nil {
			_ = answer.Body.Close()
		}
		return err
	}
	if err := get(&compiler); err != nil {
		t.Errorf("the compiler: %v", err)
	}
	for name, files := range map[string]*live.Files{"a node": &node, "another CA": &foreign, "no certificate": nil, "revoked": &revoked, "expired": &expired} {
		if get(files) == nil {
			t.Errorf("%s: connected", name)
		}
	}
	ca.Revoke(t, "crl.pem", soon, compiler.Serial, big.NewInt(99))
	if get(&compiler) == nil {
		t.Error("connected after its certificate was revoked")
	}
	access.Certnames = nil
	if _, err := access.TLS(); err == nil {
		t.Error("no error for an empty list")
	}
	access.Certnames, access.CRL = []string{"compiler"}, filepath.Join(t.TempDir(), "none")
	if _, err := access.TLS(); err == nil {
		t.Error("no error for a missing revocation list")
	}
}
