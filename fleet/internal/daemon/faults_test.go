package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

var (
	kills = flag.Int("kills", 8, "number of processes that TestFaults and TestLostLeaders kill")
	first = flag.Uint64("first", 0, "seed of the faults")
)

// The files that a process of these tests reads: the faults of the machine, and the addresses of other
// NATS servers than its own.
const (
	faultsFile = "PCATD_TEST_FAULTS"
	natsURL    = "PCATD_TEST_NATS"
)

// machine are the faults of the machine of a process.
type machine struct {
	Ahead time.Duration // of the clock
	Full  bool          // the disk
}

// machineOf reads the faults of a file, and none of one that is missing.
func machineOf(path string) (m machine) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		panic(err)
	}
	return m
}

// free is the space on a disk that is full, or not.
func (m machine) free() int64 {
	if m.Full {
		return 0
	}
	return 1 << 40
}

// faulty is a fleet whose processes are killed while the clock jumps and the disk is full.
type faulty struct {
	t         *testing.T
	rand      *rand.Rand
	state     string
	key       *seal.Key
	url       string // of NATS servers beside the processes, or empty
	processes []*exec.Cmd
	store     *store.Store
	log       fleettest.Log
	machine   machine
	docs      map[string][]byte // the newest catalogs, by name
}

func newFaulty(t *testing.T, url string) *faulty {
	t.Helper()
	f := &faulty{t: t, rand: rand.New(rand.NewPCG(*first, 42)), state: filepath.Join(t.TempDir(), "state"), url: url, docs: map[string][]byte{}}
	t.Cleanup(func() {
		for _, p := range f.processes {
			f.end(p)
		}
		if f.store != nil {
			f.store.Close()
		}
		if t.Failed() {
			t.Logf("-first=%d -kills=%d\n%s", *first, *kills, &f.log)
		}
	})
	var err error
	if f.key, err = store.Folder(f.state); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *faulty) faults() string { return filepath.Join(filepath.Dir(f.state), "faults.json") }

// set sets the faults of the machine.
func (f *faulty) set(m machine) {
	f.t.Helper()
	f.machine = m
	data, err := json.Marshal(m)
	if err != nil {
		f.t.Fatal(err)
	}
	next := f.faults() + ".next"
	if err := errors.Join(os.WriteFile(next, data, 0o600), os.Rename(next, f.faults())); err != nil {
		f.t.Fatal(err)
	}
}

// start starts a process, in the list of all as number i.
func (f *faulty) start(i int) {
	f.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"="+f.state, ahead+"=0s", faultsFile+"="+f.faults(), natsURL+"="+f.url)
	cmd.Stderr = &f.log
	if f.url == "" {
		_ = os.Remove(filepath.Join(f.state, "address")) // of the one before
	}
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	for len(f.processes) <= i {
		f.processes = append(f.processes, nil)
	}
	f.processes[i] = cmd
}

func (f *faulty) end(p *exec.Cmd) {
	if p != nil && p.ProcessState == nil {
		_ = p.Process.Kill()
		_ = p.Wait()
	}
}

// connect connects to the process, or to the other NATS servers.
func (f *faulty) connect() {
	f.t.Helper()
	var err error
	if f.store, err = (Connection{State: f.state, URL: f.url}).Await(f.t.Context(), time.Minute, nil); err != nil {
		f.t.Fatal(err)
	}
}

// deliver delivers catalogs until the fleet has accepted or refused each of them. again is called after an
// attempt of which that is unknown.
func (f *faulty) deliver(n int, again func()) {
	f.t.Helper()
	for range n {
		node := fmt.Sprint("node", f.rand.IntN(12))
		c := feed.Catalog{Feed: "test", Node: node, Data: fleettest.Whole(f.rand, node)}
		isKnown := true // nothing but the answers says whether the catalog is stored
		for start := time.Now(); ; again() {
			ctx, cancel := context.WithTimeout(f.t.Context(), 2*time.Second)
			err := f.store.Put(ctx, c)
			cancel()
			if err == nil {
				f.docs["test/"+node] = c.Data
				break
			}
			if errors.Is(err, feed.ErrFull) {
				if isKnown {
					break
				}
				f.set(machine{Ahead: f.machine.Ahead}) // an attempt without an answer may have stored it
			} else {
				isKnown = false
			}
			if time.Since(start) > 90*time.Second {
				f.t.Fatal(err)
			}
		}
	}
}

