package puppetdb_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/puppetdb"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/internal/source"
)

// database imitates the queries of PuppetDB.
type database struct {
	*httptest.Server
	mu    sync.Mutex
	rows  map[string]source.CatalogVersion
	down  bool
	reads []string // of catalogs
	polls int
}

func newDatabase(t *testing.T) *database {
	d := &database{rows: map[string]source.CatalogVersion{}}
	d.Server = httptest.NewServer(http.HandlerFunc(d.answer))
	t.Cleanup(d.Close)
	return d
}

// answer answers as PuppetDB does.
func (d *database) answer(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	node, one := strings.CutPrefix(r.URL.Path, "/pdb/query/v4/catalogs/")
	row, exists := d.rows[node]
	switch {
	case d.down:
		http.Error(w, "starting", http.StatusInternalServerError)
	case one && !exists:
		http.Error(w, `{"error":"No information is known about catalog"}`, http.StatusNotFound)
	case one && row.Hash == "broken":
		http.Error(w, "internal", http.StatusInternalServerError)
	case one:
		d.reads = append(d.reads, node)
		_, _ = fmt.Fprint(w, document(row))
	case r.URL.Path == "/pdb/query/v4/catalogs":
		d.polls++
		limit, err := strconv.Atoi(r.FormValue("limit"))
		if err != nil {
			http.Error(w, "no limit", http.StatusBadRequest)
			return
		}
		var since time.Time
		if _, text, found := strings.Cut(r.FormValue("query"), `"producer_timestamp","2`); found {
			text, _, _ = strings.Cut("2"+text, `"`)
			if since, err = time.Parse(time.RFC3339, text); err != nil {
				http.Error(w, "no time", http.StatusBadRequest)
				return
			}
		}
		rows := slices.DeleteFunc(slices.Collect(maps.Values(d.rows)), func(s source.CatalogVersion) bool { return s.Produced.Before(since) })
		slices.SortFunc(rows, func(a, b source.CatalogVersion) int { return a.Produced.Compare(b.Produced) })
		_ = json.NewEncoder(w).Encode(rows[:min(limit, len(rows))])
	case r.URL.Path == "/pdb/query/v4/nodes":
		var rows []map[string]string
		for node := range d.rows {
			rows = append(rows, map[string]string{"certname": node})
		}
		if rows == nil {
			rows = []map[string]string{}
		}
		_ = json.NewEncoder(w).Encode(rows)
	default:
		http.NotFound(w, r)
	}
}

func document(row source.CatalogVersion) string {
	return fmt.Sprintf(`{"certname":%q,"hash":%q,"producer_timestamp":%q,"resources":{"href":"","data":[]},"edges":{"href":"","data":[]}}`,
		row.Certname, row.Hash, row.Produced.Format(time.RFC3339Nano))
}

// set stores a catalog.
func (d *database) set(node string, produced time.Time, hash string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows[node] = source.CatalogVersion{Certname: node, Produced: produced, Hash: hash}
}

func (d *database) deactivate(node string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.rows, node)
}

func (d *database) setDown(down bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = down
}

// readsSince returns the catalogs that were read since the last call, after two more polls.
func (d *database) readsSince(t *testing.T) []string {
	t.Helper()
	d.mu.Lock()
	polls := d.polls
	d.mu.Unlock()
	feedtest.Until(t, func() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.polls > polls+2 }, func() string { return "no poll" })
	d.mu.Lock()
	defer d.mu.Unlock()
	reads := d.reads
	d.reads = nil
	slices.Sort(reads)
	return reads
}

