// Package resolve is the command pcat resolve.
package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/cmd/pcat/internal/resolve/fallback"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
)

// Options are the inputs of one run.
type Options struct {
	Streams   *cli.IOStreams
	Args      []string
	Read      document.ReadFlags
	Write     document.WriteFlags
	World     language.Flags
	Providers Providers

	InObjects      bool
	InKeys         bool
	AsStored       bool
	Jobs           int
	Strict         bool
	KeepUnresolved bool
	Faithful       bool
	Trace          bool
	MaxCalls       int
	Timeout        time.Duration

	Fallback FallbackFlags
	results  *reports
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "resolve [FILE...]",
		Short: "Resolve the Deferred values of a catalog",
		Long: `Replace the Deferred values of a catalog with their results, as an agent does
before it applies the catalog. Pure functions can always be called. Functions
that read files, run commands or use the network need --allow.

If an argument is secret, the result is also secret: its parameter is added to
sensitive_parameters.

Each failed call is reported on one line. If a call fails, nothing is written, and the exit code is 4. With --keep-unresolved, the catalog is written and these calls stay
Deferred; the exit code is still 4.

Agents do not make some calls as intended. For example, agents of Puppet 8 and
OpenVox 8 leave calls in arrays and hashes unresolved. pcat makes such a call,
with a warning that describes the problem. It also warns when the agent would
lose a secret. With --faithful, the call fails, and the secret is lost. --like
selects the agent and the strictness.

--policy sets the time limit and the retries of the calls that match its rules. If
such a call fails, its rule skips the resource and its dependents, uses a
default, or keeps the answer of the last run. --cache encrypts answers with the
key of the node. The exit code is 1 if a resource was skipped.

  rules:
    - function: vault_lookup::*     # also: path, resource
      timeout: 5s
      on_failure: keep              # fail, skip, default or keep
      otherwise: skip

--output-dir writes the results below a directory. Files in a directory that are
not catalogs are skipped. If an input fails, the others are still written.

--table answers calls from a list in JSON or YAML, for tests without services:

  - function: vault_lookup::lookup
    arguments: [secret/db]        # optional; default: any arguments
    value: {__ptype: Sensitive, __pvalue: s3cret}

--plugin answers calls by running programs. DIR/vault_lookup/lookup reads the
arguments as JSON from standard input, and prints the result as JSON or exits
with a status and a message. The first provider that has the function answers
the call, in this order: the table, pcat, the modules, the plugins and, with
--ruby, the Ruby functions of the modules.`,
		Example: `  pcat resolve --facts facts.json catalog.json -o resolved.json
  pcat resolve --facts facts.json --output-dir resolved catalogs/
  pcat resolve --table answers.yaml --trace catalog.json
  pcat resolve --plugin DIR --allow run --plugin-env VAULT_TOKEN catalog.json
  pcat resolve --policy policy.yaml --report calls.json catalog.json
  pcat resolve --allow read=/etc/pki --modulepath modules catalog.msgpack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Providers.Remote = opts.Read.Remote()
	opts.Write.AddFlags(cmd, "`FORMAT` of the output (default as the input)")
	opts.World.AddFlags(cmd)
	opts.World.Hiera.AddFlags(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&opts.InObjects, "in-objects", false, "also resolve attributes of objects (agents do not)")
	flags.BoolVar(&opts.InKeys, "in-keys", false, "also resolve keys of hashes (agents do not)")
	flags.BoolVar(&opts.AsStored, "as-stored", false, "write the catalog as agents store it: with Class[Main], and without names equal to titles")
	flags.IntVarP(&opts.Jobs, "jobs", "j", 0, "resolve `N` resources at a time, across inputs; 0 for one per processor")
	opts.Providers.AddFlags(flags)
	opts.Fallback.AddFlags(flags)
	flags.BoolVar(&opts.Strict, "strict", false, "treat unknown variables and implicit string-to-number conversion as errors (always on, except with puppet7)")
	flags.BoolVar(&opts.Faithful, "faithful", false, "resolve exactly as the agent does, including its failures and lost secrets")
	flags.BoolVar(&opts.KeepUnresolved, "keep-unresolved", false, "write the catalog even if calls fail, and keep them Deferred")
	flags.BoolVar(&opts.Trace, "trace", false, "print each call to standard error: types of arguments and result, duration")
	flags.IntVar(&opts.MaxCalls, "max-calls", 100_000, "maximum number `N` of calls; 0 for no limit")
	flags.DurationVar(&opts.Timeout, "timeout", time.Minute, "maximum `TIME` of a call, such as 30s or 5m; 0 for no limit")
	manual.Exits(cmd, cli.ExitFindings, cli.ExitUnresolved)
	manual.Environment(cmd, manual.Fact{Name: "VAULT_*", Meaning: "the server and the login of vault_lookup::lookup, such as VAULT_ADDR; only variables that --plugin-env names are read"})
	return cmd
}

// Run resolves the inputs.
func Run(ctx context.Context, opts *Options) (err error) {
	if err := opts.check(); err != nil {
		return err
	}
	n := cmp.Or(opts.Jobs, runtime.GOMAXPROCS(0))
	jobs := cli.JobFlags{Jobs: n}
	sources, err := opts.Write.Sources(ctx, opts.Streams, &opts.Read, &jobs, opts.Args)
	if err != nil {
		return err
	}
	r, handler, end, err := opts.resolver(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	opts.results = new(reports)
	each := max(1, n/max(1, len(sources))) // goroutines for each catalog
	jobs.Doing = "resolving"
	err = jobs.Run(ctx, bestEffortWriter{opts.Streams}, sources, func(ctx context.Context, src cli.Source, log io.Writer) error {
		own, r := *opts, *r // each input has separate state
		r.World.Log = language.Logger(ctx, opts.Streams.LogTo(log))
		return own.resolve(ctx, &r, handler, src, each, log)
	})
	opts.Fallback.save(opts.Streams, handler)
	err = errors.Join(err, opts.writeReport(ctx, sources))
	return errors.Join(opts.Write.Finish(opts.Streams, err), opts.results.exit())
}

func (opts *Options) check() error {
	if opts.MaxCalls < 0 || opts.Timeout < 0 || opts.Jobs < 0 {
		return cli.Usage("--max-calls, --timeout and --jobs cannot be negative")
	}
	return errors.Join(opts.Providers.Check(&opts.World), opts.Fallback.Check(), opts.Read.Check())
}

// resolver returns the resolver, its handler or nil, and a function to call at the end.
func (opts *Options) resolver(ctx context.Context) (r *deferred.Resolver, h *fallback.Handler, end func() error, err error) {
	opts.World.Hiera.Plain = opts.Faithful
	world, err := opts.World.World(ctx, opts.Streams, &opts.Read.Files)
	if err != nil {
		return nil, nil, nil, err
	}
	if h, err = opts.Fallback.handler(ctx, opts.Streams, &opts.Read.Files, world); err != nil {
		return nil, nil, nil, err
	}
	r = &deferred.Resolver{
		Types:     world.Types,
		Policy:    deferred.Policy{Effects: world.Effects},
		Facts:     world.Facts,
		Language:  eval.Like(world.Reference),
		Mode:      deferred.Like(world.Reference),
		InObjects: opts.InObjects,
		InKeys:    opts.InKeys,
		MaxCalls:  opts.MaxCalls,
		Timeout:   opts.Timeout,
		Faithful:  opts.Faithful,
		Allowance: language.CallAllowance,
		World:     world.Env,

		KeepUnresolved: true, // unresolved decides, and failed reports
	}
	if opts.Strict {
		r.Language = eval.Mode{Reference: world.Reference}
	}
	r.Functions, end, err = opts.Providers.Finder(ctx, opts.Streams, &opts.Read.Files, opts.World.ModulePath, world)
	r.Agent = &deferred.Agent{Reference: world.Reference, Functions: r.Functions, Files: world.Env.Files, Types: world.Types}
	return r, h, end, err
}

// trace returns a function that prints the events of a document, regardless of the log level.
func trace(w io.Writer, doc *document.Document) func(deferred.Event) {
	return func(e deferred.Event) {
		e.At, e.Err = doc.Named(e.At), doc.MaskedAt(e.Err, e.At)
		_, _ = io.WriteString(w, terminal.Line(doc.MaskedText(e.String()))+"\n") // w ignores errors
	}
}

// bestEffortWriter writes the trace and messages about calls to standard error. It ignores
// write errors, because nothing depends on this output.
type bestEffortWriter struct{ *cli.IOStreams }

func (h bestEffortWriter) Write(p []byte) (int, error) {
	if _, err := h.Err.Write(p); err != nil {
		h.Log.Debug("the trace was not read", "cause", err)
	}
	return len(p), nil
}

// resolve resolves one input with n goroutines. The trace goes to log.
func (opts *Options) resolve(ctx context.Context, r *deferred.Resolver, h *fallback.Handler, src cli.Source, n int, log io.Writer) (err error) {
	doc, err := opts.Read.Open(ctx, src)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	doc.WarnFlattened(src.Log())
	messages := r.World.Log
	r.World.Log = func(level function.Level, text string) { messages(level, doc.MaskedText(text)) }
	if opts.Trace {
		r.Trace = trace(log, doc)
	}
	r.Unlike = func(at catalog.Location, reason string) {
		src.Log().Warn("resolved, but "+reason, cli.FileKey, doc.Name, cli.LocationKey, doc.Named(at).String())
	}
	r.Writable = writable(opts.Write.Target(doc))
	opts.Write.Output.Private = false
	if opts.Fallback.given() {
		return opts.whole(ctx, r, h, doc, src, n)
	}
	run := r.Parallel(ctx, n, doc.Reader().Resources())
	defer run.Close()
	transforms := []catalog.Transform{run}
	if opts.AsStored {
		transforms = append(transforms, deferred.AgentSpelling{})
	}
	return opts.write(ctx, doc, run.Failures, transforms)
}

// write writes the catalogs of a document unless calls have failed, and returns the failures.
func (opts *Options) write(ctx context.Context, doc *document.Document, failures func() deferred.Failures, transforms []catalog.Transform) error {
	check := func() error {
		if opts.KeepUnresolved || len(failures()) == 0 {
			return nil
		}
		return errUnresolved
	}
	err := opts.Write.WriteChecked(ctx, opts.Streams, doc, check, transforms...)
	if errors.Is(err, errUnresolved) {
		err = nil
	}
	return errors.Join(append(failed(doc, failures()), err)...)
}

// writable returns a function that reports why a value cannot be written in a form.
func writable(format serialization.Format) func(pcore.Value) error {
	return func(v pcore.Value) error {
		_, err := format.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		return err
	}
}

// errUnresolved prevents writing the output; failed returns the failures themselves.
var errUnresolved = &cli.Error{Code: cli.ExitUnresolved}

// failed returns one error for each call that could not be made.
func failed(doc *document.Document, failures deferred.Failures) []error {
	errs := make([]error, 0, len(failures)+1)
	for _, f := range failures {
		errs = append(errs, &cli.Error{Code: cli.ExitUnresolved, File: doc.Name, Location: doc.Named(f.At).String(), Err: doc.MaskedAt(remedy(f.Err), f.At)})
	}
	return errs
}

// remedy returns err with a remedy. The most frequent case is an unknown function.
func remedy(err error) error {
	if unknown, ok := errors.AsType[*function.UnknownError](err); ok && err.Error() == unknown.Error() { // not in a template
		return fmt.Errorf("%w; provide it with --modulepath, --plugin, --ruby or --table", err)
	}
	return language.Remedy(err)
}
