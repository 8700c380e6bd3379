package coordinate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/fleettest"
	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// fleet is a fleet in this process.
type fleet struct {
	t       *testing.T
	dir     string
	key     *seal.Key
	store   *store.Store
	engine  *work.Engine
	log     *fleettest.Log
	options work.Options
	storage store.Options
	now     func() time.Time
	again   time.Duration
	decided *decisions.Watch
	docs    map[string][]byte // the newest catalogs, by name
	// patience is how long settle waits.
	patience time.Duration
	poll     time.Duration // the time between two of its questions

	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

func newFleet(t *testing.T, o work.Options) *fleet {
	t.Helper()
	t.Parallel() // most of the time is waiting
	return newFleetWith(t, o, store.Options{AckWait: time.Second})
}

func newFleetWith(t *testing.T, o work.Options, storage store.Options) *fleet {
	t.Helper()
	f := &fleet{t: t, dir: filepath.Join(t.TempDir(), "state"), options: o, storage: storage, patience: 90 * time.Second, poll: 20 * time.Millisecond, docs: map[string][]byte{}, log: new(fleettest.Log)}
	var err error
	if f.key, err = store.Folder(f.dir); err != nil {
		t.Fatal(err)
	}
	if f.engine, err = work.NewEngine(f.key); err != nil {
		t.Fatal(err)
	}
	f.open()
	t.Cleanup(func() {
		f.stop()
		f.store.Close()
		for _, text := range fleettest.Secrets() {
			if strings.Contains(f.log.String(), text) {
				t.Errorf("the log contains %s", text)
			}
		}
		if t.Failed() {
			t.Log(f.log.String())
		}
	})
	return f
}

func (f *fleet) open() {
	f.t.Helper()
	var err error
	o := f.storage
	o.Key, o.Dir, o.Listen, o.MaxBytes, o.Log = f.key, f.dir, "127.0.0.1:0", cmp.Or(o.MaxBytes, 1<<30), slog.New(slog.NewTextHandler(f.log, nil))
	f.store, err = store.Open(f.t.Context(), o)
	if err != nil {
		f.t.Fatal(err)
	}
}

// start starts a coordinator and workers.
func (f *fleet) start(workers int) *Coordinator {
	return f.startWith(workers, Options{Tick: 10 * time.Millisecond, Patience: time.Second})
}

func (f *fleet) startWith(workers int, like Options) *Coordinator {
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	log := slog.New(slog.NewTextHandler(f.log, nil))
	like.Store, like.Engine, like.Log, like.Again, like.Now, like.Decisions = f.store, f.engine, log, f.again, f.now, f.decided
	c := New(like)
	f.tasks.Go(func() { _ = c.Run(ctx) })
	o := f.options
	o.Store, o.Engine, o.Log = f.store, f.engine, log
	if o.Delay == 0 {
		o.Delay = 10 * time.Millisecond
	}
	w := work.New(o)
	for range workers {
		f.tasks.Go(func() {
			for errors.Is(w.Run(ctx), work.ErrKilled) {
				continue // a new worker
			}
		})
	}
	return c
}

func (f *fleet) stop() {
	if f.cancel != nil {
		f.cancel()
		f.tasks.Wait()
		f.cancel = nil
	}
}

func (f *fleet) put(node string, data []byte) {
	f.t.Helper()
	if err := f.store.Put(f.t.Context(), feed.Catalog{Feed: "test", Node: node, Data: data}); err != nil {
		f.t.Fatal(err)
	}
	f.docs["test/"+node] = data
}

func (f *fleet) remove(node string) {
	f.t.Helper()
	if err := f.store.Remove(f.t.Context(), "test", node); err != nil {
		f.t.Fatal(err)
	}
	delete(f.docs, "test/"+node)
}

// settle waits until the fleet is settled.
func (f *fleet) settle() Summary {
	f.t.Helper()
	var s Summary
	var text []byte
	for start := time.Now(); time.Since(start) < f.patience; time.Sleep(f.poll) {
		ctx, cancel := context.WithTimeout(f.t.Context(), 5*time.Second)
		var err error
		text, err = f.store.Ask(ctx, AskStatus)
		cancel()
		if err == nil {
			if err := json.Unmarshal(text, &s); err != nil {
				f.t.Fatal(err)
			}
			if s.Settled {
				return s
			}
		}
	}
	f.t.Fatalf("the fleet does not settle: %s", text)
	return s
}

// check compares the report with that of one audit.
func (f *fleet) check() {
	f.t.Helper()
	f.settle()
	want, err := fleettest.Report(f.docs, f.key.Derive("fingerprints"))
	if err != nil {
		f.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Write(&b, "json", want, report.Options{}); err != nil {
		f.t.Fatal(err)
	}
	got, err := f.store.Ask(f.t.Context(), AskReport, "json")
	if err != nil {
		f.t.Fatal(err)
	}
	if string(got) != b.String() {
		f.t.Errorf("the reports differ:\n%s\nwant\n%s", got, b.String())
	}
}

func (f *fleet) fill(r *rand.Rand, n int) {
	for i := range n {
		node := fmt.Sprint("node", i)
		f.put(node, fleettest.Catalog(r, node))
	}
}

// A task that the server does not deliver again, as its clock was set back, is issued again.
func TestLostTask(t *testing.T) {
	t.Parallel()
	var killed atomic.Bool
	f := newFleetWith(t, work.Options{Fault: func(step, _ string) error {
		if step == work.StepTaken && !killed.Swap(true) {
			return work.ErrKilled
		}
		return nil
	}}, store.Options{AckWait: time.Hour})
	f.again = 500 * time.Millisecond
	f.start(1)
	f.fill(rand.New(rand.NewPCG(12, 12)), 5)
	f.check()
	if !killed.Load() {
		t.Error("no worker was killed")
	}
}

// A panic ends neither the process nor the coordination. Its text is not shown.
func TestPanic(t *testing.T) {
	f := newFleet(t, work.Options{})
	var calls atomic.Int32
	f.now = func() time.Time {
		if calls.Add(1) <= 2 {
			panic("a text of a catalog")
		}
		return time.Now()
	}
	c := f.start(1)
	f.fill(rand.New(rand.NewPCG(11, 11)), 5)
	for start := time.Now(); c.Status().Err == nil; time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatal("it is always healthy")
		}
	}
	f.check()
	if err := c.Status().Err; err != nil {
		t.Errorf("it is not healthy again: %v", err)
	}
	if text := f.log.String(); !strings.Contains(text, "a fault of type string, please report it") || strings.Contains(text, "a text of a catalog") {
		t.Errorf("the log: %s", text)
	}
}

