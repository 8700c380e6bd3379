package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/alert"
	"github.com/pcatdev/pcat/fleet/internal/history"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// records are findings in memory.
type records struct {
	sync.Mutex

	list []history.Record
}

func (r *records) EachFindings(_ context.Context, visit func(decode func(any) bool) error) error {
	r.Lock()
	defer r.Unlock()
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
		"source": "https://git.example.com/control/blob/main/site/app.pp#L3", "link": "https://git.example.com/control/blob/main/site/app.pp#L3",
	}
	want["source"] = "site/app.pp:3"
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
	} {
		if _, err := alert.New(o); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAlertmanager sends alerts to a real Alertmanager, which shows, silences and ends them.
func TestAlertmanager(t *testing.T) {
	program, err := exec.LookPath("prometheus-alertmanager")
	if err != nil {
		if program, err = exec.LookPath("alertmanager"); err != nil {
			t.Skip("skipped: Alertmanager is not installed")
		}
	}
	base := alertmanager(t, program)
	r := &records{}
	s, err := alert.New(alert.Options{
		Servers: []string{base}, Severity: rule.High, Interval: time.Second, Records: r, Leads: func() bool { return true },
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
		list := alerts(t, base)
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
	silence := fmt.Sprintf(`{"matchers":[{"name":"repair","value":"0123456789abcdef","isRegex":false}],"startsAt":%q,"endsAt":%q,"createdBy":"x","comment":"planned"}`,
		time.Now().UTC().Format(time.RFC3339), time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	answer, err := http.Post(base+"/api/v2/silences", "application/json", strings.NewReader(silence))
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
	await(t, "a silence", func() bool { return state() == "suppressed" })
	r.set()
	s.Changed()
	await(t, "the end", func() bool { return len(alerts(t, base)) == 0 })
}

type shown struct {
	posted
	Status struct{ State string }
}

func alerts(t *testing.T, base string) (list []shown) {
	t.Helper()
	answer, err := http.Get(base + "/api/v2/alerts")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close(), json.Unmarshal(body, &list)); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return list
}

// alertmanager starts a real Alertmanager, and returns its address.
func alertmanager(t *testing.T, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "alertmanager.yml")
	if err := os.WriteFile(file, []byte("route: {receiver: none}\nreceivers: [{name: none}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd := exec.Command(program, "--config.file="+file, "--storage.path="+dir, "--web.listen-address="+address, "--cluster.listen-address=")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(out.String())
		}
	})
	base := "http://" + address
	await(t, "Alertmanager", func() bool {
		answer, err := http.Get(base + "/-/ready")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return base
}
