// Package inspect is the command pcat inspect.
package inspect

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Jobs    cli.JobFlags
	Totals  document.TotalFlags
	JSON    cli.JSONFlags
	Biggest int
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "inspect [FILE...]",
		Short: "Summarize a catalog",
		Long: `Summarize a catalog: its format, node and environment, the number of resources
of each type, the locations of declared secrets, the functions of Deferred calls
and their locations, and the largest values. Values are not shown. Declared
secrets, secrets that pcat audit finds, and copies of both are masked in names,
titles and keys.

For more than 4 inputs, it prints one summary of all catalogs: total numbers,
numbers per catalog, and the number of nodes with each type, secret location and
Deferred function. --each and --json print a summary of each catalog.`,
		Example: `  pcat inspect catalog.json
  pcat inspect catalogs/
  pcat inspect --each catalogs/
  pcat inspect --jsonl catalogs/ | jq .node
  pcat inspect --jsonl --total catalogs/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	opts.Jobs.AddFlags(cmd.Flags())
	opts.Totals.AddFlags(cmd.Flags())
	opts.JSON.AddFlags(cmd, opts.Streams, "catalogs, or one for all with --total")
	cmd.Flags().IntVar(&opts.Biggest, "biggest", summary.DefaultBiggest, "list the `N` largest values")
	return cmd
}

// Summary describes one catalog.
type Summary struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Size   int64  `json:"size"` // in bytes, decompressed
	*summary.Summary
}

// Run prints a summary of each catalog, or of all.
func Run(ctx context.Context, opts *Options) error {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check()); err != nil {
		return err
	}
	if opts.Biggest < 0 {
		return cli.Usage("--biggest %d: the number cannot be negative", opts.Biggest)
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	if opts.Totals.Totals(sources, opts.JSON.Given()) {
		return opts.total(ctx, sources)
	}
	return opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		return opts.inspect(ctx, doc, out, doc.Name == sources[0].Name)
	})
}

// inspect prints the summaries of the catalogs in a document. Nothing that contains a
// secret reaches out.
func (opts *Options) inspect(ctx context.Context, doc *document.Document, out io.Writer, first bool) error {
	doc.WarnFlattened(doc.Log())
	return doc.Printed(ctx, out, opts.JSON.Given(), func(mask document.Mask, out io.Writer) error {
		return opts.summaries(doc, mask, func(s *summary.Summary) (err error) {
			sum := Summary{File: doc.Name, Format: doc.Described(), Size: doc.Size(), Summary: s}
			if opts.JSON.Given() {
				err = terminal.Encode(out, sum)
			} else {
				err = opts.writeSummary(out, sum, first)
			}
			first = false
			return err
		})
	})
}

// summaries calls do with the summary of each catalog in a document, with the copies of
// secrets masked.
func (opts *Options) summaries(doc *document.Document, mask document.Mask, do func(*summary.Summary) error) error {
	o := summary.Options{Biggest: opts.Biggest, Display: mask.Location, Text: mask.Text}
	if opts.Biggest == 0 {
		o.Biggest = -1
	}
	for s, err := range summary.Summaries(doc.Reader(), o) {
		if err == nil {
			err = do(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
