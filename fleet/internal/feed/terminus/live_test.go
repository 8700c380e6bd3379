package terminus_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/puppetdb"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/internal/test/live"
)

// manifest has text in other alphabets, bytes that are no text, and a secret.
const manifest = `Integer[1, 200].each |$i| { notify { "notice ${i}": message => "the text of number ${i}, which is of some length" } }
notify { 'letters': message => "ä € 😀 \u{7f} \"quoted\" back\\slash </script>" }
notify { 'binary': message => Binary('/wD+', '%B') }
notify { 'secret': message => Sensitive('hunter2-declared') }
notify { 'open': message => 'hunter2-open' }
`

// compiler is a Puppet Server whose terminus sends catalogs to a handler.
type compiler struct {
	*live.Systems
	sink    *feedtest.Sink
	handler atomic.Pointer[http.Handler] // that answers now
	seen    atomic.Int64                 // requests
	url     string
	address string
	config  *tls.Config
	server  *http.Server
	long    bool // measure
}

// latency is the environment variable that asks for measurements of compiles, which take
// half an hour.
const latency = "PCAT_LIVE_LATENCY"

// start starts the server of the handler, again at the same address.
func (c *compiler) start(t *testing.T) {
	t.Helper()
	if c.config == nil {
		own := c.CA.Issue(t, "pcatd", time.Now().Add(time.Hour), "localhost")
		config, err := terminus.Access{Certificate: own.Certificate, Key: own.Key, CA: c.CA.File, CRL: c.CRL, Certnames: []string{"localhost"}}.TLS()
		if err != nil {
			t.Fatal(err)
		}
		c.config, c.address = config, "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", c.address)
	if err != nil {
		t.Fatal(err)
	}
	c.address = l.Addr().String()
	c.url = "https://localhost:" + c.address[strings.LastIndex(c.address, ":")+1:]
	c.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c.seen.Add(1)
			(*c.handler.Load()).ServeHTTP(w, r)
		}),
		ErrorLog: quiet(), ReadHeaderTimeout: time.Minute,
	}
	go func(s *http.Server) { _ = s.Serve(tls.NewListener(l, c.config)) }(c.server) // until it is closed
	t.Cleanup(c.stop)
}

// quiet returns a log of a server that discards everything.
func quiet() *log.Logger { return slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) }

// stop ends the server of the handler.
func (c *compiler) stop() { _ = c.server.Close() }

// use makes a handler answer.
func (c *compiler) use(h http.Handler) { c.handler.Store(&h) }

// warm compiles until the server is no longer slower than later, or once if nothing is measured.
func (c *compiler) warm(t *testing.T) {
	t.Helper()
	times := 1
	if c.long {
		times = 12
	}
	for range times {
		c.compile(t)
	}
}

// median logs and returns the median of times.
func median(t *testing.T, name string, all []time.Duration) time.Duration {
	t.Helper()
	slices.Sort(all)
	m := all[len(all)/2]
	t.Logf("%-36s median %6d ms, fastest %6d ms, slowest %6d ms, %d compiles", name, m.Milliseconds(), all[0].Milliseconds(), all[len(all)-1].Milliseconds(), len(all))
	return m
}

// measure compiles several times with each of the states, in turns, and logs the times; or
// once if nothing is measured.
func (c *compiler) measure(t *testing.T, times int, states map[string]func()) map[string]time.Duration {
	t.Helper()
	if !c.long {
		times = 1
	}
	all := map[string][]time.Duration{}
	for range times {
		for _, name := range slices.Sorted(maps.Keys(states)) {
			states[name]()
			all[name] = append(all[name], c.compile(t))
		}
	}
	medians := map[string]time.Duration{}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		medians[name] = median(t, name, all[name])
	}
	return medians
}

// compile compiles, and returns the time that it took.
func (c *compiler) compile(t *testing.T) time.Duration {
	t.Helper()
	status, body, took := c.Compile(t, "web01.example", "production")
	if status != http.StatusOK || !strings.Contains(body, "hunter2-open") {
		t.Fatalf("the compile fails: status %d, %.300s\n%s", status, body, c.lastLog(t))
	}
	return took
}

