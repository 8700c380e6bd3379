// Package audit is the command pcat audit.
package audit

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/audit"
	"github.com/pcatdev/pcat/catalog/audit/report"
	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
)

// Options are the inputs of one run.
type Options struct {
	Streams  *cli.IOStreams
	Args     []string
	Read     document.ReadFlags
	Output   cli.OutputFlags
	Key      cli.KeyFlags
	Format   string
	FailOn   string
	ExitZero bool
	Jobs     int
}

// NewCmd returns the command. run replaces what it does, for tests; nil does the real work.
func NewCmd(streams *cli.IOStreams, run func(context.Context, *Options) error) *cobra.Command {
	opts := &Options{Streams: streams}
	if run == nil {
		run = Run
	}
	cmd := &cobra.Command{
		Use:   "audit [PATH...]",
		Short: "Find secrets that stand in the clear",
		Long: `Find secrets that stand in the clear in catalogs: passwords that are Sensitive in one resource and plain
text in another, also on other nodes of the run; parameters and content that hold a password, private
keys, URLs with passwords; Deferred calls and redacted values that leaked as text.

No form of report holds a secret, or any part of one. The exit code is 1 when something was found that
is as bad as --fail-on says, or worse, and 3 when a catalog could not be read: the others are audited
all the same.`,
		Example: `  pcat audit catalog.json
  pcat audit --fail-on medium --format jsonl catalogs/ > findings.jsonl
  pcat audit --key-file audit.key - < catalog.msgpack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	flags := cmd.Flags()
	opts.Output.AddFileFlag(flags)
	opts.Key.AddFlags(flags, "of the fingerprints")
	flags.StringVar(&opts.Format, "format", "text", "`FORM` of the report: "+formatNames())
	flags.StringVar(&opts.FailOn, "fail-on", rule.High.String(), "end with 1 from this `SEVERITY` on: info, low, medium, high or critical")
	flags.BoolVar(&opts.ExitZero, "exit-zero", false, "end with 0, whatever is found")
	flags.IntVarP(&opts.Jobs, "jobs", "j", 0, "audit `N` catalogs at the same time; 0 for the number of processors")
	return cmd
}

func formatNames() string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// Run audits the inputs.
func Run(ctx context.Context, opts *Options) error {
	failOn, err := opts.check()
	if err != nil {
		return err
	}
	key, err := opts.Key.Key(opts.Streams)
	if err != nil {
		return err
	}
	sources, err := opts.Read.Files.Sources(opts.Streams, opts.Args)
	if err != nil {
		return err
	}
	if err := opts.Output.Check(opts.Streams, sources, false); err != nil {
		return err
	}
	auditor, err := audit.New(audit.Options{Key: key, Jobs: opts.Jobs})
	if err != nil {
		return err
	}
	found, err := auditor.Run(ctx, opts.inputs(ctx, sources))
	if err != nil {
		return err
	}
	if err := opts.write(ctx, found); err != nil {
		return err
	}
	return opts.verdict(found, failOn)
}

// check refuses what cannot work, before anything is read.
func (opts *Options) check() (rule.Severity, error) {
	failOn, err := rule.ParseSeverity(opts.FailOn)
	if err != nil {
		return 0, cli.Usage("--fail-on %q: %w", opts.FailOn, err)
	}
	known := func(f report.Format) bool { return f.Name == opts.Format }
	if !slices.ContainsFunc(report.Formats(), known) {
		return 0, cli.Usage("--format %q is not known: use one of %s", opts.Format, formatNames())
	}
	if opts.Jobs < 0 {
		return 0, cli.Usage("--jobs %d: there is no such number of jobs", opts.Jobs)
	}
	return failOn, opts.Read.Check()
}

// inputs opens each source for each pass anew, so that a run over many catalogs does not hold them
// all; standard input, which can be read once, is kept.
func (opts *Options) inputs(ctx context.Context, sources []cli.Source) []audit.Input {
	inputs := make([]audit.Input, len(sources))
	for i, src := range sources {
		var kept *document.Document
		inputs[i] = audit.Input{Name: src.Name, Open: func() (*catalog.Reader, io.Closer, error) {
			doc := kept
			if doc == nil {
				var err error
				if doc, err = opts.Read.Open(ctx, src); err != nil {
					return nil, nil, err
				}
			}
			if src.Name == cli.Stdin {
				kept = doc
			}
			return doc.Reader(), io.NopCloser(nil), nil
		}}
	}
	return inputs
}

func (opts *Options) write(ctx context.Context, found *audit.Report) error {
	err := opts.Output.Write(ctx, opts.Streams, nil, func(w io.Writer) error {
		toTerminal := opts.Output.File == "" || opts.Output.File == cli.Stdin
		return report.Write(w, opts.Format, found, report.Options{Color: toTerminal && opts.Streams.Color()})
	})
	if errors.Is(err, audit.ErrSecret) {
		return &cli.Error{Code: cli.ExitInternal, Err: audit.ErrSecret}
	}
	return err
}

// verdict is the exit code: that inputs could not be read counts more than what was found.
func (opts *Options) verdict(found *audit.Report, failOn rule.Severity) error {
	var failures []error
	for _, f := range found.Failures {
		failures = append(failures, (&document.Document{Name: f.Name}).Failure(f.Err))
	}
	if len(failures) > 0 {
		return errors.Join(failures...)
	}
	if worst, any := found.Worst(); any && worst >= failOn && !opts.ExitZero {
		return cli.Exit(cli.ExitFindings)
	}
	return nil
}
