package ls

import (
	"context"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
)

// where compiles --where.
func (r *run) where(ctx context.Context) error {
	if r.opts.Where == "" {
		return nil
	}
	world, err := (&language.Flags{}).World(ctx, r.opts.Streams, &r.opts.Read.Files)
	if err != nil {
		return err
	}
	r.condition = func() (*query.Query, error) { // with a limit of work of its own
		return query.New(world.Fresh().Evaluator(language.Leniency{Undef: !r.opts.Strict}), "--where", r.opts.Where)
	}
	_, err = r.condition()
	return language.Failure(err)
}

// matches returns, for each resource of a document, whether --where is true for it; nil without
// the flag. The document is read once more for it, and again for relations.
func (r *run) matches(ctx context.Context, doc *document.Document, mask catalog.Transform) ([]bool, error) {
	if r.condition == nil {
		return nil, nil
	}
	masked, _ := mask.(query.Mask) // nil for --show-secrets
	var matches []bool
	var failed language.Failures
	src := &query.Source{Open: doc.Reader, Mask: masked}
	q, err := r.condition()
	if err != nil {
		return nil, err
	}
	for res, err := range src.Resources(ctx, q) {
		if err != nil {
			return nil, err
		}
		v, err := q.Ask(ctx, res)
		if err := failed.Add(ctx, res.Ref(), err); err != nil {
			return nil, err
		}
		selected, message := false, false
		if err == nil {
			selected, message = query.Selects(v)
		}
		matches = append(matches, selected || message)
	}
	r.failing.Add(r.order[doc.Name], doc.Name, failed)
	return matches, nil
}