// lastLog returns the last lines of the log of the server.
func (c *compiler) lastLog(t *testing.T) string {
	text := c.ServerLog(t)
	return text[max(0, len(text)-2000):]
}

// poll reads the catalog from PuppetDB, until its node is deactivated there.
func (c *compiler) poll(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sink := feedtest.NewSink("puppetdb", "gone.example")
	go func() {
		_ = puppetdb.New(sink, puppetdb.Options{ // until the end
			Settings: &source.Settings{
				PuppetDB: []string{"https://" + c.PuppetDB}, CA: c.CA.File, CRL: c.CRL, Revocation: "chain",
				Certificate: c.Client.Certificate, Key: c.Client.Key, ConnectTimeout: time.Minute, ReadTimeout: time.Minute,
			},
			Interval: 300 * time.Millisecond, Overlap: time.Second, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		}).Run(ctx)
	}()
	const name = "puppetdb/web01.example"
	sink.Await(t, name)
	first, _ := sink.Get("puppetdb", "web01.example")
	if !strings.Contains(string(first.Data), "hunter2-open") || strings.Contains(string(first.Data), "hunter2-declared") || first.Produced.IsZero() {
		t.Errorf("PuppetDB has %v %s", first.Produced, first.Data)
	}
	c.write(t, manifest+"notify { 'more': }\n")
	c.compile(t)
	begin := time.Now()
	feedtest.Until(t, func() bool {
		now, _ := sink.Get("puppetdb", "web01.example")
		return now.Produced.After(first.Produced)
	}, func() string { return "no new catalog" })
	t.Logf("a new catalog is delivered from PuppetDB %v after the compile", time.Since(begin).Round(10*time.Millisecond))
	c.write(t, manifest)
	command := url.Values{"command": {"deactivate_node"}, "version": {"3"}, "certname": {"web01.example"}, "secondsToWaitForCompletion": {"30"}}
	// PuppetDB ignores the command if the node has a catalog that is newer, by milliseconds.
	body := fmt.Sprintf(`{"certname":"web01.example","producer_timestamp":%q}`, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	answer, err := http.Post("http://"+c.PuppetDBPlain+"/pdb/cmd/v1?"+command.Encode(), "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	// The empty list of a database is no reason to remove a node: so there is another one.
	if status, _, _ := c.Compile(t, "web02.example", "production"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	sink.Await(t, "puppetdb/web02.example")
}

// write writes the manifest.
func (c *compiler) write(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(c.Environments, "production", "manifests", "site.pp")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLive has a real Puppet Server with the real terminus.
//
// Measured with Puppet Server 7.9.5 and the terminus of PuppetDB 7.12.1 on a busy machine
// with 2 cores, medians of 15 compiles of 200 resources:
//
//	without the settings of pcatd      1128 ms (544 to 2363) before the others, 896 ms (550 to 2109) at the end
//	nothing listens                     811 ms (448 to 1107), in turns with the next three
//	pcatd stores                        764 ms (546 to 1285)
//	its storage is full, 503            754 ms (423 to 2347)
//	its storage hangs, 503 after 2 s   2824 ms (2484 to 3631)
//	its storage hangs, in the pause    1049 ms (601 to 1442), 9 compiles
//	certname not allowed               1064 ms (446 to 1747), 9 compiles
//	never answers, server_url_timeout  31.7 s, then 0.7 s and 0.4 s: the terminus has left the URL out
//	  of 5 s, idle timeout of 15 s
//	never answers, server_url_timeout  39.5 s, 31.1 s: each compile waits
//	  of 60 s, idle timeout of 15 s
//	never answers TLS, likewise        31.2 s
//
// Until a command was answered, the handler took 0.5 ms for a catalog that it stored, 0.06
// ms for other commands, and 2001 ms (at most 2015) while the storage hung.
func TestLive(t *testing.T) {
	c := &compiler{Systems: live.Start(t), sink: feedtest.NewSink(terminus.Feed), long: os.Getenv(latency) != ""}
	t.Run("events", c.events)
	t.Run("complete", c.complete)
	t.Run("compiles", c.compiles)
}

// compiles proves that compiles succeed in every state of pcatd.
func (c *compiler) compiles(t *testing.T) {
	c.write(t, manifest)
	c.start(t)
	var outcomes [8]atomic.Int64
	var mu sync.Mutex
	answers := map[terminus.Outcome][]time.Duration{} // the time until a command was answered
	names := []terminus.Outcome{terminus.Stored, terminus.Removed, terminus.Dropped, terminus.Full, terminus.Slow, terminus.Refused, terminus.Failed}
	handler := func(o terminus.Options) http.Handler {
		o.Observe = func(outcome terminus.Outcome, took time.Duration) {
			outcomes[slices.Index(names, outcome)].Add(1)
			mu.Lock()
			defer mu.Unlock()
			answers[outcome] = append(answers[outcome], took)
		}
		o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
		return terminus.NewHandler(c.sink, o)
	}
	c.use(handler(terminus.Options{}))
	server, timeout := "server_urls = https://"+c.PuppetDB, "server_url_timeout = 60" // PuppetDB may be slow, too
	if c.long {
		timeout = "server_url_timeout = 5"
	}
	here := func() {}

	if c.long {
		c.Terminus(t, server)
		c.warm(t)
		c.measure(t, 15, map[string]func(){"without pcatd": here})

		c.Terminus(t, server, "submit_only_server_urls = "+c.url)
		c.compile(t)
		if n := c.seen.Load(); n != 0 {
			t.Errorf("without command_broadcast, the terminus sends %d commands, want none", n)
		}
	}

	all := []string{server, timeout, "submit_only_server_urls = " + c.url, "command_broadcast = true"}
	c.Terminus(t, all...)
	c.warm(t)
	stored, ok := c.sink.Get(terminus.Feed, "web01.example")
	switch {
	case !ok || outcomes[0].Load() == 0 || outcomes[5].Load() != 0:
		t.Fatalf("nothing was stored, or something was refused: %v", &outcomes)
	case !strings.Contains(string(stored.Data), "hunter2-open") || strings.Contains(string(stored.Data), "hunter2-declared"):
		t.Errorf("the catalog: %s", stored.Data)
	case time.Since(stored.Produced) > time.Hour || stored.Produced.IsZero():
		t.Errorf("produced: %v", stored.Produced)
	}

	c.poll(t)

	full := func(context.Context) error { return feed.ErrFull }
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	running := true
	set := func(run bool, o terminus.Options, fault func(context.Context) error) func() {
		h := handler(o)
		return func() {
			if running && !run {
				c.stop()
			}
			if !running && run {
				c.start(t)
			}
			running = run
			c.use(h)
			c.sink.Break(fault)
		}
	}
	never := terminus.Options{Pause: time.Nanosecond}
	const dead = "4 it is dead"
	medians := c.measure(t, 15, map[string]func(){
		"1 pcatd stores":                    set(true, never, nil),
		"2 its storage is full (503)":       set(true, never, full),
		"3 its storage hangs (503 in time)": set(true, never, hang),
		dead:                                set(false, never, nil),
	})
	for name, d := range medians {
		most := 2 * time.Second // on a busy machine
		if strings.HasPrefix(name, "3") {
			most += 2 * time.Second
		}
		if c.long && d-medians[dead] > most {
			t.Errorf("%s: a compile takes %v longer than without a connection", name, d-medians[dead])
		}
	}
	mu.Lock()
	for _, outcome := range []terminus.Outcome{terminus.Stored, terminus.Full, terminus.Slow} {
		slices.Sort(answers[outcome])
		n := len(answers[outcome])
		if n == 0 {
			t.Errorf("no command is %s", outcome)
			continue
		}
		t.Logf("time until a command is answered: %-8s median %v, slowest %v, %d commands", outcome, answers[outcome][n/2], answers[outcome][n-1], n)
	}
	mu.Unlock()
	set(true, terminus.Options{Pause: time.Hour}, hang)()
	for range 3 {
		c.compile(t)
	}
	c.measure(t, 9, map[string]func(){"its storage hangs, in the pause": here})
	set(true, terminus.Options{}, nil)()

	for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError} {
		c.use(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", status) }))
		c.compile(t)
	}
	for _, status := range []int{http.StatusForbidden, http.StatusRequestEntityTooLarge} {
		c.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			http.Error(w, "no", status)
		}))
		if got, _, _ := c.Compile(t, "web01.example", "production"); got == http.StatusOK {
			t.Errorf("the compile succeeds in spite of status %d: the handler could use it", status)
		}
	}

	c.use(handler(terminus.Options{}))
	if c.long {
		c.hang(t, all, handler(terminus.Options{}))
		stores := outcomes[0].Load()
		c.compile(t)
		if outcomes[0].Load() == stores {
			t.Error("the terminus no longer sends catalogs")
		}
	}

	// Another certificate than the allowed ones: no connection.
	access := terminus.Access{Certnames: []string{"somebody.else"}, CA: c.CA.File}
	own := c.CA.Issue(t, "pcatd2", time.Now().Add(time.Hour), "localhost")
	access.Certificate, access.Key = own.Certificate, own.Key
	config, err := access.TLS()
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() { _ = c.server.Serve(l) }()
	stranger := fmt.Sprintf("https://localhost:%d", l.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert // of this network
	c.Terminus(t, server, timeout, "submit_only_server_urls = "+stranger, "command_broadcast = true")
	c.seen.Store(0)
	c.warm(t)
	c.measure(t, 9, map[string]func(){"certname not allowed": here})
	if n := c.seen.Load(); n != 0 {
		t.Errorf("%d commands of a client that is not allowed", n)
	}

	if c.long {
		c.Terminus(t, server)
		c.warm(t)
		c.measure(t, 15, map[string]func(){"without pcatd, at the end": here})
	}

	// Without PuppetDB, an answer of pcatd counts for the terminus.
	c.Terminus(t, "server_urls = https://localhost:1", timeout, "submit_only_server_urls = "+c.url, "command_broadcast = true")
	status, body, _ := c.Compile(t, "web01.example", "production")
	if status != http.StatusOK {
		t.Errorf("PuppetDB is dead, pcatd is not: status %d, %.200s", status, body)
	}
	c.stop()
	if status, _, _ := c.Compile(t, "web01.example", "production"); status == http.StatusOK {
		t.Error("both are dead, and the compile succeeds")
	}
	if !c.long {
		return // without the settings that the documents do not recommend
	}
	c.Terminus(t, "server_urls = https://localhost:1", timeout, "submit_only_server_urls = "+c.url, "command_broadcast = true", "soft_write_failure = true")
	status, body, _ = c.Compile(t, "web01.example", "production")
	t.Logf("both are dead, soft_write_failure: status %d, %.200s", status, body)
	c.start(t)
	c.use(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Error(w, "no", http.StatusForbidden)
	}))
	c.Terminus(t, server, timeout, "submit_only_server_urls = "+c.url, "command_broadcast = true", "soft_write_failure = true")
	status, body, _ = c.Compile(t, "web01.example", "production")
	t.Logf("403, soft_write_failure: status %d, %.200s", status, body)
}

