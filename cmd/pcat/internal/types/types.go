// Package types is the command pcat type.
package types

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Options are the inputs of one run.
type Options struct {
	Streams   *cli.IOStreams
	Args      []string // the type, if there is one
	World     language.Flags
	Questions []Question
	JSON      cli.JSONFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "type [EXPR]",
		Short: "Answer questions about Puppet types",
		Long: `Print a type in normalized form, or answer questions about it. EXPR is any
expression that evaluates to a type. --modulepath finds the types of modules.

Questions are answered in the order of the flags, one per line. If an answer is
no, the reason is printed, and the exit code is 1.`,
		Example: `  pcat type 'Variant[Integer, Undef, Variant[Integer, String]]'
  pcat type 'Struct[{port => Integer[1, 65535]}]' --instance '{port => 0}'
  pcat type Scalar --accepts 'Variant[String, Boolean]'
  pcat type --infer '[1, two, {a => 3.0}]'
  pcat type Stack::Endpoint --modulepath modules`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	addQuestions(cmd.Flags(), &opts.Questions)
	opts.World.AddFlags(cmd)
	opts.JSON.AddFlags(cmd, opts.Streams, "answers")
	manual.Exits(cmd, cli.ExitFindings)
	cmd.AddCommand(newCheckCmd(streams))
	return cmd
}

// Run answers the questions.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	world, err := opts.World.World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return err
	}
	e := world.Evaluator(language.Leniency{})
	var t pcore.Type // nil without EXPR
	if len(opts.Args) > 0 {
		t, err = evaluate(ctx, e, opts.Args[0])
	}
	if err != nil {
		return err
	}
	if len(opts.Questions) == 0 {
		return opts.print(&Answer{Type: printed(t)})
	}
	verdict := cli.ExitDone
	for _, q := range opts.Questions {
		a, err := ask(ctx, e, t, q)
		if err != nil {
			return err
		}
		if err := opts.print(a); err != nil {
			return err
		}
		if a.Yes != nil && !*a.Yes {
			verdict = cli.ExitFindings
		}
	}
	return cli.Exit(verdict)
}

// check returns a usage error for questions about a missing type, and for an unused type.
func (opts *Options) check() error {
	given, used := len(opts.Args) > 0, len(opts.Questions) == 0
	for _, q := range opts.Questions {
		alone := questions()[q.Name].alone
		used = used || !alone
		if !alone && !given {
			return cli.Usage("--%s needs a type: pcat type EXPR --%s …", q.Name, q.Name)
		}
	}
	switch {
	case !given && used:
		return cli.Usage("missing EXPR; for example: pcat type 'Variant[Integer, Undef]', or pcat type --infer VALUE")
	case given && !used:
		return cli.Usage("--infer does not use a type: omit EXPR, or use --instance")
	}
	return nil
}

// evaluate returns the value of EXPR.
func evaluate(ctx context.Context, e *eval.Evaluator, expr string) (pcore.Type, error) {
	v, err := e.Text(e.Scope(ctx), "EXPR", expr)
	if err != nil {
		return nil, language.Failure(err)
	}
	t, err := typeOf(v)
	if err != nil {
		return nil, cli.BadInput("EXPR", "", err)
	}
	return t, nil
}

func ask(ctx context.Context, e *eval.Evaluator, t pcore.Type, q Question) (*Answer, error) {
	flag := "--" + q.Name
	v, err := e.Text(e.Scope(ctx), flag, q.Operand)
	if err != nil {
		return nil, language.Failure(err)
	}
	a, err := questions()[q.Name].answer(t, v)
	if err != nil {
		return nil, cli.BadInput(flag, "", err)
	}
	a.Question, a.Operand = q.Name, q.Operand
	if t != nil && !questions()[q.Name].alone {
		a.Type = printed(t)
	}
	return a, nil
}

// printed returns the text of a normalized type. An alias includes its definition.
func printed(t pcore.Type) string { return pcore.TypeText(pcore.Normalize(t)) }

// typeOf returns v, which must be a type.
func typeOf(v pcore.Value) (pcore.Type, error) {
	if t, ok := v.(pcore.Type); ok {
		return t, nil
	}
	return nil, fmt.Errorf("expected a type, got a value of type %s", pcore.Generalize(pcore.Infer(v)))
}

func (opts *Options) print(a *Answer) error {
	if opts.JSON.Given() {
		return terminal.Encode(opts.Streams.Out, a)
	}
	_, err := io.WriteString(opts.Streams.Out, terminal.Text(a.text()))
	return err
}
