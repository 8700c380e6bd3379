package redact

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// Input is one document.
type Input struct {
	// Name is the name in the notes of an audit. It must be unique among the inputs.
	Name string
	// Open returns a reader of the document from its beginning. It is called at least
	// twice. Each Closer, which may be nil, is closed before the next call, except for a
	// call that searches for the location of a secret in the output. Different inputs are
	// opened concurrently.
	Open func(context.Context) (*catalog.Reader, io.Closer, error)
	// Write calls write once with the destination of the output, and returns its
	// error. It is called while the document is open. If write fails, the destination
	// may contain the beginning of the output, without secrets; use a temporary file
	// to write all or nothing. Nil writes nothing.
	Write func(ctx context.Context, write func(io.Writer) error) error
	// Target returns the format and the layout of the output. Nil keeps both.
	Target func(*catalog.Reader) (serialization.Format, catalog.WriteOptions)
	// Original returns the bytes of the open document. They are written if an audit ran
	// and nothing has to change, so that white space stays, too. Nil, and a nil result,
	// means that the document is written anew.
	Original func() io.Reader
}

// Options configure a run. The zero value masks declared secrets.
type Options struct {
	// Masker makes the markers. Nil means [sensitive.NewMask].
	Masker sensitive.Masker
	// Audit finds undeclared secrets, which are redacted as well. Nil finds none.
	Audit Auditor
	// OnlyDeclared leaves undeclared secrets in the output, and counts them in
	// [Result.Remaining].
	OnlyDeclared bool
	// Names replaces the names of hosts, domains, users and groups, addresses, and mail
	// addresses, each by the same marker in all inputs. Names in encoded text, such as base64,
	// are not replaced. Check ignores it.
	Names bool
	// Jobs is the number of inputs that are read or written at the same time; 0 means the
	// number of processors. The output does not depend on it. An audit has its own number
	// for the inputs, and reads their output one after another.
	Jobs int
	// Each replaces the loop over n inputs that Jobs controls. It calls work for 0 to
	// n-1, starts the calls in this order, and returns when all have ended. A call may
	// wait for the end of earlier calls. An error ends the run. Nil calls work in
	// goroutines.
	Each func(ctx context.Context, n int, work func(ctx context.Context, i int)) error
	// WriteOthers writes the other inputs if one of several cannot be read or searched. They
	// may contain secrets that only this one declares. Otherwise nothing is written, and the
	// error is [ErrIncomplete].
	WriteOthers bool
	// Begin is called before the first output is written, when all secrets are known. mask
	// replaces the secrets in a text, such as the name of a file, by their markers. An error
	// ends the run, and nothing is written. Nil does nothing.
	Begin func(mask func(text string) string) error
	// Explain makes [Check] say for each location whose copies of secrets would be replaced,
	// and how they are spelled, in [Replacement.Copies].
	Explain bool
}

// ErrIncomplete reports that the secrets of one of several inputs are not known.
var ErrIncomplete = errors.New("nothing was written: an input that cannot be read may have secrets that others contain, too; to write the others, leave it out")

// Auditor finds secrets; see [NewAuditor]. Findings that have a Secret are redacted: those
// of the class rule.Leak with all copies, others where they were found.
type Auditor interface {
	// Run may open several inputs at the same time.
	Run(context.Context, []audit.Input) (*audit.Report, error)
	// RunRedacted is Run for documents whose declared secrets have been redacted. It must
	// open the inputs in order, one after another, because the numbers of markers depend
	// on it.
	RunRedacted(context.Context, []audit.Input) (*audit.Report, error)
}

// NewAuditor returns an Auditor based on [audit.Auditor]. It ignores KeepSecrets of the
// options, and uses Jobs in Run. The error is that of [audit.New].
func NewAuditor(o audit.Options) (Auditor, error) {
	o.KeepSecrets = true
	inputs, err := audit.New(o)
	if err != nil {
		return nil, err
	}
	return &auditor{inputs, inputs.Sequential()}, nil
}

// auditor has an Auditor for each method.
type auditor struct{ inputs, redacted *audit.Auditor }

func (a *auditor) Run(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	return a.inputs.Run(ctx, inputs)
}

func (a *auditor) RunRedacted(ctx context.Context, inputs []audit.Input) (*audit.Report, error) {
	return a.redacted.RunRedacted(ctx, inputs)
}

// Result has the report and the error of each input. It holds no secret.
type Result struct {
	sensitive.Report
	// Remaining is the number of undeclared secrets that [Options.OnlyDeclared] leaves in
	// the output.
	Remaining int
	// Names are the numbers of different names that [Options.Names] replaced.
	Names NameCounts
	// Failures has the error of each input, in order, or nil if it was redacted
	// completely. It is a [CutError] if an audit did not search all of the input, a
	// [RoundsError] if audits of the output still find secrets, and a [sensitive.LeakError]
	// if the output would contain a secret. The last two do not keep the others from being
	// written.
	Failures []error
}

// NameCounts are numbers of different names in the output that were replaced.
type NameCounts struct {
	Hosts, Domains, Users, Groups int
	Addresses                     int // IP and hardware addresses
	Mails                         int // mail addresses of others than the users
}

// Run redacts the inputs. Secrets of one input are followed in all. If one of several
// cannot be read or searched, the error is [ErrIncomplete], unless
// [Options.WriteOthers] is set; if only writing one fails, the others are still written.
// Otherwise the error is that of the context, of the Auditor, of audits that do not end
// ([ErrRounds]) or of Begin. In all these cases nothing is written, unless the
// context ended during writing. The Result is never nil.
func Run(ctx context.Context, inputs []Input, o Options) (*Result, error) {
	if o.Masker == nil {
		o.Masker = sensitive.NewMask()
	}
	r := &run{Options: o, inputs: inputs, result: &Result{Failures: make([]error, len(inputs))}}
	return r.result, r.redact(ctx)
}

