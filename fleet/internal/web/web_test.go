package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/web"
)

func get(t *testing.T, s web.Status, path string) (int, string) {
	t.Helper()
	commands := web.NewCommands()
	commands.Observe("stored", 3*time.Millisecond)
	server := httptest.NewServer(web.Handler(func() web.Status { return s }, commands))
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
	if code, body := get(t, web.Status{}, "/healthz"); code != http.StatusOK || body != "ok\n" {
		t.Error(code, body)
	}
	if code, body := get(t, web.Status{Err: errors.New("the storage is full")}, "/healthz"); code != http.StatusServiceUnavailable || body != "the storage is full\n" {
		t.Error(code, body)
	}
}

func TestMetrics(t *testing.T) {
	s := web.Status{
		Leading: true, Settled: true, Units: map[string]int{"folder": 3}, Findings: map[string]int{"high": 2}, Waiting: 1500 * time.Millisecond,
		Stale: 1, Knowledge: 7, Terms: 12, Stored: 100, Limit: 1000,
	}
	_, body := get(t, s, "/metrics")
	for _, line := range []string{
		`pcatd_nodes{feed="folder"} 3`, `pcatd_findings{severity="high"} 2`, `pcatd_settled 1`, `pcatd_waiting_seconds 1.5`, `pcatd_stale_nodes 1`,
		`pcatd_knowledge_version 7`, `pcatd_secrets 12`, `pcatd_stored_bytes_limit 1000`, "go_goroutines ",
		`pcatd_terminus_command_seconds_bucket{outcome="stored",le="0.005"} 1`, `pcatd_terminus_command_seconds_count{outcome="stored"} 1`,
	} {
		if !strings.Contains(body, "\n"+line) {
			t.Errorf("no line %q", line)
		}
	}
	if _, body := get(t, web.Status{Settled: true}, "/metrics"); !strings.Contains(body, "\npcatd_leading 0") || strings.Contains(body, "pcatd_settled") {
		t.Error("a process that does not lead reports the numbers of the fleet")
	}
}
