// Package work audits the catalogs of a fleet, one task after another.
//
//	Worker   takes tasks and writes parts
//	Engine   the audit that workers and the coordinator share
//
// A worker can end at any time: a task is done when its parts are written, and is delivered
// to another worker otherwise. Parts are written by compare-and-set, so that a task that is
// done twice, or late, changes nothing.
package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// Options are the options of a [Worker].
type Options struct {
	Store  *store.Store
	Engine *Engine
	Log    *slog.Logger
	// Batches is the number of deliveries after which a task is split into its units, and
	// Units the number of recorded audits without a result after which a unit becomes a dead
	// letter. 0 means 2 and 5.
	Batches, Units int
	// Limit is the time after which a task is given up. 0 means 15 minutes.
	Limit time.Duration
	// Delay is the time before a task that failed is tried again, multiplied by the number
	// of attempts. 0 means 2 seconds.
	Delay time.Duration
	// Now is the clock for the pauses of dead letters. Nil means [time.Now].
	Now func() time.Time
	// Fault is called at steps of the audit of a unit, for tests. An error ends the worker.
	Fault func(step string, unit string) error
}

// The steps of [Options.Fault].
const (
	StepTaken   = "taken"   // before a unit is read
	StepWritten = "written" // after its part is written
	StepDone    = "done"    // before the task is acknowledged
)

// Worker takes tasks. Its methods may be called in several goroutines.
type Worker struct {
	Options
	mu      sync.Mutex
	current *knowledge                // the newest knowledge
	known   map[string]*audit.Segment // its segments by ID

	progress Progress
	foreign  time.Time // of the last task for another version
	blocked  bool      // the storage takes no results
	deaf     bool      // the storage delivers no tasks
}

// Progress counts the tasks of a [Worker].
type Progress struct {
	Done    uint64 `json:"done"`
	Failed  uint64 `json:"failed"`  // and given back
	Foreign uint64 `json:"foreign"` // for another version of pcatd, and given back
}

// Progress returns the number of tasks so far.
func (w *Worker) Progress() Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.progress
}

// Healthy returns an error if the worker cannot work now.
func (w *Worker) Healthy() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.foreign.IsZero() && time.Since(w.foreign) < recent:
		return errors.New("the tasks are for another version of pcatd: install the version of pcatd serve")
	case w.blocked:
		return errors.New("the storage takes no results: see the log")
	case w.deaf:
		return errors.New("the storage delivers no tasks: see the log")
	}
	return nil
}

// recent is how long a task for another version counts. Such a task is delivered again
// more often.
const recent = 2 * time.Minute

// note changes the progress.
func (w *Worker) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// knowledge is a version of the knowledge.
type knowledge struct {
	epoch string
	*audit.Knowledge
}

