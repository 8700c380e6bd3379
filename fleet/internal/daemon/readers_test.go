package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/overview"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/test/live"
)

// Readers see the findings of a real audit, the flow of a secret and the reasons of accepted findings. The number
// of findings of a day survives a restart and a move.
func TestReaders(t *testing.T) {
	const token = "reader-token-0123456789abcdef0123456789"
	dir := t.TempDir()
	file, log := filepath.Join(dir, "token"), new(fleettest.Log)
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Connection{State: filepath.Join(dir, "state")}
	serve := func(c Connection) (client *Client, end func()) {
		t.Helper()
		log = new(fleettest.Log)
		stop := begin(t, Options{Connection: c, Listen: "127.0.0.1:0", HTTP: "127.0.0.1:0", Workers: 1, Readers: web.Readers{TokenFile: file}, Log: slog.New(slog.NewTextHandler(log, nil))})
		s, err := c.Await(t.Context(), time.Minute, nil)
		if err != nil {
			t.Fatal(err)
		}
		client = &Client{Store: s, Timeout: time.Minute}
		if _, err := client.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		return client, func() { s.Close(); stop() }
	}
	// read asks until the document is as wanted.
	read := func(what string, wanted func(d *overview.Document) bool) (d *overview.Document) {
		t.Helper()
		address := logged(t, log, "monitoring")
		for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(100 * time.Millisecond) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/findings.json", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.SetBasicAuth("reader", token)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			d = new(overview.Document)
			err = json.NewDecoder(answer.Body).Decode(d)
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK && err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode == http.StatusOK && wanted(d) {
				return d
			}
		}
		t.Fatalf("%s: got %+v", what, d)
		return nil
	}
	client, end := serve(c)
	for node, resource := range map[string]string{
		"db01":  `{"type":"Class","title":"App","parameters":{"password":"blue-heron-walks-2"},"sensitive_parameters":["password"]}`,
		"web01": `{"type":"File","title":"/etc/app.ini","file":"/etc/puppetlabs/code/environments/production/site/app.pp","line":3,"parameters":{"content":"the seed is blue-heron-walks-2"}}`,
		"web02": `{"type":"File","title":"/etc/other.ini","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4"}}`,
	} {
		if err := client.Store.Put(t.Context(), feed.Catalog{Feed: "test", Node: node, Data: fmt.Appendf(nil, `{"name":%q,"environment":"production","resources":[%s],"edges":[]}`, node, resource)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Accept(t.Context(), &decisions.Acceptance{Entry: auditconfig.Entry{Title: "/etc/other.ini", Reason: "a sample"}, By: "ann@host"}); err != nil {
		t.Fatal(err)
	}
	d := read("the findings", func(d *overview.Document) bool {
		return d.Settled && len(d.Findings) == 2 && len(d.Decisions) == 1 && len(d.Nodes) == 3 && d.Decisions[0].Findings == 1 && d.Findings[0].Reason+d.Findings[1].Reason != ""
	})
	if len(d.Repairs) != 1 || d.Repairs[0].Manifest != "site/app.pp" || d.Repairs[0].Nodes != 1 || len(d.Problems) != 0 {
		t.Errorf("got %+v", d)
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Node == "web01" && !strings.Contains(string(f.Finding), `"source":{"declared":true,"ref":"Class[App]","path":"/parameters/password"`) {
			t.Errorf("got %s", f.Finding)
		}
		if f.Node == "web02" && (f.Reason != "a sample" || f.Accepted.IsZero()) {
			t.Errorf("got %+v", f)
		}
	}
	end()
	_, end = serve(c) // the first number of a day is that of the start
	one := func(d *overview.Document) bool {
		return len(d.Days) == 1 && d.Days[0].Accepted == 1 && d.Days[0].Findings["high"]+d.Days[0].Findings["critical"] == 1
	}
	read("the numbers after a restart", one)
	end()
	export, moved := filepath.Join(dir, "export"), Connection{State: filepath.Join(dir, "moved"), KeyFile: store.KeyFile(c.State)}
	if _, err := c.Export(t.Context(), export, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := moved.Import(t.Context(), export, ImportOptions{MaxStore: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	s, err := moved.openFolder(t.Context(), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	d = new(overview.Document)
	if err := s.Days(t.Context(), &d.Days); err != nil || !one(d) {
		t.Errorf("the numbers after a move: %+v, %v", d.Days, err)
	}
	s.Close()
}

// A client of a worker whose certificate is in a revocation list gets no answer.
func TestWorkerRevocations(t *testing.T) {
	soon, folder := time.Now().Add(time.Hour), t.TempDir()
	ca := live.NewCA(t, folder)
	own, monitor, revoked := ca.Issue(t, "worker", soon, "localhost", "127.0.0.1"), ca.Issue(t, "prometheus", soon), ca.Issue(t, "former", soon)
	c := Connection{State: filepath.Join(folder, "state")}
	begin(t, Options{Connection: c, Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler)})
	log := new(fleettest.Log)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Work(ctx, WorkOptions{
			Connection: c, Workers: 1, HTTP: "127.0.0.1:0", HTTPTLS: store.Files{Certificate: own.Certificate, Key: own.Key, CA: ca.File},
			HTTPCRL: ca.Revoke(t, "crl.pem", soon, revoked.Serial), Log: slog.New(slog.NewTextHandler(log, nil)),
		})
	}()
	address := logged(t, log, "monitoring")
	status := func(files live.Files) int {
		t.Helper()
		config, err := store.Files{Certificate: files.Certificate, Key: files.Key, CA: ca.File}.Config()
		if err != nil {
			t.Fatal(err)
		}
		config.ServerName = "localhost"
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
		defer client.CloseIdleConnections()
		r, err := client.Get("https://" + address + "/healthz") //nolint:noctx // ends with the worker
		if err != nil {
			return 0
		}
		_ = r.Body.Close()
		return r.StatusCode
	}
	for start := time.Now(); status(monitor) != http.StatusOK; time.Sleep(50 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("the worker answers %d", status(monitor))
		}
	}
	if got := status(revoked); got != 0 {
		t.Errorf("a revoked client: %d", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A name that becomes a secret is hidden in everything that is asked afterwards: also in events that were sent before,
// in dead letters, and in the answers to a reader.
func TestLaterSecret(t *testing.T) {
	const node, title = "wq83-heron-zx71", "/etc/late.ini"
	s, client, c := local(t)
	put := func(node, resource string) {
		t.Helper()
		err := s.Put(t.Context(), feed.Catalog{Feed: "ingest", Node: node, Data: fmt.Appendf(nil, `{"name":%q,"environment":"production","resources":[%s],"edges":[]}`, node, resource)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	events := func(client *Client) string {
		t.Helper()
		var b strings.Builder
		err := client.Events(t.Context(), time.Time{}, false, func(body []byte) error {
			_, err := fmt.Fprintf(&b, "%s\n", body)
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return b.String()
	}
	put(node, `{"type":"File","title":"`+title+`","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4"}}`)
	sent := events(client)
	if !strings.Contains(sent, node) || !strings.Contains(sent, title) {
		t.Fatalf("got %s", sent)
	}
	put("db01", `{"type":"Class","title":"App","parameters":{"password":"`+node+`"},"sensitive_parameters":["password"]}`)
	unit := s.Unit("ingest", node)
	head, _, err := s.Head(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := s.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dead := &store.Dead{Unit: unit, Feed: head.Feed, Node: head.Node, Digest: head.Digest, Engine: state.Engine, Reason: "a test", Retry: time.Now().Add(time.Hour)}
	if err := s.PutDead(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	letters, err := client.DeadLetters(t.Context())
	if err != nil || len(letters) != 1 || letters[0].Node != "(hidden)" || letters[0].Feed != "ingest" {
		t.Errorf("got %+v, %v", letters, err)
	}
	key := filepath.Join(t.TempDir(), "reader.key")
	if err := c.CreateReader(key); err != nil {
		t.Fatal(err)
	}
	reader, err := Connection{State: c.State, KeyFile: key, Reader: true}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, client := range []*Client{client, {Store: reader, Timeout: time.Minute}} {
		if text := events(client); !strings.HasPrefix(text, sent[:strings.Index(sent, `"feed"`)]) || strings.Contains(text, node) || !strings.Contains(text, `"db01"`) {
			t.Errorf("got %s", text)
		}
	}
	answer, err := reader.Ask(t.Context(), coordinate.AskFindings)
	if err != nil || strings.Contains(string(answer), node) || !strings.Contains(string(answer), title) || !strings.Contains(string(answer), `"node":"db01"`) {
		t.Errorf("got %s, %v", answer, err)
	}
}
