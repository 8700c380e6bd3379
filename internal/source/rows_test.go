package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRows has more events than a page, of the last run of a node, or from a time on.
func TestRows(t *testing.T) {
	const rows = pageRows + 1
	requests := 0
	want := `["and",["=","certname","web01"],["=","latest_report?",true]]`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.URL.Path != "/pdb/query/v4/events" || strings.ReplaceAll(r.FormValue("query"), `\u003e`, ">") != want {
			t.Errorf("%s: query %s", r.URL.Path, r.FormValue("query"))
		}
		if order := r.FormValue("order_by"); !strings.Contains(order, `{"field":"timestamp"},{"field":"report"},{"field":"resource_type"}`) {
			t.Errorf("rows of one time are in any order: %s", order)
		}
		first, _ := strconv.Atoi(r.FormValue("offset"))
		var page []string
		for i := first; i < min(first+pageRows, rows); i++ {
			page = append(page, fmt.Sprintf(`{"line": %d, "message":"a < b"}`, i))
		}
		_, _ = fmt.Fprintf(w, "[%s]", strings.Join(page, ", "))
	}))
	defer server.Close()
	client := NewClient(&Settings{PuppetDB: []string{server.URL}, ConnectTimeout: time.Second, ReadTimeout: time.Second}, nil)
	data, err := client.Read(t.Context(), Address{System: PuppetDB, Node: "web01", What: events}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), `"message":"a < b"`); n != rows || requests != 2 {
		t.Errorf("%d rows in %d requests", n, requests)
	}
	want = `["and",["=","certname","web01"],[">=","timestamp","2026-11-28"]]`
	if _, err := client.Read(t.Context(), Address{System: PuppetDB, Node: "web01", What: events, Since: "2026-11-28"}, 0); err != nil {
		t.Error(err)
	}
	if _, err := client.Read(t.Context(), Address{System: PuppetDB, Node: "web01", What: events, Since: "2026-11-28"}, 100); err == nil {
		t.Error("no error for an answer above the limit")
	}
}

// TestNodesOfRuns selects the nodes that have the events: a run that changes nothing has none, and is no failure.
func TestNodesOfRuns(t *testing.T) {
	const latest = `["extract",["certname"],["and",["null?","report_timestamp",false],["in","certname",["extract","certname",["select_events",["=","latest_report?",true]]]]]]`
	// A query in PQL chooses nodes of any state.
	const inAnyState = `["extract",["certname"],["and",["and",["null?","report_timestamp",false],["in","certname",["extract","certname",["select_events",["=","latest_report?",true]]]]],["=","node_state","any"]]]`
	for _, test := range []struct {
		address, nodes, query string
		names                 []string
	}{
		{"puppetdb:?what=events", latest, "", []string{"web01", "web02"}},
		{"puppetdb:?what=events&query=nodes[certname]{}", inAnyState, "nodes[certname]{}", []string{"web02"}},
		{"puppetdb:?what=reports&since=2026-11-28", strings.NewReplacer("select_events", "select_reports", `"=","latest_report?",true`, `">=","producer_timestamp","2026-11-28"`).Replace(latest), "", []string{"web01", "web02"}},
		{"puppetdb:?what=facts", `["extract",["certname"],["null?","facts_timestamp",false]]`, "", []string{"web01", "web02"}},
		{"puppetdb:?what=facts&query=nodes[certname]{}", "", "nodes[certname]{}", []string{"web02", "web03"}},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rows, want := `[{"certname":"web02"},{"certname":"web01"}]`, test.nodes
			if r.URL.Path == "/pdb/query/v4" {
				rows, want = `[{"certname":"web03"},{"certname":"web02"}]`, test.query
			}
			if query := strings.ReplaceAll(r.FormValue("query"), `\u003e`, ">"); query != want {
				t.Errorf("%s: query %s, want %s", test.address, query, want)
			}
			_, _ = w.Write([]byte(rows))
		}))
		client := NewClient(&Settings{PuppetDB: []string{server.URL}, ConnectTimeout: time.Second, ReadTimeout: time.Second}, nil)
		a, err := ParseAddress(test.address)
		if err != nil {
			t.Fatal(err)
		}
		all, err := client.List(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range all {
			names = append(names, one.Node)
		}
		if !slices.Equal(names, test.names) {
			t.Errorf("%s: %q", test.address, names)
		}
		server.Close()
	}
}
