package overview_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/overview"
)

var now = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// fleet is a fleet in memory.
type fleet struct {
	records  []history.Record
	days     history.Days
	status   coordinate.Summary
	accepted coordinate.Accepted
	removed  string
	err      error
	asked    atomic.Int32

	stored [][]byte // the records as a storage has them, after store
}

// store encodes the records before the fleet is measured, because a storage has them encoded. They no longer change.
func (f *fleet) store() *fleet {
	for i := range f.records {
		f.stored = append(f.stored, encoded(&f.records[i]))
	}
	return f
}

func encoded(r *history.Record) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return text
}

func (f *fleet) EachFindings(_ context.Context, visit func(decode func(any) bool) error) error {
	for i := range f.records {
		text := []byte(nil)
		if f.stored != nil {
			text = f.stored[i]
		} else {
			text = encoded(&f.records[i])
		}
		if err := visit(func(v any) bool { return json.Unmarshal(text, v) == nil }); err != nil {
			return err
		}
	}
	return visit(func(any) bool { return false }) // a damaged value
}

func (f *fleet) Units(context.Context) (map[string]bool, error) {
	units := map[string]bool{}
	for i := range f.records {
		if name := f.records[i].Feed + "/" + f.records[i].Node; name != f.removed {
			units[name] = true
		}
	}
	return units, nil
}

func (f *fleet) Days(_ context.Context, v any) error {
	*v.(*history.Days) = f.days
	return nil
}

func (f *fleet) Ask(_ context.Context, subject string, _ ...string) ([]byte, error) {
	f.asked.Add(1)
	if f.err != nil {
		return nil, f.err
	}
	if subject == coordinate.AskAccepted {
		return json.Marshal(&f.accepted)
	}
	return json.Marshal(&f.status)
}

// finding returns a finding that was first seen some days ago.
func finding(severity, rule, title, owner, tag string, line, days int) history.Finding {
	text, err := json.Marshal(map[string]any{
		"file": "x", "pointer": "/resources/1/parameters/content", "rule": rule, "class": "leak", "severity": severity, "confidence": "high",
		"type": "File", "title": title, "parameter": "content", "manifest": "site/app.pp", "line": line, "fingerprint": tag + title, "repair": "r" + title, "owner": owner, "tag": tag,
		"masked": "password=‹8-15 chars, mixed, #" + tag + "›", "message": "Text assigns a secret to a name such as password; it is Sensitive in Class[App]/password",
		"source": map[string]any{"declared": true, "ref": "Class[App]", "path": "/parameters/password", "manifest": "site/params.pp", "line": 4},
	})
	if err != nil {
		panic(err)
	}
	return history.Finding{
		Fingerprint: tag + title, Severity: severity, First: now.Add(-time.Duration(days) * 24 * time.Hour), Last: now.Add(-time.Minute), Count: 1, Finding: text,
	}
}

