package daemon

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/config"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/overview"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
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
	if _, err := client.Accept(t.Context(), &decisions.Acceptance{Entry: config.Entry{Title: "/etc/other.ini", Reason: "a sample"}, By: "ann@host"}); err != nil {
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
		// The page divides the message of a copy at these words.
		if f.Node == "web01" && !strings.Contains(string(f.Finding), `; it is Sensitive in Class[App]/password`) {
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
