package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestStored has pages of 3 rows, times that several catalogs share, and a catalog that is
// replaced between two requests.
func TestStored(t *testing.T) {
	at := func(second int) time.Time { return time.Date(2026, 1, 31, 12, 0, second, 123e6, time.UTC) }
	var rows []CatalogVersion
	for i := range 11 {
		rows = append(rows, CatalogVersion{fmt.Sprintf("web%02d", i), at(i), fmt.Sprint("h", i)})
	}
	for i := 3; i < 8; i++ { // more than a page
		rows[i].Produced = at(3)
	}
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		var since time.Time
		query := strings.ReplaceAll(r.FormValue("query"), `\u003e`, ">")
		if !strings.Contains(query, `["select_nodes",["=","node_state","active"]]`) {
			t.Errorf("query of all nodes: %s", query)
		}
		if _, text, found := strings.Cut(query, `[">=","producer_timestamp","`); found {
			text, _, _ = strings.Cut(text, `"`)
			var err error
			if since, err = time.Parse(time.RFC3339, text); err != nil {
				t.Error(err)
			}
		}
		limit, err := strconv.Atoi(r.FormValue("limit"))
		if err != nil || r.URL.Path != "/pdb/query/v4/catalogs" {
			t.Error(r.URL)
		}
		found := slices.DeleteFunc(slices.Clone(rows), func(s CatalogVersion) bool { return s.Produced.Before(since) })
		slices.SortFunc(found, func(a, b CatalogVersion) int {
			return cmp.Or(a.Produced.Compare(b.Produced), strings.Compare(a.Certname, b.Certname))
		})
		_ = json.NewEncoder(w).Encode(found[:min(limit, len(found))])
		if requests == 1 {
			rows[1].Produced, rows[1].Hash = at(40), "new"
		}
	}))
	defer server.Close()
	client := NewClient(&Settings{PuppetDB: []string{server.URL}, ConnectTimeout: time.Second, ReadTimeout: time.Second}, nil)
	all, err := client.versionPages(t.Context(), Address{System: PuppetDB}, time.Time{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, row := range all {
		names[row.Certname] = true
	}
	if len(names) != 11 || len(all) != 12 || all[11] != rows[1] {
		t.Errorf("%d nodes, %v", len(names), all)
	}
	all, err = client.CatalogVersions(t.Context(), Address{System: PuppetDB}, at(9))
	if err != nil || len(all) != 3 || all[0] != rows[9] {
		t.Errorf("since: %v %v", all, err)
	}
}
