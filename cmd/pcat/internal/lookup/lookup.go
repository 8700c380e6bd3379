// Package lookup is the command pcat lookup.
package lookup

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Keys    []string
	World   language.Flags
	Print   document.PrintFlags
	Node    string
	Vars    []string // name=EXPR
	Merge   string   // the name of a strategy; empty for none
	Prefix  string   // of the strategy deep
	Sort    bool     // likewise
	Arrays  bool     // likewise
	Default *string
	Type    string // an expression
	Explain bool
	Options bool // only lookup_options are explained
}

// strategies are the values of --merge.
func strategies() []string { return []string{"first", "unique", "hash", "deep"} }

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	var fallback string
	cmd := &cobra.Command{
		Use:   "lookup KEY... --hiera DIR",
		Short: "Look up a key in Hiera data, and explain the result",
		Long: `Look up a key in the data of an environment as puppet lookup does, without a
server: --hiera names the directory of the environment, or a hiera.yaml (version
5). With several keys, the first one with a value is used. If no key has a
value, the exit code is 1.

--explain prints the files that were searched and the source of the value.
--facts sets the facts, --node sets trusted.certname, and --var sets other
variables that hiera.yaml uses.

Values of hiera-eyaml are decrypted with the private key of --eyaml-key. They
are Sensitive, and printed as Sensitive [value redacted]. The same applies to a
value that lookup_options converts to Sensitive, even in the explanation.`,
		Example: `  pcat lookup profile::web::port --hiera . --facts facts.yaml
  pcat lookup profile::web::port --hiera . --facts facts.yaml --explain
  pcat lookup users --hiera hiera.yaml --merge deep --knock-out-prefix=--
  pcat lookup db::password --hiera . --eyaml-key private_key.pkcs7.pem`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Keys = args
			if cmd.Flags().Changed("default") {
				opts.Default = &fallback
			}
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.Node, "node", "", "look up data for the node with the certificate `NAME`")
	flags.StringArrayVar(&opts.Vars, "var", nil, "set a variable, `NAME=EXPR`")
	flags.StringVar(&opts.Merge, "merge", "", "merge values with `STRATEGY`: "+strings.Join(strategies(), ", ")+" (default from lookup_options)")
	cli.CompleteFlag(cmd, "merge", strategies()...)
	flags.StringVar(&opts.Prefix, "knock-out-prefix", "", "with --merge deep: remove elements that start with `PREFIX`")
	flags.BoolVar(&opts.Sort, "sort-merged-arrays", false, "with --merge deep: sort merged arrays")
	flags.BoolVar(&opts.Arrays, "merge-hash-arrays", false, "with --merge deep: merge hashes in arrays by position")
	flags.StringVar(&fallback, "default", "", "use `TEXT` if no value is found")
	flags.StringVar(&opts.Type, "type", "", "the value must be an instance of `TYPE`")
	flags.BoolVar(&opts.Explain, "explain", false, "print how the value was found")
	flags.BoolVar(&opts.Options, "explain-options", false, "print how lookup_options were found")
	opts.World.AddFlags(cmd)
	opts.World.Hiera.AddFlags(cmd)
	opts.Print.AddFlags(cmd)
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// Run looks up the keys and prints the value, or the explanation.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	opts.World.Hiera.Plain = false
	world, err := opts.World.World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return err
	}
	e := world.Evaluator(language.Leniency{})
	scope, err := opts.scope(ctx, e)
	if err != nil {
		return err
	}
	q, err := opts.query(e, scope)
	if err != nil {
		return err
	}
	env := world.Env
	env.Functions, env.Variables = world.Finder, scope
	v, err := world.Hiera.Lookup(ctx, &env, q)
	switch {
	case q.Explanation != nil:
		return opts.explain(q.Explanation, err)
	case err != nil:
		return failed(err)
	}
	return opts.Print.Print(opts.Streams.Out, v)
}