// sample returns a fleet of a few nodes.
func sample() *fleet {
	accepted := finding("high", "secret-in-content", "/etc/old", "@dba", "bbbbbb", 9, 100)
	accepted.Accepted, accepted.Reason = now.Add(-time.Hour), "replaced soon"
	gone := finding("critical", "private-key", "/etc/gone", "", "cccccc", 1, 3)
	gone.Gone = now
	bare := history.Finding{Fingerprint: "bare", Severity: "low", First: now, Last: now, Count: 1, Finding: []byte(`{"rule":"secret-in-content","severity":"low"}`)}
	f := &fleet{
		records: []history.Record{
			{Feed: "terminus", Node: "web01", Seen: now, Findings: []history.Finding{finding("high", "secret-in-content", "/etc/a", "@ops @dba", "aaaaaa", 3, 40), accepted, gone}},
			{Feed: "terminus", Node: "web02", Seen: now, Findings: []history.Finding{finding("high", "secret-in-content", "/etc/a", "@ops @dba", "aaaaaa", 3, 2), finding("medium", "weak-secret", "/etc/b", "", "aaaaaa", 5, 1)}},
			{Feed: "folder:f", Node: "db01", Seen: now, Findings: []history.Finding{finding("critical", "secret-in-content", "/etc/c", "", "dddddd", 7, 0), bare}},
			{Feed: "terminus", Node: "clean01", Seen: now.Add(-24 * time.Hour)},
			{Feed: "terminus", Node: "removed01", Seen: now, Findings: []history.Finding{gone}},
			{Feed: "terminus", Node: "k9FzQ2mTx8Lw0vR4", Hidden: true, Seen: now},
		},
		status:  coordinate.Summary{Settled: true, Problems: []health.Problem{{Part: "feed puppetdb", Reason: "it does not answer"}}},
		removed: "terminus/removed01",
		accepted: coordinate.Accepted{Findings: 1, States: []decisions.State{
			{ID: "k3f9x2aq", Use: decisions.Active, Findings: 1, Condition: decisions.Condition{Title: "/etc/old"}, Reason: "replaced soon", By: "ann@host", At: now, Until: "2030-12-31"},
			{From: ".pcat-audit.yaml:3", Use: decisions.Unused, Condition: decisions.Condition{Rule: "weak-secret"}, Reason: "a test"},
		}},
	}
	for i := range 40 {
		f.days.Record(map[string]int{"high": 40 - i, "medium": 3}, 1, now.Add(-time.Duration(39-i)*24*time.Hour))
	}
	return f
}

func gather(t *testing.T, f *fleet) *overview.Document {
	t.Helper()
	d, err := overview.Gather(t.Context(), &overview.Options{Fleet: f, SourceURL: "https://git.example.com/{path}#L{line}", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGather(t *testing.T) {
	d := gather(t, sample())
	var repairs, findings, nodes []string
	for _, r := range d.Repairs {
		repairs = append(repairs, fmt.Sprint(r.Severity, " ", r.Location, " ", r.Owner, " ", r.Nodes, " ", r.Findings, " ", r.Since.Format(time.DateOnly), " ", r.Link))
	}
	for _, r := range d.Findings {
		findings = append(findings, r.Node+" "+r.Location+" "+r.Reason)
	}
	for _, n := range d.Nodes {
		nodes = append(nodes, fmt.Sprint(n.Feed, "/", n.Name, " ", n.Findings))
	}
	for _, c := range []struct{ what, got, want string }{
		{"repairs", strings.Join(repairs, ","), "critical File[/etc/c]/content  1 1 2026-11-29 https://git.example.com/site/app.pp#L7," +
			"high File[/etc/a]/content @ops @dba 2 2 2026-10-20 https://git.example.com/site/app.pp#L3,medium File[/etc/b]/content  1 1 2026-11-28 https://git.example.com/site/app.pp#L5"},
		{"findings", strings.Join(findings, ","), "db01 File[/etc/c]/content ,web01 File[/etc/a]/content ,web01 File[/etc/old]/content replaced soon,web02 File[/etc/a]/content ,web02 File[/etc/b]/content ,db01  "},
		{"nodes", strings.Join(nodes, ","), "terminus/(hidden 1) 0,terminus/clean01 0,folder:f/db01 2,terminus/web01 1,terminus/web02 2"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.what, c.got, c.want)
		}
	}
	if last := d.Days[len(d.Days)-1]; last.Day != "2026-11-29" || last.Findings["critical"] != 1 || last.Findings["high"] != 2 || last.Accepted != 1 {
		t.Errorf("the numbers of today are %+v", last)
	}
	if !d.Settled || len(d.Days) != 40 || len(d.Decisions) != 2 || len(d.Problems) != 1 {
		t.Errorf("got %+v", d)
	}
}

// Nodes with hidden names stay apart, with the same numbers in any order of the records.
func TestHiddenNodes(t *testing.T) {
	f := &fleet{records: []history.Record{
		{Feed: "terminus", Node: "z9FzQ2mTx8Lw0vR4", Hidden: true, Seen: now, Findings: []history.Finding{finding("high", "weak-secret", "/etc/z", "", "", 9, 0)}},
		{Feed: "terminus", Node: "web01", Seen: now},
		{Feed: "terminus", Node: "a1GzQ2mTx8Lw0vR4", Hidden: true, Seen: now, Findings: []history.Finding{finding("info", "weak-secret", "/etc/a", "", "", 9, 0), finding("info", "weak-secret", "/etc/b", "", "", 9, 0)}},
	}}
	for range 2 {
		d := gather(t, f)
		var rows, nodes []string
		for _, r := range d.Findings {
			rows = append(rows, r.Location+" "+r.Node)
		}
		for _, n := range d.Nodes {
			nodes = append(nodes, fmt.Sprint(n.Name, " ", n.Findings))
		}
		if got, want := strings.Join(rows, ","), "File[/etc/z]/content (hidden 2),File[/etc/a]/content (hidden 1),File[/etc/b]/content (hidden 1)"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := strings.Join(nodes, ","), "(hidden 1) 2,(hidden 2) 1,web01 0"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		slices.Reverse(f.records)
	}
}

// closed returns a schema that refuses members that it does not have.
func closed(t *testing.T, id string, text []byte) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var shut func(v any)
	shut = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, object := v["properties"].(map[string]any); object {
				v["additionalProperties"] = false
			}
			for key, e := range v {
				if m, ok := e.(map[string]any); ok && key == "properties" {
					for name, p := range m {
						if d, _ := p.(map[string]any)["description"].(string); d == "" && id == "" {
							t.Errorf("the schema does not describe %s", name)
						}
						shut(p)
					}
				} else {
					shut(e)
				}
			}
		case []any:
			for _, e := range v {
				shut(e)
			}
		}
	}
	shut(v)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json" + id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The document has the members of its schema, and its findings those of the schema of pcat audit.
