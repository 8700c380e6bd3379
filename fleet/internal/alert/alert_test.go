package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/alert"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/internal/test/live"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// records are findings in memory.
type records struct {
	sync.Mutex

	list []history.Record
	err  error
}

func (r *records) EachFindings(_ context.Context, visit func(decode func(any) bool) error) error {
	r.Lock()
	defer r.Unlock()
	if r.err != nil {
		return r.err
	}
	for _, one := range r.list {
		if err := visit(func(v any) bool { *v.(*history.Record) = one; return true }); err != nil {
			return err
		}
	}
	return visit(func(any) bool { return false }) // a damaged value
}

func (r *records) set(list ...history.Record) {
	r.Lock()
	defer r.Unlock()
	r.list = list
}

func (r *records) fail(err error) {
	r.Lock()
	defer r.Unlock()
	r.err = err
}

func record(node string, findings ...history.Finding) history.Record {
	return history.Record{Feed: "folder", Node: node, Findings: findings}
}

func finding(repair, owner, severity string, hours int) history.Finding {
	text, err := json.Marshal(map[string]any{
		"rule": "secret-in-content", "repair": repair, "owner": owner, "type": "File", "title": "/etc/app.ini", "parameter": "content",
		"manifest": "site/app.pp", "line": 3, "message": "Text assigns a secret to a name such as password",
	})
	if err != nil {
		panic(err)
	}
	return history.Finding{Severity: severity, First: start.Add(time.Duration(hours) * time.Hour), Finding: text}
}

func TestGather(t *testing.T) {
	gone, accepted, bare := finding("gone", "", "high", 0), finding("accepted", "", "high", 0), finding("bare", "", "high", 0)
	gone.Gone, accepted.Accepted, bare.Finding = start, start, []byte(`{"rule":"secret-in-content"}`)
	hidden := record("k9FzQ2mTx8Lw0vR4", finding("a", "@dba", "medium", 1))
	hidden.Hidden = true
	r := &records{list: []history.Record{
		hidden,
		record("web01", finding("a", "@dba", "high", 3), finding("a", "@dba", "high", 4), finding("b", "", "low", 0), gone, accepted, bare),
		record("web02", finding("a", "@dba", "critical", 2), finding("a", "", "high", 2)),
	}}
	list, err := alert.Gather(t.Context(), r, rule.Medium)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	one := list[1]
	if one.ID != "a" || one.Owner != "@dba" || one.Severity != rule.Critical || one.Nodes != 3 || one.Node != "web01" || !one.Since.Equal(start.Add(time.Hour)) ||
		one.Manifest != "site/app.pp" || one.Line != 3 || one.Location != "File[/etc/app.ini]/content" {
		t.Errorf("got %+v", one)
	}
	if list[0].Owner != "" || list[0].Nodes != 1 {
		t.Errorf("got %+v", list[0])
	}
}

// posted is an alert as it arrives.
type posted struct {
	Labels, Annotations map[string]string
	StartsAt, EndsAt    time.Time
	GeneratorURL        string
}

// server is an Alertmanager that remembers what it received.
type server struct {
	*httptest.Server

	status atomic.Int32
	mu     sync.Mutex
	bodies [][]posted
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{}
	s.status.Store(http.StatusOK)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var list []posted
		if err := json.NewDecoder(r.Body).Decode(&list); err != nil || r.URL.Path != "/prefix/api/v2/alerts" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		if user, password, _ := r.BasicAuth(); user != "pcat" || password != "hunter2" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.status.Load() == http.StatusOK {
			s.bodies = append(s.bodies, list)
		}
		w.WriteHeader(int(s.status.Load()))
	}))
	t.Cleanup(s.Close)
	return s
}

// address returns the address of the server, with a password.
func (s *server) address() string {
	return strings.Replace(s.URL, "http://", "http://pcat:hunter2@", 1) + "/prefix"
}

// last returns the alerts of the newest message, by repair.
func (s *server) last() map[string]posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]posted{}
	if n := len(s.bodies); n > 0 {
		for _, one := range s.bodies[n-1] {
			all[one.Labels["repair"]] = one
		}
	}
	return all
}

// await waits until a condition is true.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("timeout: " + what)
		}
	}
}

