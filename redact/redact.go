package redact

import (
	"context"
	"io"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// Input is one document.
type Input struct {
	// Name is its name in the notes of an audit. Inputs have different names.
	Name string
	// Open returns a reader of the document from its beginning. It is called
	// several times, at least twice; every Closer is closed before the next
	// call, and may be nil. Different inputs are opened at the same time.
	Open func(context.Context) (*catalog.Reader, io.Closer, error)
	// Write calls write once with the destination of the output, and returns
	// its error. It is called while the document is open. When write fails, the
	// destination may have the beginning of the output, which holds no secret:
	// write to a temporary file to have all or nothing. Nil writes nothing.
	Write func(ctx context.Context, write func(io.Writer) error) error
	// Target returns the form and the layout of the output. Nil keeps both.
	Target func(*catalog.Reader) (serialization.Format, catalog.WriteOptions)
}

// Options are the choices of a run. The zero value masks declared secrets.
type Options struct {
	// Masker makes the markers. Nil is [sensitive.NewMask].
	Masker sensitive.Masker
	// Audit finds secrets that no input declares, to be redacted as well. Nil
	// finds none.
	Audit Auditor
	// Jobs is the number of inputs that are read or written at the same time;
	// 0 is the number of processors. The output is always the same. An audit
	// takes the inputs one after the other.
	Jobs int
	// Each replaces the loop over n inputs that Jobs controls: it calls work for
	// the numbers from 0 to n-1, begins them in this order, and returns when all
	// have ended. A call may wait for the end of those before it. The error ends
	// the run. Nil calls work in goroutines.
	Each func(ctx context.Context, n int, work func(ctx context.Context, i int)) error
}

// Auditor finds secrets: [NewAuditor] returns one. Another one must open the inputs in
// order, one after the other, because the numbers of markers follow from that. Only
// findings of the class rule.Leak that have a Secret are redacted.
type Auditor interface {
	Run(context.Context, []audit.Input) (*audit.Report, error)
}

// NewAuditor returns an Auditor that finds the secrets that an [audit.Auditor] finds. Jobs
// and KeepSecrets of the options have no effect. The error is that of [audit.New].
func NewAuditor(o audit.Options) (Auditor, error) {
	o.Jobs, o.KeepSecrets = 1, true
	return audit.New(o)
}

// Result has the report and the error of each input. It holds no secret.
type Result struct {
	sensitive.Report
	// Failures has the error of each input, in order; nil for an input that was
	// redacted to its end. An input that an audit
	// does not search to its end has a [CutError], a secret
	// in the output a [sensitive.ErrLeak].
	Failures []error
}

// Run redacts the inputs. Secrets of one are followed in all. An input that fails does
// not keep the others from being written. The error is that of the context, or of an
// audit ([ErrRounds], [ErrAudit], or an error of the Auditor): then nothing is written,
// unless the context ended while the output was written. The Result is never nil.
func Run(ctx context.Context, inputs []Input, o Options) (*Result, error) {
	if o.Masker == nil {
		o.Masker = sensitive.NewMask()
	}
	r := &run{Options: o, inputs: inputs, result: &Result{Failures: make([]error, len(inputs))}}
	return r.result, r.redact(ctx)
}

type run struct {
	Options
	inputs []Input
	result *Result
}

func (r *run) redact(ctx context.Context) error {
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if r.Audit != nil {
		if err := r.addFindings(ctx, collector); err != nil {
			return err
		}
	}
	err := r.collect(ctx, collector)
	secrets := collector.Secrets()
	r.mask(secrets)
	if err != nil {
		return err
	}
	if r.Audit != nil {
		if secrets, err = r.untilClean(ctx, secrets); err != nil {
			return err
		}
	}
	r.result.Report = secrets.Redactor(r.Masker).Report()
	return r.write(ctx, secrets)
}

// mask masks the places that errors of inputs name by all secrets, in the order of the
// inputs.
func (r *run) mask(secrets *sensitive.Secrets) {
	redactor := secrets.Redactor(r.Masker)
	for i, err := range r.result.Failures {
		r.result.Failures[i] = redactor.Err(err)
	}
}

// collect learns the secrets of all inputs.
func (r *run) collect(ctx context.Context, collector *sensitive.Collector) error {
	if !r.several() {
		for i := range r.inputs {
			r.result.Failures[i] = r.inputs[i].collect(ctx, collector)
		}
		return ctx.Err()
	}
	return r.each(ctx, func(ctx context.Context, i int, turn func()) error {
		own := sensitive.NewCollector(sensitive.CollectOptions{})
		err := r.inputs[i].collect(ctx, own)
		turn()
		collector.Include(own.Secrets())
		return err
	})
}

// write writes the output of all inputs that have not failed.
func (r *run) write(ctx context.Context, secrets *sensitive.Secrets) error {
	if !r.several() {
		redactor := secrets.Redactor(r.Masker)
		for i := range r.inputs {
			if r.result.Failures[i] == nil {
				r.result.Failures[i] = r.inputs[i].write(ctx, redactor)
			}
		}
		r.result.Add(redactor.Counts())
		return ctx.Err()
	}
	return r.each(ctx, func(ctx context.Context, i int, turn func()) error {
		redactor := secrets.Redactor(sensitive.InTurn(r.Masker, turn))
		err := r.inputs[i].write(ctx, redactor)
		turn()
		r.result.Add(redactor.Counts())
		return err
	})
}

func (in *Input) collect(ctx context.Context, collector *sensitive.Collector) error {
	src, done, err := in.open(ctx)
	if err != nil {
		return err
	}
	err = collector.Collect(src)
	if closed := done.Close(); err == nil {
		err = closed
	}
	return err
}

func (in *Input) write(ctx context.Context, redactor *sensitive.Redactor) error {
	if in.Write == nil {
		return nil
	}
	src, done, err := in.open(ctx)
	if err != nil {
		return err
	}
	err = in.Write(ctx, func(w io.Writer) error { return in.redact(ctx, w, redactor, src) })
	if closed := done.Close(); err == nil {
		err = closed
	}
	return err
}

// open is Open with a Closer in any case.
func (in *Input) open(ctx context.Context) (*catalog.Reader, io.Closer, error) {
	src, done, err := in.Open(ctx)
	if done == nil {
		done = closer(func() error { return nil })
	}
	return src, done, err
}

// redact writes the document of src without its secrets.
func (in *Input) redact(ctx context.Context, w io.Writer, redactor *sensitive.Redactor, src *catalog.Reader) error {
	form, o := in.target(src)
	return redactor.RedactAs(ctx, w, form, src, o)
}

func (in *Input) target(src *catalog.Reader) (serialization.Format, catalog.WriteOptions) {
	if in.Target != nil {
		return in.Target(src)
	}
	return src.Format(), catalog.WriteOptions{Indent: src.Layout().Indent}
}

// closer is an [io.Closer].
type closer func() error

func (c closer) Close() error { return c() }
