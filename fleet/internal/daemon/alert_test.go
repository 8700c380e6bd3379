package daemon

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/alert"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// TestAlertsOfFleet follows a leak on two nodes to the alert of its owner, which ends when both are
// repaired. An accepted leak is none.
func TestAlertsOfFleet(t *testing.T) {
	const leaked = "k9FzQ2mTx8Lw0vR4"
	type posted struct {
		Labels, Annotations map[string]string
		StartsAt, EndsAt    time.Time
	}
	var mu sync.Mutex
	newest := map[string]posted{} // by repair
	am := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var list []posted
		if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, one := range list {
			newest[one.Labels["repair"]] = one
		}
	}))
	defer am.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, auditconfig.Name)
	if err := os.WriteFile(file, []byte("owners: {/site/: '@apps'}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Connection{State: filepath.Join(dir, "state")}
	end := begin(t, Options{
		Connection: c, Listen: "127.0.0.1:0", Workers: 1, Decisions: decisions.Files{Config: file},
		Alerts: alert.Options{Servers: []string{am.URL}, Severity: rule.High, SourceURL: "https://git.example.com/{path}#L{line}"},
	})
	s, err := c.Await(t.Context(), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client := &Client{Store: s, Timeout: time.Minute}
	put := func(node, content string) {
		t.Helper()
		text := `{"name":"` + node + `","resources":[{"type":"File","title":"/etc/app/` + node + `.ini","file":"/code/environments/production/site/app.pp","line":3,` +
			`"parameters":{"content":"` + content + `"}}],"edges":[]}`
		if err := s.Put(t.Context(), feed.Catalog{Feed: "ingest", Node: node, Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	await := func(what string, is func(a posted) bool) posted {
		t.Helper()
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			mu.Lock()
			for _, a := range newest {
				if is(a) {
					mu.Unlock()
					return a
				}
			}
			all := newest
			if time.Since(start) > 30*time.Second {
				t.Fatalf("%s: %+v", what, all)
			}
			mu.Unlock()
		}
	}
	active := func(nodes string) func(posted) bool {
		return func(a posted) bool { return a.EndsAt.After(time.Now()) && a.Annotations["nodes"] == nodes }
	}
	ended := func(a posted) bool { return !a.EndsAt.After(time.Now()) }
	put("web01", "password = "+leaked)
	put("web02", "password = "+leaked)
	a := await("an alert", active("2"))
	if a.Labels["owner"] != "@apps" || a.Labels["manifest"] != "site/app.pp" || a.Annotations["link"] != "https://git.example.com/site/app.pp#L3" || len(newest) != 1 {
		t.Errorf("got %+v", newest)
	}
	put("web01", "port = 1")
	await("one node", active("1"))
	put("web02", "port = 1")
	await("the end", ended)

	put("web01", "password = "+leaked)
	await("an alert again", active("1"))
	if _, err := client.Accept(t.Context(), &decisions.Acceptance{By: "x", Entry: auditconfig.Entry{File: "site/app.pp", Reason: "a sample"}}); err != nil {
		t.Fatal(err)
	}
	await("acceptance", ended)
	end()
	for _, one := range newest {
		if text, err := json.Marshal(one); err != nil || strings.Contains(string(text), leaked) {
			t.Errorf("%s, %v", text, err)
		}
	}
}
