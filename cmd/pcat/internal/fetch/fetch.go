// Package fetch implements the fetch command.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/fetch/fetched"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/source"
)

// Options are the settings of the fetch command.
type Options struct {
	Streams *cli.IOStreams

	Read  document.ReadFlags
	Write document.WriteFlags
	Jobs  cli.JobFlags
	// Restart fetches all catalogs again, even if the last run is not complete.
	Restart bool
	Args    []string
}

// NewCmd returns the fetch command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "fetch SOURCE... --output-dir DIR",
		Short: "Save catalogs from PuppetDB, Puppet Server or the agent",
		Long: `Save catalogs as files: DIR/CERTNAME.json, in rich JSON, readable by their owner
only. A source is

` + remote.Addresses + `
All commands that read catalogs accept these sources instead of files.

` + fetched.Name + ` in DIR lists the catalogs with their digests. If a run is
interrupted, or if some catalogs fail, the next run with the same DIR fetches
only the missing ones. After a complete run, or with --restart, all are fetched
again.

Servers, certificates and time-outs come from the agent's puppet.conf and from
puppetdb.conf; --setting overrides one. See "pcat help sources".`,
		Example: `  pcat fetch --output-dir catalogs puppetdb:
  pcat fetch --output-dir web 'puppetdb:?query=nodes{certname ~ "^web"}'
  pcat fetch --output-dir next 'puppetserver:?environment=next'
  pcat fetch --output-dir . --setting ssldir=/etc/ssl/audit puppetserver:web01`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	opts.Read.AddRemoteFlags(cmd)
	opts.Write.Output.AddDirFlag(flags, "write the catalogs to `DIR`")
	opts.Jobs.AddFlags(flags)
	flags.BoolVar(&opts.Restart, "restart", false, "fetch all catalogs again, even if the last run is not complete")
	flags.Var(&opts.Read.Files.MaxSize, "max-size", "maximum `SIZE` of a catalog")
	flags.BoolVar(&opts.Read.Files.AllowEmpty, "allow-empty", false, "accept that no node is found; otherwise the exit code is 3")
	manual.Files(cmd, manual.Fact{Name: fetched.Name, Meaning: "the catalogs in the directory of --output-dir and their digests, for the next run"})
	cli.CompleteFlag(cmd, "output-dir")
	return cmd
}

// Run saves the catalogs.
func Run(ctx context.Context, opts *Options) error {
	if opts.Write.Output.Dir == "" {
		return cli.Usage("missing --output-dir DIR, the directory to write to; for example: pcat fetch --output-dir catalogs puppetdb:")
	}
	if err := opts.Jobs.Check(); err != nil {
		return err
	}
	for _, arg := range opts.Args {
		if !remote.IsAddress(arg) {
			return cli.Usage("%s is not a source: begin with puppetdb:, puppetserver:, agent: or compile:", arg)
		}
		if a, err := source.ParseAddress(arg); err == nil && a.What != "" {
			return cli.Usage("%s has no catalogs, and fetch saves only these; \"pcat redact --output-dir DIR '%s'\" saves the %s without secrets", arg, arg, a.What)
		}
	}
	all, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	opts.Write.To, opts.Write.KeepNames, opts.Write.Indent = "rich-json", true, document.KeepIndent
	opts.Write.Output.Private = true
	manifest, err := fetched.Open(opts.Write.Output.Dir)
	if err != nil {
		return cli.BadInput(opts.Write.Output.Dir, "", err)
	}
	missing, err := opts.missing(manifest, all)
	if err != nil {
		return err
	}
	if err := opts.Write.Check(opts.Streams, missing); err != nil {
		return err
	}
	opts.Jobs.Doing = "fetching"
	var untried atomic.Int64
	err = opts.Jobs.Run(ctx, io.Discard, missing, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		err := opts.fetch(ctx, manifest, src)
		if errors.Is(err, source.ErrNotTried) { // one message for all of them
			untried.Add(1)
			return nil
		}
		return err
	})
	if n := int(untried.Load()); n > 0 {
		err = errors.Join(err, cli.BadInput("", "", fmt.Errorf("%d more %w; run the command again to resume", n, source.ErrNotTried)))
	}
	closed := manifest.Close(err == nil)
	if closed != nil {
		closed = &cli.Error{Code: cli.ExitInternal, File: filepath.Join(opts.Write.Output.Dir, fetched.Name), Err: closed}
	}
	return opts.Write.Finish(opts.Streams, errors.Join(err, closed))
}

// missing returns the sources that an interrupted run has not stored.
func (opts *Options) missing(manifest *fetched.Manifest, all []cli.Source) ([]cli.Source, error) {
	if opts.Restart || !manifest.Resumed() {
		return all, nil
	}
	var missing []cli.Source
	for _, src := range all {
		if compile.IsAddress(src.Name) || !manifest.Has(src.Name) { // a branch can have moved
			missing = append(missing, src)
		}
	}
	opts.Streams.Notice("resuming: " + document.Counted(len(all)-len(missing), "catalog") + " already in " + opts.Write.Output.Dir)
	return missing, nil
}

// fetch saves the catalog of a source.
func (opts *Options) fetch(ctx context.Context, manifest *fetched.Manifest, src cli.Source) (err error) {
	own := *opts
	doc, err := own.Read.Open(ctx, src)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	if strings.HasPrefix(src.Name, string(source.PuppetDB)+":") {
		err = own.restore(ctx, doc)
	} else {
		err = own.Write.WriteCatalog(ctx, own.Streams, doc)
	}
	if err != nil {
		return err
	}
	return manifest.Add(filepath.Base(opts.Write.Output.Target(src.Name)), src.Node(), src.Name)
}

// restore writes the catalog of a document of PuppetDB.
func (opts *Options) restore(ctx context.Context, doc *document.Document) error {
	all, err := doc.Catalogs()
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return cli.BadInput(doc.Name, "", catalog.ErrNotCatalog)
	}
	// The losses are the same for every catalog of PuppetDB, so that only the documentation
	// lists them.
	if all[0], _, err = puppetdb.Restore(all[0]); err != nil {
		return doc.Failure(err)
	}
	return opts.Write.WriteCatalogs(ctx, opts.Streams, doc, all)
}