// jump changes the faults of the machine at random.
func (f *faulty) jump() {
	f.t.Helper()
	m := machine{Ahead: f.machine.Ahead, Full: f.url == "" && f.rand.IntN(3) == 0}
	if f.rand.IntN(2) == 0 {
		m.Ahead = time.Duration(f.rand.IntN(400)-200) * time.Hour
	}
	f.set(m)
}

// check waits until nothing is left to do, and compares the report with that of one audit, and the
// recorded findings with the report: none is lost or doubled, and no catalog is given up.
func (f *faulty) check() {
	f.t.Helper()
	f.set(machine{Ahead: 1000 * time.Hour}) // the pauses of dead letters are over
	client := &Client{Store: f.store, Timeout: time.Minute}
	ctx, cancel := context.WithTimeout(f.t.Context(), 2*time.Minute)
	defer cancel()
	s, err := client.Wait(ctx)
	for err == nil && s.Dead > 0 && ctx.Err() == nil { // it is tried again
		time.Sleep(100 * time.Millisecond)
		s, err = client.Wait(ctx)
	}
	if err != nil || s.Dead > 0 {
		f.t.Fatalf("%+v, %v", s, err)
	}
	r, err := fleettest.Report(f.docs, f.key.Derive("fingerprints"))
	if err != nil {
		f.t.Fatal(err)
	}
	var text bytes.Buffer
	if err := report.Write(&text, "json", r, report.Options{}); err != nil {
		f.t.Fatal(err)
	}
	if got, err := client.Report(f.t.Context(), "json"); err != nil || string(got) != text.String() {
		f.t.Errorf("got %v,\n%s\nwant\n%s", err, got, &text)
	}
	names, want, got := slices.Sorted(maps.Keys(f.docs)), map[string]int{}, map[string]int{}
	for _, one := range r.Findings {
		want[names[one.Input]+" "+one.Fingerprint]++
	}
	err = client.Findings(f.t.Context(), func(r *history.Record) error {
		for _, one := range r.Findings {
			if one.Gone.IsZero() {
				got[r.Feed+"/"+r.Node+" "+one.Fingerprint] += one.Count
			}
		}
		return nil
	})
	if err != nil || !maps.Equal(got, want) {
		f.t.Errorf("recorded findings: %v\n%v\nwant\n%v", err, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// A process that is killed at any moment, with a clock that jumps and a disk that is full for a while,
// loses, doubles and buries nothing.
func TestFaults(t *testing.T) {
	n := *kills
	if testing.Short() {
		n = min(n, 3)
	}
	f := newFaulty(t, "")
	begin := func() { f.start(0); f.connect() }
	begin()
	killed := 0
	kill := func() {
		killed++
		f.end(f.processes[0])
		f.store.Close()
		f.jump()
		begin()
	}
	for killed < n {
		p := f.processes[0].Process
		killer := time.AfterFunc(time.Duration(f.rand.IntN(400))*time.Millisecond, func() { _ = p.Kill() })
		f.deliver(1+f.rand.IntN(8), kill)
		time.Sleep(time.Duration(f.rand.IntN(300)) * time.Millisecond)
		killer.Stop()
		kill()
		if f.rand.IntN(4) == 0 {
			f.jump()
		}
	}
	f.set(machine{})
	f.deliver(3, kill)
	f.check()
	t.Logf("%d processes were killed", killed)
}

// The process that leads the fleet is killed, and so is a server of the NATS cluster: another one
// leads, and nothing is lost, doubled or buried.
func TestLostLeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	t.Parallel()
	cluster := fleettest.NewCluster(t, 3)
	f := newFaulty(t, cluster.Address())
	f.start(0)
	f.connect()
	f.start(1)
	f.deliver(12, func() {})
	server := 0
	for i := range *kills {
		f.jump()
		f.end(f.processes[i%2]) // the other one leads, or has to
		stopped := i%4 == 1
		if stopped {
			cluster.Stop(server)
		}
		f.deliver(1+f.rand.IntN(6), func() { time.Sleep(100 * time.Millisecond) })
		if stopped {
			cluster.Restart(server)
			server = (server + 1) % 3
		}
		f.start(i % 2)
		if f.rand.IntN(2) == 0 {
			time.Sleep(time.Duration(f.rand.IntN(3000)) * time.Millisecond)
		}
	}
	f.check()
}
