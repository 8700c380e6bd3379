package daemon

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/history"
)

// TestReportsAndFacts sends the reports and the facts of a node by commands. They are audited with the
// secrets that its complete catalog declares, and a new report replaces the one before.
func TestReportsAndFacts(t *testing.T) {
	s, client, _ := local(t)
	start := time.Now()
	if err := s.Put(t.Context(), feed.Catalog{Feed: terminus.Complete("production"), Node: "web01", Data: []byte(`{"name":"web01","environment":"production",` +
		`"resources":[{"type":"User","title":"app","parameters":{"password":"blue-heron-walks-2"},"sensitive_parameters":["password"]}],"edges":[]}`)}); err != nil {
		t.Fatal(err)
	}
	commands := httptest.NewServer(terminus.NewHandler(s, terminus.Options{Timeout: 10 * time.Second}))
	defer commands.Close()
	send := func(command, version, body string) {
		t.Helper()
		query := url.Values{"command": {command}, "version": {version}, "certname": {"web01"}, "producer-timestamp": {time.Now().UTC().Format(time.RFC3339Nano)}}
		answer, err := http.Post(commands.URL+"/pdb/cmd/v1?"+query.Encode(), "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, status %d", command, err, answer.StatusCode)
		}
	}
	// found returns the rules and locations of the findings outside of the catalog.
	found := func() (all []string) {
		t.Helper()
		if _, err := client.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := client.Findings(t.Context(), func(r *history.Record) error {
			for _, f := range r.Findings {
				if f.Gone.IsZero() && r.Feed != terminus.Complete("production") {
					all = append(all, r.Feed+"/"+r.Node+" "+string(f.Finding))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	const begins = `{"certname":"web01","report_format":12,"transaction_uuid":"x","resources":[],"logs":[{"source":"Puppet","level":"notice","tags":[],"message":"`
	send("store_report", "8", begins+`the seed is blue-heron-walks-2"}]}`)
	send("replace_facts", "5", `{"certname":"web01","environment":"production","producer_timestamp":"x","values":{"kernel":"Linux","app":{"seed":"blue-heron-walks-2"}}}`)
	got := found()
	if len(got) != 2 || !strings.Contains(got[0], `terminus:facts/web01 `) || !strings.Contains(got[0], `secret-in-fact`) ||
		!strings.Contains(got[1], `terminus:reports/web01 `) || !strings.Contains(got[1], `secret-in-report`) {
		t.Error(got)
	}
	send("store_report", "8", begins+`nothing happened"}]}`)
	if got := found(); len(got) != 1 || !strings.Contains(got[0], "secret-in-fact") {
		t.Error(got)
	}
	list, err := s.Since(t.Context(), start)
	if err != nil || len(list) != 1 || list[0].Feed != terminus.Complete("production") {
		t.Errorf("changes: %+v, %v", list, err)
	}
}
