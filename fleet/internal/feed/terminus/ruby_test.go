package terminus_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/internal/test/live"
	"github.com/pcatdev/pcat/internal/test/rubytest"
)

// library is the folder of pcatd's terminus for ruby-load-path.
const library = "../../../puppet/lib"

// endpoint is pcatd for a Ruby with pcatd's terminus. It can hang and die.
type endpoint struct {
	sink    *feedtest.Sink
	handler atomic.Pointer[http.Handler]
	config  *tls.Config
	address string
	server  *http.Server
	dir     string // with puppet.conf, and certificates of the client
}

// newEndpoint starts an endpoint, and writes the settings of a Ruby that uses it.
func newEndpoint(t *testing.T, settings string) *endpoint {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs Puppet")
	}
	if err := exec.Command("ruby", "-rpuppet", "-e", "").Run(); err != nil {
		t.Skip("Ruby with Puppet is not installed; apt-get install puppet-agent, or run .ci/run")
	}
	e := &endpoint{sink: feedtest.NewSink(terminus.Feed), address: "127.0.0.1:0", dir: t.TempDir()}
	ca := live.NewCA(t, t.TempDir())
	own, client := ca.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost"), ca.Issue(t, "compiler", time.Now().Add(time.Hour))
	var err error
	if e.config, err = (terminus.Access{Certificate: own.Certificate, Key: own.Key, CA: ca.File, Certnames: []string{"compiler"}}).TLS(); err != nil {
		t.Fatal(err)
	}
	e.use(e.normal())
	e.start(t)
	t.Cleanup(func() { _ = e.server.Close() })
	e.write(t, "puppet.conf", fmt.Sprintf("[main]\nstoreconfigs = true\nlocalcacert = %s\nhostcert = %s\nhostprivkey = %s\n", ca.File, client.Certificate, client.Key))
	_, port, _ := net.SplitHostPort(e.address)
	e.write(t, "pcatd.json", fmt.Sprintf(`{"url": "https://localhost:%s", "connect_timeout": 1, "read_timeout": 0.3%s}`, port, settings))
	return e
}

func (e *endpoint) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (e *endpoint) normal() http.Handler { return terminus.NewHandler(e.sink, terminus.Options{}) }

func (e *endpoint) use(h http.Handler) { e.handler.Store(&h) }

// start listens, again at the same address.
func (e *endpoint) start(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", e.address)
	if err != nil {
		t.Fatal(err)
	}
	e.address = l.Addr().String()
	e.server = &http.Server{
		Handler:  http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*e.handler.Load()).ServeHTTP(w, r) }),
		ErrorLog: quiet(), ReadHeaderTimeout: time.Minute,
	}
	go func(s *http.Server) { _ = s.Serve(tls.NewListener(l, e.config)) }(e.server) // until it is closed
}

// has waits until the sink has a text in the catalog of a node.
func (e *endpoint) has(t *testing.T, environment, node, text string) {
	t.Helper()
	feedtest.Until(t, func() bool {
		c, _ := e.sink.Get(terminus.Complete(environment), node)
		return bytes.Contains(c.Data, []byte(text))
	}, func() string { return fmt.Sprintf("the catalog of %s in %s has no %s", node, environment, text) })
}

// rubyCompiler is Puppet with pcatd's terminus.
type rubyCompiler struct {
	in      io.WriteCloser
	answers *bufio.Reader
	log     *bytes.Buffer
	wait    func() error
}

func newRubyCompiler(t *testing.T, dir string) *rubyCompiler {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ruby", filepath.Join("testdata", "compiler.rb"), library, dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &rubyCompiler{in: in, answers: bufio.NewReader(out), log: new(bytes.Buffer), wait: cmd.Wait}
	cmd.Stderr = c.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// compiled is the result of a compile.
type compiled struct {
	Resources, Saved, Threads int
	Error                     string
	Log                       []string
	took                      time.Duration
}

// compile compiles a manifest. What PuppetDB stores is equal in each state of pcatd.
func (c *rubyCompiler) compile(t *testing.T, node, environment, code string, broken bool) compiled {
	t.Helper()
	question, err := json.Marshal(map[string]any{"node": node, "environment": environment, "code": code, "broken": broken})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, err := c.in.Write(append(question, '\n')); err != nil {
		t.Fatalf("%v\n%s", err, c.log)
	}
	line, err := c.answers.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, c.log)
	}
	answer := compiled{took: time.Since(begin)}
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatal(err)
	}
	if !broken && (answer.Error != "" || answer.Saved == 0 || answer.Saved != answer.Resources) {
		t.Fatalf("the compile: %+v", answer)
	}
	return answer
}

