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

// failures are the causes for which an expression fails in one input, by message.
type failures struct {
	causes map[string]*cause
	more   int // failures of other causes
}

// cause is a message of an expression that fails, with the first resource and how many there are.
type cause struct {
	order     [2]int // of the first: the input, and the cause in it
	file      string
	at        catalog.Ref
	err       error
	resources int
	inputs    int
}

// maxCauses bounds the messages: an expression can make one for each resource.
const maxCauses = 5

// add adds the failure of an expression. It returns any other error.
func (f *failures) add(ctx context.Context, at catalog.Ref, err error) error {
	if err == nil || !errors.As(err, new(*eval.Error)) || ctx.Err() != nil {
		return err
	}
	same := f.causes[err.Error()]
	switch {
	case same != nil:
		same.resources++
	case len(f.causes) == maxCauses:
		f.more++
	default:
		if f.causes == nil {
			f.causes = map[string]*cause{}
		}
		f.causes[err.Error()] = &cause{order: [2]int{0, len(f.causes)}, at: at, err: err, resources: 1, inputs: 1}
	}
	return nil
}

// allFailures are the failures in all inputs.
type allFailures struct {
	mu sync.Mutex
	failures
}

// failed collects the failures in a document.
func (p *printer) failed(file string, f failures) {
	all := &p.failing
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.causes == nil {
		all.causes = map[string]*cause{}
	}
	all.more += f.more
	for message, c := range f.causes {
		c.file, c.order[0] = file, p.order[file]
		if same := all.causes[message]; same != nil {
			if slices.Compare(same.order[:], c.order[:]) < 0 {
				same, c = c, same
			}
			c.resources += same.resources
			c.inputs += same.inputs
		}
		all.causes[message] = c
	}
}

// failures reports the failures in all inputs, one message for each cause. An operator that
// does not apply to a value passes over the resource, with a warning; any other cause is an
// error, and so is this one with --strict, and with --fail-on any, which must not pass
// because it could not ask.
func (p *printer) failures() error {
	all := slices.SortedFunc(maps.Values(p.failing.causes), func(a, b *cause) int { return slices.Compare(a.order[:], b.order[:]) })
	more := p.failing.more
	for _, c := range all[min(len(all), maxCauses):] {
		more += c.resources
	}
	var errs []error
	for _, c := range all[:min(len(all), maxCauses)] {
		if p.opts.Strict || p.opts.FailOn.Reached(anyStep) || !errors.Is(c.err, eval.ErrOperand) {
			errs = append(errs, c.failure())
			continue
		}
		p.opts.Streams.Log.Warn(fmt.Sprintf("%v; passed over %s; --strict makes this an error", c.err, c.extent()),
			cli.FileKey, c.file, cli.PlaceKey, c.at.String())
	}
	if more > 0 {
		errs = append(errs, cli.BadInput("", "", fmt.Errorf("the expression also fails for %s with other messages", document.Counted(more, "resource"))))
	}
	return errors.Join(errs...)
}

// failure returns the error for a cause, with the line of the expression.
func (c *cause) failure() error {
	err := language.Explain(c.err)
	if c.resources > 1 {
		err = fmt.Errorf("%w\n  the expression fails for %s", err, c.extent())
	}
	return &cli.Error{Code: cli.ExitBadInput, File: c.file, Place: c.at.String(), Err: err}
}

// extent returns how many resources fail, and of how many inputs if there are several.
func (c *cause) extent() string {
	text := document.Counted(c.resources, "resource")
	if c.inputs > 1 {
		text += " of " + document.Counted(c.inputs, "input")
	}
	return text
}
