// Package query is the command pcat query.
package query

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/query"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams     *cli.IOStreams
	Args        []string
	Read        document.ReadFlags
	Jobs        cli.JobFlags
	World       language.Flags
	Expression  string
	Resources   []string // types, references or patterns; none for all
	JSON        bool
	Raw         bool
	Fail        bool
	Lax         bool
	ShowSecrets bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "query -e EXPR [FILE...]",
		Short: "Find resources by an expression, or print a value for each",
		Long: `Evaluate an expression of the Puppet language for each resource of a catalog. If
the result is true, the resource is printed. If it is false or undef, nothing is
printed. Any other result is printed after the resource.

The expression can use $type, $title, $parameters, $tags, $file, $line,
$exported and $sensitive (the names of the sensitive parameters; their values in
$parameters are Sensitive). A missing parameter is undef. Strings are compared
ignoring case. A lower-case word needs no quotes: file is 'file', which equals
'File'. But File is a type, which does not equal any string.

Declared secrets and their copies are masked before the expression is evaluated,
except with --show-secrets.`,
		Example: `  pcat query -e '$type == file and "${parameters[mode]}" =~ /[2367]$/' a.json
  pcat query -e 'if $type == package { $parameters[ensure] }' catalogs/
  pcat query -e '!$sensitive.empty' --json catalog.msgpack
  pcat query --fail -e '$type == exec and $parameters[timeout] == 0' a.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&opts.Expression, "expression", "e", "", "evaluate `EXPR` for each resource")
	flags.BoolVar(&opts.JSON, "json", false, "print JSON, one object per resource: file, resource, value")
	flags.BoolVarP(&opts.Raw, "raw", "r", false, "print only values, and strings without quotes")
	flags.BoolVar(&opts.Fail, "fail", false, "exit with 1 if anything is printed")
	flags.BoolVar(&opts.Lax, "lax", false, "treat unknown variables as undef, and convert strings to numbers, as Puppet 7 does")
	flags.BoolVar(&opts.ShowSecrets, "show-secrets", false, "do not mask secrets, neither for the expression nor in the output")
	flags.StringArrayVar(&opts.Resources, "resource", nil, "only resources that match a `TYPE` or reference: 'File[/etc/*]'")
	opts.Read.AddFlags(cmd)
	opts.Jobs.AddFlags(flags)
	opts.World.AddFlags(cmd)
	return cmd
}

// Run asks about all resources of the inputs.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	world, err := opts.World.World(ctx, opts.Streams, &opts.Read.Files)
	if err != nil {
		return err
	}
	mode := eval.Mode{}
	if opts.Lax {
		mode = eval.Lax()
	}
	parse := func() (*query.Query, error) { return query.New(world.Fresh().Evaluator(mode), "-e", opts.Expression) }
	if _, err := parse(); err != nil {
		return language.Failure(err)
	}
	sources, err := opts.Read.Files.Sources(opts.Streams, opts.Args)
	if err != nil {
		return err
	}
	return opts.Read.Each(ctx, &opts.Jobs, sources, opts.Streams.Out, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		q, err := parse() // with a bound of work of its own
		if err != nil {
			return language.Failure(err)
		}
		p := &printer{opts: opts, named: len(sources) > 1}
		if p.selects, err = document.Selectors("--resource", opts.Resources); err != nil {
			return err
		}
		if err := opts.query(ctx, q, doc, p, out); err != nil || !opts.Fail || p.printed == 0 {
			return err
		}
		return cli.Exit(cli.ExitFindings)
	})
}

func (opts *Options) check() error {
	if opts.Expression == "" {
		return cli.Usage("missing -e EXPR; for example: pcat query -e '$type == file' catalog.json")
	}
	if opts.JSON && opts.Raw {
		return cli.Usage("--json and -r cannot be used together")
	}
	if _, err := document.Selectors("--resource", opts.Resources); err != nil {
		return err
	}
	return errors.Join(opts.Read.Check(), opts.Jobs.Check())
}

func (opts *Options) query(ctx context.Context, q *query.Query, doc *document.Document, p *printer, out io.Writer) error {
	p.file = doc.Name
	if opts.ShowSecrets {
		return doc.Failure(ask(ctx, q, doc, catalog.Chain(), p, out))
	}
	wire := ""
	if opts.JSON {
		wire = "json"
	}
	return doc.Failure(doc.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) error {
		return ask(ctx, q, doc, mask, p, out)
	}))
}

// ask prints the results of the query for all resources, masked by mask. If the expression fails for a resource, it
// continues with the others.
func ask(ctx context.Context, q *query.Query, doc *document.Document, mask catalog.Transform, p *printer, w io.Writer) error {
	var failed failures
	for r, err := range doc.Reader().Resources() {
		if err != nil {
			return err
		}
		if r, err = mask.Resource(ctx, r); err != nil {
			return err
		}
		if !p.selects(r) {
			continue
		}
		v, err := q.Resource(ctx, r)
		switch {
		case errors.As(err, new(*eval.Error)) && ctx.Err() == nil:
			failed.add(r.Ref(), err)
			continue
		case err != nil:
			return err
		}
		if err := p.print(w, r, v); err != nil {
			return err
		}
	}
	return failed.err(doc)
}

// failures are the resources for which the expression fails: the first, and how many there are.
type failures struct {
	at    catalog.Ref
	first error
	n     int
}

func (f *failures) add(at catalog.Ref, err error) {
	if f.n == 0 {
		f.at, f.first = at, err
	}
	f.n++
}

func (f *failures) err(doc *document.Document) error {
	if f.n == 0 {
		return nil
	}
	err := language.Explain(f.first)
	if f.n > 1 {
		err = fmt.Errorf("%w\n  the expression fails for %d resources", err, f.n)
	}
	return &cli.Error{Code: cli.ExitBadInput, File: doc.Name, Place: f.at.String(), Err: err}
}

// printer prints answers.
type printer struct {
	opts    *Options
	selects func(*catalog.Resource) bool
	named   bool // there are several files
	file    string
	printed int
}

func (p *printer) print(w io.Writer, r *catalog.Resource, v pcore.Value) error {
	picked, hasValue := query.Selects(v)
	if !picked && !hasValue {
		return nil
	}
	p.printed++
	out := document.PrintFlags{ShowSecrets: p.opts.ShowSecrets, Raw: p.opts.Raw}
	if p.opts.JSON {
		return p.json(w, out, r, v, picked)
	}
	place := r.Ref().String()
	if p.named {
		place = p.file + ": " + place
	}
	place = terminal.Line(place)
	switch {
	case picked:
		_, err := fmt.Fprintln(w, place)
		return err
	case !p.opts.Raw:
		if _, err := fmt.Fprint(w, place, ": "); err != nil {
			return err
		}
	}
	return out.Print(w, v)
}

func (p *printer) json(w io.Writer, out document.PrintFlags, r *catalog.Resource, v pcore.Value, picked bool) error {
	if picked {
		whole, err := r.RevealValue() //nolint:forbidigo // masked before, unless --show-secrets
		if err != nil {
			return err
		}
		v = whole
	}
	out.To, out.Raw = "rich-json", false
	return out.Print(w, pcore.NewHash(
		pcore.Entry{Key: pcore.String("file"), Value: pcore.String(p.file)},
		pcore.Entry{Key: pcore.String("resource"), Value: pcore.String(r.Ref().String())},
		pcore.Entry{Key: pcore.String("value"), Value: v},
	))
}