// New returns a Worker.
func New(o Options) *Worker {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Batches == 0 {
		o.Batches = 2
	}
	if o.Units == 0 {
		o.Units = 5
	}
	if o.Limit == 0 {
		o.Limit = 15 * time.Minute
	}
	if o.Delay == 0 {
		o.Delay = 2 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fault == nil {
		o.Fault = func(string, string) error { return nil }
	}
	return &Worker{Options: o, known: map[string]*audit.Segment{}}
}

// ErrKilled is the error of a [Options.Fault] that ends the worker as if it was killed.
var ErrKilled = errors.New("the worker was killed")

// Run takes tasks until the context ends. It works in one goroutine.
func (w *Worker) Run(ctx context.Context) error {
	b := newBench(w.Engine)
	for ctx.Err() == nil {
		d, err := w.Store.NextTask(ctx, 30*time.Second)
		switch {
		case ctx.Err() != nil:
			if d != nil {
				_ = d.Retry(0)
			}
			return nil
		case err != nil:
			w.note(func() { w.deaf = true })
			w.Log.Warn("no task from NATS, trying again", "error", err)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		default:
			w.note(func() { w.deaf = false })
			if d == nil {
				continue
			}
			if err := w.task(ctx, d, b); errors.Is(err, ErrKilled) {
				return err
			}
		}
	}
	return nil
}

// task processes a delivery, and answers it. The error is that of the fault.
func (w *Worker) task(ctx context.Context, d *store.Delivery, b *bench) error {
	log := w.Log.With("task", d.ID)
	switch {
	case d.Engine != w.Engine.Version:
		w.note(func() { w.progress.Foreign++; w.foreign = time.Now() })
		log.Warn("the task is for another version of pcatd", "task version", d.Engine, "version", w.Engine.Version)
		w.answer(d.Retry(30*time.Second), log)
		return nil
	case len(d.Units) > 1 && d.Count > w.Batches:
		log.Warn("the task failed, its units are tried one by one", "units", len(d.Units), "deliveries", d.Count)
		w.answer(w.split(ctx, d), log)
		return nil
	}
	switch err := b.take(ctx, w.Engine, w.Store, d.Rules); {
	case errors.Is(err, errRules): // there are other tasks
		w.answer(d.Done(ctx), log)
		return nil
	case err != nil:
		log.Warn("the custom rules cannot be used", "error", err)
		w.answer(d.Retry(w.Delay*time.Duration(d.Count)), log)
		return nil
	}
	all := ctx
	var cancel context.CancelFunc
	var stop func() // the heartbeat
	begin := func() {
		ctx, cancel = limited(all, w.Limit)
		stop = w.heartbeat(ctx, d)
	}
	begin()
	defer func() { stop(); cancel() }()
	var failed error
	searched := &Searched{Epoch: d.Epoch}
	for _, u := range d.Units {
		t := w.trial(d, u)
		err := w.try(ctx, d, u, t, b, searched)
		// That nothing can be stored is no fault of the unit: the delivery does not end.
		for n := 1; err != nil && ctx.Err() == nil && store.Unavailable(err); n++ {
			if n == 1 {
				w.note(func() { w.blocked = true })
				log.Warn("the storage takes nothing, waiting", "error", err)
			}
			select {
			case <-time.After(min(w.Delay*time.Duration(n), 30*time.Second, w.Limit/2)):
			case <-all.Done():
			}
			stop()
			cancel()
			begin()
			if err = w.try(ctx, d, u, t, b, searched); err == nil {
				w.note(func() { w.blocked = false })
			}
		}
		t.end(all, err)
		if errors.Is(err, ErrKilled) {
			return err
		}
		if err != nil {
			failed = errors.Join(failed, err)
			if ctx.Err() != nil {
				break
			}
			log.Warn("a unit failed, it is tried again", "unit", u.Unit, "error", err, "deliveries", d.Count)
		}
	}
	w.report(ctx, searched)
	stop()
	switch {
	case all.Err() != nil:
		w.answer(d.Retry(0), log) // somebody else takes it at once
	case failed != nil:
		w.note(func() { w.progress.Failed++ })
		w.answer(d.Retry(w.Delay*time.Duration(d.Count)), log)
	default:
		if err := w.Fault(StepDone, ""); err != nil {
			return err
		}
		w.note(func() { w.progress.Done++ })
		w.answer(d.Done(ctx), log)
	}
	return nil
}

// limited returns a context that ends after some time. It has no deadline: the client of
// JetStream would wait until then for each answer, also if the server that had to give it
// has failed.
func limited(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := time.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() { t.Stop(); cancel(nil) }
}

// answer logs that the server did not hear of the end of a task, which is then delivered
// again.
func (w *Worker) answer(err error, log *slog.Logger) {
	if err != nil {
		log.Warn("the task will be delivered again", "error", err)
	}
}

// heartbeat keeps the server from delivering the task to somebody else.
func (w *Worker) heartbeat(ctx context.Context, d *store.Delivery) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(w.Store.AckWait() / 3)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = d.Progress() // else it is delivered again
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// split replaces a task by one for each unit.
func (w *Worker) split(ctx context.Context, d *store.Delivery) error {
	for _, u := range d.Units {
		u.Tried = true
		t := d.Task
		t.ID, t.Units = d.ID+"/"+u.Unit, []store.Want{u}
		if err := w.Store.AddTask(ctx, &t); err != nil {
			return errors.Join(err, d.Retry(w.Delay))
		}
	}
	return d.Done(ctx)
}

// try is unit, in a trial unless that is nil.
func (w *Worker) try(ctx context.Context, d *store.Delivery, u store.Want, t *trial, b *bench, searched *Searched) error {
	if audited, err := t.begin(ctx); err != nil || !audited {
		return err
	}
	return w.unit(ctx, d, u, b, searched)
}

// unit brings one unit up to date, or adds it to those that were searched and need nothing.
func (w *Worker) unit(ctx context.Context, d *store.Delivery, u store.Want, b *bench, searched *Searched) (err error) {
	if err := w.Fault(StepTaken, u.Unit); err != nil {
		return err
	}
	if s, ok := w.search(ctx, d, u, b); ok {
		searched.Units = append(searched.Units, s)
		return nil
	}
	if d.Count > 1 || u.Tried {
		u.Head = nil // it may be from long ago
	}
	for ctx.Err() == nil {
		connected, cancel := w.Store.Connected(ctx)
		done, err := w.attempt(connected, d, u, b)
		lost := err != nil && connected.Err() != nil
		cancel()
		switch {
		case lost: // the answer never comes
			continue
		case u.Head != nil && (errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrMissing)):
			u.Head = nil // something is new
			continue
		case errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrMissing):
			// Somebody was first: look again. A catalog that is missing although it is
			// the newest one is a fault.
			head, _, again := w.Store.Head(ctx, u.Unit)
			if again == nil && errors.Is(err, store.ErrMissing) && head != nil && !head.Gone && head.Digest == u.Digest && d.Count > 1 {
				return fmt.Errorf("%s: %w", head.Name(), err)
			}
			if errors.Is(err, store.ErrMissing) {
				return err
			}
			continue
		case err != nil:
			return err
		case done:
			return w.Fault(StepWritten, u.Unit)
		}
		return nil
	}
	return context.Cause(ctx)
}

