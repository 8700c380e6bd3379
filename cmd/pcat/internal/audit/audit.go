// Package audit is the command pcat audit.
package audit

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/manual"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Report  cli.ReportFlags
	Key     cli.KeyFlags
	JSON    cli.JSONReport // for the format json
	FailOn  cli.Gate
	Jobs    int

	Decided        ConfigFlags
	Rules          []string
	Strict         bool
	Baseline       string
	KeyDir         string // the directory of audit.key; empty for that of Baseline
	usedKey        string // the audit.key that was read
	UpdateBaseline bool
	Since          string
	Filter         auditconfig.Filter
	Severity       string // for Filter
	MaxFindings    int
	AtRest         bool
	ShowSecrets    bool
	All            bool
	Location       document.LocationFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{
		Streams: streams,
		Report:  cli.ReportFlags{Formats: cli.ReportFormats(report.Formats(), reportFormat), Name: "audit"},
		FailOn:  cli.Gate{Steps: severities(), Noun: "severity"},
	}
	cmd := &cobra.Command{
		Use:   "audit [PATH...]",
		Short: "Find plain-text secrets in catalogs",
		Long: `Find plain-text secrets in catalogs: passwords that are Sensitive in one
resource and plain text in another, on the same node or on other nodes of the
run; passwords in parameters and file content, private keys, URLs with
passwords; Deferred calls and redacted values that leaked as text.

Severities, accepted findings and additional names are configured in
.pcat-audit.yaml, which is searched for in the directories of the inputs and
their parents. "pcat audit init" writes one. A baseline records the known
findings; only new findings are reported. --since FILE compares with the report
of an earlier run instead. With a key, a fingerprint changes when the secret
changes; without a key, a new secret at a known location stays hidden. The key
comes from --key-file, --key-env, the variable PCAT_AUDIT_KEY, or audit.key in
the directory of the baseline. "pcat audit keygen" generates a key.

--report writes more reports in addition to the text on standard output; -q
omits this text. The extension of a file selects its format. --rule, --severity,
--type, --node and --owner select the findings for the reports and the exit
code. Owners come from the configuration or, if it has none, from the CODEOWNERS
of the checkout.

Reports never contain a declared or found secret, or a part of one. The only
exception is text on a terminal with --show-secrets. The exit code is 1 if a
finding reaches the severity of --fail-on, and 3 if a catalog cannot be read or
there is none. The other catalogs are still audited. Files in a directory that
are not catalogs are skipped.`,
		Example: `  pcat audit catalog.json
  pcat audit -o audit.html catalogs/
  pcat audit --report sarif=audit.sarif --report jsonl=audit.jsonl catalogs/
  pcat audit --format hiera catalogs/ > lookup_options.yaml
  pcat audit --since yesterday.jsonl --report jsonl=today.jsonl catalogs/
  pcat audit --rule 'sensitive-*' --severity medium --node 'web*' catalogs/
  pcat audit --owner '@example/dba' catalogs/
  pcat audit --baseline audit-baseline.jsonl --update-baseline catalogs/
  pcat audit --key-file audit.key - < catalog.msgpack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.Remote().WithRun = true
	opts.Read.Remote().Compile.Contents = true
	flags := cmd.Flags()
	opts.Report.AddFlags(cmd)
	opts.Key.AddFlags(flags, "of the fingerprints")
	opts.JSON.AddFlags(flags, true)
	opts.FailOn.AddFlag(cmd, rule.High.String(), "findings of this `SEVERITY` or higher")
	opts.Decided.AddFlags(cmd)
	DescribeKey(cmd)
	manual.Files(cmd, manual.Fact{Name: keyName, Meaning: "the key of fingerprints, in the directory of --baseline"})
	flags.StringArrayVar(&opts.Rules, "rules", nil, "add rules from `FILE`: TOML for gitleaks, or YAML as in .pcat-audit.yaml")
	flags.BoolVar(&opts.Strict, "strict", false, "treat failures of custom rules, and undef in their matches and comparisons, as errors")
	flags.StringVar(&opts.Baseline, "baseline", "", "omit the findings that are in `FILE`")
	flags.BoolVar(&opts.UpdateBaseline, "update-baseline", false, "write the findings to the baseline instead of reporting them")
	flags.StringVar(&opts.Since, "since", "", "compare with `FILE`, an earlier report as jsonl or json, or a baseline; only new findings count")
	flags.StringSliceVar(&opts.Filter.Rules, "rule", nil, "report only these `RULES`: IDs or families, with * and ?; ! excludes")
	flags.StringVar(&opts.Severity, "severity", rule.Info.String(), "report only findings of this `SEVERITY` or higher")
	flags.StringSliceVar(&opts.Filter.Types, "type", nil, "report only resources of these `TYPES`, with * and ?; ! excludes")
	flags.StringSliceVar(&opts.Filter.Nodes, "node", nil, "report only these `NODES`, with * and ?; ! excludes")
	flags.StringSliceVar(&opts.Filter.Owners, "owner", nil, "only findings of these `OWNERS` (* and ? match, ! excludes); none selects findings without an owner")
	flags.IntVar(&opts.MaxFindings, "max-findings", 0, "report only the `N` most severe findings; 0 for all")
	flags.BoolVar(&opts.AtRest, "at-rest", false, "also report each declared secret, which the catalog stores as plain text")
	flags.BoolVar(&opts.ShowSecrets, "show-secrets", false, "show the secrets that were found; only for text on a terminal")
	flags.BoolVar(&opts.All, "all", false, "list everything in the text report, not only the most severe findings")
	opts.Location.AddFlags(cmd)
	flags.IntVarP(&opts.Jobs, "jobs", "j", 0, "audit `N` catalogs at a time; 0 for one per processor")
	cli.CompleteFlagWith(cmd, "rule", ruleIDs)
	cli.CompleteFlag(cmd, "severity", severities()...)
	cmd.AddCommand(newInitCmd(streams), newKeygenCmd(streams))
	return cmd
}

// severities returns the names of the severities, from the lowest.
func severities() []string {
	var all []string
	for s := rule.Info; s <= rule.Critical; s++ {
		all = append(all, s.String())
	}
	return all
}

// Run audits the inputs.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	outputs, err := opts.outputs()
	if err != nil {
		return err
	}
	if err := opts.checkShown(outputs); err != nil {
		return err
	}
	t, err := opts.task(ctx, outputs)
	if err != nil {
		return err
	}
	if len(t.sources) > 1 {
		opts.Streams.KeepMuch()
	}
	o := audit.Options{Jobs: opts.Jobs, AtRest: opts.AtRest, KeepSecrets: opts.ShowSecrets, ReportRejected: opts.Streams.Log.Enabled(ctx, slog.LevelInfo)}
	hints := make([]string, len(t.sources))
	found, err := opts.audit(ctx, t, hints, o)
	if err != nil {
		return err
	}
	opts.logFlattened(found, t.sources, hints)
	if err := opts.audited(found, t.sources); err != nil {
		return err
	}
	opts.logPassed(found)
	if err := errors.Join(opts.checkTypes(found), opts.checkNodes(found)); err != nil {
		return err
	}
	if err := t.decisions.apply(ctx, opts, found); err != nil {
		return err
	}
	failedRules := opts.ruleFailures(found)
	if err := opts.write(ctx, outputs, found); err != nil {
		return err
	}
	return errors.Join(failedRules, opts.verdict(found))
}

// task is the input of an audit.
type task struct {
	sources   []cli.Source
	key       []byte
	decisions *decisions
}

// task reads everything but the catalogs, and checks the outputs.
func (opts *Options) task(ctx context.Context, outputs []cli.ReportOutput) (*task, error) {
	err := errors.Join(opts.Decided.Check(), opts.Read.Check())
	if err != nil {
		return nil, err
	}
	t := &task{}
	if t.key, err = opts.key(); err != nil {
		return nil, err
	}
	if t.sources, err = opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{Jobs: opts.Jobs}, opts.Args); err != nil {
		return nil, err
	}
	if t.decisions, err = opts.decisions(t.sources, t.key); err != nil {
		return nil, err
	}
	t.sources, err = opts.checkOutputs(ctx, outputs, t.sources, t.decisions.file)
	return t, err
}

// audited returns an error if no catalog was audited, because the inputs have none, and none failed.
func (opts *Options) audited(found *audit.Report, sources []cli.Source) error {
	if found.Catalogs > 0 || len(found.Documents) > 0 || len(found.Failures) > 0 || len(sources) == 0 {
		return nil
	}
	return opts.Read.Files.Nothing(strings.Join(opts.Args, " "), document.EmptyList)
}

// audit returns all findings, including accepted ones. For each source, hints gets the
// location of a rich value that was written as text, or stays empty. o has the options
// besides those of the task.
func (opts *Options) audit(ctx context.Context, t *task, hints []string, o audit.Options) (*audit.Report, error) {
	auditor, err := opts.auditor(ctx, t.key, t.decisions, o)
	if err != nil {
		return nil, err
	}
	p := startProgress(opts.Streams, len(t.sources))
	defer p.stop()
	return auditor.Run(ctx, opts.inputs(ctx, t.sources, hints, p))
}

// logPassed logs, with -v, why values with the name of a secret are not findings.
func (opts *Options) logPassed(found *audit.Report) {
	for i := range found.Judgements {
		j := &found.Judgements[i]
		if j.Against == "" || !j.Named {
			continue
		}
		location, message := j.Pointer, "not a finding: the value of "+j.Name+" is "+j.Against
		if found.Check([]byte(j.Catalog+": "+location+": "+message)) != nil {
			location, message = "", "not a finding: the value is not a secret (its location contains one)"
		}
		opts.Streams.Log.Info(message, cli.FileKey, j.Catalog, cli.LocationKey, location)
	}
}

// logFlattened warns, once for each source, that rich values in it were written as text. It
// omits a location that contains a secret.
func (opts *Options) logFlattened(found *audit.Report, sources []cli.Source, hints []string) {
	for i, location := range hints {
		if location == "" {
			continue
		}
		if found.Check([]byte(sources[i].Name+": "+location)) != nil {
			location = ""
		}
		document.LogFlattened(opts.Streams.Log, sources[i].Name, location)
	}
}

// auditor returns an auditor with the rules and names of the configuration; o has the other options.
func (opts *Options) auditor(ctx context.Context, key []byte, d *decisions, o audit.Options) (*audit.Auditor, error) {
	own, err := opts.custom(d)
	if err != nil {
		return nil, err
	}
	if err := opts.checkRules(own); err != nil {
		return nil, err
	}
	o.Key, o.Names, o.Custom = key, d.config.Names, own
	return audit.New(o)
}

// check returns a usage error for invalid flags.
func (opts *Options) check() (err error) {
	if err := opts.FailOn.Check(); err != nil {
		return err
	}
	if opts.Severity != "" {
		if opts.Filter.Severity, err = rule.ParseSeverity(opts.Severity); err != nil {
			return cli.Usage("--severity: %w", err)
		}
	}
	switch {
	case opts.Jobs < 0:
		return cli.Usage("--jobs %d: the number cannot be negative", opts.Jobs)
	case opts.MaxFindings < 0:
		return cli.Usage("--max-findings %d: the number cannot be negative", opts.MaxFindings)
	case opts.UpdateBaseline && opts.Baseline == "":
		return cli.Usage("--update-baseline needs --baseline FILE, the file to write")
	case opts.UpdateBaseline && opts.Filter.Active():
		return cli.Usage("--update-baseline cannot be used with --rule, --severity, --type, --node or --owner: the baseline would lose the other findings")
	case opts.UpdateBaseline && opts.Since != "":
		return cli.Usage("--update-baseline and --since cannot be used together: an update accepts all findings")
	}
	return opts.Location.Check()
}

// checkShown returns a usage error if secrets would be shown in a file or a pipe, or to a program.
func (opts *Options) checkShown(outputs []cli.ReportOutput) error {
	only := len(outputs) == 1 && outputs[0].Format == "text" && outputs[0].ToStdout() && opts.Streams.OutTerminal
	if opts.ShowSecrets && !only {
		return cli.Usage("--show-secrets works only for text on a terminal: files, pipes and other formats of report never contain secrets")
	}
	return nil
}

// inputs opens each source again for each pass, so that a run over many catalogs does not
// keep all of them in memory. Only standard input is kept, because it can be read once.
func (opts *Options) inputs(ctx context.Context, sources []cli.Source, hints []string, p *progress) []audit.Input {
	inputs := make([]audit.Input, len(sources))
	for i, src := range sources {
		in := &input{keep: src.Name == cli.Stdin, read: func() (*document.Document, error) { return opts.Read.Open(ctx, src) }, hint: &hints[i]}
		inputs[i] = audit.Input{
			Name: src.Name,
			Open: func() (*catalog.Reader, io.Closer, error) {
				p.add()
				return in.open()
			},
			Explain: func(err error) error { return in.doc.Explain(err) },
		}
	}
	return inputs
}

// input is a source with its document, which exists while it is read or, with keep, until the end.
type input struct {
	read func() (*document.Document, error)
	keep bool
	doc  *document.Document
	hint *string // the first pass stores the location of a rich value that is text; nil afterwards
}

func (in *input) open() (*catalog.Reader, io.Closer, error) {
	if in.doc == nil {
		var err error
		if in.doc, err = in.read(); err != nil {
			return nil, nil, unnamed(err)
		}
	}
	if in.hint != nil {
		if at, found := in.doc.Flattened(); found {
			*in.hint = at.String()
		}
		in.hint = nil
	}
	return in.doc.Reader(), in, nil
}

// unnamed returns err without the name of the file, which audit.Failure already contains.
func unnamed(err error) error {
	var named *cli.Error
	if !errors.As(err, &named) {
		return err
	}
	bare := *named
	bare.File = ""
	return &bare
}

// Close implements [io.Closer]. It releases the document and its content.
func (in *input) Close() error {
	if in.keep || in.doc.Presented() {
		return nil
	}
	doc := in.doc
	in.doc = nil
	return doc.Close()
}

// failed returns the errors of the inputs that could not be audited.
func failed(found *audit.Report) error {
	var failures []error
	for _, f := range found.Failures {
		// By its text, which is masked: the location that the error holds is not.
		failures = append(failures, cli.BadInput(f.Name, "", errors.New(f.Err.Error())))
	}
	return errors.Join(failures...)
}

// verdict returns the error for the exit code: failed inputs take precedence over findings.
func (opts *Options) verdict(found *audit.Report) error {
	if err := failed(found); err != nil {
		return err
	}
	if worst, any := found.Worst(); any && opts.FailOn.Reached(worst.String()) {
		return cli.Exit(cli.ExitFindings)
	}
	return nil
}
