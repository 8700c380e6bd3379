package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/internal/test/live"
)

// storedSecret is the secret in each store of these tests, and fallbackSecret the default of a policy.
const (
	storedSecret   = "s3cret-Of-The-Store"
	fallbackSecret = "f4llback-Of-The-Policy"
)

// failingStore is a store that answers until it fails.
type failingStore struct {
	call      string   // the Deferred in rich JSON, and as an expression
	written   string   //
	arguments []string // of pcat resolve
	env       []string
	fail      func(t *testing.T)
}

// storeFailure is a way in which a store fails. reason is part of the reason in the report.
type storeFailure struct {
	name, reason string
	slow         bool
	start        func(t *testing.T) failingStore
}

// The policies of the tests. TIME is the time of an attempt.
const (
	policyFail    = "rules:\n  - {timeout: TIME, retries: 1, on_failure: fail}\n"
	policySkip    = "rules:\n  - {timeout: TIME, retries: 1, on_failure: skip}\n"
	policyDefault = "rules:\n  - {timeout: TIME, retries: 1, on_failure: default, default: " + fallbackSecret + "}\n"
	policyKeep    = "rules:\n  - {timeout: TIME, retries: 1, on_failure: keep, max_age: 1h, otherwise: skip}\n"
)

// policyResults is what becomes of a run with a policy after the store has failed.
var policyResults = []struct {
	name, policy string
	status       int // of pcat resolve
	agent        int // of agent-resolve
	outcome      string
	content      string // of the file; "" if it is left out
}{
	{"fail", policyFail, 4, 1, "failed", ""},
	{"skip", policySkip, 1, 6, "skipped", ""},
	{"default", policyDefault, 0, 2, "default", fallbackSecret},
	{"keep", policyKeep, 0, 2, "reused", storedSecret},
}

// TestFailingStores resolves a catalog with each failure of each store and each policy: with an imitation of Vault, and
// with SOPS if the command is there. TestFailingVault does the same with Vault itself.
func TestFailingStores(t *testing.T) {
	failingStores(t, append(vaultFailures(imitation), sopsFailures()...))
}

// TestFailingVault is TestFailingStores with a real Vault, for pcat resolve and for a real agent.
func TestFailingVault(t *testing.T) {
	if os.Getenv(live.VaultVariable) == "" {
		t.Skipf("builds and starts Vault: set %s=1 to run it", live.VaultVariable)
	}
	failingStores(t, vaultFailures(realVault))
	for _, f := range vaultFailures(realVault) {
		for i := range policyResults {
			t.Run("agent/"+f.name+"/"+policyResults[i].name, func(t *testing.T) { agentMeets(t, f, i) })
		}
	}
}

// TestFailingStoresAgent applies a catalog by a real agent, see examples/agent-resolve, with each failure and each policy once.
func TestFailingStoresAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the agent five times")
	}
	for i, f := range vaultFailures(imitation) {
		t.Run(f.name+"/"+policyResults[i].name, func(t *testing.T) {
			t.Parallel()
			agentMeets(t, f, i)
		})
	}
}

func failingStores(t *testing.T, failures []storeFailure) {
	t.Helper()
	for _, f := range failures {
		for i := range policyResults {
			t.Run(f.name+"/"+policyResults[i].name, func(t *testing.T) {
				t.Parallel()
				resolveMeets(t, f, i)
			})
		}
	}
}

