package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
