package graph

import (
	"context"
	"errors"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/catalog/graph/draw"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/sensitive"
)

// side is one of two compared catalogs.
type side struct {
	diff.Side

	document *document.Document
	graph    *graph.Graph
}

// side opens a document with one catalog. Close the document of the result, also after an error.
func (opts *Options) side(ctx context.Context, arg string) (s side, err error) {
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, []string{arg})
	if err != nil {
		return s, err
	}
	if len(sources) != 1 {
		return s, cli.Usage("%s: --diff compares two catalogs; name a file", arg)
	}
	if s.document, s.Side, err = opts.Read.OpenSide(ctx, sources[0]); err != nil {
		return s, err
	}
	s.graph, err = graph.New(s.Catalog)
	return s, s.document.Failure(err)
}

// compare draws to w the graph of the new catalog, with the differences from the old one.
func (opts *Options) compare(ctx context.Context, w io.Writer, of catalog.Ref) (err error) {
	old, err := opts.side(ctx, opts.Args[0])
	defer func() { err = errors.Join(err, old.document.Close()) }()
	if err != nil {
		return err
	}
	new, err := opts.side(ctx, opts.Args[1])
	defer func() { err = errors.Join(err, new.document.Close()) }()
	if err != nil {
		return err
	}
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	for _, s := range []side{old, new} {
		if err := collector.Collect(s.document.Reader()); err != nil {
			return s.document.Failure(err)
		}
	}
	mask := collector.Secrets().Redactor(sensitive.NewMask())
	report, err := diff.Compare(ctx, old.Side, new.Side, diff.Options{})
	if err != nil {
		return document.DiffFailure(err, old.document, new.document)
	}
	opts.View.States = states(report, mask, old.graph, new.graph)
	opts.View.Mask = mask
	oldOf := -1
	if opts.Of != "" {
		if opts.View.Of, err = find(new.graph, of, mask); err != nil {
			return named(new.document, err)
		}
		opts.View.Around = true
		if node, ok := old.graph.Find(of); ok {
			oldOf = node
		}
	}
	view := draw.Compare(old.graph, new.graph, oldOf, opts.View)
	view.Name = mask.Text(new.Catalog.Name())
	guard := mask.Guard(w, wire(opts.Format))
	return new.document.Leak(errors.Join(opts.write(guard, view), guard.Close()))
}

// states returns the states of the resources that differ. A renamed one is removed and added. A report has masked
// references.
func states(report *diff.Report, mask *sensitive.Redactor, graphs ...*graph.Graph) map[catalog.Ref]draw.State {
	masked := make(map[string]draw.State)
	for i := range report.Changes {
		c := &report.Changes[i]
		switch {
		case c.Op == diff.OpMove:
			masked[c.From], masked[c.Ref] = draw.Removed, draw.Added
		case c.Path == "" && c.Op == diff.OpAdd:
			masked[c.Ref] = draw.Added
		case c.Path == "" && c.Op == diff.OpRemove:
			masked[c.Ref] = draw.Removed
		case masked[c.Ref] == draw.Same:
			masked[c.Ref] = draw.Changed
		}
	}
	list := make(map[catalog.Ref]draw.State)
	for _, g := range graphs {
		for i := range g.Len() {
			ref := graph.Canonical(g.Node(i).Ref)
			if state := masked[mask.Location(catalog.Location{Ref: ref}).Ref.String()]; state != draw.Same {
				list[ref] = state
			}
		}
	}
	return list
}
