package redact

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

// several reports whether several inputs are processed at the same time.
func (r *run) several() bool { return r.Jobs != 1 && len(r.inputs) > 1 }

// each calls work for each input that has not failed, for several at the same time. turn
// waits for the work on all previous inputs. The error is that of Each or of the context.
func (r *run) each(ctx context.Context, work func(ctx context.Context, i int, turn func()) error) error {
	loop := r.Each
	if loop == nil {
		loop = func(ctx context.Context, n int, work func(context.Context, int)) error {
			return goroutines(ctx, r.Jobs, n, work)
		}
	}
	ended := make([]chan struct{}, len(r.inputs)+1)
	for i := range ended {
		ended[i] = make(chan struct{})
	}
	close(ended[0])
	err := loop(ctx, len(r.inputs), func(ctx context.Context, i int) {
		turn := func() { <-ended[i] }
		defer func() {
			turn()
			close(ended[i+1])
		}()
		if r.result.Failures[i] == nil {
			r.result.Failures[i] = work(ctx, i, turn)
		}
	})
	return errors.Join(err, ctx.Err())
}

// goroutines is the default loop, with so many jobs.
func goroutines(ctx context.Context, jobs, n int, work func(context.Context, int)) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	slots := make(chan struct{}, jobs)
	var all sync.WaitGroup
	defer all.Wait()
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			work(ctx, i)
		})
	}
	return nil
}
