package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/spf13/pflag"
)

// JobFlags are the flags of a command that processes several inputs at a time. Declare them
// with AddFlags.
type JobFlags struct {
	Jobs int // 0 for the number of processors
	// Doing is the activity that is shown with the number of processed inputs if it takes
	// long, such as "converting". It is not a flag. Empty shows nothing.
	Doing string
}

// AddFlags declares the flags.
func (f *JobFlags) AddFlags(flags *pflag.FlagSet) {
	flags.IntVarP(&f.Jobs, "jobs", "j", 0, "process `N` inputs at a time; 0 for one per processor")
}

// Check returns a usage error for a negative number.
func (f *JobFlags) Check() error {
	if f.Jobs < 0 {
		return Usage("--jobs %d: the number cannot be negative", f.Jobs)
	}
	return nil
}

// Several reports whether several of the sources are processed at a time.
func (f *JobFlags) Several(sources []Source) bool { return f.number() > 1 && len(sources) > 1 }

func (f *JobFlags) number() int {
	if f.Jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return f.Jobs
}

// Run calls work for each source, several at a time, and joins their errors in the order of
// the sources. The output of work goes to out in the same order, and so do messages to the
// log of the source: immediately for a single source, otherwise when work on the source is
// complete. After an error of out, no more work is started.
func (f *JobFlags) Run(ctx context.Context, out io.Writer, sources []Source, work func(context.Context, Source, io.Writer) error) error {
	if f.Doing != "" && len(sources) > 0 && sources[0].streams != nil {
		p := sources[0].streams.StartProgress(counted(f.Doing, len(sources)))
		defer p.Stop()
		do := work
		work = func(ctx context.Context, src Source, out io.Writer) error {
			defer p.Add()
			return do(ctx, src, out)
		}
	}
	n := f.number()
	if !f.Several(sources) {
		var failures []error
		w := &stoppableWriter{w: out}
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
		done.flushLog()
		if done.panicked != nil {
			panic(done.panicked) //nolint:forbidigo // it was a panic of a goroutine
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

// stoppableWriter is a writer that records whether writing failed.
type stoppableWriter struct {
	w     io.Writer
	ended bool
}

func (e *stoppableWriter) Write(p []byte) (int, error) {
	n, err := e.w.Write(p)
	e.ended = e.ended || err != nil
	return n, err
}

// job is the result of the work on a source.
type job struct {
	out      bytes.Buffer
	log      bytes.Buffer
	streams  *IOStreams
	err      error
	panicked any
}

// newJob returns a job for a source, which buffers the messages to its log.
func newJob(src *Source) *job {
	j := &job{streams: src.streams}
	if j.streams != nil {
		src.log = j.streams.LogTo(&j.log)
	}
	return j
}

// flushLog writes the buffered messages. Errors are ignored, because nothing depends on them.
func (j *job) flushLog() {
	if j.log.Len() > 0 {
		_, _ = j.log.WriteTo(j.streams.Err)
	}
}

// started starts the work on sources, n at a time, and sends the results in order. At most
// n results wait for the receiver.
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
