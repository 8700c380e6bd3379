package root

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/internal/test/live"
)

// Secrets of each kind, none of which may be seen anywhere.
const (
	declared = "Zk9FzQ2mTx8Lw0vR4aa"
	found    = "bQ3ZZdk-77Gmmm5xy%&"
	weak     = "Sommer-2o24"
	cut      = "gZ4KKbd-93Qkkk6rr"
	named    = "otter-bassoon-nutmeg"
	branch   = "qv7zk4mx9w2tb8"    // also an environment
	later    = "Hq7vWz3mKx9-Tb2Lr" // in a reason, before it is a secret
	lower    = "wq83-heron-zx71"   // the name of a node, before it is a secret
	lines    = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ9xq\nQ7vT2mK1xLw0vR4uYb3Zk9FzQ2mTx8Lw0vR4aaBbCcDdEeFfGgHh\n-----END PRIVATE KEY-----"
)

// After all feeds have delivered secrets of each kind, no spelling of one is on the disk, in
// messages, in answers, or in data that other processes can read.
func TestNoSecrets(t *testing.T) {
	dir := t.TempDir()
	state, folder, files, temp := filepath.Join(dir, "state"), filepath.Join(dir, "folder"), filepath.Join(dir, "files"), filepath.Join(dir, "tmp")
	for _, d := range []string{folder, files, temp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	ca := live.NewCA(t, t.TempDir())
	own := ca.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost")
	compiler := ca.Issue(t, "compiler", time.Now().Add(time.Hour))
	decided := filepath.Join(dir, ".pcat-audit.yaml")
	if err := os.WriteFile(decided, []byte("names: {secret: [pepper]}\nowners: {modules/own/: \"@"+declared+"\"}\nallow:\n- {title: /etc/nothing, reason: "+declared+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var alerts struct {
		sync.Mutex
		strings.Builder
	}
	am := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		alerts.Lock()
		defer alerts.Unlock()
		_, _ = fmt.Fprintln(&alerts, r.Method, r.URL, r.Header)
		_, _ = io.Copy(&alerts, r.Body)
	}))
	defer am.Close()
	const token = "pL5vQ8nXr2Tz7Kd0Wm4Hs6Jb1Cy3Fg9E-reader"
	tokenFile := filepath.Join(dir, "token")
	if err := os.WriteFile(tokenFile, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--http-token", tokenFile, "--state", state, "--alertmanager", am.URL, "--webhook", am.URL, "--alert-severity", "info", "--config", decided, "--http", "127.0.0.1:0", "--max-store", "1GB", "--workers", "1", "--verbose", "--folder", "f="+folder, "--settle", "10ms",
		"--scan", "200ms", "--terminus", "127.0.0.1:0", "--terminus-client", "compiler", "--terminus-tls-cert", own.Certificate, "--terminus-tls-key", own.Key, "--terminus-tls-ca", ca.File)
	run(t, "status", "--state", state, "--wait")
	w := start(t, "worker", "--state", state, "--workers", "1", "--verbose")

	var seen bytes.Buffer // by a user
	see := func(what, text string) { _, _ = fmt.Fprintf(&seen, "\n== %s\n%s\n", what, text) }
	fleet, err := daemon.Connection{State: state}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer fleet.Close()
	events := make(chan string, 1000)
	stop, err := fleet.Events(t.Context(), func(kind string, body []byte) { events <- kind + " " + string(body) })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()

	catalog := func(name, resources string) []byte {
		return fmt.Appendf(nil, `{"name":%q,"version":1,"environment":"production","resources":[%s],"edges":[]}`, name, resources)
	}
	sensitive := func(text string) string {
		return fmt.Sprintf(`{"type":"Class","title":"Own","parameters":{"secret":%q},"sensitive_parameters":["secret"]}`, text)
	}
	write := func(dir, name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	copies := fmt.Sprintf(`{"type":"File","title":"/etc/app.ini","parameters":{"content":"colour %s %s %x\npassword = %s\n"}},{"type":"Notify","title":%q,"tags":[%q],"parameters":{"message":{%q:%q}}}`,
		declared, url.QueryEscape(found), declared, found, named, named, named, declared)
	// Owners and paths of manifests that are secrets.
	located := fmt.Sprintf(`{"type":"File","title":"/etc/own.ini","file":"/e/modules/own/manifests/init.pp","line":3,"parameters":{"content":"password = %[1]s"}},{"type":"File","title":"/etc/at.ini","file":"/e/modules/%[2]s/manifests/init.pp","line":3,"parameters":{"content":"password = %[1]s"}}`, found, declared)
	whole := catalog("cut", fmt.Sprintf(`{"type":"File","title":"/etc/x","parameters":{"content":"password = %s"}}`, cut))
	for round := range 2 { // the second supersedes the first
		extra := fmt.Sprintf(`,{"type":"Notify","title":"round %d","parameters":{}}`, round)
		// The catalogs that declare secrets arrive first: nothing knows that a text will be
		// a secret.
		write(folder, "a.json", catalog("a", sensitive(declared)+extra))
		run(t, "ingest", "--state", state, write(files, "c.json", catalog("c", sensitive(named)+","+sensitive(lines)+extra)),
			write(files, "d.json", catalog("d", strings.Replace(sensitive(weak), "Own", "Weak", 1)+extra)))
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if head, _, err := fleet.Head(t.Context(), fleet.Unit("folder:f", "a")); err != nil || time.Since(start) > time.Minute {
				t.Fatal("the folder is not read", err)
			} else if head != nil {
				break
			}
		}
		write(folder, "b.json", catalog("b", copies+extra))
		write(folder, "located.json", catalog("located", located+extra))
		sendTo(t, s, ca, compiler, "/feed/v1/catalogs/web04?environment="+branch, []byte(strings.Replace(string(catalog("web04", sensitive(branch)+","+copies+extra)), `"production"`, `"`+branch+`"`, 1)))
		write(folder, named+".json", []byte("no catalog: "+declared))
		run(t, "ingest", "--state", state, write(files, "e.json", catalog(named, copies+extra)))
		broken := whole[:bytes.Index(whole, []byte(cut))+len(cut)-round-2]
		_, messages, status := try(t, "ingest", "--state", state, write(files, "f.json", broken), write(files, "other.json", []byte(declared)))
		if see("ingest", messages); status != 3 || !strings.Contains(messages, "f.json: not a catalog") || !strings.Contains(messages, "other.json: not a catalog") {
			t.Errorf("broken files are delivered: %d, %s", status, messages)
		}
		deliver(t, state, "cut", broken)
		deliver(t, state, named, []byte(declared))
		send(t, s, ca, compiler, "web01", fmt.Appendf(nil, `{"certname":"web01","version":"%d","environment":"production","producer_timestamp":%q,"resources":[%s%s],"edges":[]}`,
			round, time.Now().UTC().Format(time.RFC3339Nano), copies, extra))
		// A complete catalog, and two that are refused.
		sendTo(t, s, ca, compiler, "/feed/v1/catalogs/web01?environment=production", catalog("web01", sensitive(declared)+","+copies+extra))
		sendTo(t, s, ca, compiler, "/feed/v1/catalogs/web02?environment=-"+declared, []byte(`{"name":"web02"}`))
		sendTo(t, s, ca, compiler, "/feed/v1/catalogs/web02?environment=production", []byte(`{"name":"`+declared+`"`))
		send(t, s, ca, compiler, named, []byte(`{"certname":"`+named+`","payload": `+declared))
		time.Sleep(time.Second)
		run(t, "status", "--state", state, "--wait")
		for _, f := range report.Formats() {
			see("report "+f.Name, run(t, "report", "--state", state, "--format", f.Name))
		}
	}
	see("status", run(t, "status", "--state", state)+run(t, "status", "--state", state, "--json"))
	see("dead", run(t, "dead", "list", "--state", state))
	see("findings", run(t, "findings", "--state", state))
	see("baseline", run(t, "report", "--state", state, "--format", "baseline"))
	see("accept", run(t, "accept", "--state", state, "--rule", "secret-in-content", "--reason", "a test"))
	see("accept", run(t, "accept", "--state", state, "--title", named, "--reason", "a title"))
	_, messages, status := try(t, "accept", "--state", state, "--rule", "weak-secret", "--reason", "it is "+declared)
	if see("accept", messages); status != 2 || !strings.Contains(messages, "the reason contains a secret") {
		t.Errorf("a reason with a secret is accepted: %d, %s", status, messages)
	}
	run(t, "status", "--state", state, "--wait")
	see("accept", run(t, "accept", "--state", state, "--title", "/etc/none", "--reason", "instead of "+later))
	deliver(t, state, lower, catalog(lower, `{"type":"File","title":"/etc/late.ini","parameters":{"content":"password = `+found+`"}}`))
	run(t, "status", "--state", state, "--wait")
	run(t, "ingest", "--state", state, write(files, "g.json", catalog("g", sensitive(later)+","+strings.Replace(sensitive(lower), "Own", "Lower", 1))))
	run(t, "status", "--state", state, "--wait")
	see("accept list", run(t, "accept", "list", "--state", state)+run(t, "accept", "list", "--state", state, "--format", "json"))
	see("accepted", run(t, "findings", "--state", state, "--accepted")+run(t, "report", "--state", state))
	out, messages, _ := try(t, "changes", "--state", state, "--since", "1h") // damaged catalogs have no changes
	see("changes", out+messages)
	bury(t, fleet, lower)
	dead := run(t, "dead", "list", "--state", state)
	if see("dead", dead); !strings.Contains(dead, "ingest/(hidden) ") {
		t.Errorf("no dead letter of a hidden node: %s", dead)
	}
	address := regexp.MustCompile(`msg=monitoring address=(\S+)`).FindStringSubmatch(s.messages.String())
	if address == nil {
		t.Fatal("no address for monitoring")
	}
	for _, ask := range [][2]string{
		{"/metrics"}, {"/healthz"}, {"/" + url.PathEscape(found)}, {"/"}, {"/", "Bearer " + declared}, {"/findings.json", "Basic " + base64.StdEncoding.EncodeToString([]byte("x:"+found))},
		{"/", "Bearer " + token}, {"/findings.json", "Bearer " + token}, {"/findings.schema.json", "Bearer " + token}, {"/" + url.PathEscape(found), "Bearer " + token}, {"/?q=" + declared, "Bearer " + token},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address[1]+ask[0], http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", ask[1])
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		see("HTTP", fmt.Sprint(answer.Header)+"\n"+string(text))
	}
	alerts.Lock()
	see("alerts", alerts.String())
	alerts.Unlock()
	n := len(events)
	for range n {
		see("event", <-events)
	}
	if n < 5 {
		t.Errorf("there are %d events", n)
	}

	// Errors: a file that is missing, another key, and no key.
	for _, args := range [][]string{
		{"ingest", "--state", state, write(files, "empty", nil)},
		{"status", "--state", state, "--key-file", write(files, "other.key", []byte("pcat-fleet-key-1:"+declared))},
	} {
		_, messages, status := try(t, args...)
		if see("error", messages); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
	server, err := store.Address(state)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := nats.Connect(server); err == nil {
		c.Close()
		t.Error("a client without the key is connected")
	} else {
		see("without key", err.Error())
	}
	if runtime.GOOS == "linux" {
		for _, p := range []*process{s, w} {
			for _, name := range []string{"cmdline", "environ"} {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.Process.Pid, name))
				if err != nil && os.Geteuid() == 0 {
					t.Error(err)
				}
				see(name, string(text))
			}
		}
	}
	key, err := os.ReadFile(store.KeyFile(state))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(strings.TrimSpace(string(key)), ":")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != 2*seal.Size {
		t.Fatalf("a key of %d bytes, %v", len(raw), err)
	}
	all := map[string]string{
		"identity": base64.RawURLEncoding.EncodeToString(raw[:seal.Size]), "sealing": base64.RawURLEncoding.EncodeToString(raw[seal.Size:]),
		"bytes of identity": string(raw[:seal.Size]), "bytes of sealing": string(raw[seal.Size:]),
		"declared": declared, "found": found, "weak": weak, "cut off": cut[:len(cut)-3], "named": named, "branch": branch, "later": later, "lower": lower, "lines": lines, "key": text, "token": token}
	search := func(where string, data []byte) {
		for name, text := range all {
			set := secret.CompileWritten([]string{text, strings.ToLower(text), strings.ToUpper(text), url.QueryEscape(text)})
			for hit := range set.Find(data) {
				t.Errorf("%s contains the secret %s at %d: %q", where, name, hit.Start, data[max(0, hit.Start-80):min(len(data), hit.End+20)])
				break
			}
		}
	}
	// A backup, and a reader.
	moved := filepath.Join(dir, "moved")
	if err := os.Mkdir(moved, 0o700); err != nil {
		t.Fatal(err)
	}
	export, reader := filepath.Join(moved, "fleet.pcatd"), filepath.Join(dir, "reader.key")
	see("export", run(t, "export", "--state", state, export))
	see("reader", run(t, "key", "reader", "--state", state, reader))
	for _, args := range [][]string{{"status"}, {"findings"}, {"events"}, {"report"}, {"changes"}} {
		out, messages, _ := try(t, append(args, "--state", state, "--key-file", reader)...)
		see(args[0]+" of a reader", out+messages)
	}
	asking, err := daemon.Connection{State: state, KeyFile: reader, Reader: true}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asking.Close()
	for _, question := range [][]string{{coordinate.AskFindings}, {coordinate.AskStatus}, {coordinate.AskReport}, {coordinate.AskEvents, time.Time{}.Format(time.RFC3339Nano), "0"}} {
		answer, err := asking.Ask(t.Context(), question[0], question[1:]...)
		if err != nil || len(answer) == 0 {
			t.Errorf("%s: %v", question, err)
		}
		see("answer to a reader", string(answer))
	}
	search("what users see", seen.Bytes())
	for _, text := range []string{"/etc/app.ini", "folder:f/b", "ingest/d", "terminus/web01", "compiler:production/web01", "ingest/cut", "== event\nnew ", "== event\nfailed ", "== event\naccepted ", "pcatd_findings{", `"alertname":"PlainTextSecret"`, `"type":"pcat.finding.new"`, "(hidden: it contains a secret)", "repairs needed on ", `"repairs":[{"repair":`, `"reason":"a test"`, `"node":"(hidden 1)"`} {
		if !strings.Contains(seen.String(), text) {
			t.Errorf("nothing shows %s", text)
		}
	}
	disk := func(when string) {
		count := 0
		for _, root := range []string{state, temp, moved} {
			err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || filepath.Base(path) == "fleet.key" {
					return err
				}
				data, err := os.ReadFile(path)
				search(when+" "+path, data)
				count++
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
		if count < 20 {
			t.Errorf("%s: only %d files", when, count)
		}
	}
	_ = s.Process.Kill()
	_ = s.Wait()
	_ = w.Process.Kill()
	_ = w.Wait()
	disk("killed")
	other := filepath.Join(moved, "state")
	seen.Reset()
	see("import", run(t, "import", "--state", other, "--key-file", store.KeyFile(state), "--max-store", "1GB", export))
	see("rotation", run(t, "key", "rotate", "--state", state))
	search("what users see of a move", seen.Bytes())
	disk("moved")
	delete(all, "named") // logs show the names of nodes
	search("the log of serve", s.messages.Bytes())
	search("the log of the worker", w.messages.Bytes())
}

