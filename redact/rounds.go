package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// MaxRounds is the maximum number of audits of the output.
const MaxRounds = 8

// ErrRounds reports that the last of [MaxRounds] audits still found secrets.
var ErrRounds = errors.New("still finding secrets after 8 passes; nothing was written")

// ErrAudit reports that the output cannot be audited.
var ErrAudit = errors.New("the output cannot be audited; nothing was written")

// CutError reports that an audit did not search all of an input, so the output may
// contain undetected secrets.
type CutError struct {
	Name    string // name of the input, masked if it contains a secret
	Pointer string // a JSON pointer to the value, masked
}

func (e *CutError) Error() string {
	return fmt.Sprintf("%s: %s: the encoded value is too large to be searched for secrets", e.Name, e.Pointer)
}

// addFindings audits the inputs.
func (r *run) addFindings(ctx context.Context, collector *sensitive.Collector) error {
	found, err := r.audit(ctx, func(_ *Input, src *catalog.Reader, done io.Closer) (*catalog.Reader, io.Closer) {
		return src, done
	})
	if err != nil {
		return err
	}
	return add(collector, found)
}

// untilClean audits the output until no secrets are found, and returns all secrets. It
// fails inputs that cannot be audited completely.
func (r *run) untilClean(ctx context.Context, secrets *sensitive.Secrets) (*sensitive.Secrets, error) {
	for range MaxRounds {
		out := &output{redactor: secrets.Redactor(r.Masker)}
		found, err := r.audit(ctx, func(in *Input, src *catalog.Reader, done io.Closer) (*catalog.Reader, io.Closer) {
			return out.of(ctx, in, src, done)
		})
		switch {
		case err != nil:
			return nil, err
		case len(found.Failures) > out.failed:
			return nil, ErrAudit
		case len(found.Findings) == 0:
			return secrets, r.refuse(found.Notes)
		}
		more := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := add(more, found); err != nil {
			return nil, err
		}
		secrets = secrets.Then(more.Secrets())
	}
	return nil, ErrRounds
}

// audit audits the readers that open returns for the inputs that have not failed. The
// report has only the findings to redact.
func (r *run) audit(ctx context.Context, open func(*Input, *catalog.Reader, io.Closer) (*catalog.Reader, io.Closer)) (*audit.Report, error) {
	var inputs []audit.Input
	for i := range r.inputs {
		if r.result.Failures[i] != nil {
			continue
		}
		in := &r.inputs[i]
		inputs = append(inputs, audit.Input{Name: in.Name, Open: func() (*catalog.Reader, io.Closer, error) {
			src, done, err := in.open(ctx)
			if err != nil {
				return nil, nil, err
			}
			src, done = open(in, src, done)
			return src, done, nil
		}})
	}
	found, err := r.Audit.Run(ctx, inputs)
	if err != nil {
		return nil, err
	}
	found.Findings = slices.DeleteFunc(found.Findings, func(f audit.Finding) bool {
		return f.Class != rule.Leak || f.Secret == nil
	})
	return found, nil
}

// output provides the output of inputs for an audit.
type output struct {
	mu       sync.Mutex // held while an output is read
	redactor *sensitive.Redactor
	failed   int // number of inputs that could not be redacted; they fail again when written
}

// of returns a reader of the output of an input.
func (o *output) of(ctx context.Context, in *Input, src *catalog.Reader, done io.Closer) (*catalog.Reader, io.Closer) {
	o.mu.Lock()
	form, layout := in.target(src)
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := o.redactor.RedactAs(ctx, w, form, src, layout)
		_ = w.CloseWithError(err) // never fails
		ended <- err
	}()
	return catalog.NewReader(r, form, serialization.DecodeOptions{}), closer(func() error {
		defer o.mu.Unlock()
		_ = r.Close() // never fails
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			o.failed++
		}
		return done.Close()
	})
}

// refuse fails the inputs whose output may contain undetected secrets.
func (r *run) refuse(notes []audit.Note) error {
	for _, n := range notes {
		if !n.Cut {
			continue
		}
		err := &CutError{Name: n.Catalog, Pointer: n.Pointer}
		i := slices.IndexFunc(r.inputs, func(in Input) bool { return in.Name == n.Catalog })
		if i < 0 {
			return err // the name contains a secret and is masked
		}
		r.result.Failures[i] = err
	}
	return nil
}

// add adds the findings of an audit to collector.
func add(collector *sensitive.Collector, found *audit.Report) error {
	for i := range found.Findings {
		f := &found.Findings[i]
		err := collector.Add(sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start, Again: f.Again})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Rule, err)
		}
	}
	return nil
}
