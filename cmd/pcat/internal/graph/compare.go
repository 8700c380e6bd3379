package graph

import (
	"context"
	"errors"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/internal/puppet"
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
func (opts *Options) compare(ctx context.Context, w io.Writer) (err error) {
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
	finder := opts.Read.Finder()
	failures, err := finder.Learn(ctx, nil, old.document.Opener(), new.document.Opener())
	if err != nil {
		return err
	}
	for i, s := range []side{old, new} {
		if failures[i] != nil {
			return s.document.Failure(failures[i])
		}
	}
	mask := finder.Secrets().Redactor(nil)
	report, err := diff.Compare(ctx, old.Side, new.Side, finder, diff.Options{})
	if err != nil {
		return document.DiffFailure(err, old.document, new.document)
	}
	differences(&opts.View, report, mask, old.graph, new.graph)
	oldOf := -1
	if opts.of != nil {
		if opts.View.Of, err = find(new.graph, *opts.of, mask); err != nil {
			return &cli.Error{Code: cli.ExitFindings, File: new.document.Name, Err: err}
		}
		opts.View.Around = true
		if node, ok := old.graph.Find(new.graph.Node(opts.View.Of).Ref); ok {
			oldOf = node
		}
	}
	view := draw.Compare(old.graph, new.graph, oldOf, mask, opts.View)
	view.Name = mask.Text(new.Catalog.Name())
	guard := document.Guard(mask, w, opts.wire())
	err = new.document.Leak(errors.Join(opts.write(guard, view), guard.Close()))
	opts.Read.WarnFound(opts.Streams.Log, mask.ShowsFound())
	return err
}

// differences adds the differences of a report to the options of a view. A report has
// masked references.
func differences(o *draw.Options, report *diff.Report, mask *sensitive.Redactor, old, new *graph.Graph) {
	states, ranks, was := make(map[string]draw.State), make(map[string]diff.Rank), make(map[string]string)
	for i := range report.Changes {
		c := &report.Changes[i]
		ranks[c.Ref] = max(ranks[c.Ref], c.Rank)
		switch {
		case c.Op == diff.OpMove:
			was[c.Ref], states[c.Ref] = c.From, draw.Changed
		case c.Path == "" && c.Op == diff.OpAdd:
			states[c.Ref] = draw.Added
		case c.Path == "" && c.Op == diff.OpRemove:
			states[c.Ref] = draw.Removed
		case states[c.Ref] == draw.Same:
			states[c.Ref] = draw.Changed
		}
	}
	o.States, o.Ranks, o.Renamed = make(map[catalog.Ref]draw.State), make(map[catalog.Ref]string), make(map[catalog.Ref]catalog.Ref)
	byName := make(map[string]catalog.Ref) // the resources of the old catalog by their masked references
	for _, g := range []*graph.Graph{old, new} {
		for i := range g.Len() {
			ref := puppet.Canonical(g.Node(i).Ref)
			name := mask.Location(catalog.Location{Ref: ref}).Ref.String()
			if g == old {
				byName[name] = ref
			}
			if states[name] == draw.Same {
				continue
			}
			o.States[ref], o.Ranks[ref] = states[name], ranks[name].String()
			if from, ok := byName[was[name]]; ok && g == new {
				o.Renamed[from] = ref
			}
		}
	}
}