// An alert is sent while its findings are open, and once more when they are not; while Alertmanager
// fails, the process is not healthy, and nothing is lost. Neither log nor error has its password.
func TestSender(t *testing.T) {
	am := newServer(t)
	var log strings.Builder
	var leads atomic.Bool
	r := &records{}
	s, err := alert.New(alert.Options{
		Servers: []string{am.address(), "http://pcat:hunter2@127.0.0.1:1"}, Severity: rule.Medium, Interval: 200 * time.Millisecond, Records: r,
		SourceURL: "https://git.example.com/control/blob/main/{path}#L{line}", Leads: leads.Load, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	r.set(record("web01", finding("a", "@dba", "high", 0)), record("web02", finding("a", "@dba", "high", 0), finding("b", "", "low", 0)))
	s.Changed()
	time.Sleep(300 * time.Millisecond)
	if got := am.last(); len(got) > 0 {
		t.Errorf("another process leads, and %v was sent", got)
	}
	leads.Store(true)
	await(t, "an alert", func() bool { return len(am.last()) == 1 })
	a := am.last()["a"]
	want := map[string]string{"alertname": alert.Name, "severity": "high", "rule": "secret-in-content", "repair": "a", "owner": "@dba", "manifest": "site/app.pp"}
	if fmt.Sprint(a.Labels) != fmt.Sprint(want) {
		t.Errorf("the labels are %v, want %v", a.Labels, want)
	}
	want = map[string]string{
		"nodes": "2", "node": "web01", "summary": "Text assigns a secret to a name such as password", "location": "File[/etc/app.ini]/content",
		"source": "site/app.pp:3", "link": "https://git.example.com/control/blob/main/site/app.pp#L3",
	}
	if fmt.Sprint(a.Annotations) != fmt.Sprint(want) || a.GeneratorURL != want["link"] || !a.StartsAt.Equal(start) || !a.EndsAt.After(time.Now()) {
		t.Errorf("got %+v, want %v", a, want)
	}

	am.status.Store(http.StatusServiceUnavailable)
	await(t, "a failure", func() bool { return s.Healthy() != nil })
	r.set()
	s.Changed()
	time.Sleep(100 * time.Millisecond)
	am.status.Store(http.StatusOK)
	await(t, "the end", func() bool { a, ok := am.last()["a"]; return ok && !a.EndsAt.After(time.Now()) })
	await(t, "health", func() bool { return s.Healthy() == nil })
	count := func() int {
		am.mu.Lock()
		defer am.mu.Unlock()
		return len(am.bodies)
	}
	before := count()
	time.Sleep(500 * time.Millisecond)
	if n := count() - before; n > 0 {
		t.Errorf("%d messages about nothing", n)
	}
	cancel()
	<-done
	if text := log.String(); strings.Contains(text, "hunter2") || !strings.Contains(text, "503") {
		t.Errorf("the log is %s", text)
	}
}

// A request that Alertmanager refuses does not prevent the others, and the log has the reason. A
// server that hangs does not delay the others. No alert begins in the future.
func TestSenderRefused(t *testing.T) {
	var log strings.Builder
	var mu sync.Mutex
	got := map[string]posted{}
	refuses := "500"
	am := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var list []posted
		if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, one := range list {
			if one.Labels["repair"] == refuses {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`"invalid label set` + strings.Repeat(".", 1000) + `"`))
				return
			}
		}
		for _, one := range list {
			got[one.Labels["repair"]] = one
		}
	}))
	defer am.Close()
	free := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-free }))
	defer hangs.Close()
	defer close(free)
	r := &records{}
	s, err := alert.New(alert.Options{
		Servers: []string{hangs.URL, am.URL + "/pr3fix"}, Severity: rule.High, Interval: 200 * time.Millisecond, Records: r, Leads: func() bool { return true },
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	var findings []history.Finding
	for i := range 1001 { // three requests, of which the second one is refused
		f := finding(fmt.Sprintf("%03d", i), "", "high", 0)
		f.First = time.Now().Add(time.Hour)
		findings = append(findings, f)
	}
	r.set(record("web01", findings...))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	all := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(got)
	}
	await(t, "the other requests", func() bool { return all() == 501 })
	mu.Lock()
	if a := got["1000"]; a.StartsAt.After(time.Now()) || !a.EndsAt.After(a.StartsAt) {
		t.Errorf("the alert is from %s to %s", a.StartsAt, a.EndsAt)
	}
	refuses = ""
	mu.Unlock()
	cancel() // the server that hangs ends
	<-done
	if text := log.String(); text != "" {
		t.Errorf("the end of the process is a fault: %s", text)
	}
}

