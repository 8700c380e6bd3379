// Package convert is the command pcat convert.
package convert

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert/losses"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Write   document.WriteFlags
	Jobs    cli.JobFlags

	ModulePath []string
	Losses     lossFlags
	PuppetDB   puppetdbFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "convert -t FORMAT [FILE...]",
		Short: "Convert a catalog to another format",
		Long: `Convert a catalog, or any rich data, to another format. The output equals
Puppet's output byte for byte. Plain formats store rich values as plain text. As
in Puppet, secrets stay readable in all formats, except for nested secrets in
stringified-json. A file with secrets is readable by its owner only; on a
terminal, a warning appears.

--output-dir writes the results below a directory, with the extension of the
format (see pcat list formats). Files in a directory that are not catalogs are
skipped. If an input fails, the others are still written. -i keeps the names, so
it refuses names with the extension of another syntax.

If the format cannot represent a value, a warning appears on standard error.
--ledger lists all such losses as JSON lines: the location, the type and kind,
and the value before and after. Secrets that are declared, or that pcat audit
finds, are masked. With --strict, lossy output is not written, and the exit code
is 1.

-t puppetdb writes the payload of PuppetDB's command "replace catalog", version
9, with edges for the relationships and aliases for the names, and without
secret parameters. -f puppetdb converts such a payload, or the answer to a query
for catalogs, back to a catalog, and reports the parts that cannot be restored.

"pcat list formats" lists the formats.`,
		Example: `  pcat convert -t rich-json catalog.msgpack
  pcat convert -t rich-msgpack catalog.json -o catalog.rich.msgpack
  pcat convert -t rich-json --indent 2 - < catalog.json
  pcat convert -t rich-msgpack --output-dir packed catalogs/
  pcat convert -t puppetdb --producer puppet.example.com catalog.json
  pcat convert -t json --strict --ledger lost.jsonl a.rich.json -o a.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.Others, opts.Write.Others = []string{document.PuppetDB}, []string{document.PuppetDB}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	cmd.Flags().Lookup(document.MaskFlag).Usage = "in the ledger, mask `WHAT`: found (declared secrets and secrets that pcat\naudit finds) or declared (only declared secrets)"
	opts.Write.AddFlags(cmd, "`FORMAT` of the output")
	opts.Jobs.AddFlags(cmd.Flags())
	opts.Losses.addFlags(cmd.Flags())
	opts.PuppetDB.addFlags(cmd.Flags())
	cmd.Flags().StringSliceVar(&opts.ModulePath, "modulepath", nil, "find the types of Objects in the modules of `DIR,...` or DIR:...")
	cli.CompleteFlag(cmd, "modulepath")
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// Run converts the inputs.
func Run(ctx context.Context, opts *Options) error {
	if opts.Write.To == "" {
		return cli.Usage("missing -t FORMAT, the format to convert to; for example: pcat convert -t rich-json catalog.msgpack (pcat list formats lists the formats)")
	}
	if err := opts.PuppetDB.begin(opts); err != nil {
		return err
	}
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check()); err != nil {
		return err
	}
	if types := language.ModuleTypes(opts.Streams, opts.ModulePath); types != nil {
		opts.Read.Types = richdata.Types{Resolver: types}
	}
	opts.Read.Plain = opts.Write.IsPlain(opts.Read.From)
	sources, err := opts.Write.Sources(ctx, opts.Streams, &opts.Read, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	if err := opts.Losses.begin(opts, sources); err != nil {
		return err
	}
	opts.Jobs.Doing = "converting"
	lines := io.Discard
	if opts.Losses.lines != nil {
		lines = opts.Losses.lines
	}
	err = opts.Jobs.Run(ctx, lines, sources, func(ctx context.Context, src cli.Source, lines io.Writer) error {
		own := *opts // each input has separate losses
		if opts.Losses.lines != nil {
			own.Losses.ledger = losses.New(lines)
		} else {
			own.Losses.ledger = losses.New(nil)
		}
		return convert(ctx, &own, src)
	})
	return opts.Write.Finish(opts.Streams, errors.Join(err, opts.Losses.end(ctx, opts.Streams)))
}

func convert(ctx context.Context, opts *Options, src cli.Source) (err error) {
	doc, err := opts.Read.Open(ctx, src)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	opts.Write.Output.Private = false
	done := opts.Losses.watch(opts, doc, src.Log())
	defer func() { err = done(err) }()
	switch {
	case opts.PuppetDB.to:
		return opts.PuppetDB.send(ctx, opts, doc)
	case opts.PuppetDB.from:
		return opts.PuppetDB.restore(ctx, opts, doc, src.Log())
	}
	if !doc.HoldsCatalog() {
		return opts.Write.WriteValue(ctx, opts.Streams, doc)
	}
	if done, err := opts.Write.Transcode(ctx, opts.Streams, doc); done {
		return err
	}
	return opts.Write.WriteCatalog(ctx, opts.Streams, doc, opts.Losses.ledger)
}
