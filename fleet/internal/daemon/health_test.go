package daemon

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/source"
)

// monitored is a fleet with all feeds, as monitoring sees it. What breaks it can be set while
// it runs.
type monitored struct {
	t         *testing.T
	o         Options
	store     *store.Store
	log       fleettest.Log
	folder    string
	free      atomic.Int64
	clock     atomic.Int64 // added to the time
	down      atomic.Bool  // PuppetDB closes each connection
	hangs     atomic.Bool  // PuppetDB does not answer
	addresses []string     // for monitoring
	nats      *server.Server
	end       func()
}

// database answers as a PuppetDB without nodes.
func (m *monitored) database() *source.Settings {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.hangs.Load() {
			<-r.Context().Done()
		}
		if m.down.Load() {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "[]")
	}))
	m.t.Cleanup(func() { m.hangs.Store(false); s.CloseClientConnections(); s.Close() })
	settings, err := source.ReadSettings(map[string]string{"confdir": m.t.TempDir(), "puppetdb": s.URL})
	if err != nil {
		m.t.Fatal(err)
	}
	return settings
}

// newMonitored starts a fleet that is healthy.
func newMonitored(t *testing.T, change func(*monitored)) *monitored {
	t.Helper()
	m := &monitored{t: t, folder: filepath.Join(t.TempDir(), "catalogs")}
	m.free.Store(1 << 40)
	if err := os.Mkdir(m.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	files := certificates(t)
	m.o = Options{
		Connection: Connection{State: filepath.Join(t.TempDir(), "state")}, Workers: 1, MaxStore: 1 << 30, Listen: "127.0.0.1:0", HTTP: "127.0.0.1:0",
		Folders: []string{"f=" + m.folder}, Scan: 50 * time.Millisecond, Settle: time.Millisecond,
		PuppetDB: true, PuppetDBInterval: 50 * time.Millisecond, PuppetDBSettings: m.database(),
		Terminus: "127.0.0.1:0", Access: terminus.Access{Certificate: files.Certificate, Key: files.Key, CA: files.CA, Certnames: []string{"fleet"}},
		Now:  func() time.Time { return time.Now().Add(time.Duration(m.clock.Load())) },
		Free: func() (int64, error) { return m.free.Load(), nil },
		Log:  slog.New(slog.NewTextHandler(&m.log, nil)),
	}
	if change != nil {
		change(m)
	}
	m.end = begin(t, m.o)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(m.log.String())
		}
	})
	m.addresses = []string{logged(t, &m.log, "monitoring")}
	var err error
	if m.store, err = m.o.Await(t.Context(), time.Minute, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.store.Close)
	m.write("web.json", []byte(`{"name":"web","environment":"production","resources":[],"edges":[]}`))
	if m.o.Terminus != "" {
		m.send(files, "web01", time.Now(), `{"certname":"web01","version":"1","environment":"production","resources":[],"edges":[]}`)
	}
	for start := time.Now(); !m.begun(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("the fleet does not begin")
		}
	}
	m.await("ok\n")
	return m
}

// begun reports whether the fleet is coordinated, and all feeds have delivered something.
func (m *monitored) begun() bool {
	begun := 0
	for key, one := range read(m.t, m.addresses).metrics {
		if strings.Contains(key, "pcatd_leading") && one.value == 1 || strings.Contains(key, "pcatd_feed_last") && one.value > 0 {
			begun++
		}
	}
	feeds := len(m.o.Folders) + 1 // and PuppetDB
	if m.o.Terminus != "" {
		feeds++
	}
	return begun == 1+feeds
}

// logged returns the address that a message in a log names.
func logged(t *testing.T, log *fleettest.Log, message string) string {
	t.Helper()
	pattern := regexp.MustCompile(`msg="?` + message + `"? address=(\S+)`)
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if found := pattern.FindStringSubmatch(log.String()); found != nil {
			return found[1]
		}
	}
	t.Fatalf("no message %q: %s", message, log)
	return ""
}