// end ends Ruby, and returns the lines of the log.
func (c *rubyCompiler) end(t *testing.T) string {
	t.Helper()
	_ = c.in.Close()
	if err := c.wait(); err != nil {
		t.Errorf("Ruby ends with %v\n%s", err, c.log)
	}
	return c.log.String()
}

// notice returns a manifest whose catalog has a text, a secret and rich values.
func notice(text string) string {
	return fmt.Sprintf(`notify { '%s': message => Sensitive('hunter2-declared') }
notify { 'rich': message => [Deferred('sprintf', ['x']), Timestamp('2026-01-31'), { 'a' => Sensitive('hunter2-nested') }] }`, text)
}

// TestRubyTerminus has real Puppet with pcatd's terminus, and pcatd that hangs, dies and
// comes back. Each compile succeeds unless PuppetDB fails, and the newest catalog arrives.
func TestRubyTerminus(t *testing.T) {
	e := newEndpoint(t, "")
	c := newRubyCompiler(t, e.dir)

	first := c.compile(t, "web01", "production", notice("one"), false)
	e.has(t, "production", "web01", `"one"`)
	stored, _ := e.sink.Get(terminus.Complete("production"), "web01")
	for _, text := range []string{`"sensitive_parameters":["message"]`, "hunter2-declared", `"__ptype":"Deferred"`, `"__ptype":"Timestamp"`, `"__ptype":"Sensitive","__pvalue":"hunter2-nested"`} {
		if !bytes.Contains(stored.Data, []byte(text)) {
			t.Errorf("the catalog has no %s: %s", text, stored.Data)
		}
	}
	if time.Since(stored.Produced) > time.Minute {
		t.Errorf("produced: %v", stored.Produced)
	}
	c.compile(t, "web01", "branch", notice("two"), false)
	e.has(t, "branch", "web01", `"two"`)
	e.has(t, "production", "web01", `"one"`)

	e.sink.Calls()
	if broken := c.compile(t, "web01", "production", notice("lost"), true); broken.Error != "PuppetDB is down" {
		t.Errorf("PuppetDB fails, and the compile: %+v", broken)
	}

	asked, release := make(chan struct{}, 100), make(chan struct{})
	e.use(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	c.compile(t, "web01", "production", notice("three"), false)
	<-asked
	c.compile(t, "web01", "production", notice("four"), false)
	c.compile(t, "web02", "production", notice("five"), false)
	<-asked // after a pause
	close(release)
	_ = e.server.Close()
	c.compile(t, "web03", "production", notice("six"), false)
	c.compile(t, "web01", "production", notice("seven"), false)
	if calls := e.sink.Calls(); len(calls) > 0 {
		t.Errorf("it was stored: %v", calls)
	}

	e.use(e.normal())
	e.start(t)
	e.has(t, "production", "web01", `"seven"`)
	e.has(t, "production", "web02", `"five"`)
	e.has(t, "production", "web03", `"six"`)
	if calls := e.sink.Calls(); len(calls) != 3 {
		t.Errorf("delivered: %v; want the newest catalog of each node once", calls)
	}

	// A catalog that pcatd does not want is not sent again, and the others are.
	var refused atomic.Int64
	normal := e.normal()
	e.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "web04") {
			refused.Add(1)
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		normal.ServeHTTP(w, r)
	}))
	c.compile(t, "web04", "production", notice("eight"), false)
	c.compile(t, "web05", "production", notice("nine"), false)
	e.has(t, "production", "web05", `"nine"`)
	if n := refused.Load(); n != 1 {
		t.Errorf("%d attempts to deliver a catalog that is refused, want 1", n)
	}

	// The thread ends, so that it does not keep a Ruby that Puppet Server has replaced.
	idle := compiled{}
	feedtest.Until(t, func() bool {
		time.Sleep(time.Second)
		idle = c.compile(t, "web01", "production", "", true)
		return idle.Threads < first.Threads
	}, func() string { return fmt.Sprintf("%d threads, %d at the start", idle.Threads, first.Threads) })
	if lines := len(idle.Log); lines == 0 || lines > 2 { // one a minute
		t.Errorf("%d lines in the log: %q", lines, idle.Log)
	}
	if log := c.end(t); strings.Contains(log, "hunter2") || strings.Contains(log, "lost") {
		t.Errorf("the log: %s", log)
	}
}

