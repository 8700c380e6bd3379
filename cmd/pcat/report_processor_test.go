package main

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/internal/test/live"
)

// agentNode is the node of these runs of an agent.
const agentNode = "web01.example.com"

// agentRun is a directory with the files of an agent, and the server of its reports.
type agentRun struct {
	dir     string
	port    string
	reports chan []byte
}

// newAgentRun returns an agent that has a cached catalog, and examples/report-processor.
func newAgentRun(t *testing.T) *agentRun {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs puppet agent")
	}
	if _, err := exec.LookPath("puppet"); err != nil {
		t.Skip("puppet is not installed; apt-get install puppet-agent, or run .ci/run")
	}
	a := &agentRun{dir: t.TempDir(), reports: make(chan []byte, 1)}
	ca := live.NewCA(t, t.TempDir())
	soon := time.Now().Add(time.Hour)
	own := ca.Issue(t, "localhost", soon, "localhost")
	node := ca.Issue(t, agentNode, soon)
	pair, err := tls.LoadX509KeyPair(own.Certificate, own.Key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut || r.URL.Path != "/puppet/v3/report/"+agentNode {
			http.NotFound(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		a.reports <- body
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "[]")
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	t.Cleanup(server.Close)
	_, a.port, err = net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{ca.File: "ssl/certs/ca.pem", node.Certificate: "ssl/certs/" + agentNode + ".pem", node.Key: "ssl/private_keys/" + agentNode + ".pem"} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		a.write(t, to, string(content))
	}
	catalog, err := os.ReadFile("testdata/agent/catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	a.write(t, "var/client_data/catalog/"+agentNode+".json", strings.ReplaceAll(string(catalog), "DIR", a.dir))
	a.write(t, "conf/routes.yaml", "agent:\n  report: {terminus: pcat, cache: yaml}\n")
	return a
}

func (a *agentRun) write(t *testing.T, name, content string) {
	t.Helper()
	file := filepath.Join(a.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the agent with the settings of the terminus. It returns the report that the server has
// got, which is empty for none, and the messages of the agent.
func (a *agentRun) run(t *testing.T, settings map[string]any) (report, log string) {
	t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	a.write(t, "conf/pcat-report.json", string(text))
	library, err := filepath.Abs("../../examples/report-processor/lib")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("puppet", "agent", "--onetime", "--no-daemonize", "--use_cached_catalog", "--logdest", "console", "--color", "false", "--show_diff",
		"--certname", agentNode, "--server", "localhost", "--serverport", a.port, "--certificate_revocation", "false",
		"--confdir", filepath.Join(a.dir, "conf"), "--vardir", filepath.Join(a.dir, "var"), "--ssldir", filepath.Join(a.dir, "ssl"))
	cmd.Env = append(os.Environ(), "RUBYLIB="+library, "HOME="+a.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	select {
	case body := <-a.reports:
		return string(body), string(out)
	default:
		return "", string(out)
	}
}

// The secrets in the reports of these runs. The last one is only declared by the catalog.
var reported = []string{"OldPass77xQz1", "Vr7mqLt2xPweN9", "blue-heron-walks-2"}

func TestReportProcessor(t *testing.T) {
	t.Parallel()
	a := newAgentRun(t)
	pcat, err := exec.LookPath("pcat")
	if err != nil {
		t.Fatal(err)
	}
	a.write(t, "app.conf", "host = db01\npassword = OldPass77xQz1\n")
	sent, log := a.run(t, map[string]any{"pcat": pcat, "timeout": 60})
	for _, secret := range reported {
		if strings.Contains(sent, secret) {
			t.Errorf("the report that left the node has %s: %s", secret, sent)
		}
	}
	var report struct {
		Host   string `json:"host"`
		Status string `json:"status"`
		Logs   []struct{ Message, Source string }
	}
	if err := json.Unmarshal([]byte(sent), &report); err != nil || report.Host != agentNode || report.Status != "failed" {
		t.Fatalf("%v: the report that left the node is %s, and the log is %s", err, sent, log)
	}
	for _, want := range []string{"-password = redacted-", "'/bin/false --user=app --password=redacted-", "the seed is redacted-"} {
		if !strings.Contains(sent, want) {
			t.Errorf("no %q in %s", want, sent)
		}
	}
	local, err := os.ReadFile(filepath.Join(a.dir, "var/state/last_run_report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range reported {
		if !strings.Contains(string(local), secret) {
			t.Errorf("the local report lacks %s", secret)
		}
	}
}

func TestReportProcessorFails(t *testing.T) {
	t.Parallel()
	a := newAgentRun(t)
	a.write(t, "hangs", "#!/bin/sh\nexec sleep 60\n")
	a.write(t, "fails", "#!/bin/sh\necho 'pcat: -: it fails' >&2\nexit 3\n")
	for _, name := range []string{"hangs", "fails"} {
		if err := os.Chmod(filepath.Join(a.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		program, onFailure string
		sent               bool
		log                string
	}{
		{"hangs", "withhold", false, "Could not send report: pcat: the report is withheld: PROGRAM took longer than 0.5 seconds"},
		{"fails", "withhold", false, "Could not send report: pcat: the report is withheld: PROGRAM failed: pcat: -: it fails"},
		{"missing", "send", true, "pcat: the report is sent with its secrets: PROGRAM cannot be run: No such file or directory"},
		{"fails", "open", false, "on_failure must be withhold or send; the report is withheld"},
	} {
		t.Run(c.program+" "+c.onFailure, func(t *testing.T) {
			program := filepath.Join(a.dir, c.program)
			sent, log := a.run(t, map[string]any{"pcat": program, "timeout": 0.5, "on_failure": c.onFailure})
			if (sent != "") != c.sent {
				t.Errorf("the server got %q", sent)
			}
			if want := strings.ReplaceAll(c.log, "PROGRAM", program); !strings.Contains(log, want) {
				t.Errorf("no %q in %s", want, log)
			}
		})
	}
}