// write writes a file of the folder.
func (m *monitored) write(name string, data []byte) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.folder, name), data, 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// put stores a catalog as pcatd ingest does.
func (m *monitored) put(node, data string) {
	m.t.Helper()
	if err := m.store.Put(m.t.Context(), feed.Catalog{Feed: "ingest", Node: node, Data: []byte(data)}); err != nil {
		m.t.Fatal(err)
	}
}

// send sends a catalog as a compiler does.
func (m *monitored) send(files store.Files, node string, produced time.Time, body string) {
	m.t.Helper()
	ca, err := os.ReadFile(files.CA)
	if err != nil {
		m.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	pair, err := tls.LoadX509KeyPair(files.Certificate, files.Key)
	if err != nil {
		m.t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	url := "https://" + logged(m.t, &m.log, "receiving catalogs of compilers") + "/pdb/cmd/v1?command=replace_catalog&version=9&certname=" + node +
		"&producer-timestamp=" + produced.UTC().Format(time.RFC3339)
	answer, err := client.Post(url, "application/json", strings.NewReader(body)) //nolint:noctx // it is answered in 2 seconds
	if err != nil {
		m.t.Fatal(err)
	}
	_ = answer.Body.Close()
}

// compiler sends a catalog with the certificate of the fleet.
func (m *monitored) compiler(node string, produced time.Time, body string) {
	m.send(store.Files{Certificate: m.o.Access.Certificate, Key: m.o.Access.Key, CA: m.o.Access.CA}, node, produced, body)
}

// await waits until /healthz of a process contains a text, for a minute.
func (m *monitored) await(text string) {
	m.t.Helper()
	var last string
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		last = ""
		for _, address := range m.addresses {
			answer, err := http.Get("http://" + address + "/healthz") //nolint:noctx // it answers at once
			if err != nil {
				last += err.Error()
				continue
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil {
				m.t.Fatal(err)
			}
			if (answer.StatusCode == http.StatusOK) != (string(body) == "ok\n") {
				m.t.Errorf("status %d: %s", answer.StatusCode, body)
			}
			last += string(body)
		}
		if strings.Contains(last, text) {
			return
		}
	}
	m.t.Fatalf("after a minute, /healthz has %q, not %q", last, text)
}

// scrape reads the metrics twice.
func (m *monitored) scrape() [2]scrape {
	first := read(m.t, m.addresses)
	time.Sleep(1500 * time.Millisecond)
	return [2]scrape{first, read(m.t, m.addresses)}
}

// Each way in which a fleet breaks is a problem within a minute, and the alerts that are
// documented fire. They are quiet while it is healthy.
func TestAlerts(t *testing.T) {
	random := func(n int) string {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rand.Uint32())
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	worker := func(m *monitored) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		var log fleettest.Log
		go func() {
			done <- Work(ctx, WorkOptions{Connection: m.o.Connection, Workers: 1, HTTP: "127.0.0.1:0", Log: slog.New(slog.NewTextHandler(&log, nil))})
		}()
		m.t.Cleanup(func() {
			cancel()
			if err := <-done; err != nil {
				m.t.Error(err)
			}
		})
		m.addresses = append(m.addresses, logged(m.t, &log, "monitoring"))
	}
	for name, test := range map[string]struct {
		change func(*monitored)
		begin  func(*monitored) // after it is healthy
		spoil  func(*monitored)
		reason string // empty if it remains healthy
		alerts string
	}{
		"healthy": {spoil: func(*monitored) {}},
		"disk full": {
			spoil:  func(m *monitored) { m.free.Store(1 << 20) },
			reason: "storage: the disk of ", alerts: "PcatdRefuses",
		},
		"limit": {
			change: func(m *monitored) { m.o.MaxStore = 16 << 20 },
			spoil: func(m *monitored) {
				for i := range 20 {
					node := fmt.Sprint("node", i)
					m.write(node+".json", []byte(`{"name":"`+node+`","resources":[],"edges":[],"note":"`+random(1<<20)+`"}`))
				}
			},
			reason: "storage: the data has reached its limit", alerts: "PcatdRefuses PcatdFeedFails",
		},
		"dead PuppetDB": {
			spoil:  func(m *monitored) { m.down.Store(true) },
			reason: "feed puppetdb: PuppetDB does not answer", alerts: "PcatdFeedFails",
		},
		"hung PuppetDB": {
			spoil:  func(m *monitored) { m.hangs.Store(true) },
			reason: "feed puppetdb: it has not succeeded for ", alerts: "PcatdFeedStale",
		},
		"missing folder": {
			spoil: func(m *monitored) {
				if err := os.Rename(m.folder, m.folder+".old"); err != nil {
					m.t.Fatal(err)
				}
			},
			reason: "feed folder:f: its folder is missing", alerts: "PcatdFeedFails PcatdFeedStale",
		},
		"large file": {
			spoil: func(m *monitored) {
				m.write("large.json", nil)
				if err := os.Truncate(filepath.Join(m.folder, "large.json"), 257<<20); err != nil {
					m.t.Fatal(err)
				}
			},
			reason: "feed folder:f: 1 files or folders cannot be read", alerts: "PcatdCatalogsRefused PcatdFeedFails",
		},
		"broken catalog": {
			spoil:  func(m *monitored) { m.write("cut.json", []byte(`{"name":"cut","resources":[{"`)) },
			reason: "catalogs: 1 cannot be read", alerts: "PcatdUnreadable",
		},
		"dead NATS": {
			change: func(m *monitored) {
				m.nats = natsServer(m.t, server.Options{})
				ready(m.t, m.nats)
				m.o.URL, m.o.Listen = m.nats.ClientURL(), ""
			},
			spoil:  func(m *monitored) { m.nats.Shutdown() },
			reason: "storage: there is no connection to NATS", alerts: "PcatdRefuses",
		},
		"clock": {
			spoil:  func(m *monitored) { m.clock.Store(-int64(time.Hour)) },
			reason: "clock: it was set back by 1h0m0s", alerts: "PcatdClock",
		},
		"clock of a compiler": {
			spoil: func(m *monitored) {
				m.compiler("web02", time.Now().Add(365*24*time.Hour), `{"certname":"web02","resources":[],"edges":[]}`)
			},
			reason: "feed terminus: catalogs have times in the future", alerts: "PcatdFeedFails",
		},
		"refused catalogs": {
			spoil:  func(m *monitored) { m.compiler("web02", time.Now(), `{"certname":"web02",`) },
			reason: "feed terminus: catalogs are refused", alerts: "PcatdCatalogsRefused",
		},
		"dead letter": {
			spoil: func(m *monitored) {
				unit := m.store.Unit("folder:f", "web")
				head, _, err := m.store.Head(m.t.Context(), unit)
				if err != nil {
					m.t.Fatal(err)
				}
				state, _, err := m.store.State(m.t.Context())
				if err == nil {
					err = m.store.PutDead(m.t.Context(), &store.Dead{Unit: unit, Feed: head.Feed, Node: head.Node, Digest: head.Digest, Engine: state.Engine, Reason: "a test", Retry: time.Now().Add(time.Hour)})
				}
				if err != nil {
					m.t.Fatal(err)
				}
			},
			reason: "catalogs: the audit of 1 was given up", alerts: "PcatdDeadLetters",
		},
		"stale worker": {
			begin: func(m *monitored) { worker(m); m.await("ok\nok\n") },
			spoil: func(m *monitored) {
				for i := range 6 { // other workers may take some
					if err := m.store.AddTask(m.t.Context(), &store.Task{ID: fmt.Sprint(i), Engine: "of another version"}); err != nil {
						m.t.Fatal(err)
					}
				}
			},
			reason: "worker: the tasks are for another version of pcatd", alerts: "PcatdVersions",
		},
		"no worker": {
			change: func(m *monitored) { m.o.Workers, m.o.Folders, m.o.Terminus, m.o.HTTP = 0, nil, "", "127.0.0.1:0" },
			spoil:  func(m *monitored) { m.put("web", `{"name":"web","resources":[],"edges":[]}`) },
			reason: "workers: 1 catalogs wait, and none was audited", alerts: "PcatdIdle",
		},
		"dead process": {
			spoil: func(m *monitored) { m.end() }, alerts: "PcatdDown",
		},
		"expired acceptance": {
			spoil: func(m *monitored) {
				a := &decisions.Acceptance{ID: "old", Entry: auditconfig.Entry{Rule: "weak-secret", Reason: "a test"}}
				a.Entry.Expires.Time = time.Now().Add(-48 * time.Hour)
				if err := m.store.PutAcceptance(m.t.Context(), a.ID, a); err != nil {
					m.t.Fatal(err)
				}
				expired := func(key string, one sample) bool {
					return strings.Contains(key, "pcatd_decisions") && strings.Contains(key, "expired") && one.value == 1
				}
				m.until("the acceptance does not expire", expired)
			},
			alerts: "PcatdAcceptanceExpired",
		},
		"broken configuration": {
			change: func(m *monitored) {
				m.o.Decisions.Config = filepath.Join(m.t.TempDir(), auditconfig.Name)
				if err := os.WriteFile(m.o.Decisions.Config, []byte("severities: {weak-secret: low}\n"), 0o600); err != nil {
					m.t.Fatal(err)
				}
			},
			spoil: func(m *monitored) {
				if err := os.WriteFile(m.o.Decisions.Config, []byte("severities: {weak-secret: lower}\n"), 0o600); err != nil {
					m.t.Fatal(err)
				}
			},
			reason: "configuration: the files of --config or --baseline cannot be used", alerts: "PcatdDegraded",
		},
		"leak": {
			spoil: func(m *monitored) {
				m.put("db", `{"name":"db","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"mode":"0644","content":"[db]\npassword = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`)
				m.until("the leak is not found", func(key string, one sample) bool {
					return strings.Contains(key, "pcatd_findings") && one.value > 0
				})
			},
			alerts: "PcatdNewLeak",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMonitored(t, test.change)
			if test.begin != nil {
				test.begin(m)
			}
			healthy := m.scrape()
			test.spoil(m)
			if test.reason != "" {
				m.await(test.reason)
			}
			broken := m.scrape()
			for key, was := range healthy[1].metrics { // what broke in between counts
				if was.counter {
					broken[0].metrics[key] = was
				}
			}
			before, after := firing(t, newTimeline(healthy[0].at, healthy, broken), healthy[0].at)
			if len(before) > 0 {
				t.Errorf("%s fire on the healthy fleet", before)
			}
			for _, want := range strings.Fields(test.alerts) {
				if !slices.Contains(after, want) {
					t.Errorf("%s does not fire, only %s", want, after)
				}
			}
			if test.alerts == "" && len(after) > 0 {
				t.Errorf("%s fire", after)
			}
			if degraded := slices.Contains(after, "PcatdDegraded"); degraded != (test.reason != "") {
				t.Errorf("PcatdDegraded fires: %t, of %s", degraded, after)
			}
		})
	}
}

// until waits until a metric holds, for a minute.
func (m *monitored) until(what string, holds func(key string, one sample) bool) {
	m.t.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
		for key, one := range read(m.t, m.addresses).metrics {
			if holds(key, one) {
				return
			}
		}
	}
	m.t.Fatal(what)
}

// A request whose body does not arrive ends.
func TestSlowBodies(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, ctx := errgroup.WithContext(ctx)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(ctx, g, l, 200*time.Millisecond, http.NotFoundHandler())
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	start := time.Now()
	if err := c.SetReadDeadline(start.Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c) // it is reset, or closed
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("the connection ends after %s", took)
	}
	cancel()
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}
