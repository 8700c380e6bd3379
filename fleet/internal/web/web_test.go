package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

func get(t *testing.T, p web.Process, path string) (int, string) {
	t.Helper()
	server := httptest.NewServer(web.Handler(p))
	defer server.Close()
	r, err := http.Get(server.URL + path) //nolint:noctx // ends with the server
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestHealth(t *testing.T) {
	m := health.New(nil)
	m.Feed("folder:f", time.Minute).Succeeded()
	if code, body := get(t, web.Process{Health: m}, "/healthz"); code != http.StatusOK || body != "ok\n" {
		t.Error(code, body)
	}
	m.Add(health.Check("storage", func() error { return errors.New("it is full") }))
	m.Feed("puppetdb", time.Minute).Failed("PuppetDB does not answer")
	if code, body := get(t, web.Process{Health: m}, "/healthz"); code != http.StatusServiceUnavailable || body != "degraded\nstorage: it is full\nfeed puppetdb: PuppetDB does not answer\n" {
		t.Error(code, body)
	}
}

func TestMetrics(t *testing.T) {
	s := web.Status{
		Leading: true, Settled: true, Units: map[string]int{"folder": 3}, Findings: map[web.Group]int{{Severity: "high"}: 2, {Severity: "low", Owner: "@dba"}: 1, {Severity: "low", Owner: "@db\xe4"}: 4}, Waiting: 1500 * time.Millisecond,
		Stale: 1, Knowledge: 7, Terms: 12, Stored: 100, Limit: 1000,
	}
	commands := web.NewCommands()
	commands.Observe("stored", 3*time.Millisecond)
	m := health.New(func() time.Time { return time.Unix(1700000000, 0) })
	f := m.Feed("puppetdb", time.Minute)
	f.Succeeded()
	f.Refused()
	p := web.Process{
		Health: m, Commands: commands, Status: func() web.Status { return s },
		Refuses: func(why store.Refusal) bool { return why == store.NoDisk },
		Worker:  func() work.Progress { return work.Progress{Done: 5, Foreign: 1} },
	}
	_, body := get(t, p, "/metrics")
	for _, line := range []string{
		`pcatd_nodes{feed="folder"} 3`, `pcatd_findings{owner="",severity="high"} 2`, `pcatd_findings{owner="@dba",severity="low"} 1`, `pcatd_findings{owner="@dba",severity="high"} 0`, "pcatd_findings{owner=\"@db\ufffd\",severity=\"low\"} 4", `pcatd_settled 1`, `pcatd_waiting_seconds 1.5`, `pcatd_stale_nodes 1`,
		`pcatd_knowledge_version 7`, `pcatd_secrets 12`, `pcatd_stored_bytes_limit 1000`, "go_goroutines ",
		`pcatd_terminus_command_seconds_bucket{outcome="stored",le="0.005"} 1`, `pcatd_terminus_command_seconds_count{outcome="stored"} 1`,
		`pcatd_feed_last_success_timestamp_seconds{feed="puppetdb"} 1.7e+09`, `pcatd_feed_errors_total{feed="puppetdb"} 1`,
		`pcatd_catalogs_total{feed="puppetdb",outcome="refused"} 1`, `pcatd_catalogs_total{feed="puppetdb",outcome="stored"} 0`,
		`pcatd_refused{reason="disk"} 1`, `pcatd_refused{reason="limit"} 0`, `pcatd_worker_tasks_total{outcome="done"} 5`, `pcatd_problems 1`,
		`pcatd_clock_jumps_total 0`,
	} {
		if !strings.Contains(body, "\n"+line) {
			t.Errorf("no line %q", line)
		}
	}
	if _, body := get(t, web.Process{Health: m, Status: func() web.Status { return web.Status{Settled: true} }}, "/metrics"); !strings.Contains(body, "\npcatd_leading 0") || strings.Contains(body, "pcatd_settled") {
		t.Error("a process that does not lead reports the numbers of the fleet")
	}
}