// bury makes the newest catalog of a node a dead letter.
func bury(t *testing.T, fleet *store.Store, node string) {
	t.Helper()
	unit := fleet.Unit("ingest", node)
	head, _, err := fleet.Head(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := fleet.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dead := &store.Dead{Unit: unit, Feed: head.Feed, Node: head.Node, Digest: head.Digest, Engine: state.Engine, Reason: "a test", Retry: time.Now().Add(time.Hour)}
	if err := fleet.PutDead(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
}

// send delivers a catalog as the terminus of PuppetDB does.
func send(t *testing.T, s *process, ca *live.CA, own live.Files, node string, body []byte) {
	t.Helper()
	query := url.Values{"command": {"replace_catalog"}, "version": {"9"}, "certname": {node}, "producer-timestamp": {time.Now().UTC().Format(time.RFC3339Nano)}}
	sendTo(t, s, ca, own, "/pdb/cmd/v1?"+query.Encode(), body)
}

// sendTo posts a body to the address for compilers.
func sendTo(t *testing.T, s *process, ca *live.CA, own live.Files, path string, body []byte) {
	t.Helper()
	address := regexp.MustCompile(`compilers" address=127.0.0.1:(\d+)`).FindStringSubmatch(s.messages.String())
	if address == nil {
		t.Fatal("no address for compilers")
	}
	pair, err := tls.LoadX509KeyPair(own.Certificate, own.Key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(ca.File)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}}
	defer client.CloseIdleConnections()
	answer, err := client.Post("https://localhost:"+address[1]+path, "application/vnd.puppet.rich+json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}