// attempt is one attempt at a unit. It reports whether a part was written. It believes the
// coordinator about the catalog and, if that is new, the part: the error is
// [store.ErrConflict] if the part is another one.
func (w *Worker) attempt(ctx context.Context, d *store.Delivery, u store.Want, b *bench) (bool, error) {
	head, revision := u.Head, u.Part
	var stored *store.Part
	var err error
	if head == nil {
		if head, _, err = w.Store.Head(ctx, u.Unit); err != nil {
			return false, err
		}
		if head == nil || head.Gone {
			return false, w.Store.RemoveExtract(ctx, u.Unit) // which can be later than the removal
		}
	}
	if u.Head == nil || !u.Fresh {
		if stored, revision, err = w.Store.Part(ctx, u.Unit); err != nil && !errors.Is(err, store.ErrMissing) {
			return false, err
		}
	}
	part := w.Engine.Part(stored, head.Digest, d.Epoch)
	if u.Head != nil && !u.Fresh && part == nil {
		return false, store.ErrConflict
	}
	var k *audit.Knowledge
	if d.Inspect {
		if k, err = w.knowledge(ctx, d.Epoch, d.Version); k == nil {
			return false, err
		}
	}
	if part != nil && (!d.Inspect || part.Version() >= max(k.Version(), 1)) {
		return false, nil // done by somebody else
	}
	data, err := w.Store.Document(ctx, head)
	if err != nil {
		return false, err
	}
	in := audit.Document(head.Name(), data)
	if part, err = b.examine(ctx, in, part, k); err != nil {
		return false, err
	}
	stored = &store.Part{Digest: head.Digest, Epoch: d.Epoch}
	if stored.Data, err = part.AppendBinary(nil); err != nil {
		return false, errors.New("the part cannot be encoded") // the cause may quote it
	}
	w.keep(ctx, d, u, head, part)
	_, err = w.Store.PutPart(ctx, u.Unit, stored, revision)
	return err == nil, err
}

// knowledge returns the current knowledge, which has at least the given version. It
// returns nil if the epoch ended.
func (w *Worker) knowledge(ctx context.Context, epoch string, version uint64) (*audit.Knowledge, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.current; c != nil && c.epoch == epoch && c.Version() >= version {
		return c.Knowledge, nil
	}
	state, _, err := w.Store.State(ctx)
	if err != nil || state == nil || state.Epoch != epoch {
		return nil, err
	}
	k, err := LoadKnowledge(ctx, w.Store, state, w.known)
	if err != nil {
		return nil, err
	}
	known := map[string]*audit.Segment{}
	for _, s := range k.Segments() {
		known[s.ID()] = s
	}
	w.known, w.current = known, &knowledge{epoch, k}
	return k, nil
}