// resolveMeets resolves a catalog before and after a failure.
func resolveMeets(t *testing.T, f storeFailure, result int) {
	t.Helper()
	want := policyResults[result]
	store := f.start(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "catalog.json"), `{"name":"web01","version":1,"environment":"production","resources":[`+
		`{"type":"File","title":"/etc/app.conf","parameters":{"content":`+store.call+`}},`+
		`{"type":"Service","title":"app","parameters":{"subscribe":"File[/etc/app.conf]"}},`+
		`{"type":"Notify","title":"other","parameters":{"message":{"__ptype":"Deferred","name":"upcase","arguments":["x"]}}}],"edges":[]}`)
	live.NewCA(t, dir).Issue(t, "web01", time.Now().Add(time.Hour))
	resolve := func(timeout string) (status int, output, report, stderr string) {
		writeFile(t, filepath.Join(dir, "policy.yaml"), strings.ReplaceAll(want.policy, "TIME", timeout))
		check := func(err error) {
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		check(os.Remove(filepath.Join(dir, "out.json")))
		args := []string{"resolve", "--policy", "policy.yaml", "--cache", "answers", "--cache-key", "web01.key", "--report", "report.json", "-o", "out.json", "--trace", "catalog.json"}
		cmd := exec.Command("pcat", append(args, store.arguments...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), store.env...)
		var errs strings.Builder
		cmd.Stderr = &errs
		_ = cmd.Run() // its status is examined
		text, err := os.ReadFile(filepath.Join(dir, "out.json"))
		check(err)
		made, err := os.ReadFile(filepath.Join(dir, "report.json"))
		check(err)
		answers, err := os.ReadFile(filepath.Join(dir, "answers"))
		check(err)
		if err := validate("resolve", made, false); err != nil {
			t.Errorf("the report does not match its schema: %v", err)
		}
		for name, shown := range map[string]string{"report": string(made), "standard error": errs.String(), "cache": string(answers)} {
			if strings.Contains(shown, storedSecret) || strings.Contains(shown, fallbackSecret) {
				t.Errorf("a secret is in the %s:\n%s", name, shown)
			}
		}
		return cmd.ProcessState.ExitCode(), string(text), string(made), errs.String()
	}
	if status, output, _, stderr := resolve("1m"); status != 0 || !strings.Contains(output, `"content":"`+storedSecret+`"`) {
		t.Fatalf("before the failure: status %d\n%s%s", status, output, stderr)
	}
	store.fail(t)
	timeout := "1m"
	if f.slow {
		timeout = "250ms"
	}
	status, output, report, stderr := resolve(timeout)
	if status != want.status || !strings.Contains(report, `"outcome":"`+want.outcome+`"`) || !strings.Contains(report, f.reason) {
		t.Errorf("status %d, want %d\n%s%s%s", status, want.status, output, report, stderr)
	}
	switch {
	case want.status == 4:
		if output != "" {
			t.Errorf("there is an output: %s", output)
		}
	case want.content == "":
		if strings.Contains(output, "app") || !strings.Contains(output, `"message":"X"`) {
			t.Errorf("got %s", output)
		}
	case !strings.Contains(output, `"content":"`+want.content+`"},"sensitive_parameters":["content"]`) || !strings.Contains(output, `"title":"app"`):
		t.Errorf("got %s", output)
	}
}

