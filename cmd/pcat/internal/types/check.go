package types

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// CheckOptions are the inputs of one run of pcat type check.
type CheckOptions struct {
	Streams *cli.IOStreams
	Type    string // an expression, or the name of a file that ends in .pp
	Args    []string
	World   language.Flags
	Files   cli.InputFlags
	JSON    cli.JSONFlags
}

func newCheckCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &CheckOptions{Streams: streams}
	cmd := &cobra.Command{
		Use:   "check TYPE|FILE.pp DOCUMENT...",
		Short: "Check documents against a Puppet type",
		Long: `Check that each document is an instance of a type, with the messages of Puppet.
A document is JSON, YAML or MessagePack; rich data such as a Timestamp has its
own type. TYPE is any expression that evaluates to a type. FILE.pp contains one
definition, type NAME = TYPE; --modulepath finds the types of modules.

Each mismatch is printed with the name of the document, and the exit code is 1.
It is 3 if a document or the type cannot be read. Messages name types. They
quote text only if it does not match an Enum or a Pattern, and never quote a
Sensitive.`,
		Example: `  pcat type check 'Hash[String, Integer[1, 65535]]' ports.yaml
  pcat type check types/endpoint.pp data/*.json
  pcat type check Stack::Endpoint --modulepath modules - < endpoint.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Type, opts.Args = args[0], args[1:]
			return opts.Run(cmd.Context())
		},
	}
	opts.World.AddFlags(cmd)
	opts.Files.AddFlags(cmd.Flags())
	opts.JSON.AddFlags(cmd, opts.Streams, "documents")
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// Run checks the documents.
func (opts *CheckOptions) Run(ctx context.Context) error {
	world, err := opts.World.World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return err
	}
	t, err := opts.theType(ctx, world)
	if err != nil {
		return err
	}
	sources, err := opts.Files.Sources(ctx, opts.Streams, opts.Args)
	if err != nil {
		return err
	}
	var failures []error
	mismatch := false
	for _, src := range sources {
		v, err := language.ReadSource(ctx, src)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		c := checked{File: src.Name, Type: t.String(), Answer: true}
		if m := pcore.Mismatch("", t, v); m != nil {
			mismatch, c.Answer = true, false
			c.Mismatch = yesOrNo(false, m.Error()).Mismatch
		}
		if err := opts.print(c); err != nil {
			return err
		}
	}
	if mismatch {
		failures = append(failures, cli.Exit(cli.ExitFindings))
	}
	return errors.Join(failures...)
}

// theType returns the type that is an expression, or is defined in a file.
func (opts *CheckOptions) theType(ctx context.Context, world *language.World) (pcore.Type, error) {
	if !strings.HasSuffix(opts.Type, ".pp") {
		return evaluate(ctx, world.Evaluator(language.Leniency{}), opts.Type)
	}
	sources, err := (&cli.InputFlags{}).Sources(ctx, opts.Streams, []string{opts.Type})
	if err != nil {
		return nil, err
	}
	text, err := sources[0].ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	defined, err := typeexpr.Define(opts.Type, string(text), world.Types)
	if err != nil {
		return nil, language.Failure(err)
	}
	names := defined.Names()
	if len(names) != 1 {
		return nil, cli.BadInput(opts.Type, "", fmt.Errorf("expected one definition, type NAME = TYPE, got %d; to choose one of a module, use --modulepath and its name", len(names)))
	}
	t, err := defined.ResolveType(names[0])
	if err != nil {
		return nil, language.Failure(err)
	}
	unknown := ""
	pcore.WalkType(t, func(u pcore.Type) bool {
		if r, ok := u.(*pcore.TypeReferenceType); ok {
			unknown = r.Ref()
		}
		return true
	})
	if unknown != "" {
		return nil, cli.BadInput(opts.Type, "", fmt.Errorf("unknown type %s; to find the types of modules, use --modulepath DIR", unknown))
	}
	return t, nil
}

// checked is the result for one document.
type checked struct {
	File     string   `json:"file"`
	Type     string   `json:"type"`
	Answer   bool     `json:"answer"`
	Mismatch []string `json:"mismatch,omitempty"`
}

func (opts *CheckOptions) print(c checked) error {
	if opts.JSON.Given() {
		return terminal.Encode(opts.Streams.Out, c)
	}
	for _, m := range c.Mismatch {
		if _, err := io.WriteString(opts.Streams.Out, terminal.Text(c.File+": "+m+"\n")); err != nil {
			return err
		}
	}
	return nil
}
