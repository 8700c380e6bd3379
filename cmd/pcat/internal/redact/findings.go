package redact

import (
	"context"

	pcataudit "github.com/pcatdev/pcat/audit"
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

// inputs returns the inputs, and checks the flags of the output for them.
func (opts *Options) inputs(ctx context.Context) ([]cli.Source, error) {
	if opts.Check { // it has no output
		return opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	}
	return opts.Write.Sources(ctx, opts.Streams, &opts.Read, &opts.Jobs, opts.Args)
}

// withSecrets returns the inputs, and behind them the ones of --secrets-from.
func (opts *Options) withSecrets(ctx context.Context, inputs []cli.Source) ([]cli.Source, error) {
	if len(opts.SecretsFrom) == 0 {
		return inputs, nil
	}
	read := opts.Read
	read.Files.FilesFrom = ""
	more, err := read.Sources(ctx, opts.Streams, &opts.Jobs, opts.SecretsFrom)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(inputs))
	for _, src := range inputs {
		known[src.Name] = true
	}
	for _, src := range more {
		if !known[src.Name] { // else its secrets are redacted anyway
			inputs = append(inputs, src)
		}
	}
	return inputs, nil
}

// auditor returns the audit of the inputs. It uses no configuration that was not asked for.
func (r *run) auditor(ctx context.Context) (redact.Auditor, error) {
	flags := audit.ConfigFlags{Config: r.Config, NoConfig: r.Config == ""}
	s, err := audit.NewSearch(ctx, r.Streams, flags, r.sources, r.Jobs.Jobs)
	return search{s, r}, err
}

// search is a Search that opens several inputs of a run at a time.
type search struct {
	*audit.Search
	run *run
}

// Run implements [redact.Auditor]. The log of an input that is opened again later is silent.
func (s search) Run(ctx context.Context, inputs []pcataudit.Input) (*pcataudit.Report, error) {
	if s.run.Jobs.Several(s.run.sources) {
		defer s.run.several()()
		for i, in := range s.run.inputs {
			in.src = in.src.Silent()
			defer func() { in.src = s.run.sources[i] }()
		}
	}
	return s.Search.Run(ctx, inputs)
}
