package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/spf13/pflag"
)

// JobFlags are the flags of a command that works on several inputs at the same time. Declare them with
// AddFlags.
type JobFlags struct {
	Jobs int // 0 for the number of processors
}

// AddFlags declares the flags.
func (f *JobFlags) AddFlags(flags *pflag.FlagSet) {
	flags.IntVarP(&f.Jobs, "jobs", "j", 0, "process `N` inputs at a time; 0 for one per processor")
}

// Check refuses what cannot work.
func (f *JobFlags) Check() error {
	if f.Jobs < 0 {
		return Usage("--jobs %d: the number cannot be negative", f.Jobs)
	}
	return nil
}

// Several reports whether several of the sources are worked on at the same time.
func (f *JobFlags) Several(sources []Source) bool { return f.number() > 1 && len(sources) > 1 }

func (f *JobFlags) number() int {
	if f.Jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return f.Jobs
}

// Run calls work for each source, for several at the same time, and returns their errors joined, in the
// order of the sources. What work writes goes to out in that order, too, and what it tells the log of the
// source: as it is written for a single source, else when work is done with the source. After an error
// of out, no more work is begun.
func (f *JobFlags) Run(ctx context.Context, out io.Writer, sources []Source, work func(context.Context, Source, io.Writer) error) error {
	n := f.number()
	if !f.Several(sources) {
		var failures []error
		w := &ending{w: out}
		for _, src := range sources {
			if failures = append(failures, work(ctx, src, w)); w.ended {
				break
			}
		}
		return errors.Join(failures...)
	}
	sources[0].streams.saveStops()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var failures []error
	for j := range started(ctx, n, sources, work) {
		done := <-j
		done.tell()
		if done.panicked != nil {
			panic(done.panicked) //nolint:forbidigo // it was one already, where nobody looks for it
		}
		failures = append(failures, done.err)
		if ctx.Err() != nil {
			continue
		}
		if _, err := done.out.WriteTo(out); err != nil {
			cancel()
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// ending is a writer that knows when nothing more can be written.
type ending struct {
	w     io.Writer
	ended bool
}

func (e *ending) Write(p []byte) (int, error) {
	n, err := e.w.Write(p)
	e.ended = e.ended || err != nil
	return n, err
}

// job is what became of a source.
type job struct {
	out      bytes.Buffer
	told     bytes.Buffer
	streams  *IOStreams
	err      error
	panicked any
}

// newJob returns a job for a source, which keeps what the log of the source is told.
func newJob(src *Source) *job {
	j := &job{streams: src.streams}
	if j.streams != nil {
		src.log = j.streams.LogTo(&j.told)
	}
	return j
}

// tell writes what the log was told. Nothing depends on its being read.
func (j *job) tell() {
	if j.told.Len() > 0 {
		_, _ = j.told.WriteTo(j.streams.Err)
	}
}

// started begins the work on sources, n at a time, and gives out what becomes of them, in order. Not
// more than n results wait to be taken.
func started(ctx context.Context, n int, sources []Source, work func(context.Context, Source, io.Writer) error) <-chan <-chan *job {
	queue := make(chan (<-chan *job), n)
	slots := make(chan struct{}, n)
	go func() {
		defer close(queue)
		for _, src := range sources {
			slots <- struct{}{}
			if ctx.Err() != nil {
				return
			}
			done := make(chan *job, 1)
			queue <- done
			go func() {
				j := newJob(&src)
				defer func() {
					j.panicked = recover()
					done <- j
					<-slots
				}()
				j.err = work(ctx, src, &j.out)
			}()
		}
	}()
	return queue
}