// run runs a feed until the test ends.
func run(t *testing.T, d *database, sink feed.Sink, o puppetdb.Options) *fleettest.Log {
	t.Helper()
	var log fleettest.Log
	o.Settings = &source.Settings{PuppetDB: []string{d.URL}, ConnectTimeout: time.Second, ReadTimeout: 5 * time.Second}
	o.Interval = 10 * time.Millisecond
	o.Backoff = feed.Backoff{Min: time.Millisecond, Max: 2 * time.Millisecond}
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- puppetdb.New(sink, o).Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != context.Canceled { //nolint:errorlint // exactly this one
			t.Errorf("Run: %v", err)
		}
	})
	return &log
}

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func TestFeed(t *testing.T) {
	d := newDatabase(t)
	d.set("web01", noon, "a")
	d.set("web02", noon.Add(time.Second), "b")
	sink := feedtest.NewSink("puppetdb", "web02", "gone")
	run(t, d, sink, puppetdb.Options{})
	sink.Await(t, "puppetdb/web01", "puppetdb/web02")
	if c, _ := sink.Get("puppetdb", "web01"); !c.Produced.Equal(noon) || !strings.Contains(string(c.Data), `"hash":"a"`) {
		t.Errorf("the catalog: %v %s", c.Produced, c.Data)
	}
	if reads := d.readsSince(t); !slices.Equal(reads, []string{"web01", "web02"}) {
		t.Errorf("reads: %v", reads)
	}
	// Of the next ones, only a changed one and a new one are read.
	d.set("web01", noon.Add(time.Hour), "a")
	d.set("web02", noon.Add(time.Hour), "b2")
	d.set("web03", noon.Add(-time.Hour), "c") // of a compiler whose clock is behind
	sink.Await(t, "puppetdb/web01", "puppetdb/web02", "puppetdb/web03")
	if reads := d.readsSince(t); !slices.Equal(reads, []string{"web02", "web03"}) {
		t.Errorf("reads: %v", reads)
	}
	if c, _ := sink.Get("puppetdb", "web02"); !strings.Contains(string(c.Data), `"hash":"b2"`) {
		t.Errorf("the catalog: %s", c.Data)
	}
	d.deactivate("web01")
	sink.Await(t, "puppetdb/web02", "puppetdb/web03")
	d.set("web01", noon, "a") // activated again, with its old catalog
	sink.Await(t, "puppetdb/web01", "puppetdb/web02", "puppetdb/web03")
}

// TestLate has a catalog that is stored late, with a time within the overlap, and one before it.
func TestLate(t *testing.T) {
	d := newDatabase(t)
	for _, node := range []string{"web01", "web02", "web03"} {
		d.set(node, noon, "old")
	}
	sink := feedtest.NewSink("puppetdb")
	run(t, d, sink, puppetdb.Options{Complete: 300 * time.Millisecond})
	sink.Await(t, "puppetdb/web01", "puppetdb/web02", "puppetdb/web03")
	has := func(node, hash string) {
		t.Helper()
		feedtest.Until(t, func() bool {
			c, _ := sink.Get("puppetdb", node)
			return strings.Contains(string(c.Data), `"hash":"`+hash+`"`)
		},
			func() string { return node + " is not " + hash })
	}
	d.set("web01", noon.Add(time.Hour), "new")
	has("web01", "new")
	d.set("web02", noon.Add(59*time.Minute), "new") // within the overlap
	has("web02", "new")
	d.set("web03", noon.Add(time.Minute), "new") // only a complete poll sees it
	has("web03", "new")
}

func TestFaults(t *testing.T) {
	d := newDatabase(t)
	d.set("web01", noon, "a")
	d.set("web02", noon, "broken")
	sink := feedtest.NewSink("puppetdb", "web02")
	d.setDown(true)
	log := run(t, d, sink, puppetdb.Options{})
	time.Sleep(100 * time.Millisecond)
	if names := sink.Names(); !slices.Equal(names, []string{"puppetdb/web02"}) {
		t.Errorf("while it is down: %v", names)
	}
	full := fmt.Errorf("disk: %w", feed.ErrFull)
	sink.Break(func(context.Context) error { return full })
	d.setDown(false)
	time.Sleep(50 * time.Millisecond)
	sink.Break(nil)
	sink.Await(t, "puppetdb/web01", "puppetdb/web02") // the broken one stays as it is
	d.set("web02", noon.Add(time.Second), "repaired")
	feedtest.Until(t, func() bool { c, _ := sink.Get("puppetdb", "web02"); return len(c.Data) > 0 }, func() string { return "not repaired" })
	d.deactivate("web01")
	sink.Await(t, "puppetdb/web02")
	d.deactivate("web02") // an empty database: not the end of the fleet
	d.readsSince(t)
	sink.Await(t, "puppetdb/web02")
	if n := strings.Count(log.String(), "node=web02"); n > 2 {
		t.Errorf("%d lines about a catalog that cannot be read", n)
	}
}