// hang proves that compiles succeed while pcatd never answers; it is normal at the end. all
// are the settings of the terminus.
func (c *compiler) hang(t *testing.T, all []string, normal http.Handler) {
	t.Helper()
	// It takes commands and does not answer. The server does not interrupt a request at
	// server_url_timeout, but at the idle timeout of its client. After two that took longer
	// than server_url_timeout, the terminus leaves the URL out.
	hung := make(chan struct{})
	c.use(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hung:
		case <-r.Context().Done():
		}
	}))
	c.seen.Store(0)
	t.Logf("hung, server_url_timeout = 5: %v, then %v, %v; %d commands", c.compile(t), c.compile(t), c.compile(t), c.seen.Load())

	// The idle timeout is shorter here: the URL stays.
	c.Terminus(t, append(slices.Clone(all), "server_url_timeout = 60")...)
	c.seen.Store(0)
	t.Logf("hung, idle-timeout 15 s: %v, then %v; %d commands", c.compile(t), c.compile(t), c.seen.Load())
	close(hung)

	// A process that is stopped: the system accepts connections for it. The idle timeout
	// bounds that, too.
	c.stop()
	silent, err := net.Listen("tcp", c.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("stopped, connect-timeout 10 s, idle-timeout 15 s: %v", c.compile(t))
	if err := silent.Close(); err != nil {
		t.Fatal(err)
	}
	c.start(t)
	c.use(normal)
	c.compile(t)
}