// TestRubyTerminusBound has no pcatd, and a queue for few catalogs.
func TestRubyTerminusBound(t *testing.T) {
	e := newEndpoint(t, `, "max_bytes": 3000`)
	_ = e.server.Close()
	c := newRubyCompiler(t, e.dir)
	const nodes = 20
	for i := range nodes {
		c.compile(t, fmt.Sprint("web", i), "production", notice("one"), false)
	}
	log := c.end(t)
	var sent, waiting, size, dropped int
	last := log[strings.LastIndex(log, "pcatd: ")+len("pcatd: "):]
	if _, err := fmt.Sscanf(last, "%d catalogs sent, %d waiting (%d bytes), %d dropped", &sent, &waiting, &size, &dropped); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	if sent != 0 || size > 3000 || size < 1000 || waiting+dropped != nodes || waiting < 2 || !strings.Contains(last, "lost") {
		t.Errorf("the last line of the log: %s", last)
	}
}

// TestRubyTerminusSettings has settings that are wrong: the compile succeeds, and the log has the reason.
func TestRubyTerminusSettings(t *testing.T) {
	e := newEndpoint(t, "")
	e.write(t, "pcatd.json", `{"url":"https://hunter2/path"}`)
	c := newRubyCompiler(t, e.dir)
	c.compile(t, "web01", "production", notice("one"), false)
	if log := c.end(t); !strings.Contains(log, "1 catalogs not sent") || !strings.Contains(log, "url must be like") || strings.Contains(log, "hunter2") {
		t.Errorf("the log: %s", log)
	}

	tests := []struct{ text, want string }{
		{`{`, "it is not JSON"},
		{`[]`, "it must be a JSON object"},
		{`{}`, "url must be like"},
		{`{"url":"http://x:8082"}`, "url must be like"},
		{`{"url":"https://user:x@x:8082"}`, "url must be like"},
		{`{"url":"https://x:1","max_bytes":"x"}`, "max_bytes must be a number above 0"},
		{`{"url":"https://x:1","read_timeout":0}`, "read_timeout must be a number above 0"},
		{`{"url":"https://x:1","size":1}`, `unknown setting "size"`},
		{`{"url":"https://x:1","max_bytes":1}`, "ok"},
	}
	var texts []string
	for _, test := range tests {
		texts = append(texts, test.text)
	}
	for i, answer := range rubytest.Ask[string](t, filepath.Join("testdata", "settings.rb"), texts) {
		if !strings.Contains(answer, tests[i].want) {
			t.Errorf("%s: %s, want %s", tests[i].text, answer, tests[i].want)
		}
	}
}

// TestCheckCommand runs the check of a server before and after it is set up.
func TestCheckCommand(t *testing.T) {
	e := newEndpoint(t, "")
	path, err := filepath.Abs(library)
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(e.dir, "puppetserver.conf")
	check := func() (string, error) {
		out, err := exec.Command("ruby", filepath.Join(library, "..", "check.rb"), conf, "--confdir", e.dir).CombinedOutput()
		return string(out), err
	}
	e.write(t, "puppetserver.conf", "jruby-puppet: {\n  # ruby-load-path: ["+path+"]\n  ruby-load-path: [/usr/lib]\n}\n")
	if out, err := check(); err == nil || strings.Count(out, "FAIL") != 1 || !strings.Contains(out, "FAIL  ruby-load-path: add "+path+" in "+conf) {
		t.Errorf("%v\n%s", err, out)
	}
	e.write(t, "puppetserver.conf", "jruby-puppet: {\n  ruby-load-path: [/usr/lib, "+path+"]\n}\n")
	if out, err := check(); err != nil || strings.Count(out, "ok ") != 5 || !strings.Contains(out, "not yet set") {
		t.Errorf("%v\n%s", err, out)
	}
	e.write(t, "routes.yaml", "server: {catalog: {terminus: compiler, cache: pcatd}}\n")
	if out, err := check(); err != nil || !strings.Contains(out, "set in "+e.dir) {
		t.Errorf("%v\n%s", err, out)
	}
	_ = e.server.Close()
	if out, err := check(); err == nil || !strings.Contains(out, "FAIL  connection") {
		t.Errorf("%v\n%s", err, out)
	}
}
