package deferred

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore/function"
)

// Run is one pass over a catalog: a [catalog.Transform] and a [catalog.FinishTransform]. It
// resolves the parameters of each resource in order. Failed calls are added to Failures and
// remain Deferred values. A Run is not safe for concurrent use.
type Run struct {
	resolver *Resolver
	worker   *worker           // resolves the resources as they pass; nil if they are resolved before
	resolved chan chan outcome // in catalog order
	cancel   context.CancelFunc
	working  sync.WaitGroup
	full     *atomic.Bool // the limit of calls is reached
	calls    int
	failures Failures
	memory   *function.Memory // account for resolved resources that have not passed yet
	passing  int64            // bytes of the resource that is passing
}

// outcome is the result of resolving one resource.
type outcome struct {
	resource *catalog.Resource
	err      error
	calls    int
	failures Failures
	delayed  []func()
	held     int64 // bytes of memory
}

// window is the number of resources per goroutine that may be resolved in
// advance.
const window = 8

// errOther means that a resource passes that was not resolved.
var errOther = errors.New("unexpected resource; it was not resolved")

// Run starts a pass that resolves each resource as it passes.
func (r *Resolver) Run() *Run { return &Run{resolver: r, worker: r.worker()} }

// Parallel starts a pass that resolves resources with n goroutines, at least one, before they
// pass. The same resources must pass in the same order. Results, failures, trace and log are the
// same as of [Resolver.Run], in catalog order, for any number of goroutines. Only durations
// differ, and the choice of calls that fail when the budget of the World is exhausted.
//
// Call Close after all resources have passed; until Close returns, r is in use. An error in
// resources stops the goroutines; the caller meets the same error when it reads
// the resources.
func (r *Resolver) Parallel(ctx context.Context, n int, resources iter.Seq2[*catalog.Resource, error]) *Run {
	n = max(n, 1)
	ctx, cancel := context.WithCancel(ctx)
	a := &Run{resolver: r, cancel: cancel, resolved: make(chan chan outcome, n*window), full: new(atomic.Bool), memory: r.World.Memory.Account()}
	type job struct {
		resource *catalog.Resource
		done     chan<- outcome
	}
	jobs := make(chan job)
	a.working.Go(func() {
		defer close(a.resolved)
		defer close(jobs)
		for res, err := range resources {
			if err != nil {
				return
			}
			if !mayCall(res) {
				continue
			}
			done := make(chan outcome, 1)
			select {
			case a.resolved <- done:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{res, done}:
			case <-ctx.Done():
				done <- outcome{err: context.Cause(ctx)}
				return
			}
		}
	})
	shared := new(memo)
	for range n {
		a.working.Go(func() {
			run := r.worker()
			run.memo = shared
			for j := range jobs {
				if a.full.Load() {
					j.done <- outcome{calls: r.MaxCalls + 1} // resolved again later, without calls
					continue
				}
				o := run.alone(ctx, j.resource)
				run.memory.Give(a.memory, o.held)
				j.done <- o
			}
		})
	}
	return a
}

// alone resolves a resource with fresh counters and failures.
func (r *worker) alone(ctx context.Context, res *catalog.Resource) outcome {
	r.calls, r.failures, r.delayed, r.delays = 0, nil, nil, true
	held := r.memory.Held()
	to, err := r.resource(ctx, res)
	return outcome{to, err, r.calls, r.failures, r.delayed, r.memory.Held() - held}
}

// Resource implements [catalog.Transform]. The error is the error of ctx, or of a parameter that
// cannot be decoded.
func (a *Run) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	if a.worker != nil {
		to, err := a.worker.released(ctx, res)
		a.calls, a.failures = a.worker.calls, a.worker.failures
		return to, err
	}
	a.pass(0) // the last one has been written
	if !mayCall(res) {
		return res, nil
	}
	o, err := a.next(ctx)
	if err != nil {
		return nil, err
	}
	a.pass(o.held)
	if most := a.resolver.MaxCalls; most > 0 && a.calls+o.calls > most {
		// Resolve again: the remaining calls must not depend on
		// goroutine order.
		a.full.Store(true)
		run := a.resolver.worker()
		run.most = max(0, most-a.calls)
		a.pass(0)
		o = run.alone(ctx, res)
		run.memory.Give(a.memory, o.held)
		a.pass(o.held)
	}
	if o.err != nil {
		return nil, o.err
	}
	if o.resource.Ref() != res.Ref() {
		return nil, fmt.Errorf("%w: %s", errOther, res.Ref())
	}
	for _, emit := range o.delayed {
		emit()
	}
	a.calls += o.calls
	a.failures = append(a.failures, o.failures...)
	return o.resource, nil
}

// pass releases the memory of the last resource and records that of the next
// one.
func (a *Run) pass(held int64) {
	a.memory.Release(a.passing)
	a.passing = held
}

// next waits for the next resource.
func (a *Run) next(ctx context.Context) (outcome, error) {
	done, ok := <-a.resolved
	if !ok {
		if ctx.Err() != nil {
			return outcome{}, context.Cause(ctx)
		}
		return outcome{}, errOther
	}
	select {
	case o := <-done:
		return o, nil
	case <-ctx.Done():
		return outcome{}, context.Cause(ctx)
	}
}

// Close stops the goroutines of [Resolver.Parallel] and waits for them.
func (a *Run) Close() {
	if a.worker != nil {
		return
	}
	a.cancel()
	a.working.Wait()
	a.memory.ReleaseTo(0)
	a.passing = 0
}

// Calls returns the number of Deferred calls in the resources that have passed.
func (a *Run) Calls() int { return a.calls }

// Failures returns the failed calls so far, in catalog order.
func (a *Run) Failures() Failures { return a.failures }

// Err returns the failures so far as an error, or nil if there are none.
func (a *Run) Err() error { return a.failures.err() }

// Finish implements [catalog.FinishTransform]: the end of [catalog.Copy] returns
// the failures, and the output is not completed. With KeepUnresolved it returns
// nil.
func (a *Run) Finish() error {
	if a.resolver.KeepUnresolved {
		return nil
	}
	return a.Err()
}

// mayCall reports whether a resource may contain a Deferred. It is true for
// unreadable parameters, so that resolving the resource returns the error. It
// avoids parsing a resource whose bytes show rich data.
func mayCall(res *catalog.Resource) bool {
	if res.Bytes() != nil && res.MayBeRich() {
		return true
	}
	parameters, err := res.RawParameters()
	for i := range parameters {
		if parameters[i].MayBeRich() {
			return true
		}
	}
	return err != nil
}
