package inspect

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Total describes all catalogs.
type Total struct {
	Inputs int `json:"inputs"`
	Failed int `json:"failed"` // inputs that cannot be read
	*summary.Total
}

// total prints one summary of all catalogs. Inputs that cannot be read are counted; they
// contribute nothing else.
func (opts *Options) total(ctx context.Context, sources []cli.Source) error {
	var totals summary.Totals
	var done atomic.Int64
	err := opts.Read.Each(ctx, &opts.Jobs, sources, io.Discard, func(ctx context.Context, doc *document.Document, _ io.Writer) error {
		doc.WarnFlattened(doc.Log())
		var all []*summary.Summary
		// The summaries are printed in the total, but searched for secrets here.
		err := doc.Printed(ctx, io.Discard, false, func(mask document.Mask, out io.Writer) error {
			return opts.summaries(doc, mask, func(s *summary.Summary) error {
				all = append(all, s)
				return opts.writeSummary(out, Summary{Summary: s}, true)
			})
		})
		if err != nil {
			return err
		}
		done.Add(1)
		totals.Document(doc.Described(), doc.Size(), rundata.Kind(doc.Kind()), len(all))
		for _, s := range all {
			s.Node = cmp.Or(s.Node, doc.Name)
			totals.Add(s)
		}
		return nil
	})
	total := Total{Inputs: len(sources), Failed: len(sources) - int(done.Load()), Total: totals.Total(opts.Biggest)}
	if total.Numbers().Sum() == 0 || ctx.Err() != nil {
		return err
	}
	if opts.JSON.Given() {
		return errors.Join(err, terminal.Encode(opts.Streams.Out, total))
	}
	return errors.Join(err, opts.writeTotal(opts.Streams.Out, total))
}