func TestReportEqualsAudit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	f := newFleet(t, work.Options{})
	f.start(2)
	f.fill(r, 30)
	f.check()
	for i := range 15 {
		node := fmt.Sprint("node", r.IntN(35))
		if i%4 == 0 {
			f.remove(node)
		} else {
			f.put(node, fleettest.Catalog(r, node))
		}
		if i%5 == 0 {
			f.check()
		}
	}
	f.check()
}

// A coordinator that starts continues from what is stored, also on another server.
func TestRestart(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	f := newFleet(t, work.Options{})
	f.fill(r, 20)
	for range 3 {
		f.start(2)
		time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
		f.stop()
		f.put("node3", fleettest.Catalog(r, "node3"))
		f.remove("node4")
	}
	f.store.Close()
	f.open()
	f.start(2)
	f.check()
	_, revision, err := f.store.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.stop()
	f.start(1)
	f.check()
	if _, again, err := f.store.State(t.Context()); err != nil || again != revision {
		t.Errorf("a restart changed the knowledge: revision %d, then %d, %v", revision, again, err)
	}
	err = filepath.WalkDir(f.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, text := range fleettest.Secrets() {
			if bytes.Contains(data, []byte(text)) {
				i := bytes.Index(data, []byte(text))
				t.Errorf("%s contains %s: %q", path, text, data[max(0, i-900):min(len(data), i+300)])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Workers that end at any step lose nothing, and do nothing twice that counts.
func TestKilledWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var mu sync.Mutex
	kills := 0
	f := newFleet(t, work.Options{Batches: 100, Units: 100, Fault: func(string, string) error {
		mu.Lock()
		defer mu.Unlock()
		if kills < 20 && r.IntN(8) == 0 {
			kills++
			return work.ErrKilled
		}
		return nil
	}})
	f.start(3)
	f.fill(rand.New(rand.NewPCG(4, 4)), 20)
	f.check()
	if kills == 0 {
		t.Error("no worker was killed")
	}
}

// Tasks that are delivered twice, late, for old catalogs or for units that never were
// change nothing.
func TestStrayTasks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	f := newFleet(t, work.Options{})
	f.start(2)
	f.fill(r, 10)
	f.check()
	state, _, err := f.store.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		task := &store.Task{
			ID: fmt.Sprint("stray", i), Engine: state.Engine, Epoch: state.Epoch, Version: uint64(r.IntN(3)), Inspect: r.IntN(2) == 0,
			Units: []store.Want{{Unit: f.store.Unit("test", fmt.Sprint("node", r.IntN(12))), Digest: "old"}},
		}
		if i%7 == 0 {
			task.Epoch = "another"
		}
		if err := f.store.AddTask(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			f.put("node1", fleettest.Catalog(r, "node1"))
		}
	}
	f.check()
}

// A catalog that ends its workers becomes a dead letter; the others of its task are
// audited, and it is tried again when somebody asks for it, or when it changes.
func TestDeadLetters(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var poison atomic.Pointer[string]
	f := newFleet(t, work.Options{Batches: 1, Units: 2, Fault: func(step, unit string) error {
		if p := poison.Load(); step == work.StepTaken && p != nil && unit == *p {
			return work.ErrKilled
		}
		return nil
	}})
	unit := f.store.Unit("test", "node5")
	poison.Store(&unit)
	f.fill(r, 40)
	f.start(2)
	s := f.settle()
	if s.Dead != 1 {
		t.Errorf("got %d dead letters", s.Dead)
	}
	list, err := f.store.DeadLetters(t.Context())
	if err != nil || len(list) != 1 || list[0].Node != "node5" || !strings.Contains(list[0].Reason, "2 times") {
		t.Fatalf("got %+v, %v", list, err)
	}
	for i := range 40 { // a death counts for the catalog that was audited
		if d, err := f.store.Dead(t.Context(), f.store.Unit("test", fmt.Sprint("node", i))); err != nil || (d != nil) != (i == 5) {
			t.Errorf("node%d: %+v, %v", i, d, err)
		}
	}
	text, err := f.store.Ask(t.Context(), AskReport, "text")
	if err != nil || !strings.Contains(string(text), "test/node5: the audit was given up") {
		t.Errorf("got %s, %v", text, err)
	}
	poison.Store(nil)
	if err := f.store.RemoveDead(t.Context(), unit); err != nil {
		t.Fatal(err)
	}
	f.check()
}

// A dead letter is tried again after pauses that grow, by a clock that tests set, until it is
// audited: a valid catalog is not lost if its audits were interrupted.
func TestRetriedDeadLetter(t *testing.T) {
	var ahead atomic.Int64
	var deadly atomic.Bool
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	f := newFleet(t, work.Options{Batches: 1, Units: 1, Now: now, Fault: func(step, _ string) error {
		if step == work.StepTaken && deadly.Load() {
			return work.ErrKilled
		}
		return nil
	}})
	f.now = now
	deadly.Store(true)
	f.put("web", []byte(`{"name":"web","resources":[{"type":"File","title":"/etc/x","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`))
	unit := f.store.Unit("test", "web")
	f.start(1)
	await := func(deaths int) *store.Dead {
		t.Helper()
		var d *store.Dead
		for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
			var err error
			if d, err = f.store.Dead(t.Context(), unit); err != nil {
				t.Fatal(err)
			}
			if d != nil && d.Buried() && d.Deaths == deaths {
				return d
			}
		}
		t.Fatalf("there are not %d deaths: %+v", deaths, d)
		return nil
	}
	for i, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		d := await(i + 1)
		if got := d.Retry.Sub(now()); got > want || got < want-20*time.Second {
			t.Errorf("after %d deaths, the pause is %s, want %s", d.Deaths, got, want)
		}
		time.Sleep(500 * time.Millisecond)
		if again := await(i + 1); again.Retry != d.Retry {
			t.Error("it is tried again before its pause is over")
		}
		ahead.Add(int64(want))
	}
	await(4)
	deadly.Store(false)
	ahead.Store(-int64(1000 * time.Hour)) // a clock that is set back does not make the pause longer
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if d, err := f.store.Dead(t.Context(), unit); err != nil || time.Since(start) > 30*time.Second {
			t.Fatalf("it is not tried again: %+v, %v", d, err)
		} else if d == nil {
			break
		}
	}
	f.check()
	if s := f.settle(); s.Dead != 0 {
		t.Errorf("got %d dead letters", s.Dead)
	}
}