type run struct {
	Options
	inputs   []Input
	result   *Result
	findings []audit.Finding      // of the inputs
	notes    []audit.Note         // of the inputs
	doubtful map[catalog.Ref]bool // resources with findings, or not searched completely
	changed  map[*Input]bool      // false for inputs that do not change; nil without an audit
	names    *nameMasker          // nil without Options.Names
}

func (r *run) redact(ctx context.Context) error {
	secrets, err := r.secrets(ctx)
	switch {
	case err != nil:
		return err
	case r.Audit == nil:
	case r.OnlyDeclared:
		err = r.countRemaining(ctx, secrets)
	default:
		secrets, err = r.untilClean(ctx, secrets)
	}
	if err != nil {
		return err
	}
	redactor := secrets.Redactor(r.Masker)
	r.collectNames(ctx, redactor)
	r.result.Report = redactor.Report()
	if len(r.inputs) > 1 && !r.WriteOthers && slices.ContainsFunc(r.result.Failures, isIncomplete) {
		return ErrIncomplete
	}
	if r.Begin != nil {
		mask := redactor.Text
		if r.names != nil {
			mask = func(text string) string { return r.names.set.Replace(redactor.Text(text)) }
		}
		if err := r.Begin(mask); err != nil {
			return err
		}
	}
	err = r.write(ctx, secrets)
	r.result.Names = r.names.counts()
	return err
}

// isIncomplete reports whether err means that the secrets of an input are not known.
func isIncomplete(err error) bool { return err != nil && !errors.Is(err, ErrRounds) }

// secrets learns the secrets of all inputs, and masks them in the failures.
func (r *run) secrets(ctx context.Context) (*sensitive.Secrets, error) {
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if r.Audit != nil && !r.OnlyDeclared {
		if err := r.addFindings(ctx, collector); err != nil {
			return nil, err
		}
	}
	err := r.collect(ctx, collector)
	secrets := collector.Secrets()
	r.mask(secrets)
	return secrets, err
}

// mask masks all secrets in the locations of input errors, in input order.
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

// write writes the output of the inputs that have not failed.
func (r *run) write(ctx context.Context, secrets *sensitive.Secrets) error {
	if !r.several() {
		redactor := secrets.Redactor(r.Masker)
		for i := range r.inputs {
			if r.result.Failures[i] == nil {
				r.result.Failures[i] = r.writeInput(ctx, &r.inputs[i], redactor)
			}
		}
		r.result.Add(redactor.Counts())
		return ctx.Err()
	}
	return r.each(ctx, func(ctx context.Context, i int, turn func()) error {
		redactor := secrets.Redactor(sensitive.InTurn(r.Masker, turn))
		err := r.writeInput(ctx, &r.inputs[i], redactor)
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

func (r *run) writeInput(ctx context.Context, in *Input, redactor *sensitive.Redactor) error {
	if in.Write == nil {
		return nil
	}
	src, done, err := in.open(ctx)
	if err != nil {
		return err
	}
	format, layout := in.target(src)
	write := func(w io.Writer) error {
		if original := r.original(in); original != nil {
			return copyThrough(redactor.Guard(w, src.Format().Wire), original)
		}
		return in.redact(ctx, w, redactor, src)
	}
	err = in.Write(ctx, func(w io.Writer) error {
		if r.names != nil {
			return r.names.through(ctx, w, format, layout, write)
		}
		return write(w)
	})
	if closed := done.Close(); err == nil {
		err = closed
	}
	return err
}

// original returns the bytes of an input if they do not change, and nil otherwise.
func (r *run) original(in *Input) io.Reader {
	if changed, known := r.changed[in]; changed || !known || in.Original == nil {
		return nil
	}
	return in.Original()
}

func copyThrough(w io.WriteCloser, src io.Reader) error {
	if _, err := io.Copy(w, src); err != nil {
		return err
	}
	return w.Close()
}

// open is Open with a Closer that is never nil.
func (in *Input) open(ctx context.Context) (*catalog.Reader, io.Closer, error) {
	src, done, err := in.Open(ctx)
	if done == nil {
		done = closer(func() error { return nil })
	}
	return src, done, err
}

// redact writes the document of src without its secrets.
func (in *Input) redact(ctx context.Context, w io.Writer, redactor *sensitive.Redactor, src *catalog.Reader) error {
	format, o := in.target(src)
	err := redactor.RedactAs(ctx, w, format, src, o)
	if errors.Is(err, sensitive.ErrLeak) {
		return in.locate(ctx, err, redactor, format)
	}
	return err
}

// locate returns the error of redacting with the location of the secret. It reads the
// input again.
func (in *Input) locate(ctx context.Context, err error, redactor *sensitive.Redactor, format serialization.Format) error {
	src, done, openErr := in.open(ctx)
	if openErr != nil {
		return err
	}
	defer func() { _ = done.Close() }() // it was only read
	return redactor.Locate(ctx, err, format, src)
}

func (in *Input) target(src *catalog.Reader) (serialization.Format, catalog.WriteOptions) {
	if in.Target != nil {
		return in.Target(src)
	}
	return src.Format(), catalog.WriteOptions{Indent: src.Layout().Indent}
}

// closer is a function that implements [io.Closer].
type closer func() error

func (c closer) Close() error { return c() }