// agentMeets runs the agent after a failure. The notify is a change in each run, unless it is left out.
func agentMeets(t *testing.T, f storeFailure, result int) {
	t.Helper()
	for _, needed := range []string{"puppet", "bash"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("needs %s, which is not installed", needed)
		}
	}
	want := policyResults[result]
	store := f.start(t)
	dir := t.TempDir()
	conf := filepath.Join(dir, "app.conf")
	writeFile(t, filepath.Join(dir, "site.pp"), fmt.Sprintf("file { '%s': content => %s }\n-> notify { 'after': withpath => true, loglevel => debug }\nfile { '%s/other': content => $facts['os']['family'] }\n", conf, store.written, dir))
	live.NewCA(t, dir).Issue(t, "web01", time.Now().Add(time.Hour))
	keys := filepath.Join(dir, "ssl", "private_keys")
	if err := os.MkdirAll(keys, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "web01.key"), filepath.Join(keys, "web01.pem")); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "agent-resolve", "agent-resolve"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(timeout string) (int, string) {
		writeFile(t, filepath.Join(dir, "policy.yaml"), strings.ReplaceAll(want.policy, "TIME", timeout))
		args := []string{"--policy", filepath.Join(dir, "policy.yaml"), "--manifest", filepath.Join(dir, "site.pp")}
		for _, s := range []string{"confdir=" + dir + "/conf", "vardir=" + dir + "/var", "ssldir=" + dir + "/ssl", "certname=web01", "color=false"} {
			args = append(args, "--setting", s)
		}
		cmd := exec.Command(script, slices.Concat(args, []string{"--"}, store.arguments)...)
		cmd.Env = append(os.Environ(), store.env...)
		out, _ := cmd.CombinedOutput() // its status is examined
		if strings.Contains(string(out), storedSecret) || strings.Contains(string(out), fallbackSecret) {
			t.Errorf("a secret is in the output:\n%s", out)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if want.policy == policyKeep { // there must be an answer to keep
		if status, out := run("1m"); status != 2 {
			t.Fatalf("before the failure: status %d\n%s", status, out)
		}
	}
	store.fail(t)
	timeout := "1m"
	if f.slow {
		timeout = "250ms"
	}
	status, out := run(timeout)
	if status != want.agent {
		t.Errorf("status %d, want %d\n%s", status, want.agent, out)
	}
	text, err := os.ReadFile(conf)
	if err != nil && !os.IsNotExist(err) || string(text) != want.content {
		t.Errorf("the file is %q, %v\n%s", text, err, out)
	}
}

// TestAgentResolveServer runs examples/agent-resolve against a server that compiles: facts go there, the catalog comes from
// there with its calls, and the report goes back. Then the store fails, and at last the server.
func TestAgentResolveServer(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the agent three times")
	}
	for _, needed := range []string{"puppet", "bash"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("needs %s, which is not installed", needed)
		}
	}
	before, err := filepath.Glob("/dev/shm/agent-resolve.*") // of runs that were killed
	if err != nil {
		t.Fatal(err)
	}
	store := vaultFailures(imitation)[0].start(t)
	dir := t.TempDir()
	conf := filepath.Join(dir, "app.conf")
	writeFile(t, filepath.Join(dir, "policy.yaml"), strings.ReplaceAll(policyKeep, "TIME", "1m"))
	writeFile(t, filepath.Join(dir, "site.pp"), fmt.Sprintf("file { '%s': content => %s }\n", conf, store.written))
	compiled, err := exec.Command("puppet", "catalog", "compile", "web01", "--manifest", filepath.Join(dir, "site.pp"), "--render-as", "rich_data_json", "--log_level", "err",
		"--confdir", dir+"/compile", "--vardir", dir+"/compile/var", "--certname", "web01").Output()
	if err != nil {
		t.Fatal(err)
	}
	server := compilingServer(t, dir, string(compiled))
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "agent-resolve", "agent-resolve"))
	if err != nil {
		t.Fatal(err)
	}
	run := func() (int, string) {
		t.Helper()
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--policy", filepath.Join(dir, "policy.yaml")}
		for _, s := range []string{
			"confdir=" + dir + "/conf", "vardir=" + dir + "/var", "ssldir=" + dir + "/ssl", "certname=web01", "color=false",
			"server=localhost", "serverport=" + address.Port(), "certificate_revocation=false", "show_diff=false", "splay=false",
		} {
			args = append(args, "--setting", s)
		}
		cmd := exec.Command(script, slices.Concat(args, []string{"--"}, store.arguments)...)
		cmd.Env = append(os.Environ(), store.env...)
		out, _ := cmd.CombinedOutput() // its status is examined
		if strings.Contains(string(out), storedSecret) {
			t.Errorf("a secret is in the output:\n%s", out)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	content := func(out string) {
		t.Helper()
		if text, err := os.ReadFile(conf); err != nil || string(text) != storedSecret {
			t.Errorf("the file is %q, %v\n%s", text, err, out)
		}
	}
	status, out := run()
	if status != 2 {
		t.Errorf("status %d, want 2\n%s", status, out)
	}
	content(out)
	for _, want := range []string{"PUT /puppet/v3/facts/web01", "GET /puppet/v3/catalog/web01", "PUT /puppet/v3/report/web01"} {
		if !strings.Contains(server.requests(), want) {
			t.Errorf("the server did not get %s:\n%s", want, server.requests())
		}
	}
	store.fail(t)
	if status, out = run(); status != 0 {
		t.Errorf("the store has failed: status %d, want 0\n%s", status, out)
	}
	content(out)
	server.fails.Store(true)
	if status, out = run(); status != 1 {
		t.Errorf("the server has failed: status %d, want 1\n%s", status, out)
	}
	content(out)
	if left, err := filepath.Glob("/dev/shm/agent-resolve.*"); err != nil || !slices.Equal(left, before) {
		t.Errorf("%v is left, %v", left, err)
	}
}

// compiler imitates a Puppet Server.
type compiler struct {
	*httptest.Server
	fails atomic.Bool

	mu  sync.Mutex
	log []string
}

// requests are the methods and the paths of the requests so far.
func (c *compiler) requests() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.log, "\n")
}

// compilingServer starts a server for the node web01, whose certificates it writes to the ssldir of dir. It has no plugins.
func compilingServer(t *testing.T, dir, catalog string) *compiler {
	t.Helper()
	ca := live.NewCA(t, dir)
	own := ca.Issue(t, "localhost", time.Now().Add(time.Hour), "localhost", "127.0.0.1")
	node := ca.Issue(t, "web01", time.Now().Add(time.Hour))
	for from, to := range map[string]string{ca.File: "certs/ca.pem", node.Certificate: "certs/web01.pem", node.Key: "private_keys/web01.pem"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, "ssl", filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, to, string(text))
	}
	certificate, err := tls.LoadX509KeyPair(own.Certificate, own.Key)
	if err != nil {
		t.Fatal(err)
	}
	c := &compiler{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), storedSecret) {
			t.Errorf("a secret is in %s %s", r.Method, r.URL.Path)
		}
		c.mu.Lock()
		c.log = append(c.log, r.Method+" "+r.URL.Path)
		c.mu.Unlock()
		switch {
		case c.fails.Load():
			http.Error(w, "the server fails", http.StatusInternalServerError)
		case r.Method == http.MethodGet && r.URL.Path == "/puppet/v3/catalog/web01":
			w.Header().Set("Content-Type", "application/vnd.puppet.rich+json")
			_, _ = io.WriteString(w, catalog)
		case r.Method == http.MethodPut:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "[]")
		default:
			http.NotFound(w, r)
		}
	}))
	c.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert}
	c.StartTLS()
	t.Cleanup(c.Close)
	return c
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// vaultBackend is a Vault with a secret: its address, its token, and functions that make it fail.
type vaultBackend struct {
	address, token string
	overload, seal func(t *testing.T)
}