// A worker that is stopped in the audit of a catalog is no death of it.
func TestInterruptedAudit(t *testing.T) {
	var audits atomic.Int32
	taken := make(chan struct{})
	f := newFleet(t, work.Options{Batches: 1, Units: 2, Fault: func(step, _ string) error {
		if step != work.StepTaken {
			return nil
		}
		switch audits.Add(1) {
		case 1, 2: // the second one is recorded
			return work.ErrKilled
		case 3:
			close(taken)
			time.Sleep(300 * time.Millisecond)
		}
		return nil
	}})
	f.put("web", fleettest.Whole(rand.New(rand.NewPCG(13, 13)), "web"))
	f.start(1)
	<-taken
	f.stop()
	f.start(1)
	f.check()
	if s := f.settle(); s.Dead != 0 {
		t.Errorf("got %d dead letters", s.Dead)
	}
}

// A dead letter of another version is tried again.
func TestDeadLetterOfAnotherVersion(t *testing.T) {
	f := newFleet(t, work.Options{})
	f.put("web", []byte(`{"name":"web","resources":[],"edges":[]}`))
	unit := f.store.Unit("test", "web")
	head, _, err := f.store.Head(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	dead := &store.Dead{Unit: unit, Feed: "test", Node: "web", Digest: head.Digest, Engine: "another version", Reason: "a fault that is repaired", Retry: time.Now().Add(time.Hour)}
	if err := f.store.PutDead(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	f.start(1)
	f.check()
	if list, err := f.store.DeadLetters(t.Context()); len(list) > 0 || err != nil {
		t.Errorf("got %d dead letters, %v", len(list), err)
	}
}

// A full disk is no fault of the catalogs: there are no dead letters when there is room again.
func TestFullDisk(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	var full atomic.Bool
	f := newFleetWith(t, work.Options{Batches: 1, Units: 2}, store.Options{Free: func() (int64, error) {
		if full.Load() {
			return 0, nil
		}
		return 1 << 40, nil
	}})
	f.fill(r, 10)
	full.Store(true)
	f.start(2)
	time.Sleep(1500 * time.Millisecond)
	full.Store(false)
	if s := f.settle(); s.Dead != 0 {
		t.Errorf("got %d dead letters", s.Dead)
	}
	f.check()
}

// A change of the program audits everything anew.
func TestAnotherVersion(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	f := newFleet(t, work.Options{})
	f.start(1)
	f.fill(r, 5)
	f.check()
	f.stop()
	before, _, err := f.store.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.engine.Version = "next"
	f.start(1)
	f.check()
	if after, _, err := f.store.State(t.Context()); err != nil || after.Epoch == before.Epoch {
		t.Errorf("got epoch %v again, %v", after.Epoch, err)
	}
}

// While another version audits everything anew, no finding disappears because the catalog
// that declares its secret was not read yet.
func TestNothingDisappears(t *testing.T) {
	const copies = 20
	var slow atomic.Bool
	var declaring atomic.Value
	release := make(chan struct{})
	f := newFleet(t, work.Options{Fault: func(step, unit string) error {
		if slow.Load() && step == work.StepTaken && unit == declaring.Load() {
			<-release
		}
		return nil
	}})
	declaring.Store(f.store.Unit("test", "declares"))
	for node, text := range map[string]string{"declares": "k9FzQ2mTx8Lw0vR4", "other": "bq3ZZdk-77Gmmm5"} {
		f.put(node, fmt.Appendf(nil, `{"name":"x","resources":[{"type":"Class","title":"Own","parameters":{"secret":%q},"sensitive_parameters":["secret"]}],"edges":[]}`, text))
	}
	for i := range copies {
		f.put(fmt.Sprint("copy", i), []byte(`{"name":"x","resources":[{"type":"File","title":"/etc/copy","parameters":{"content":"colour k9FzQ2mTx8Lw0vR4 shape"}}],"edges":[]}`))
	}
	f.start(3)
	f.check()
	f.stop()
	kinds := make(chan string, 2*copies)
	stop, err := f.store.Events(t.Context(), func(kind string, _ []byte) { kinds <- kind })
	if err != nil {
		t.Fatal(err)
	}
	f.engine.Version = "next"
	slow.Store(true)
	f.start(3)
	time.Sleep(6 * time.Second)
	close(release)
	f.check()
	if stop(); len(kinds) > 0 {
		t.Errorf("there are %d events, the first one is %s", len(kinds), <-kinds)
	}
}

// An event waits for the catalogs that arrived before: its texts may be secrets that one of
// them declares.
func TestEventOfPendingSecret(t *testing.T) {
	const secret = "otter-bassoon-nutmeg"
	slow := make(chan struct{})
	var unit atomic.Pointer[string]
	f := newFleet(t, work.Options{Fault: func(step, taken string) error {
		if u := unit.Load(); step == work.StepTaken && u != nil && *u == taken {
			<-slow
		}
		return nil
	}})
	events := make(chan string, 100)
	stop, err := f.store.Events(t.Context(), func(_ string, body []byte) { events <- string(body) })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	f.start(2)
	f.put("other", []byte(`{"name":"other","resources":[],"edges":[]}`))
	f.check()
	declaring := f.store.Unit("test", "declaring")
	unit.Store(&declaring)
	f.put("declaring", []byte(`{"name":"declaring","resources":[{"type":"Class","title":"Own","parameters":{"secret":"`+secret+`"},"sensitive_parameters":["secret"]}],"edges":[]}`))
	f.put("leak", []byte(`{"name":"leak","resources":[{"type":"File","title":"/etc/`+secret+`","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4"}}],"edges":[]}`))
	select {
	case e := <-events:
		t.Errorf("an event does not wait: %s", e)
	case <-time.After(unsettled + time.Second):
	}
	close(slow)
	f.check()
	for range 2 { // the password, and the copy of the secret
		select {
		case e := <-events:
			if strings.Contains(e, secret) || !strings.Contains(e, `"leak"`) {
				t.Errorf("got %s", e)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("there is no event")
		}
	}
}

func TestFindingsAndEvents(t *testing.T) {
	f := newFleet(t, work.Options{})
	events := make(chan history.Event, 100)
	stop, err := f.store.Events(t.Context(), func(kind string, body []byte) {
		var e history.Event
		if err := json.Unmarshal(body, &e); err != nil || string(e.Kind) != kind {
			t.Errorf("%s: %s, %v", kind, body, err)
		}
		for _, text := range fleettest.Secrets() {
			if bytes.Contains(body, []byte(text)) {
				t.Errorf("an event contains a secret: %s", body)
			}
		}
		events <- e
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	f.start(1)
	leak := `{"name":"a","environment":"production","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4\n"}}],"edges":[]}`
	clean := `{"name":"a","environment":"production","resources":[],"edges":[]}`
	var fingerprint string
	for i, step := range []struct {
		document string
		want     map[history.Kind]int
	}{
		{leak, map[history.Kind]int{history.New: 1}},
		{clean, map[history.Kind]int{history.Gone: 1}},
		{leak, map[history.Kind]int{history.Again: 1}},
		{"", map[history.Kind]int{history.Gone: 1}},
		{leak[:90], map[history.Kind]int{history.Failed: 1}},
		{clean, map[history.Kind]int{}},
		{leak[:90], map[history.Kind]int{history.Failed: 1}}, // broken like before, and another event
	} {
		if step.document == "" {
			f.remove("a")
		} else {
			f.put("a", []byte(step.document))
		}
		f.check()
		got := map[history.Kind]int{}
		for wait := time.After(5 * time.Second); !maps.Equal(got, step.want); {
			select {
			case e := <-events:
				got[e.Kind]++
				if e.Feed != "test" || e.Node != "a" {
					t.Errorf("got %+v", e)
				}
				if fingerprint == "" {
					fingerprint = e.Fingerprint
				}
				if e.Kind != history.Failed && e.Fingerprint != fingerprint {
					t.Errorf("step %d: the fingerprint changed", i)
				}
			case <-wait:
				t.Fatalf("step %d: got %v, want %v", i, got, step.want)
			}
		}
	}
	var record history.Record
	if revision, err := f.store.Findings(t.Context(), f.store.Unit("test", "a"), &record); revision == 0 || err != nil || len(record.Findings) != 1 || record.Open() != 0 {
		t.Errorf("got %+v, %v", record, err)
	}
}
