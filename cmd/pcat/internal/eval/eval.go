// Package eval is the command pcat eval.
package eval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Options are the inputs of one run.
type Options struct {
	Streams     *cli.IOStreams
	Args        []string // a file, if there is one
	Expressions []string
	Vars        []string // name=EXPR
	Lax         bool
	World       language.Flags
	Print       document.PrintFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "eval [-e EXPR]... | [FILE]",
		Short: "Evaluate a Puppet expression, program or template",
		Long: `Evaluate the part of the Puppet language that produces values: expressions,
functions, lambdas and templates, but not resources. The result is the value of
each -e, or of the last statement of the file. Later expressions can use the
variables, functions and types that earlier ones define. A file with the
extension .epp is a template: --var sets its parameters, and its text is printed
unchanged.

Without an expression or a file, the program is read from standard input. On a
terminal, pcat shows a prompt.

Secrets are printed as Sensitive [value redacted], at any depth. Functions that
only compute values, read facts or write log messages can always be called;
others need --allow.`,
		Example: `  pcat eval -e "['a', 'b'].map |$x| { $x.upcase }"
  pcat eval --facts facts.yaml -e '$facts[os][family]'
  pcat eval -t rich-json -e "Timespan('1-00:00:00')"
  pcat eval --modulepath modules --var 'name="web01"' motd.epp
  pcat eval`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&opts.Expressions, "expression", "e", nil, "evaluate `EXPR`")
	flags.StringArrayVar(&opts.Vars, "var", nil, "set a variable, `NAME=EXPR`")
	flags.BoolVar(&opts.Lax, "lax", false, "treat unknown variables as undef, and convert strings to numbers, as Puppet 7 does")
	opts.World.AddFlags(cmd)
	opts.World.Hiera.AddFlags(cmd)
	opts.Print.AddFlags(cmd)
	return cmd
}

// Run evaluates and prints.
func Run(ctx context.Context, opts *Options) error {
	if len(opts.Args) > 0 && len(opts.Expressions) > 0 {
		return cli.Usage("-e and a file cannot be used together")
	}
	if err := opts.Print.Check(); err != nil {
		return err
	}
	s, err := opts.session(ctx)
	if err != nil {
		return err
	}
	switch {
	case len(opts.Expressions) > 0:
		return s.expressions(opts.Expressions)
	case len(opts.Args) == 0 && opts.Streams.InTerminal:
		return s.prompt(opts.Streams)
	default:
		return s.file(ctx, opts)
	}
}

// session is the shared state of all evaluations of a run.
type session struct {
	opts      *Options
	world     *language.World
	evaluator *eval.Evaluator
	scope     *eval.Scope
	variables *pcore.Hash // of --var
}

func (opts *Options) session(ctx context.Context) (*session, error) {
	world, err := opts.World.World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return nil, err
	}
	world.Env.Log = opts.logger(ctx)
	s := &session{opts: opts, world: world, evaluator: world.Evaluator(language.Leniency{Language: opts.Lax})}
	s.scope = s.evaluator.Scope(ctx)
	s.variables, err = language.SetVariables(s.evaluator, s.scope, opts.Vars)
	return s, err
}

func (s *session) expressions(all []string) error {
	for _, text := range all {
		if err := s.program("-e", text); err != nil {
			return err
		}
	}
	return nil
}

// program evaluates a program and prints its value.
func (s *session) program(name, text string) error {
	v, err := s.evaluator.Text(s.scope, name, text)
	if err != nil {
		return language.Failure(err)
	}
	return s.opts.Print.Print(s.opts.Streams.Out, v)
}

func (s *session) file(ctx context.Context, opts *Options) error {
	files := cli.InputFlags{}
	sources, err := files.Sources(ctx, opts.Streams, opts.Args)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; to evaluate an expression, use -e", err)
	case err != nil:
		return err
	case len(sources) != 1:
		return cli.Usage("%s: expected one file", opts.Args[0])
	}
	text, err := sources[0].ReadAll(ctx)
	if err != nil {
		return err
	}
	if strings.HasSuffix(sources[0].Name, ".epp") {
		return inFile(s.template(sources[0].Name, string(text)))
	}
	return inFile(s.program(sources[0].Name, string(text)))
}

// template evaluates a template and prints its text. The variables become its parameters,
// if it declares any.
func (s *session) template(name, text string) error {
	t, err := eval.ParseTemplate(name, text)
	if err != nil {
		return language.Failure(err)
	}
	var parameters *pcore.Hash
	if t.DeclaresParameters() {
		parameters = s.variables
	}
	v, err := s.evaluator.Template(s.scope, t, parameters)
	if err != nil {
		return language.Failure(err)
	}
	print := s.opts.Print
	print.Raw = print.To == ""
	return print.Print(s.opts.Streams.Out, v)
}

// inFile returns err as one of an input: a syntax error in a file is not one of the command line.
func inFile(err error) error {
	if coded, ok := errors.AsType[*cli.Error](err); ok && coded.Code == cli.ExitUsage {
		return cli.BadInput(coded.File, coded.Location, coded.Err)
	}
	return err
}
