package work

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/store"
)

// The pauses before a dead letter is tried again: each is twice as long as the one before.
const (
	firstPause   = time.Minute
	longestPause = 6 * time.Hour
)

// pause returns the pause after a number of retries.
func pause(retries int) time.Duration {
	p := firstPause
	for ; retries > 0 && p < longestPause; retries-- {
		p *= 2
	}
	return min(p, longestPause)
}

// Due reports whether the pause of a dead letter is over. A time that is too far away is one of
// a clock that was set back.
func Due(d *store.Dead, now time.Time) bool {
	return !now.Before(d.Retry) || d.Retry.Sub(now) > longestPause
}

// trial is the audit of a unit whose audit may end the worker, because an earlier delivery
// of its task ended without a result. It is recorded before it begins: so a death counts for
// the catalog that was audited, and not for the others of the task. It is recorded once, also
// if it waits for the storage.
type trial struct {
	*Worker
	unit   string
	retry  bool        // the pause of a dead letter is over
	before *store.Dead // the record before the trial; nil if there was none
	record *store.Dead // nil until it is stored
}

// trial returns the trial of a unit, or nil if no earlier delivery ended without a result.
func (w *Worker) trial(d *store.Delivery, u store.Want) *trial {
	if d.Count == 1 && !u.Tried {
		return nil
	}
	return &trial{Worker: w, unit: u.Unit, retry: u.Retry && d.Count == 1}
}

// begin records the trial. It reports whether the unit is to be audited: a dead letter is not,
// until its pause is over and the coordinator issues a task of its own, which is tried once.
func (t *trial) begin(ctx context.Context) (bool, error) {
	if t == nil || t.record != nil {
		return true, nil
	}
	head, _, err := t.Store.Head(ctx, t.unit)
	if err != nil || head == nil || head.Gone {
		return false, err
	}
	dead, err := t.Store.Dead(ctx, t.unit)
	if err != nil {
		return false, err
	}
	if dead != nil && (dead.Digest != head.Digest || dead.Engine != t.Engine.Version) {
		dead = nil // of another catalog, or of another version
	}
	next := store.Dead{Unit: t.unit, Feed: head.Feed, Node: head.Node, Digest: head.Digest, Engine: t.Engine.Version, Time: t.Now().UTC()}
	if dead != nil {
		next = *dead
	}
	switch {
	case next.Buried() && !t.retry:
		return false, nil
	case !next.Buried() && next.Deaths >= t.Units:
		next.Retry, next.Time = t.Now().UTC().Add(pause(0)), t.Now().UTC()
		t.Log.Error("a catalog cannot be audited; see pcatd dead list", "catalog", head.Name(), "reason", next.Reason)
		return false, t.Store.PutDead(ctx, &next)
	}
	next.Deaths++
	next.Reason = fmt.Sprintf("its audit ended the worker, or took too long, %d times", next.Deaths)
	if next.Buried() {
		next.Retry = t.Now().UTC().Add(pause(next.Deaths - t.Units))
	}
	if err := t.Store.PutDead(ctx, &next); err != nil {
		return false, err
	}
	t.before, t.record = dead, &next
	return true, nil
}

// end records the result of the trial. An interruption of the worker is none.
func (t *trial) end(ctx context.Context, result error) {
	if t == nil || t.record == nil || errors.Is(result, ErrKilled) {
		return
	}
	stopped := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var err error
	switch {
	case result != nil && !stopped && errors.Is(result, context.DeadlineExceeded): // as it is recorded
	case result != nil && !stopped:
		t.record.Reason = result.Error()
		err = t.Store.PutDead(ctx, t.record)
	case result != nil && t.before != nil:
		err = t.Store.PutDead(ctx, t.before)
	default:
		err = t.Store.RemoveDead(ctx, t.unit)
	}
	if err != nil {
		t.Log.Warn("the result of an audit that was tried again is not recorded", "unit", t.unit, "error", err)
	}
}
