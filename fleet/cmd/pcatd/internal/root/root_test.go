package root

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// The test binary is pcatd if this variable is set.
const asCommand = "PCATD_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// process is a pcatd in another process.
type process struct {
	*exec.Cmd
	messages bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), asCommand+"=1")
	p.Stderr = &p.messages
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
		for _, text := range fleettest.Secrets() {
			if strings.Contains(p.messages.String(), text) {
				t.Errorf("the log contains %s", text)
			}
		}
		if t.Failed() {
			t.Logf("pcatd %s:\n%s", args[0], p.messages.String())
		}
	})
	return p
}

// run runs a command in this process.
func run(t *testing.T, args ...string) string {
	t.Helper()
	out, messages, status := try(t, args...)
	if status != 0 {
		t.Fatalf("pcatd %s: status %d, %s", strings.Join(args, " "), status, messages)
	}
	return out
}

func try(t *testing.T, args ...string) (out, messages string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var o, m bytes.Buffer
	status = Run(ctx, args, &o, &m)
	return o.String(), m.String(), status
}

// want returns the report of one audit.
func want(t *testing.T, state string, docs map[string][]byte) string {
	t.Helper()
	key, err := seal.Read(store.KeyFile(state))
	if err != nil {
		t.Fatal(err)
	}
	r, err := fleettest.Report(docs, key.Derive("fingerprints"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Write(&b, "json", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// deliver delivers a document that pcatd ingest refuses, to the feed of the same name.
func deliver(t *testing.T, state, node string, data []byte) {
	t.Helper()
	s, err := daemon.Connection{State: state}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Put(t.Context(), feed.Catalog{Feed: "ingest", Node: node, Data: data}); err != nil {
		t.Fatal(err)
	}
}

// A server and a worker that are killed lose nothing: the report is that of one audit.
func TestKilledProcesses(t *testing.T) {
	state, files := filepath.Join(t.TempDir(), "state"), t.TempDir()
	r := rand.New(rand.NewPCG(8, 8))
	docs := map[string][]byte{}
	ingest := func(n int) {
		args := []string{"ingest", "--state", state}
		for range n {
			node := fmt.Sprint("node", r.IntN(20))
			path := filepath.Join(files, node+".json")
			data := fleettest.Whole(r, node)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(args, path) {
				args = append(args, path)
			}
			name := node
			if !bytes.Contains(data, []byte(`"name"`)) {
				t.Fatal("a catalog without a name")
			}
			docs["ingest/"+name] = data
		}
		run(t, args...)
	}
	serve := []string{"serve", "--state", state, "--http", "", "--workers", "1", "--ack-wait", "1s", "--max-store", "1GB"}
	s := start(t, serve...)
	run(t, "status", "--state", state, "--wait")
	w := start(t, "worker", "--state", state, "--workers", "1")
	for range 3 {
		ingest(10)
		time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
		_ = s.Process.Kill()
		_ = s.Wait()
		s = start(t, serve...)
		run(t, "status", "--state", state, "--wait", "--timeout", "90s")
	}
	_ = w.Process.Kill()
	_ = w.Wait()
	ingest(5)
	run(t, "status", "--state", state, "--wait")
	if got, want := run(t, "report", "--state", state, "--format", "json"), want(t, state, docs); got != want {
		t.Errorf("the reports differ:\n%s\nwant\n%s", got, want)
	}
	if err := s.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("an interrupted server ends with %v", err)
	}
	if _, err := os.Stat(filepath.Join(state, "address")); err == nil {
		t.Error("the address of a server that ended remains")
	}
}

func TestMonitoring(t *testing.T) {
	state, folder := filepath.Join(t.TempDir(), "state"), t.TempDir()
	data := []byte(`{"name":"web","environment":"production","resources":[],"edges":[]}`)
	if err := os.WriteFile(filepath.Join(folder, "web.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--state", state, "--http", "127.0.0.1:0", "--folder", "f="+folder, "--settle", "10ms", "--max-store", "1GB")
	run(t, "status", "--state", state, "--wait")
	for start := time.Now(); !strings.Contains(run(t, "status", "--state", state, "--wait"), "nodes of folder:f  1"); {
		if time.Since(start) > time.Minute {
			t.Fatal("the folder is not read")
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = s.Process.Signal(os.Interrupt)
	_ = s.Wait()
	if !regexp.MustCompile(`msg=monitoring address=127.0.0.1:\d+`).MatchString(s.messages.String()) {
		t.Error("the address is not logged")
	}
}

func TestMessages(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(state, 0o755); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve"}, "give the state folder: --state DIR"},
		{[]string{"serve", "--state", state}, "chmod 700"},
		{[]string{"serve", "--state", state + "2", "--max-store", "many"}, `--max-store: "many" is not a size; use `},
		{[]string{"serve", "--state", state + "3", "--max-store", "1KB"}, "at least 16MiB"},
		{[]string{"serve", "--state", state + "4", "--max-store", "1GiB", "--http", "0.0.0.0:0"}, "not a loopback address"},
		{[]string{"serve", "--state", state + "5", "--max-store", "1GB", "--listen", "0.0.0.0:0"}, "not a loopback address"},
		{[]string{"ingest", "x.json"}, "give --state DIR"},
		{[]string{"report", "--format", "x"}, "use one of text, "},
		{[]string{"status", "--nats", "nats://127.0.0.1:1", "--key-file", state + "/none"}, "fleet key: open"},
		{[]string{"status", "--state", state + "4"}, "no pcatd serve runs in"},
		{[]string{"status", "--state", state + "9"}, "there is no fleet in " + state + "9"},
		{[]string{"serve", "--state", state + "6", "--folder", "=x"}, "write NAME=DIR"},
		{[]string{"serve", "--state", state + "6", "--folder", "x=" + state, "--folder", "x=" + state}, "another folder has the name x"},
		{[]string{"serve", "--state", state + "6", "--folder", os.Args[0]}, "is not a folder"},
		{[]string{"serve", "--state", state + "6", "--http", "", "--terminus", ":0"}, "--terminus-client"},
		{[]string{"serve", "--state", state + "7", "--http", "", "--max-store", "1GB", "--listen", taken.Addr().String()}, "address already in use"},
		{[]string{"serve", "--state", state + "7", "--max-store", "1GB", "--http", taken.Addr().String()}, "(--http): "},
		{[]string{"serve", "--state", state + "8", "--alertmanager-http-config", "x"}, "--alertmanager-http-config needs --alertmanager"},
		{[]string{"serve", "--state", state + "8", "--alert-severity", "low"}, "--alert-severity needs --alertmanager"},
		{[]string{"serve", "--state", state + "8", "--source-url", "https://h/{path}", "--webhook", "http://h"}, "--source-url needs --alertmanager or --http-token or --http-client"},
		{[]string{"serve", "--state", state + "8", "--http-client", "x"}, "--http-client needs --http-tls-cert"},
		{[]string{"serve", "--state", state + "8", "--http-token", ""}, "--http-token is empty"},
		{[]string{"serve", "--state", state + "8", "--http-token", "x", "--http-client", ""}, "--http-client is empty"},
		{[]string{"serve", "--state", state + "8", "--http-client", "x", "--http-tls-cert", ""}, "--http-client needs --http-tls-cert"},
		{[]string{"serve", "--state", state + "8", "--alert-severity", "low", "--alertmanager", ""}, "--alert-severity needs --alertmanager"},
		{[]string{"serve", "--state", state + "8", "--http-token", "x", "--http", ""}, "--http-token needs --http"},
		{[]string{"serve", "--state", state + "8", "--http-tls-crl", "x", "--http-tls-cert", "x", "--http", ""}, "--http-tls-cert needs --http"},
		{[]string{"worker", "--state", state + "8", "--http-tls-crl", "x"}, "--http-tls-crl needs --http-tls-cert"},
		{[]string{"worker", "--state", state + "8", "--http-tls-crl", "x", "--http-tls-cert", "x"}, "--http-tls-cert needs --http"},
		{[]string{"worker", "--state", state + "8", "--http-tls-ca", "x"}, "--http-tls-ca needs --http"},
		{[]string{"serve", "--state", state + "8", "--http-token", state + "/none"}, "token of readers: open"},
		{[]string{"serve", "--state", state + "8", "--webhook-http-config", "x", "--alertmanager", "http://h"}, "--webhook-http-config needs --webhook"},
		{[]string{"serve", "--state", state + "8", "--source-url", "h/{path}", "--alertmanager", "http://h"}, "--source-url: not the address of a web page"},
		{[]string{"nothing"}, `unknown command "nothing": see pcatd --help`},
		{[]string{"help", "nothing"}, `unknown command "nothing"`},
		{[]string{"report", "extra"}, `unexpected "extra": see pcatd report --help`},
		{[]string{"report", "--formt", "x"}, "see pcatd report --help"},
		{[]string{"changes", "--since", "tomorrow"}, "use a duration"},
		{[]string{"changes", "--format", "x"}, "use one of text, "},
		{[]string{"findings", "--severity", "bad"}, "use one of info, "},
		{[]string{"findings", "--node", "["}, "is not a pattern"},
		{[]string{"events", "--format", "x"}, "use one of text, json"},
		{[]string{"ingest"}, "name the files"},
		{[]string{"completion"}, "name the shell"},
		{[]string{"man", "nothing"}, `unknown command "nothing"`},
		{[]string{"worker", "--state", state + "4", "--nats", "nats://u:hunter2@127.0.0.1:1"}, "NATS server nats://127.0.0.1:1: "},
	} {
		_, messages, status := try(t, c.args...)
		if status != 2 || !strings.Contains(messages, c.want) || strings.Contains(messages, "hunter2") || strings.Count(messages, "\n") != 1 {
			t.Errorf("pcatd %s: status %d, %s", strings.Join(c.args, " "), status, messages)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Setenv("PCATD_STATE", "/srv/elsewhere")
	err := each(NewCmd(), func(c *cobra.Command) error {
		name := strings.Fields(c.CommandPath())[1:]
		help := run(t, append(name, "--help")...)
		for line := range strings.Lines(help) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 80 {
				t.Errorf("%s: longer than 80 columns: %s", c.CommandPath(), line)
			}
		}
		if strings.Contains(help, "/srv/elsewhere") {
			t.Errorf("%s: help contains the environment", c.CommandPath())
		}
		if c.Runnable() && c.Parent() == c.Root() && c.Name() != "help" && (c.Long == "" || c.Example == "") {
			t.Errorf("%s has no description or no example", c.CommandPath())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if alone := run(t); alone != run(t, "--help") || !strings.Contains(alone, "Run a fleet:") {
		t.Error("pcatd alone prints no help")
	}
	if serve := run(t, "help", "serve"); !strings.Contains(serve, "\n\nFeeds:\n") || !strings.Contains(serve, "\n\nLimits:\n") {
		t.Error("the flags of serve have no groups")
	}
}

func TestAbout(t *testing.T) {
	dir := t.TempDir()
	run(t, "man", "--dir", dir)
	for _, name := range []string{"pcatd", "pcatd-serve", "pcatd-dead-list"} {
		page, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil || !strings.HasPrefix(string(page), ".TH \""+strings.ToUpper(strings.ReplaceAll(name, "-", `\-`))+`" "1"`) {
			t.Errorf("%s: %v, %.60s", name, err, page)
		}
	}
	page := run(t, "man", "--markdown", "changes")
	for _, want := range []string{"- `3`: a catalog cannot be read", "- `PCATD_STATE`: the default of --state"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if !strings.Contains(run(t, "completion", shell), "pcatd") {
			t.Errorf("no completion for %s", shell)
		}
	}
	if !strings.HasPrefix(run(t, "version"), "pcatd ") {
		t.Error("no version")
	}
}

// After a change, the commands show which catalogs changed, and which findings appeared and
// disappeared.
func TestHistory(t *testing.T) {
	const (
		secret = "k9FzQ2mTx8Lw0vR4"
		leak   = `{"name":"web","environment":"production","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"mode":"0644","content":"[db]\npassword = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`
		clean  = `{"name":"web","environment":"production","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"mode":"0600","content":"[db]\n"}}],"edges":[]}`
		broken = `{"name":"web","resources":[{"`
	)
	state, file := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "web.json")
	t.Setenv("PCATD_STATE", state)
	s := start(t, "serve", "--http", "", "--workers", "1", "--max-store", "1GB")
	run(t, "status", "--wait")
	ingest := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, "ingest", file)
		run(t, "status", "--wait")
	}
	exposed := func(out string) bool { return strings.Contains(out, secret) }
	if out, _, status := try(t, "changes"); status != 0 || !strings.HasPrefix(out, "no catalog changed since ") {
		t.Errorf("changes of an empty fleet: status %d, %s", status, out)
	}
	if out := run(t, "findings"); out != "no findings\n" {
		t.Errorf("findings of an empty fleet: %s", out)
	}
	ingest(leak)
	if out, _, status := try(t, "changes"); status != 1 || !strings.Contains(out, "no earlier catalog: ingest/web") || exposed(out) {
		t.Errorf("changes: status %d, %s", status, out)
	}
	list := run(t, "findings", "--severity", "high", "--node", "ingest/w*", "--since", "1h")
	if !strings.Contains(list, "File[/etc/app.ini]/content") || !strings.HasSuffix(list, "\n1 finding on 1 node\n") || exposed(list) {
		t.Errorf("findings: %s", list)
	}
	if out := run(t, "report"); !strings.Contains(out, "ingest/web") || exposed(out) {
		t.Errorf("the report does not show the feed: %s", out)
	}
	before := time.Now()
	ingest(clean)
	if out := run(t, "findings"); out != "no findings\n" {
		t.Errorf("findings after the repair: %s", out)
	}
	gone := run(t, "findings", "--gone", "--format", "csv")
	if lines := strings.Split(strings.TrimSpace(gone), "\n"); len(lines) != 2 || !strings.HasPrefix(lines[1], "critical,ingest,web,secret-in-content,File[/etc/app.ini]/content,1,") || exposed(gone) {
		t.Errorf("gone: %s", gone)
	}
	out, messages, status := try(t, "changes", "--since", before.UTC().Format(time.RFC3339Nano))
	if status != 1 || !strings.Contains(out, "File[/etc/app.ini]") || !strings.Contains(out, "ingest/web") || !strings.Contains(out, "0600") || exposed(out+messages) {
		t.Errorf("changes: status %d, %s%s", status, out, messages)
	}
	if _, messages, _ := try(t, "changes", "--since", "9d"); !strings.Contains(messages, "are kept for 24h0m0s") {
		t.Errorf("no warning about the time: %s", messages)
	}
	var kinds []string
	for line := range strings.Lines(run(t, "events", "--format", "json", "--since", "1h")) {
		var e struct{ Kind, Node, Feed string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Node != "web" || e.Feed != "ingest" || exposed(line) {
			t.Errorf("event %s: %v", line, err)
		}
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []string{"new", "gone"}) {
		t.Errorf("events: %s", kinds)
	}
	if text := run(t, "events"); !strings.Contains(text, "new       critical  ingest/web  secret-in-content  File[/etc/app.ini]/content\n") {
		t.Errorf("events: %s", text)
	}
	deliver(t, state, "web", []byte(broken))
	run(t, "status", "--wait")
	if out, messages, status := try(t, "changes"); status != 3 || !strings.HasPrefix(messages, "pcatd: ingest/web: the catalog cannot be read") || exposed(out+messages) {
		t.Errorf("a broken catalog: status %d, %s%s", status, out, messages)
	}
	_ = s.Process.Signal(os.Interrupt)
	_ = s.Wait()
}

// A follower of events finds a server that was started again, at another address.
func TestFollow(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	serve := []string{"serve", "--state", state, "--http", "", "--workers", "1", "--max-store", "1GB"}
	s := start(t, serve...)
	run(t, "status", "--state", state, "--wait")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		done <- Run(ctx, []string{"events", "--state", state, "--follow"}, w, io.Discard)
		_ = w.Close()
	}()
	time.Sleep(300 * time.Millisecond)
	_ = s.Process.Kill()
	_ = s.Wait()
	s = start(t, serve...)
	run(t, "status", "--state", state, "--wait", "--timeout", "90s")
	deliver(t, state, "web", []byte(`{"name":"web","resources":[{"`))
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || !strings.Contains(line, "failed") || !strings.Contains(line, "ingest/web") {
		t.Errorf("%q, %v", line, err)
	}
	cancel()
	if status := <-done; status != 0 {
		t.Errorf("status %d", status)
	}
	_ = s.Process.Signal(os.Interrupt)
	_ = s.Wait()
}

func TestMoment(t *testing.T) {
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"": "0001-01-01T00:00:00Z", "90m": "2026-11-02T10:30:00Z", "2d": "2026-10-31T12:00:00Z", "2026-11-01T00:00:00+01:00": "2026-10-31T23:00:00Z",
		"-1h": "", "2027-01-01T00:00:00Z": "", "d": "", "yesterday": "",
	} {
		got, err := moment("--since", text, now)
		if (err != nil) != (want == "") || err == nil && got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

// The commands of the pages that use the state of the service give its folder the mode that the service gives it.
func TestStateOfService(t *testing.T) {
	unit, err := os.ReadFile("../../../../../packaging/pcatd.service")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "    systemd-run ") {
			continue
		}
		commands++
		for setting := range strings.Lines(string(unit)) {
			if setting = strings.TrimSpace(setting); strings.HasPrefix(setting, "StateDirectory") && !strings.Contains(line, " -p "+setting+" ") {
				t.Errorf("%s is missing in %s", setting, line)
			}
		}
	}
	if commands == 0 {
		t.Error("the page has no such command")
	}
}
