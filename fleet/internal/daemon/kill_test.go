package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// The test binary serves a fleet if the first variable names a state folder. Its clock is ahead
// by the second one.
const (
	asServer = "PCATD_TEST_STATE"
	ahead    = "PCATD_TEST_AHEAD"
)

func TestMain(m *testing.M) {
	state := os.Getenv(asServer)
	if state == "" {
		os.Exit(m.Run())
	}
	by, err := time.ParseDuration(os.Getenv(ahead))
	if err == nil {
		o := Options{
			Connection: Connection{State: state}, Workers: 1, MaxStore: 1 << 30, AckWait: time.Second, Listen: "127.0.0.1:0",
			Now: func() time.Time { return time.Now().Add(by) }, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
			fault: func(step, _ string) error {
				if step == work.StepTaken {
					time.Sleep(2 * time.Second) // so that the process is killed while it audits
				}
				return nil
			},
		}
		if path := os.Getenv(faultsFile); path != "" {
			o.URL, o.Replicas = os.Getenv(natsURL), 3
			if o.URL == "" {
				o.Replicas = 0
			} else {
				o.Listen = ""
			}
			o.Now = func() time.Time { return time.Now().Add(machineOf(path).Ahead) }
			o.Free = func() (int64, error) { return machineOf(path).free(), nil }
			o.fault = func(string, string) error {
				time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // so that it is often killed while it audits
				return nil
			}
		}
		err = Serve(context.Background(), o)
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err) // it cannot be reported elsewhere
		os.Exit(1)
	}
}

// killed is a fleet in processes that are killed.
type killed struct {
	t     *testing.T
	state string
	log   fleettest.Log
	cmd   *exec.Cmd
	store *store.Store
}

// start starts a process with its clock ahead.
func (k *killed) start(by time.Duration) {
	k.t.Helper()
	k.cmd = exec.Command(os.Args[0])
	k.cmd.Env = append(os.Environ(), asServer+"="+k.state, ahead+"="+by.String())
	k.cmd.Stderr = &k.log
	_ = os.Remove(filepath.Join(k.state, "address")) // of the one before
	if err := k.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	var err error
	if k.store, err = (Connection{State: k.state}).Await(k.t.Context(), 30*time.Second, nil); err != nil {
		k.t.Fatal(err, k.log.String())
	}
}

// kill kills the process.
func (k *killed) kill() {
	if k.cmd != nil {
		_ = k.cmd.Process.Kill()
		_ = k.cmd.Wait()
		k.store.Close()
		k.cmd = nil
	}
}

// await waits until a condition on the record of the failed audits of a unit holds.
func (k *killed) await(unit, what string, holds func(*store.Dead) bool) {
	k.t.Helper()
	var d *store.Dead
	for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(5 * time.Millisecond) {
		var err error
		if d, err = k.store.Dead(k.t.Context(), unit); err == nil && holds(d) {
			return
		}
	}
	k.t.Fatalf("%s: %+v\n%s", what, d, k.log.String())
}

// A valid catalog whose audit is interrupted again and again by kill -9 becomes a dead letter
// for a while, and is audited afterwards.
func TestKilledAudits(t *testing.T) {
	k := &killed{t: t, state: filepath.Join(t.TempDir(), "state")}
	t.Cleanup(k.kill)
	k.start(0)
	doc := []byte(`{"name":"web","environment":"production","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`)
	if err := k.store.Put(t.Context(), feed.Catalog{Feed: "test", Node: "web", Data: doc}); err != nil {
		t.Fatal(err)
	}
	unit := k.store.Unit("test", "web")
	k.await(unit, "no task", func(*store.Dead) bool {
		_, delivered, err := k.store.Pending(t.Context())
		return err == nil && delivered > 0
	})
	for i := range 5 { // while it is audited
		k.kill()
		k.start(0)
		k.await(unit, "it is not tried again", func(d *store.Dead) bool { return d != nil && d.Deaths == i+1 && !d.Buried() })
	}
	k.kill()
	k.start(0)
	k.await(unit, "it is not given up", func(d *store.Dead) bool { return d != nil && d.Buried() })
	k.kill()
	k.start(2 * time.Minute)
	k.await(unit, "the dead letter is not tried again", func(d *store.Dead) bool { return d != nil && d.Deaths == 6 })
	k.kill()
	k.start(time.Hour)
	k.await(unit, "the catalog is not audited", func(d *store.Dead) bool { return d == nil })
	client := &Client{Store: k.store, Timeout: time.Minute}
	if s, err := client.Wait(t.Context()); err != nil || s.Dead != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	findings := 0
	for start := time.Now(); findings == 0 && time.Since(start) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		err := client.Findings(t.Context(), func(r *history.Record) error { findings += r.Open(); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if findings != 1 {
		t.Errorf("got %d findings", findings)
	}
}
