// Package coordinate leads the audit of a fleet.
//
//	Coordinator   gathers the knowledge, issues tasks, and has the report
//
// Everything that it knows follows from the storage. It can end at any time, and the
// next one continues. One at a time is active.
package coordinate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// Options are the options of a [Coordinator].
type Options struct {
	Store  *store.Store
	Engine *work.Engine
	Log    *slog.Logger
	// Decisions are the decisions of files. Nil means none.
	Decisions *decisions.Watch
	// Keep is how long superseded catalogs are kept.
	Keep time.Duration
	// Tick is the time between two looks at the fleet. 0 means 100 ms.
	Tick time.Duration
	// Patience is how long open tasks may delay the search for new secrets in all
	// catalogs. 0 means 30 seconds.
	Patience time.Duration
	// SearchInterval is the least time between two searches for new secrets in all catalogs.
	// 0 means that one begins as soon as the one before is done.
	SearchInterval time.Duration
	// Again is the time after which a task is issued again, if it is not done: if the clock of
	// the server is set back, it delivers the tasks of workers that ended as much later. 0
	// means 20 minutes, which is longer than a worker takes.
	Again time.Duration
	// Recorded is called after findings were recorded that changed. It must return at once. Nil
	// means that nobody is interested.
	Recorded func()
	// Now is the clock for times that are recorded. Nil means [time.Now].
	Now func() time.Time
}

// Coordinator leads the audit of a fleet. Its methods are safe for concurrent use.
type Coordinator struct {
	Options
	calls  chan func(*leader)
	status atomic.Pointer[web.Status]
	writes sync.Mutex                // of reports, which take memory
	turned atomic.Pointer[time.Time] // the last turn of the loop of the leader, or the last record of a unit in it, or nil
}

// New returns a Coordinator.
func New(o Options) *Coordinator {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Decisions == nil {
		o.Decisions, _ = decisions.New(decisions.Files{}, nil, o.Log) // nothing is read
	}
	if o.Tick == 0 {
		o.Tick = 100 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Recorded == nil {
		o.Recorded = func() {}
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.Again == 0 {
		o.Again = 20 * time.Minute
	}
	c := &Coordinator{Options: o, calls: make(chan func(*leader))}
	c.status.Store(&web.Status{})
	return c
}

// Run leads until the context ends. It waits while another coordinator leads.
func (c *Coordinator) Run(ctx context.Context) error {
	for {
		err := c.lead(ctx)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it is a consequence
		}
		if errors.Is(err, errRules) {
			c.Log.Info("the custom rules changed, all catalogs are audited anew")
			continue
		}
		if errors.Is(err, store.ErrLed) {
			c.status.Store(&web.Status{})
			c.Log.Debug("another coordinator leads, waiting")
		} else {
			c.status.Store(&web.Status{Err: errFails})
			c.Log.Warn("coordinating the fleet failed, starting again", "error", err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// errFails is why a process is not healthy until it leads again. The cause can name nodes.
var errFails = errors.New("coordinating the fleet fails, see the log")

// errRules ends the lead: the custom rules are other ones.
var errRules = errors.New("the custom rules changed")

// Status returns the state of the fleet, a moment ago. Leading is not set while another
// process leads.
func (c *Coordinator) Status() web.Status { return *c.status.Load() }

// longest is more than a turn of the loop takes. The longest one gathers the secrets of all catalogs.
const longest = 15 * time.Minute

// turn notes that the leader goes on.
func (c *Coordinator) turn() {
	now := time.Now()
	c.turned.Store(&now)
}

// Hangs reports whether the process leads and does nothing anymore, so that only a restart helps.
func (c *Coordinator) Hangs() bool {
	last := c.turned.Load()
	return last != nil && time.Since(*last) > longest
}

// idle is how long no catalog may be audited while some wait. One that takes longer is rare.
const idle = 50 * time.Second

// Problems returns the problems of the fleet that this process coordinates.
func (c *Coordinator) Problems() []health.Problem {
	s := c.Status()
	var list []health.Problem
	add := func(part, format string, args ...any) {
		list = append(list, health.Problem{Part: part, Reason: fmt.Sprintf(format, args...)})
	}
	if s.Err != nil {
		add("coordinator", "%v", s.Err)
	}
	if s.Idle > idle {
		add("workers", "%d catalogs wait, and none was audited for %s: start workers, or see their logs", s.Stale, s.Idle.Round(time.Second))
	}
	if s.Dead > 0 {
		add("catalogs", "the audit of %d was given up: see pcatd dead list", s.Dead)
	}
	if n := s.Failed - s.Dead; n > 0 {
		add("catalogs", "%d cannot be read: see pcatd report", n)
	}
	return list
}

// lead leads until an error occurs.
func (c *Coordinator) lead(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil { // its text may quote a catalog
			err = fmt.Errorf("a fault of type %T, please report it", v)
		}
	}()
	lease, err := c.Store.Lead(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { cancel(lease.Keep(ctx)) })
	tasks.Go(func() { c.sweep(ctx) })
	defer func() {
		cancel(nil)
		tasks.Wait()
		end, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer stop()
		_ = lease.End(end) // it ends by itself, too
	}()
	l, err := newLeader(c)
	if err != nil {
		return err
	}
	if err := l.begin(ctx); err != nil {
		return err
	}
	if l.changes, err = c.Store.Watch(ctx); err != nil {
		return err
	}
	defer l.changes.Stop()
	if err := l.read(ctx); err != nil {
		return err
	}
	c.Log.Info("coordinating the fleet", "units", len(l.names), "knowledge", l.state.Version)
	for subject, reply := range map[string]func(context.Context, []string) ([]byte, error){
		AskReport: c.writeReport, AskStatus: c.writeStatus, AskFindings: c.writeFindings, AskEvents: c.writeEvents, store.AskChunk: c.Store.Chunk,
		AskAccept: c.accept, AskAccepted: c.writeAccepted, AskWithdraw: c.withdraw, work.AskSearched: c.searched,
	} {
		if err := c.Store.Answer(ctx, subject, reply); err != nil {
			return err
		}
	}
	return errors.Join(l.loop(ctx), context.Cause(ctx))
}

// sweep removes superseded data from time to time.
func (c *Coordinator) sweep(ctx context.Context) {
	sweeper := c.Store.Sweeper(c.Keep)
	t := time.NewTicker(5 * time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if n, err := sweeper.Sweep(ctx); err != nil && ctx.Err() == nil {
				c.Log.Warn("superseded catalogs could not be removed", "error", err)
			} else if n > 0 {
				c.Log.Debug("removed superseded objects", "count", n)
			}
		}
	}
}