// vaultFailures are the failures of Vault. It is behind a server of the test, which can be slow, or end.
func vaultFailures(start func(t *testing.T) vaultBackend) []storeFailure {
	failure := func(name, reason string, slow bool, fail func(b vaultBackend, front *httptest.Server, hangs *atomic.Bool) func(t *testing.T)) storeFailure {
		return storeFailure{name: "vault/" + name, reason: reason, slow: slow, start: func(t *testing.T) failingStore {
			b := start(t)
			target, err := url.Parse(b.address)
			if err != nil {
				t.Fatal(err)
			}
			hangs := new(atomic.Bool)
			proxy := httputil.NewSingleHostReverseProxy(target)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if hangs.Load() {
					<-r.Context().Done()
					return
				}
				proxy.ServeHTTP(w, r)
			}))
			t.Cleanup(front.Close)
			options := map[string]string{"vault_addr": front.URL, "auth_method": "token", "field": "password"}
			text, err := json.Marshal(options)
			if err != nil {
				t.Fatal(err)
			}
			return failingStore{
				call:      `{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["secret/data/db",` + string(text) + `]}`,
				written:   fmt.Sprintf("Deferred('vault_lookup::lookup', ['secret/data/db', {vault_addr => '%s', auth_method => 'token', field => 'password'}])", front.URL),
				arguments: []string{"--allow", "net", "--plugin-env", "VAULT_TOKEN"},
				env:       []string{"VAULT_TOKEN=" + b.token},
				fail:      fail(b, front, hangs),
			}
		}}
	}
	return []storeFailure{
		failure("429", "received 429 response code", false, func(b vaultBackend, _ *httptest.Server, _ *atomic.Bool) func(*testing.T) { return b.overload }),
		failure("sealed", "received 503 response code", false, func(b vaultBackend, _ *httptest.Server, _ *atomic.Bool) func(*testing.T) { return b.seal }),
		failure("slow", "the call timed out", true, func(_ vaultBackend, _ *httptest.Server, hangs *atomic.Bool) func(*testing.T) {
			return func(*testing.T) { hangs.Store(true) }
		}),
		failure("dead", "connect", false, func(_ vaultBackend, front *httptest.Server, _ *atomic.Bool) func(*testing.T) {
			return func(*testing.T) { front.Close() }
		}),
	}
}

// imitation starts an imitation of Vault.
func imitation(t *testing.T) vaultBackend {
	t.Helper()
	status := new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case status.Load() != 0:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(int(status.Load()))
			_, _ = w.Write([]byte(`{"errors":["no luck"]}`))
		case r.Header.Get("X-Vault-Token") != "t0ken" || r.URL.Path != "/v1/secret/data/db":
			w.WriteHeader(http.StatusForbidden)
		default:
			_, _ = w.Write([]byte(`{"data":{"data":{"password":"` + storedSecret + `"}}}`))
		}
	}))
	t.Cleanup(server.Close)
	fails := func(code int64) func(*testing.T) { return func(*testing.T) { status.Store(code) } }
	return vaultBackend{server.URL, "t0ken", fails(http.StatusTooManyRequests), fails(http.StatusServiceUnavailable)}
}

// realVault starts Vault. It is overloaded by a quota.
func realVault(t *testing.T) vaultBackend {
	t.Helper()
	v := live.StartVault(t, live.Files{})
	v.Send(t, "POST", "sys/mounts/secret", `{"type":"kv","options":{"version":"2"}}`)
	v.Send(t, "POST", "secret/data/db", `{"data":{"password":"`+storedSecret+`"}}`)
	return vaultBackend{v.Address, v.Token,
		func(t *testing.T) { v.Overload(t, "secret/", "secret/data/db") },
		func(t *testing.T) { v.Send(t, "PUT", "sys/seal", "") },
	}
}

