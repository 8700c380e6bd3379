package language

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
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Failures are the causes for which an expression fails in one input, by message. The zero value
// has none.
type Failures struct {
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

// Add adds the failure of an expression for a resource. It returns any other error.
func (f *Failures) Add(ctx context.Context, at catalog.Ref, err error) error {
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

// AllFailures are the failures in all inputs. They are safe for concurrent use. The zero value
// has none.
type AllFailures struct {
	mu  sync.Mutex
	all Failures
}

// Add adds the failures in an input, of which order is the number.
func (a *AllFailures) Add(order int, file string, f Failures) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := &a.all
	if all.causes == nil {
		all.causes = map[string]*cause{}
	}
	all.more += f.more
	for message, c := range f.causes {
		c.file, c.order[0] = file, order
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

// Find calls do for each match of a search in a document, of which order is the number. src says
// how it is read, for the search and for also, which are the queries that do asks. If an
// expression fails for a resource, Find continues with the others.
func (a *AllFailures) Find(
	ctx context.Context, order int, file string, src *query.Source, search *query.Search, also []*query.Query, do func(*query.Match) error,
) error {
	var failed Failures
	defer func() { a.Add(order, file, failed) }()
	for r, err := range src.Resources(ctx, append(search.Queries(), also...)...) {
		if err != nil {
			return err
		}
		matches, err := search.Matches(ctx, r)
		if err = failed.Add(ctx, r.Ref(), err); err != nil {
			return err
		}
		for i := range matches {
			if err := failed.Add(ctx, r.Ref(), do(&matches[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

// Report reports the failures in all inputs, one message for each cause. An operator that does
// not apply to a value passes over the resource, with a warning; any other cause is an error, and
// if strict also this one. A gate is strict: it must not pass because it could not ask.
func (a *AllFailures) Report(s *cli.IOStreams, strict bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := slices.SortedFunc(maps.Values(a.all.causes), func(a, b *cause) int { return slices.Compare(a.order[:], b.order[:]) })
	more := a.all.more
	for _, c := range all[min(len(all), maxCauses):] {
		more += c.resources
	}
	var errs []error
	for _, c := range all[:min(len(all), maxCauses)] {
		if strict || !errors.Is(c.err, eval.ErrOperand) {
			errs = append(errs, c.failure())
			continue
		}
		s.Log.Warn(fmt.Sprintf("%v; passed over %s; --strict makes this an error", c.err, c.extent()),
			cli.FileKey, c.file, cli.LocationKey, c.at.String())
	}
	if more > 0 {
		errs = append(errs, cli.BadInput("", "", fmt.Errorf("the expression also fails for %s with other messages", document.Counted(more, "resource"))))
	}
	return errors.Join(errs...)
}

// failure returns the error for a cause, with the line of the expression.
func (c *cause) failure() error {
	err := Explain(c.err)
	if c.resources > 1 {
		err = fmt.Errorf("%w\n  the expression fails for %s", err, c.extent())
	}
	return &cli.Error{Code: cli.ExitBadInput, File: c.file, Location: c.at.String(), Err: err}
}

// extent returns how many resources fail, and of how many inputs if there are several.
func (c *cause) extent() string {
	text := document.Counted(c.resources, "resource")
	if c.inputs > 1 {
		text += " of " + document.Counted(c.inputs, "input")
	}
	return text
}
