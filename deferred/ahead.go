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

// Ahead resolves resources before they pass, several at the same time. It is a
// [catalog.Transform] for the same resources in the same order. Results,
// failures, trace and log are those of a [Run], in the order of the catalog, for
// any number of goroutines; only the durations differ, and what fails when the
// budget of the World ends. It is used by one goroutine at a time.
type Ahead struct {
	resolver *Resolver
	resolved chan chan outcome // in the order of the catalog
	cancel   context.CancelFunc
	working  sync.WaitGroup
	full     *atomic.Bool // as many calls were made as may be
	calls    int
	failures Failures
	memory   *function.Memory // an account of what is resolved and has not passed
	passing  int64            // bytes of the resource that passes now
}

// outcome is what became of one resource.
type outcome struct {
	resource *catalog.Resource
	err      error
	calls    int
	failures Failures
	told     []func()
	held     int64 // bytes of memory
}

// window is how many resources for each goroutine may be resolved before they
// are asked for.
const window = 8

// errOther tells that the resources that pass are not those that were resolved.
var errOther = errors.New("another resource passes than was resolved")

// Ahead begins to resolve resources by n goroutines, 1 at least. Close must be
// called when they have passed. An error among the resources ends them; the one
// who lets them pass will meet it, too.
func (r *Resolver) Ahead(ctx context.Context, n int, resources iter.Seq2[*catalog.Resource, error]) *Ahead {
	n = max(n, 1)
	ctx, cancel := context.WithCancel(ctx)
	a := &Ahead{resolver: r, cancel: cancel, resolved: make(chan chan outcome, n*window), full: new(atomic.Bool), memory: r.World.Memory.Account()}
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
			run := r.Run()
			run.memo = shared
			for j := range jobs {
				if a.full.Load() {
					j.done <- outcome{calls: r.MaxCalls + 1} // made again, without calls
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

// alone resolves a resource as if there were no other.
func (r *Run) alone(ctx context.Context, res *catalog.Resource) outcome {
	r.calls, r.failures, r.told, r.keeps = 0, nil, nil, true
	held := r.memory.Held()
	to, err := r.resource(ctx, res)
	return outcome{to, err, r.calls, r.failures, r.told, r.memory.Held() - held}
}

// Resource implements [catalog.Transform].
func (a *Ahead) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	a.pass(0) // the last one is written
	if !mayCall(res) {
		return res, nil
	}
	o, err := a.next(ctx)
	if err != nil {
		return nil, err
	}
	a.pass(o.held)
	if most := a.resolver.MaxCalls; most > 0 && a.calls+o.calls > most {
		// The calls that are left do not depend on which goroutine was first.
		a.full.Store(true)
		run := a.resolver.Run()
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
	for _, tell := range o.told {
		tell()
	}
	a.calls += o.calls
	a.failures = append(a.failures, o.failures...)
	return o.resource, nil
}

// pass gives back the memory of the resource that passed last, and keeps in mind
// that of the next one.
func (a *Ahead) pass(held int64) {
	a.memory.Release(a.passing)
	a.passing = held
}

// next waits for the next resource.
func (a *Ahead) next(ctx context.Context) (outcome, error) {
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

// Close ends what still goes on.
func (a *Ahead) Close() {
	a.cancel()
	a.working.Wait()
	a.memory.ReleaseTo(0)
	a.passing = 0
}

// Calls returns how many Deferred values of the resources that passed were
// called.
func (a *Ahead) Calls() int { return a.calls }

// Failures returns the calls that could not be made so far, in the order of the
// catalog.
func (a *Ahead) Failures() Failures { return a.failures }

// Err returns the failures so far as an error, nil when there are none.
func (a *Ahead) Err() error {
	if len(a.failures) == 0 {
		return nil
	}
	return a.failures
}

// mayCall reports whether a resource may hold a Deferred. When its parameters
// cannot be read, looking at it again tells why. One that is told by its bytes
// is not taken apart here.
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
