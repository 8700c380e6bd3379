package terminus_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/feed/feedtest"
	"github.com/pcatdev/pcat/fleet/internal/feed/terminus"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/history"
)

// soon is the time within which a leak must be an event after its compile.
const soon = 10 * time.Second

// fleet is the process of pcatd.
type fleet struct {
	program, state string
	port           string // for compilers
	log            *fleettest.Log
	arrivals       chan arrival
}

// arrival is an event that arrived.
type arrival struct {
	history.Event
	text string
	at   time.Time
}

// serve builds and starts pcatd for the compiler, with further options.
func (c *compiler) serve(t *testing.T, options ...string) *fleet {
	t.Helper()
	dir := t.TempDir()
	program, state := filepath.Join(dir, "pcatd"), filepath.Join(dir, "state")
	build := exec.Command("go", "build", "-o", program, "./cmd/pcatd")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	own := c.CA.Issue(t, "pcatd-events", time.Now().Add(time.Hour), "localhost")
	f := &fleet{program: program, state: state, log: new(fleettest.Log), arrivals: make(chan arrival, 1000)}
	serve := exec.Command(program, append([]string{
		"serve", "--state", state, "--http", "", "--max-store", "1GB",
		"--terminus", "127.0.0.1:0", "--terminus-client", "localhost", "--terminus-tls-cert", own.Certificate,
		"--terminus-tls-key", own.Key, "--terminus-tls-ca", c.CA.File, "--terminus-tls-crl", c.CRL,
	}, options...)...)
	serve.Stderr = f.log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt)
		if err := serve.Wait(); err != nil {
			t.Errorf("pcatd ends with %v", err)
		}
		if strings.Contains(f.log.String(), "Zq7") {
			t.Error("the log contains a secret")
		}
		if t.Failed() {
			t.Log(f.log)
		}
	})
	s, err := daemon.Connection{State: state}.Await(t.Context(), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	stop, err := s.Events(t.Context(), func(_ string, body []byte) {
		a := arrival{text: string(body), at: time.Now()}
		if err := json.Unmarshal(body, &a.Event); err != nil {
			t.Errorf("an event: %v", err)
		}
		if strings.Contains(a.text, "Zq7") {
			t.Errorf("an event contains a secret: %s", a.text)
		}
		f.arrivals <- a
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	listens := regexp.MustCompile(`msg="receiving catalogs of compilers" address=127.0.0.1:(\d+)`)
	feedtest.Until(t, func() bool { // it is logged after the storage can be reached
		if address := listens.FindStringSubmatch(f.log.String()); address != nil {
			f.port = address[1]
		}
		return f.port != ""
	}, func() string { return "the address for compilers is not logged" })
	return f
}

// await returns the time from end until the event of a kind about a file of web01 arrived,
// and the number of other events before it.
func (f *fleet) await(t *testing.T, feed string, kind history.Kind, file string, end time.Time) (took time.Duration, others int) {
	t.Helper()
	for timeout := time.After(time.Minute); ; others++ {
		select {
		case a := <-f.arrivals:
			if a.Kind == kind && a.Feed == feed && a.Node == "web01.example" && strings.Contains(a.text, file) {
				return max(0, a.at.Sub(end)), others
			}
		case <-timeout:
			t.Fatalf("no event of kind %s about %s", kind, file)
		}
	}
}

// events proves that a leak of a manifest is an event soon after the compile, and its
// repair another one. Everything is real: Puppet Server, the terminus, and the process of
// pcatd.
//
// Measured on a busy machine with 2 cores, from the end of a compile of 200 resources, 10
// rounds: the event of a leak arrives after 87 ms (at most 141 ms), that of its repair
// after 42 ms (at most 115 ms).
func (c *compiler) events(t *testing.T) {
	f := c.serve(t)
	c.write(t, manifest)
	c.Terminus(t, "server_urls = https://"+c.PuppetDB, "submit_only_server_urls = https://localhost:"+f.port, "command_broadcast = true")
	c.compile(t)
	var leaks, repairs []time.Duration
	rounds := 5
	if c.long {
		rounds = 10
	}
	for round := range rounds {
		file := fmt.Sprintf("/etc/app%d.ini", round)
		c.write(t, manifest+fmt.Sprintf("file { '%s': content => \"[db]\\npassword = Zq7vT2mK%dxLw0vR4\\n\" }\n", file, round))
		c.compile(t)
		took, _ := f.await(t, terminus.Feed, history.New, file, time.Now())
		leaks = append(leaks, took)
		c.write(t, manifest)
		c.compile(t)
		took, _ = f.await(t, terminus.Feed, history.Gone, file, time.Now())
		repairs = append(repairs, took)
	}
	for name, all := range map[string][]time.Duration{"leak": leaks, "repair": repairs} {
		median(t, "from the compile to the event of a "+name, all)
		if slowest := all[len(all)-1]; slowest > soon {
			t.Errorf("a %s is an event only %v after the compile", name, slowest)
		}
	}
}