// sopsFailures are the failures of a file that SOPS has encrypted with age.
func sopsFailures() []storeFailure {
	failure := func(name, reason string, slow bool, fail func(dir string) error) storeFailure {
		return storeFailure{name: "sops/" + name, reason: reason, slow: slow, start: func(t *testing.T) failingStore {
			return sopsStore(t, fail)
		}}
	}
	key := func(dir string) string { return filepath.Join(dir, "key.sh") }
	return []storeFailure{
		failure("no key", "sops: Failed to get the data key", false, func(dir string) error {
			return os.WriteFile(key(dir), []byte("#!/bin/sh\nexit 1\n"), 0o700)
		}),
		failure("slow", "the call timed out", true, func(dir string) error {
			return os.WriteFile(key(dir), []byte("#!/bin/sh\nexec sleep 600\n"), 0o700)
		}),
		failure("damaged", "sops: ", false, func(dir string) error {
			name := filepath.Join(dir, "secrets.yaml")
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(name, []byte(strings.Replace(string(text), "data:", "data:AAAA", 1)), 0o600)
		}),
		failure("missing", "sops: ", false, func(dir string) error { return os.Remove(filepath.Join(dir, "secrets.yaml")) }),
	}
}

func sopsStore(t *testing.T, fail func(dir string) error) failingStore {
	t.Helper()
	for _, needed := range []string{"sops", "age-keygen", "python3"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("needs %s, which is not installed", needed)
		}
	}
	dir := t.TempDir()
	command := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return string(out)
	}
	command("age-keygen", "-o", "age.key")
	recipient := strings.TrimSpace(command("age-keygen", "-y", "age.key"))
	writeFile(t, filepath.Join(dir, "plain.yaml"), "db:\n  password: "+storedSecret+"\n")
	writeFile(t, filepath.Join(dir, "secrets.yaml"), command("sops", "encrypt", "--age", recipient, "plain.yaml"))
	if err := os.WriteFile(filepath.Join(dir, "key.sh"), []byte("#!/bin/sh\ncat '"+dir+"/age.key'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	plugins, err := filepath.Abs(filepath.Join("..", "..", "examples", "plugins"))
	if err != nil {
		t.Fatal(err)
	}
	return failingStore{
		call:      `{"__ptype":"Deferred","name":"sops::lookup","arguments":["secrets.yaml","db","password"]}`,
		written:   "Deferred('sops::lookup', ['secrets.yaml', 'db', 'password'])",
		arguments: []string{"--allow", "run", "--plugin", plugins, "--plugin-env", "PATH,SOPS_SECRETS,SOPS_AGE_KEY_CMD"},
		env:       []string{"SOPS_SECRETS=" + dir, "SOPS_AGE_KEY_CMD=" + filepath.Join(dir, "key.sh")},
		fail: func(t *testing.T) {
			t.Helper()
			if err := fail(dir); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// TestSopsPlugin checks that the plugin reads no file outside of SOPS_SECRETS, and finds only values at a key.
func TestSopsPlugin(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	plugin, err := filepath.Abs(filepath.Join("..", "..", "examples", "plugins", "sops", "lookup"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	secrets, programs := filepath.Join(dir, "secrets"), filepath.Join(dir, "programs")
	for _, folder := range []string{secrets, programs} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// This sops decrypts to the file itself.
	if err := os.WriteFile(filepath.Join(programs, "sops"), []byte("#!/bin/sh\nfor file; do :; done\ncat \"$file\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "outside.json"), `{"a":"x"}`)
	writeFile(t, filepath.Join(secrets, "db.json"), `{"a":"x","list":["y"]}`)
	if err := os.Symlink("../outside.json", filepath.Join(secrets, "link.json")); err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`["db.json","a"]`:                                    "x",
		`["db.json","list",0]`:                               "y",
		`["db.json","a",0]`:                                  "",
		`["db.json","list",true]`:                            "",
		`["db.json","list",1]`:                               "",
		`["db.json","list",-1]`:                              "",
		`["../outside.json","a"]`:                            "",
		`["link.json","a"]`:                                  "",
		`["` + filepath.Join(dir, "outside.json") + `","a"]`: "",
	} {
		cmd := exec.CommandContext(t.Context(), plugin)
		cmd.Env = append(os.Environ(), "SOPS_SECRETS="+secrets, "PATH="+programs+":"+os.Getenv("PATH"))
		cmd.Stdin = strings.NewReader(arguments)
		out, err := cmd.Output()
		if want != "" {
			want = `{"__ptype": "Sensitive", "__pvalue": "` + want + `"}`
		}
		if string(out) != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %s, %v", arguments, out, err)
		}
	}
}
