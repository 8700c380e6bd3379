package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/sensitive"
)

// missing prints the nodes without a resource for which the expression of --missing is true.
func (opts *Options) missing(ctx context.Context, world *language.World) error {
	parse := func() (*query.Query, error) {
		q, err := query.New(opts.evaluator(world), "--missing", opts.Missing)
		return q, language.Failure(err)
	}
	if _, err := parse(); err != nil {
		return err
	}
	selects, err := document.Selectors("--resource", opts.Resources)
	if err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	p := opts.printer(sources, &questions{})
	var all, without atomic.Int64
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		q, err := parse() // with a bound of work of its own
		if err != nil {
			return err
		}
		one := func(mask *sensitive.Redactor, out io.Writer) error {
			nodes, n, err := p.without(ctx, doc, q, mask, &query.Source{Open: doc.Reader, Select: selects})
			all.Add(int64(n))
			without.Add(int64(len(nodes)))
			for _, node := range nodes {
				if err := p.writeMissing(out, doc.Name, node); err != nil {
					return err
				}
			}
			return err
		}
		if opts.ShowSecrets {
			return doc.Failure(one(nil, out))
		}
		wire := ""
		if opts.JSON {
			wire = "json"
		}
		return doc.Failure(doc.Guarded(ctx, out, wire, one))
	})
	err = errors.Join(err, p.failing.Report(opts.Streams, opts.strict()))
	switch {
	case opts.Count && opts.JSON:
		err = errors.Join(err, p.encode(opts.Streams.Out, struct {
			Count int64 `json:"count"`
			Nodes int64 `json:"nodes"`
		}{without.Load(), all.Load()}))
	case opts.Count:
		_, failed := fmt.Fprintln(opts.Streams.Out, without.Load())
		err = errors.Join(err, failed)
	case all.Load() > 1 && !opts.JSON:
		_, failed := fmt.Fprintf(opts.Streams.Out, "\n%d of %s without such a resource\n", without.Load(), document.Counted(int(all.Load()), "node"))
		err = errors.Join(err, failed)
	}
	if without.Load() > 0 && opts.FailOn.Reached(anyStep) {
		err = errors.Join(err, cli.Exit(cli.ExitFindings))
	}
	return err
}

// without returns the names of the catalogs of a document in which no resource fulfils a query,
// and the number of all.
func (p *printer) without(ctx context.Context, doc *document.Document, q *query.Query, mask *sensitive.Redactor, src *query.Source) (nodes []string, all int, err error) {
	src.Named = true
	if mask != nil {
		src.Mask = mask
	}
	var failed language.Failures
	has := map[string]bool{}
	for r, err := range src.Resources(ctx, q) {
		if err != nil {
			return nil, 0, err
		}
		v, err := q.Ask(ctx, r)
		if failure := failed.Add(ctx, r.Ref(), err); failure != nil {
			return nil, 0, failure
		}
		if err != nil {
			continue
		}
		if selected, message := query.Selects(v); selected || message {
			has[r.Node] = true
		}
	}
	p.failing.Add(p.order[doc.Name], doc.Name, failed)
	reader := doc.Reader()
	for part, err := range reader.Parts() {
		if err != nil {
			return nil, 0, err
		}
		if !part.Catalog {
			continue
		}
		all++
		name := reader.Header().Name()
		if mask != nil {
			name = mask.Text(name)
		}
		if !has[name] {
			nodes = append(nodes, cmp.Or(name, doc.Name))
		}
	}
	return nodes, all, nil
}

// writeMissing prints a node, unless only the number is asked for.
func (p *printer) writeMissing(out io.Writer, file, node string) error {
	switch {
	case p.opts.Count:
		return nil
	case p.opts.JSON:
		return p.encode(out, struct {
			File string `json:"file"`
			Node string `json:"node"`
		}{file, node})
	default:
		_, err := io.WriteString(out, terminal.Line(node)+"\n")
		return err
	}
}
