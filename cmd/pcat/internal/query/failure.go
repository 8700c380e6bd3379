package query

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/pcore/eval"
)

// failures are the resources for which an expression fails: the first, and how many there are.
type failures struct {
	at    catalog.Ref
	first error
	n     int
}

// add adds the failure of an expression. It returns any other error.
func (f *failures) add(ctx context.Context, at catalog.Ref, err error) error {
	if err == nil || !errors.As(err, new(*eval.Error)) || ctx.Err() != nil {
		return err
	}
	if f.n == 0 {
		f.at, f.first = at, err
	}
	f.n++
	return nil
}

// failureError returns the error for failures in a file, or in several of which it is the first.
func failureError(file string, f failures, inputs int) error {
	err := language.Explain(f.first)
	switch {
	case inputs > 1:
		err = fmt.Errorf("%w\n  the expression fails for %s of %s", err, document.Counted(f.n, "resource"), document.Counted(inputs, "input"))
	case f.n > 1:
		err = fmt.Errorf("%w\n  the expression fails for %s", err, document.Counted(f.n, "resource"))
	}
	return &cli.Error{Code: cli.ExitBadInput, File: file, Place: f.at.String(), Err: err}
}

// allFailures are the failures in many inputs, by message.
type allFailures struct {
	mu       sync.Mutex
	messages map[string]*sameFailure
}

// sameFailure is a failure in several inputs.
type sameFailure struct {
	order int // of the first file
	file  string
	failures
	inputs int
}

// failed returns the error for the failures in a document, or nil if it is reported with
// that of the other inputs.
func (p *printer) failed(doc *document.Document, f failures) error {
	if f.n == 0 {
		return nil
	}
	if !p.many {
		return failureError(doc.Name, f, 1)
	}
	all := &p.failing
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.messages == nil {
		all.messages = make(map[string]*sameFailure)
	}
	order, message := p.order[doc.Name], f.first.Error()
	same := all.messages[message]
	switch {
	case same == nil:
		all.messages[message] = &sameFailure{order, doc.Name, f, 1}
		return nil
	case order < same.order:
		f.n += same.n
		*same = sameFailure{order, doc.Name, f, same.inputs + 1}
	default:
		same.n += f.n
		same.inputs++
	}
	return nil
}

// failures returns the error for the failures in all inputs.
func (p *printer) failures() error {
	all := slices.SortedFunc(maps.Values(p.failing.messages), func(a, b *sameFailure) int { return a.order - b.order })
	errs := make([]error, len(all))
	for i, same := range all {
		errs[i] = failureError(same.file, same.failures, same.inputs)
	}
	return errors.Join(errs...)
}
