// Package deferred is the command pcat deferred.
package deferred

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams   *cli.IOStreams
	Args      []string
	Read      document.ReadFlags
	Jobs      cli.JobFlags
	World     language.Flags
	Providers resolve.Providers
	Policy    string
	FailOn    cli.Gate
	Totals    document.TotalFlags
	JSON      cli.JSONFlags
	Location  document.LocationFlags

	locator manifest.Locator
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, FailOn: cli.Gate{Steps: []string{stepLate, stepViolation}, Noun: "step"}}
	cmd := &cobra.Command{
		Use:   "deferred [FILE...]",
		Short: "List the Deferred calls of a catalog",
		Long: `List the Deferred calls of a catalog: the function with the types of its
arguments, the location, whether the result stays secret, the provider that
would answer the call, and whether the agent that --like selects makes the call as intended.
Agents of Puppet 8 and OpenVox 8 resolve a call late, when they apply the
resource, and can lose a secret. Arguments are not shown, and nothing is called:
--table, --plugin and --ruby, the same flags as in pcat resolve, only determine
the provider.

For more than 4 inputs, equal calls at the same location, or from the same
manifest line, are one line with the number of calls and nodes. --each and --json list the calls of each catalog.

--policy checks the calls. The exit code is 1 if a call violates the policy:

  # Allowed functions, by pattern. Default: all.
  allow: [sprintf, inline_epp, "vault_lookup::*"]
  # Functions with results that must be Sensitive.
  must_be_sensitive: ["vault_lookup::*"]
  # Reject plain-text credentials in arguments.
  no_clear_credentials: true
  # Reject calls that the agent does not make as intended.
  no_late_breakage: true`,
		Example: `  pcat deferred catalog.json
  pcat deferred --policy deferred.yaml catalogs/
  pcat deferred --modulepath modules --plugin plugins --ruby catalog.json
  pcat deferred --jsonl --table answers.yaml catalog.json | jq .provider`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	opts.Providers.Remote = opts.Read.Remote()
	flags := cmd.Flags()
	opts.Jobs.AddFlags(flags)
	flags.StringSliceVar(&opts.World.ModulePath, "modulepath", nil, "find functions in the modules of `DIR,...` or DIR:...")
	cli.CompleteFlag(cmd, "modulepath")
	opts.World.Like.AddFlags(cmd)
	opts.Providers.AddNames(flags, "")
	flags.StringVar(&opts.Policy, "policy", "", "check the calls against the policy in `FILE` (YAML or JSON)")
	opts.FailOn.AddFlag(cmd, stepViolation, "calls of this `STEP` or higher, where late is a call that the agent does not make as intended")
	opts.Totals.AddFlags(flags)
	opts.Location.AddFlags(cmd)
	opts.JSON.AddFlags(cmd, opts.Streams, "calls, or the lines of --total")
	return cmd
}

// Run lists the calls.
func Run(ctx context.Context, opts *Options) (err error) {
	if err := errors.Join(opts.Read.Check(), opts.Jobs.Check(), opts.FailOn.Check(), opts.Location.Check()); err != nil {
		return err
	}
	if err := opts.Providers.Check(&opts.World); err != nil {
		return err
	}
	opts.locator = opts.Location.Locator(opts.Streams, &opts.Read, !opts.JSON.Given())
	policy, err := opts.policy(ctx)
	if err != nil {
		return err
	}
	agent, end, err := opts.agent(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	sources, err := opts.Read.Sources(ctx, opts.Streams, &opts.Jobs, opts.Args)
	if err != nil {
		return err
	}
	var totals *total
	if opts.Totals.Totals(sources, opts.JSON.Given()) {
		totals = &total{opts: opts}
	}
	err = opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		wire := ""
		if opts.JSON.Given() {
			wire = "json"
		}
		if totals != nil {
			out = io.Discard // written in the total, but searched for secrets here
		}
		var calls []Call
		err := doc.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) (err error) {
			if calls, err = opts.calls(ctx, doc, mask, agent, policy); err != nil {
				return err
			}
			return opts.write(out, calls, doc.Name, doc.Name == sources[0].Name)
		})
		if err != nil {
			return doc.Failure(err)
		}
		if totals != nil {
			totals.add(calls)
		}
		if slices.ContainsFunc(calls, func(c Call) bool { return opts.FailOn.Reached(c.step()) }) {
			return cli.Exit(cli.ExitFindings)
		}
		return nil
	})
	if totals == nil || ctx.Err() != nil {
		return err
	}
	return errors.Join(err, totals.write(opts.Streams.Out))
}

