package redact

import (
	"context"
	"errors"
	"io"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/sensitive"
)

// collectAtOnce is collect for several inputs at the same time. The redactor learns what is in them in
// their order.
func (r *run) collectAtOnce(ctx context.Context) error {
	turns := newTurns(r.sources)
	return r.atOnce(ctx, turns, func(ctx context.Context, src cli.Source) error {
		doc, done, err := r.openOne(ctx, src)
		if err != nil {
			return err
		}
		fork := r.redactor.Fork()
		err = fork.Collect(doc.Reader())
		turns.wait(src)
		return errors.Join(doc.Failure(r.redactor.Join(fork, err)), done())
	})
}

// outputsAtOnce is outputs for several inputs at the same time: what is written is the same.
func (r *run) outputsAtOnce(ctx context.Context) error {
	turns := newTurns(r.sources)
	return r.atOnce(ctx, turns, func(ctx context.Context, src cli.Source) error {
		doc, done, err := r.openOne(ctx, src)
		if err != nil {
			return err
		}
		own := r.share(turns, src)
		err = r.output(ctx, own, doc)
		turns.wait(src)
		r.redactor.Count(own)
		return errors.Join(err, done())
	})
}

// share returns a redactor for one input, which is gone with the work on it: it holds what is known of
// the document.
func (r *run) share(turns *turns, src cli.Source) *sensitive.Redactor {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.redactor.Share(func() { turns.wait(src) })
}

// atOnce calls work for each input that has not failed, for several at the same time. The error is that
// of the context.
func (r *run) atOnce(ctx context.Context, turns *turns, work func(context.Context, cli.Source) error) error {
	if r.kept != nil && r.kept.Name != cli.Stdin {
		r.keep(nil)
	}
	err := r.Jobs.Run(ctx, io.Discard, r.sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		defer turns.end(src)
		if !r.failed(src) {
			r.fail(src, work(ctx, src))
		}
		return nil
	})
	return errors.Join(err, ctx.Err())
}

// openOne is open where several documents are open. Standard input is kept.
func (r *run) openOne(ctx context.Context, src cli.Source) (doc *document.Document, done func() error, err error) {
	if src.Name == cli.Stdin {
		return r.open(ctx, src)
	}
	if doc, err = r.Read.Open(ctx, src); err != nil {
		return nil, nil, err
	}
	return doc, doc.Close, nil
}

func (r *run) failed(src cli.Source) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failures[src.Name] != nil
}

func (r *run) fail(src cli.Source, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures[src.Name] = err
}

// turns lets what is done with one input wait for what is done with those before.
type turns struct {
	before, ended map[string]chan struct{} // by the name of the input
}

func newTurns(sources []cli.Source) *turns {
	t := &turns{map[string]chan struct{}{}, map[string]chan struct{}{}}
	last := make(chan struct{})
	close(last)
	for _, src := range sources {
		t.before[src.Name] = last
		last = make(chan struct{})
		t.ended[src.Name] = last
	}
	return t
}

// wait returns when the work on all inputs before is done.
func (t *turns) wait(src cli.Source) { <-t.before[src.Name] }

// end tells that the work on an input is done, once it is on those before.
func (t *turns) end(src cli.Source) {
	t.wait(src)
	close(t.ended[src.Name])
}