// The log has the beginning of the reason that Alertmanager gives, and nothing of the page of a
// proxy, which may quote the address.
func TestSenderReason(t *testing.T) {
	for kind, want := range map[string]bool{"application/json": true, "text/html": false} {
		am := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`"invalid label` + strings.Repeat(".", 300) + `end"`))
		}))
		var log strings.Builder
		r := &records{}
		s, err := alert.New(alert.Options{Servers: []string{am.URL + "/pr3fix"}, Interval: time.Minute, Records: r, Leads: func() bool { return true }, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		r.set(record("web01", finding("a", "", "high", 0)))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		await(t, "a failure", func() bool { return s.Healthy() != nil && strings.Contains(s.Healthy().Error(), "no Alertmanager") })
		cancel()
		<-done
		am.Close()
		if text := log.String(); strings.Contains(text, "invalid label") != want || strings.Contains(text, "end") || strings.Contains(text, "pr3fix") || !strings.Contains(text, "400 Bad Request") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

// While the findings cannot be read, the process is not healthy, and says why.
func TestSenderUnread(t *testing.T) {
	am := newServer(t)
	r := &records{}
	r.fail(errors.New("no storage"))
	s, err := alert.New(alert.Options{Servers: []string{am.address()}, Interval: 50 * time.Millisecond, Records: r, Leads: func() bool { return true }, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	await(t, "a fault", func() bool {
		return s.Healthy() != nil && strings.Contains(s.Healthy().Error(), "findings cannot be read")
	})
	r.fail(nil)
	await(t, "health", func() bool { return s.Healthy() == nil })
	cancel()
	<-done
}

func TestNew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "http.yaml")
	if err := os.WriteFile(file, []byte("basic_auth: {username: x, pasword: hunter2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]alert.Options{
		"no address":   {Servers: []string{"alertmanager:9093"}},
		"a password":   {Servers: []string{"ftp://x:hunter2@h"}},
		"wrong":        {Servers: []string{"http://x:hunter2@h:y"}},
		"a wrong file": {Servers: []string{"http://h"}, ClientFile: file},
		"no file":      {Servers: []string{"http://h"}, ClientFile: file + "x"},
		"no page":      {Servers: []string{"http://h"}, SourceURL: "git.example.com/{path}"},
		"a local page": {Servers: []string{"http://h"}, SourceURL: "file:///{path}"},
		"no path":      {Servers: []string{"http://h"}, SourceURL: "https://git.example.com/"},
	} {
		if _, err := alert.New(o); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := alert.New(alert.Options{Servers: []string{"http://h"}, SourceURL: "https://{environment}.example.com/{path}?line={line}"}); err != nil {
		t.Error(err)
	}
}

// TestAlertmanager sends alerts to a real Alertmanager, which shows, silences and ends them.
func TestAlertmanager(t *testing.T) {
	am := live.StartAlertmanager(t, "route: {receiver: none}\nreceivers: [{name: none}]\n")
	r := &records{}
	s, err := alert.New(alert.Options{
		Servers: []string{am.Address}, Severity: rule.High, Interval: time.Second, Records: r, Leads: func() bool { return true },
		Log: slog.New(slog.DiscardHandler), SourceURL: "https://git.example.com/{path}#L{line}",
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go s.Run(ctx)
	r.set(record("web01", finding("0123456789abcdef", "@example/dba", "high", 0)))
	s.Changed()
	state := func() string {
		list := am.Alerts(t)
		if len(list) != 1 {
			return fmt.Sprint(len(list))
		}
		a := list[0]
		if a.Labels["owner"] != "@example/dba" || a.Labels["repair"] != "0123456789abcdef" || a.GeneratorURL != "https://git.example.com/site/app.pp#L3" {
			t.Errorf("got %+v", a)
		}
		return a.Status.State
	}
	await(t, "an active alert", func() bool { return state() == "active" })
	am.Silence(t, "repair", "0123456789abcdef")
	await(t, "a silence", func() bool { return state() == "suppressed" })
	r.set()
	s.Changed()
	await(t, "the end", func() bool { return len(am.Alerts(t)) == 0 })
}