func (opts *Options) policy(ctx context.Context) (*bill.Policy, error) {
	if opts.Policy == "" {
		return &bill.Policy{}, nil
	}
	data, err := language.ReadData(ctx, opts.Streams, &opts.Read.Files, opts.Policy)
	if err != nil {
		return nil, err
	}
	policy, err := bill.ParsePolicy(data)
	if err != nil {
		return nil, cli.BadInput(opts.Policy, "", err)
	}
	return policy, nil
}

// agent returns the agent with the providers of pcat resolve, in the same order.
func (opts *Options) agent(ctx context.Context) (o bill.Options, end func() error, err error) {
	world, err := opts.World.World(ctx, opts.Streams, &opts.Read.Files)
	if err != nil {
		return o, nil, err
	}
	o = bill.Options{Reference: world.Reference, Files: world.Env.Files, Types: world.Types}
	o.Functions, end, err = opts.Providers.Finder(ctx, opts.Streams, &opts.Read.Files, opts.World.ModulePath, world)
	return o, end, err
}

// calls returns the calls of one document, with the copies of declared secrets masked.
func (opts *Options) calls(ctx context.Context, doc *document.Document, mask *sensitive.Redactor, agent bill.Options, policy *bill.Policy) (calls []Call, err error) {
	doc.WarnFlattened(doc.Log())
	if agent.Credential, err = credentials(ctx, doc); err != nil {
		return nil, err
	}
	calls = []Call{}
	src := doc.Reader()
	for e, err := range bill.Read(src, agent) {
		if err != nil {
			return nil, doc.Failure(err)
		}
		violations := policy.Violations(e)
		for i, text := range violations {
			violations[i] = mask.Text(text)
		}
		at := mask.Location(e.At)
		at.Ref.Type = mask.Text(at.Ref.Type)
		c := newCall(doc.Name, e.Masked(mask.Text), at, violations)
		c.Ref, c.Path, c.location = mask.Text(c.Ref), mask.Text(c.Path), mask.Text(c.location)
		c.Manifest, c.Line = opts.locator.Path(c.entry.File), c.entry.Line
		c.node = mask.Text(src.Header().Name())
		calls = append(calls, c)
	}
	for i := range calls {
		if calls[i].node == "" { // it may follow the resources
			calls[i].node = cmp.Or(mask.Text(src.Header().Name()), doc.Name)
		}
	}
	return calls, nil
}

// credentials audits a document, and returns a function that reports whether a location has
// a plain-text secret.
func credentials(ctx context.Context, doc *document.Document) (func(catalog.Location) bool, error) {
	auditor, err := audit.New(audit.Options{Jobs: 1})
	if err != nil {
		return nil, err
	}
	open := func() (*catalog.Reader, io.Closer, error) { return doc.Reader(), io.NopCloser(nil), nil }
	report, err := auditor.Run(ctx, []audit.Input{{Name: doc.Name, Open: open}})
	if err != nil {
		return nil, err
	}
	for _, f := range report.Failures {
		return nil, doc.Failure(f.Err)
	}
	locations := make(map[string]bool)
	for _, f := range report.Findings {
		if f.Class != rule.Policy {
			locations[f.At.String()] = true
		}
	}
	return func(at catalog.Location) bool { return locations[at.String()] }, nil
}