func TestSchema(t *testing.T) {
	audit, err := os.ReadFile("../../../cmd/pcat/internal/schema/schemas/audit.json")
	if err != nil {
		t.Fatal(err)
	}
	document, finding := closed(t, "", overview.Schema), closed(t, "#/$defs/finding", audit)
	for name, f := range map[string]*fleet{"sample": sample(), "empty": {}} {
		body := get(t, server(t, f), "/findings.json").body
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := document.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, f := range v.(map[string]any)["findings"].([]any) {
			one := f.(map[string]any)
			if one["repair"] == nil { // its texts are hidden
				continue
			}
			if err := finding.Validate(one["finding"]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if body := get(t, server(t, &fleet{}), "/findings.schema.json").body; body != string(overview.Schema) {
		t.Error("the schema is another one")
	}
}

func server(t *testing.T, f *fleet) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(overview.NewHandler(overview.Options{Fleet: f, SourceURL: "https://git.example.com/{path}#L{line}", Now: func() time.Time { return now }, Fresh: time.Hour}, slog.New(slog.DiscardHandler)))
	t.Cleanup(s.Close)
	return s
}

// answer is an answer of a server.
type answer struct {
	status int
	header http.Header
	body   string
}

func get(t *testing.T, s *httptest.Server, path string) answer {
	t.Helper()
	r, err := http.Get(s.URL + path) //nolint:noctx // ends with the server
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{r.StatusCode, r.Header, string(body)}
}

func TestHandler(t *testing.T) {
	f := sample()
	s := server(t, f)
	for _, path := range []string{"/", "/findings.json", "/nothing"} {
		a := get(t, s, path)
		policy := a.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || !strings.HasSuffix(policy, "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'") ||
			a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, a.header)
		}
		if want := map[bool]int{true: http.StatusNotFound, false: http.StatusOK}[path == "/nothing"]; a.status != want || a.body == "" {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if n := f.asked.Load(); n != 2 {
		t.Errorf("requests for one document ask %d times", n)
	}
	for method, path := range map[string]string{http.MethodPost: "/", http.MethodPut: "/findings.json", http.MethodDelete: "/"} {
		request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _ = r.Body.Close(); r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %s", method, path, r.Status)
		}
	}
	if a := get(t, server(t, &fleet{err: errors.New("no coordinator answers at nats://u:hunter2@h")}), "/"); a.status != http.StatusServiceUnavailable || strings.Contains(a.body, "hunter2") {
		t.Errorf("%d, %s", a.status, a.body)
	}
}

// Without its script, the page has the result, the first repairs and the decisions.
func TestPageWithoutScript(t *testing.T) {
	body := get(t, server(t, sample()), "/").body
	static, _, _ := strings.Cut(body, `<script type="application/json"`)
	for _, want := range []string{
		"<h1>4 repairs needed on 3 nodes</h1>", "5 findings: 1 critical, 2 high, 1 medium, 1 low; 1 accepted. 5 nodes, all audited.", `<header class="top critical">`,
		"<li>feed puppetdb: it does not answer</li>", "<code>site/app.pp:7</code>: Text assigns", "<strong>replaced soon</strong>",
		"1 finding · title /etc/old · by ann@host · since 2026-11-29 · until 2030-12-31 · k3f9x2aq", `<span class="use unused">unused</span> <strong>a test</strong>`,
	} {
		if !strings.Contains(static, want) {
			t.Errorf("the page lacks %s\n%s", want, static)
		}
	}
	for _, asks := range []string{"http:", "url(", "@import", "<link", "<img", "<iframe", "fetch(", "XMLHttpRequest", "innerHTML", "eval("} {
		if strings.Contains(body, asks) {
			t.Errorf("the page has %s", asks)
		}
	}
	clean := &fleet{records: []history.Record{{Feed: "f", Node: "n", Seen: now}}, status: coordinate.Summary{Settled: true}}
	if body := get(t, server(t, clean), "/").body; !strings.Contains(body, "<h1>No findings</h1>") || !strings.Contains(body, "was found on 1 node.") || !strings.Contains(body, `"top clean"`) {
		t.Error("a fleet without findings is not clean")
	}
	clean.status.Settled = false
	if body := get(t, server(t, clean), "/").body; strings.Contains(body, "was found on") || strings.Contains(body, `"top clean"`) {
		t.Error("a fleet whose audit goes on is clean")
	}
}

// large returns a fleet with n findings: the same ten on each node or, if they are distinct, each at a location of
// its own.
func large(n int, distinct bool) *fleet {
	ids := []string{"secret-in-content", "plain-secret-parameter", "secret-in-command", "private-key", "url-credentials", "weak-secret", "copied-secret", "password-hash", "default-password", "show-diff-enabled"}
	severities := []string{"high", "critical", "medium", "low", "info"}
	f := &fleet{status: coordinate.Summary{Settled: true}}
	for i := range n / 10 {
		r := history.Record{Feed: "compiler:production", Node: fmt.Sprintf("node%04d.example.com", i), Seen: now}
		for k := range 10 {
			which := k
			if distinct {
				which = i*10 + k
			}
			one := finding(severities[k%5], ids[k], fmt.Sprintf("/etc/app/%d.conf", which), fmt.Sprintf("@team%d", which%30), fmt.Sprintf("%06x", which), which+1, (i+k)%120)
			if k == 9 {
				one.Accepted, one.Reason = now, "accepted in a test"
			}
			r.Findings = append(r.Findings, one)
		}
		slices.SortFunc(r.Findings, func(a, b history.Finding) int { return cmp.Compare(a.Fingerprint, b.Fingerprint) })
		f.records = append(f.records, r)
	}
	for i := range 90 {
		f.days.Record(map[string]int{"critical": 20, "high": 300 - i, "medium": 200, "low": 20 + i}, 10, now.Add(-time.Duration(89-i)*24*time.Hour))
	}
	return f
}
