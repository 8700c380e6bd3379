package redact

import (
	"context"

	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/redact"
)

// declared is the value of --only.
const declared = "declared"

// checkOnly returns a usage error for invalid flags.
func (opts *Options) checkOnly() error {
	switch {
	case opts.Only != "" && opts.Only != declared:
		return cli.Usage("--only: unknown value %q; use %s", opts.Only, declared)
	case opts.Only != "" && opts.Config != "":
		return cli.Usage("--only %s and --config cannot be used together: it redacts no findings", declared)
	case opts.Check && (opts.Write.Given() || opts.Mode != modeMask):
		return cli.Usage("--check writes nothing: it cannot be used with --mode or the flags of an output")
	}
	return nil
}

// checkOutput returns a usage error for invalid flags of the output.
func (opts *Options) checkOutput(sources []cli.Source) error {
	if opts.Check {
		return nil // writes none
	}
	return opts.Write.Check(opts.Streams, sources)
}

// auditor returns the audit of the inputs. It uses no configuration that was not asked for.
func (r *run) auditor(ctx context.Context) (redact.Auditor, error) {
	flags := audit.ConfigFlags{Config: r.Config, NoConfig: r.Config == ""}
	return audit.NewSearch(ctx, r.Streams, flags, r.sources)
}