// failed returns the error of a lookup that has failed, or found no value.
func failed(err error) error {
	if errors.Is(err, hiera.ErrNotFound) {
		return &cli.Error{Code: cli.ExitFindings, Err: err}
	}
	return cli.BadInput("", "", language.Remedy(err))
}

// check returns a usage error for invalid flags.
func (opts *Options) check() error {
	deep := opts.Prefix != "" || opts.Sort || opts.Arrays
	switch {
	case len(opts.Keys) == 0 && !opts.Options:
		return cli.Usage("missing KEY; for example: pcat lookup profile::web::port --hiera DIR")
	case opts.World.Hiera.Data == "":
		return cli.Usage("missing --hiera DIR, the directory of an environment, or FILE, a hiera.yaml")
	case opts.Merge != "" && !slices.Contains(strategies(), opts.Merge):
		return cli.Usage("--merge: unknown strategy %q; use %s", opts.Merge, strings.Join(strategies(), ", "))
	case deep && opts.Merge != "deep":
		return cli.Usage("--knock-out-prefix, --sort-merged-arrays and --merge-hash-arrays need --merge deep")
	}
	return opts.Print.Check()
}

// scope returns the variables of the lookup.
func (opts *Options) scope(ctx context.Context, e *eval.Evaluator) (*eval.Scope, error) {
	scope := e.Scope(ctx)
	if opts.Node != "" {
		if err := scope.Set("trusted", language.Trusted(opts.Node)); err != nil {
			return nil, err
		}
	}
	_, err := language.SetVariables(e, scope, opts.Vars)
	return scope, err
}

// query returns the lookup that the flags describe.
func (opts *Options) query(e *eval.Evaluator, scope *eval.Scope) (q hiera.Query, err error) {
	q = hiera.Query{Keys: opts.Keys, Merge: opts.merge()}
	if opts.Default != nil {
		q.Default = pcore.String(*opts.Default)
	}
	if opts.Type != "" {
		v, err := e.Text(scope, "--type", opts.Type)
		if err != nil {
			return q, language.Failure(err)
		}
		t, ok := v.(pcore.Type)
		if !ok {
			return q, cli.Usage("--type %s: not a type", opts.Type)
		}
		q.Type = t
	}
	if opts.Explain || opts.Options {
		q.Explanation = &hiera.Explanation{OptionsOnly: !opts.Explain, ShowSecrets: opts.Print.ShowSecrets}
		if len(q.Keys) == 0 {
			q.Keys = []string{"__global__"}
		}
	}
	return q, nil
}

// merge returns the merge strategy with its options; nil for none.
func (opts *Options) merge() pcore.Value {
	if opts.Merge == "" {
		return nil
	}
	b := pcore.NewHashBuilder(4)
	b.SetString("strategy", pcore.String(opts.Merge))
	if opts.Merge == "deep" {
		b.SetString("sort_merged_arrays", pcore.Boolean(opts.Sort))
		b.SetString("merge_hash_arrays", pcore.Boolean(opts.Arrays))
		if opts.Prefix != "" {
			b.SetString("knockout_prefix", pcore.String(opts.Prefix))
		}
	}
	return b.Hash()
}

// explain prints an explanation, and returns the failure of the lookup. As text, the explanation ends with it.
func (opts *Options) explain(x *hiera.Explanation, failure error) (err error) {
	if failure != nil {
		failure = failed(failure)
	}
	if opts.Print.To != "" {
		err = opts.Print.Print(opts.Streams.Out, x.Value())
		return errors.Join(failure, err)
	}
	if e, ok := errors.AsType[*hiera.Error](failure); ok {
		x.Add(language.Remedy(e).Error())
		failure = cli.Exit(cli.CodeOf(failure))
	}
	_, err = io.WriteString(opts.Streams.Out, terminal.Text(x.Text()))
	return errors.Join(failure, err)
}
