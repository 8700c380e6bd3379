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

// MaxRounds is the number of times that the output is audited.
const MaxRounds = 8

// ErrRounds is the error of a run in which the last of [MaxRounds] audits still finds
// secrets.
var ErrRounds = errors.New("still finding secrets after 8 passes; nothing was written")

// ErrAudit is the error of a run whose output cannot be audited.
var ErrAudit = errors.New("the output cannot be audited; nothing was written")

// CutError is the error of an input that an audit does not search to its end, so that
// its output may hold secrets that were not found.
type CutError struct {
	Name    string // of the input, masked when it holds a secret
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

// untilClean audits the output until nothing is found in it, and returns all secrets.
// Inputs that are not audited to their end have failed.
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

// audit audits what open makes of the inputs that have not failed. Only findings that
// are redacted are left in the report.
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

// output is the output of inputs, for an audit.
type output struct {
	mu       sync.Mutex // is held while one is read
	redactor *sensitive.Redactor
	failed   int // the number that could not be redacted, which fail again when they are written
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

// refuse fails the inputs in whose output secrets may be left that were not found.
func (r *run) refuse(notes []audit.Note) error {
	for _, n := range notes {
		if !n.Cut {
			continue
		}
		err := &CutError{Name: n.Catalog, Pointer: n.Pointer}
		i := slices.IndexFunc(r.inputs, func(in Input) bool { return in.Name == n.Catalog })
		if i < 0 {
			return err // the name holds a secret and is masked
		}
		r.result.Failures[i] = err
	}
	return nil
}

// add learns the findings of an audit.
func add(collector *sensitive.Collector, found *audit.Report) error {
	for i := range found.Findings {
		f := &found.Findings[i]
		err := collector.Add(sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Rule, err)
		}
	}
	return nil
}
