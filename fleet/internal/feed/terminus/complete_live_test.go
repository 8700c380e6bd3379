package terminus_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/internal/test/live"
)

// complete proves that complete catalogs of a real Puppet Server arrive, and that no state of
// pcatd delays a compile.
//
// Measured on a busy machine with 2 cores, with a catalog of 100 KB: see docs/fleet-feeds.md.
func (c *compiler) complete(t *testing.T) {
	times := c.install(t)
	c.Terminus(t, "server_urls = https://"+c.PuppetDB)
	t.Run("events", c.completeEvents)
	t.Run("alerts", c.completeAlerts)
	t.Run("time", func(t *testing.T) { c.completeTime(t, times) })
	c.Configure(t, map[string]string{"routes.yaml": live.Routes})
}

// install installs pcatd's terminus in Puppet Server. It returns the file to which the
// server appends two times in milliseconds for each compile: that by which it takes longer
// because of the terminus, and that of the processor.
func (c *compiler) install(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(library)
	if err != nil {
		t.Fatal(err)
	}
	const name = "puppet/indirector/catalog/pcatd.rb"
	times, file := filepath.Join(c.Dir, "times"), filepath.Join(c.Ruby, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`require 'java'
load '%s'
Puppet::Resource::Catalog::Pcatd.prepend(Module.new do
  def hand_over(request)
    start = clocks
    super
  ensure
    took = clocks.zip(start).map { |now, begun| (now - begun) / 1e6 }
    File.write('%s', "#{took.join(' ')}\n", mode: 'a')
  end

  def clocks
    [java.lang.System.nanoTime, java.lang.management.ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime]
  end
end)
`, filepath.Join(path, name), times)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return times
}

// route makes Puppet Server send complete catalogs to a port.
func (c *compiler) route(t *testing.T, port string) {
	t.Helper()
	c.Configure(t, map[string]string{
		"pcatd.json":  fmt.Sprintf(`{"url": "https://localhost:%s"}`, port),
		"routes.yaml": live.Routes + "  catalog: {terminus: compiler, cache: pcatd}\n",
	})
}

// rich is a manifest with values that are findings in the catalogs of PuppetDB, but none in
// complete ones: PuppetDB gets them as text. It has a secret that is declared.
const rich = `notify { 'declared': message => Sensitive('Zq7vT2mKdeclaredxLw0vR4') }
notify { 'hunter2-open': }
class database($password, $options) { notify { 'database': message => [$password, $options] } }
class { 'database':
  password => Deferred('sprintf', ['%s', 'kv/database']),
  options  => { 'password' => Sensitive('Zq7vT2mKnestedxLw0vR4'), 'token' => Deferred('sprintf', ['kv/token']) },
}
`

// completeEvents proves that a secret that one resource declares and another one leaks is an
// event within five seconds, its repair another one, and that there are no others.
func (c *compiler) completeEvents(t *testing.T) {
	f := c.serve(t)
	c.write(t, rich)
	c.route(t, f.port)
	c.compile(t)
	const feed, within = "compiler:production", 5 * time.Second
	var leaks, repairs []time.Duration
	rounds := 3
	if c.long {
		rounds = 10
	}
	for round := range rounds {
		for _, step := range []struct {
			kind     history.Kind
			manifest string
			all      *[]time.Duration
		}{
			{history.New, rich + fmt.Sprintf("file { '/etc/motd%d': content => 'colour Zq7vT2mKdeclaredxLw0vR4' }\n", round), &leaks},
			{history.Gone, rich, &repairs},
		} {
			c.write(t, step.manifest)
			c.compile(t)
			took, others := f.await(t, feed, step.kind, fmt.Sprintf("/etc/motd%d", round), time.Now())
			if others > 0 {
				t.Errorf("round %d: %d other events before %s", round, others, step.kind)
			}
			*step.all = append(*step.all, took)
		}
	}
	for name, all := range map[string][]time.Duration{"leak": leaks, "repair": repairs} {
		median(t, "from the compile to the event of a "+name, all)
		if slowest := all[len(all)-1]; slowest > within {
			t.Errorf("a %s is an event only %v after the compile", name, slowest)
		}
	}
	select {
	case a := <-f.arrivals:
		t.Errorf("another event: %s", a.text)
	case <-time.After(time.Second):
	}
}

// completeTime measures the time that a compile takes longer in each state of pcatd.
func (c *compiler) completeTime(t *testing.T, times string) {
	c.write(t, strings.Replace(manifest, "which is of some length", "which is "+strings.Repeat("long ", 36), 1))
	c.start(t)
	normal := terminus.NewHandler(c.sink, terminus.Options{})
	c.use(normal)
	c.route(t, c.address[strings.LastIndex(c.address, ":")+1:])
	n := 5
	if c.long {
		n = 200
	}
	c.warm(t)
	c.measureAdded(t, times, "pcatd is up", n)
	stored := func() (catalog string, produced time.Time) {
		stored, _ := c.sink.Get(terminus.Complete("production"), "web01.example")
		return string(stored.Data), stored.Produced
	}
	feedtest.Until(t, func() bool { _, produced := stored(); return !produced.IsZero() }, func() string { return "no catalog" })
	text, _ := stored()
	if !strings.Contains(text, `"sensitive_parameters":["message"]`) || !strings.Contains(text, "hunter2-declared") || !strings.Contains(text, `"__ptype":"Binary"`) {
		t.Errorf("the catalog is not complete: %.300s", text)
	}
	t.Logf("the catalog has %d KB", len(text)/1000)

	var asked atomic.Int64
	hung := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	})
	c.use(hung)
	c.measureAdded(t, times, "pcatd hangs", n)
	c.stop()
	c.measureAdded(t, times, "pcatd is dead", n)

	last := time.Now()
	c.compile(t)
	c.use(normal)
	c.start(t)
	feedtest.Until(t, func() bool { _, produced := stored(); return produced.After(last) }, func() string { return "the last catalog does not arrive" })
	c.measureAdded(t, times, "pcatd is up again", n)

	// A reload while pcatd hangs ends the Ruby that has a catalog: its thread ends, too.
	c.use(hung)
	asked.Store(0)
	c.compile(t)
	feedtest.Until(t, func() bool { return asked.Load() > 0 }, func() string { return "no attempt to deliver" })
	c.Configure(t, map[string]string{"routes.yaml": live.Routes})
	c.compile(t)
	time.Sleep(8 * time.Second) // one more attempt
	attempts := asked.Load()
	time.Sleep(12 * time.Second)
	if now := asked.Load(); now != attempts {
		t.Errorf("%d attempts by a Ruby that was replaced", now-attempts)
	}
	c.stop()
}

// measureAdded compiles several times, and logs the percentiles of the time that was added.
func (c *compiler) measureAdded(t *testing.T, file, name string, n int) {
	t.Helper()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var compiles []time.Duration
	for range n {
		compiles = append(compiles, c.compile(t))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var wall, cpu []float64
	for line := range strings.Lines(string(text)) {
		var w, p float64
		if _, err := fmt.Sscan(line, &w, &p); err != nil {
			t.Fatal(err)
		}
		wall, cpu = append(wall, w), append(cpu, p)
	}
	if len(wall) != n {
		t.Fatalf("%s: %d catalogs of %d compiles were handed over", name, len(wall), n)
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	t.Logf("%-18s added: p50 %5.1f ms, p95 %5.1f ms, most %5.1f ms; of the processor: p50 %5.1f ms, p95 %5.1f ms",
		name, wall[n/2], wall[n*95/100], wall[n-1], cpu[n/2], cpu[n*95/100])
	median(t, name, compiles)
}
