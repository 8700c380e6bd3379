// Package graph contains the commands pcat graph and pcat why.
package graph

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/sensitive"
)

// Options are the inputs of one run.
type Options struct {
	Streams  *cli.IOStreams
	Args     []string
	Read     document.ReadFlags
	Output   cli.OutputFlags
	Format   string
	JSON     bool // for the format json
	Of       string
	What     string
	Collapse string
	Diff     bool
	View     draw.Options
}

// NewCmd returns the command pcat graph.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "Draw the relations of a catalog, as a page or for other programs",
		Long: `Print the graph of a catalog: the order of resources, their containment, or the
refreshes between them. --of selects the part around a resource, --cycles only
the dependency cycles. With --collapse class, a class is one node.

The page of --format html needs no other program: one file with the picture of
the whole catalog, a search, paths between resources, and a table.

With --diff, the arguments are an old and a new catalog. The graph is that of
the new one, with removed resources: added ones are green, removed ones red,
changed ones yellow. pcat diff --help describes the differences that count.

Stages and Class[Settings] appear only if they have relations, or with
--internal. Secrets in titles are masked: declared ones, the ones that pcat audit
finds, and their copies.`,
		Example: `  pcat graph catalog.json --format html -o graph.html
  pcat graph catalog.json | dot -Tsvg > catalog.svg
  pcat graph catalog.json --of 'Service[nginx]' --up --depth 3 --format mermaid
  pcat graph --diff old.json new.json --format html -o changes.html
  pcat graph catalog.json --cycles`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&opts.Format, "format", "dot", "`FORM` of the graph: "+strings.Join(draw.Formats(), ", "))
	cli.AddJSONFlag(flags, &opts.JSON)
	flags.StringVar(&opts.What, "what", "", "`KIND` of arrows: "+strings.Join(kinds, ", ")+"; without it, relations, or both for html")
	flags.BoolVar(&opts.Diff, "diff", false, "compare two catalogs, OLD and NEW")
	flags.StringVar(&opts.Of, "of", "", "only resources connected to `REF`, such as 'File[/etc/motd]'")
	flags.IntVar(&opts.View.Depth, "depth", 0, "with --of: follow at most `N` arrows; 0 for any number")
	flags.BoolVar(&opts.View.Up, "up", false, "with --of: only resources that are applied before it")
	flags.BoolVar(&opts.View.Down, "down", false, "with --of: only resources that are applied after it")
	flags.StringVar(&opts.Collapse, "collapse", string(draw.CollapseNone), "draw one node for each `CONTAINER`: "+strings.Join(collapses, ", "))
	flags.BoolVar(&opts.View.Internal, "internal", false, "also stages and Class[Settings]")
	flags.BoolVar(&opts.View.Cycles, "cycles", false, "only the resources of dependency cycles")
	opts.Output.AddFileFlag(flags)
	cli.CompleteFlag(cmd, "format", draw.Formats()...)
	cli.CompleteFlag(cmd, "what", kinds...)
	cli.CompleteFlag(cmd, "collapse", collapses...)
	return cmd
}

var (
	kinds     = []string{string(draw.Relations), string(draw.Containment), string(draw.Refreshes), string(draw.Both)}
	collapses = []string{string(draw.CollapseClass), string(draw.CollapseDefine), string(draw.CollapseNone)}
)

func (opts *Options) check() error {
	form, err := cli.FormOfJSON(opts.JSON, opts.Format, "dot")
	if err != nil {
		return err
	}
	opts.Format = form
	switch {
	case !slices.Contains(draw.Formats(), opts.Format):
		return cli.Usage("--format: unknown form %q; use one of %s", opts.Format, strings.Join(draw.Formats(), ", "))
	case opts.What != "" && !slices.Contains(kinds, opts.What):
		return cli.Usage("--what: unknown kind %q; use one of %s", opts.What, strings.Join(kinds, ", "))
	case !slices.Contains(collapses, opts.Collapse):
		return cli.Usage("--collapse: unknown container %q; use one of %s", opts.Collapse, strings.Join(collapses, ", "))
	case opts.View.Depth < 0:
		return cli.Usage("--depth %d: the number cannot be negative", opts.View.Depth)
	case opts.Of == "" && (opts.View.Depth > 0 || opts.View.Up || opts.View.Down):
		return cli.Usage("--depth, --up and --down need --of REF")
	case opts.Format == "html" && opts.Output.File == "" && opts.Streams.OutTerminal:
		return cli.Usage("not writing a page to the terminal; use -o FILE, or -o - to write it anyway")
	case !opts.Output.ToStdout() && slices.Contains(opts.Args, opts.Output.File):
		return cli.Usage("%s is both input and output", opts.Output.File)
	case opts.Diff && len(opts.Args) != 2:
		return cli.Usage("--diff needs two catalogs: pcat graph --diff OLD NEW")
	case opts.Diff && opts.Args[0] == cli.Stdin && opts.Args[1] == cli.Stdin:
		return cli.Usage("only one of OLD and NEW can be -")
	}
	return opts.Read.Check()
}

// Run draws the graph of each input.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	var of catalog.Ref
	if opts.Of != "" {
		var err error
		if of, err = parse(opts.Of); err != nil {
			return err
		}
	}
	opts.View.What, opts.View.Collapse = draw.What(opts.What), draw.Collapse(opts.Collapse)
	if opts.What == "" && opts.Format == "html" {
		opts.View.What = draw.Both
	}
	return opts.Output.Write(ctx, opts.Streams, nil, func(w io.Writer) error {
		if opts.Diff {
			return opts.compare(ctx, w, of)
		}
		return opts.draw(ctx, w, of)
	})
}

// errSeveral reports several catalogs for a format whose documents have one graph.
func errSeveral(format string) error {
	return cli.Usage("--format %s draws one catalog, but there are several; name one file", format)
}

// draw draws the graph of each input.
func (opts *Options) draw(ctx context.Context, w io.Writer, of catalog.Ref) error {
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, opts.Args)
	if err != nil {
		return err
	}
	one := opts.Format == "html" || opts.Format == "graphml"
	if one && len(sources) > 1 {
		return errSeveral(opts.Format)
	}
	drawn := 0
	return each(ctx, &opts.Read, sources, w, wire(opts.Format), func(c *catalog.Catalog, g *graph.Graph, mask *sensitive.Redactor, out io.Writer) error {
		if drawn++; one && drawn > 1 {
			return errSeveral(opts.Format)
		}
		v, err := opts.selected(g, of, mask)
		if err != nil {
			return err
		}
		v.Name = mask.Text(c.Name())
		return opts.write(out, v)
	})
}

// selected returns the part of a graph that the flags select.
func (opts *Options) selected(g *graph.Graph, of catalog.Ref, mask *sensitive.Redactor) (*draw.View, error) {
	o := opts.View
	if opts.Of != "" {
		node, err := find(g, of, mask)
		if err != nil {
			return nil, err
		}
		o.Of, o.Around = node, true
	}
	return draw.Select(g, mask, o), nil
}

func (opts *Options) write(out io.Writer, v *draw.View) error {
	err := draw.Write(out, opts.Format, v)
	if errors.Is(err, draw.ErrSize) {
		return cli.Usage("%w; use --of REF --depth N, --collapse class, or --format html", err)
	}
	return err
}

func wire(format string) string {
	if format == "json" {
		return "json"
	}
	return ""
}

// each calls do for each catalog of the sources, with a guarded output to an io.Writer.
func each(
	ctx context.Context, read *document.ReadFlags, sources []cli.Source, to io.Writer, wire string,
	do func(c *catalog.Catalog, g *graph.Graph, mask *sensitive.Redactor, out io.Writer) error,
) error {
	return read.Each(ctx, &cli.JobFlags{Jobs: 1}, sources, to, func(ctx context.Context, doc *document.Document, out io.Writer) error {
		return doc.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) error {
			for c, err := range doc.Reader().Catalogs() {
				if err != nil {
					return doc.Failure(err)
				}
				g, err := graph.New(c)
				if err != nil {
					return doc.Failure(err)
				}
				if err := do(c, g, mask, out); err != nil {
					return named(doc, err)
				}
			}
			return nil
		})
	})
}

// named adds the document to an error about it.
func named(doc *document.Document, err error) error {
	var coded *cli.Error
	if errors.As(err, &coded) && coded.File == "" && coded.Code == cli.ExitFindings {
		return &cli.Error{Code: coded.Code, File: doc.Name, Err: coded.Err}
	}
	return err
}

// parse parses the name of a resource.
func parse(text string) (catalog.Ref, error) {
	ref, ok := catalog.ParseRef(text)
	if !ok {
		return ref, cli.Usage("%q is not a resource; write it as 'Type[title]', for example 'File[/etc/motd]'", text)
	}
	return ref, nil
}

// find returns the node of a resource. The error suggests another one.
func find(g *graph.Graph, ref catalog.Ref, mask *sensitive.Redactor) (int, error) {
	if node, ok := g.Find(ref); ok {
		return node, nil
	}
	titles := func(yield func(string) bool) {
		for i := range g.Len() {
			n := puppet.Canonical(g.Node(i).Ref)
			if n.Type == puppet.Canonical(ref).Type && !yield(mask.Location(catalog.Location{Ref: n}).Ref.String()) {
				return
			}
		}
	}
	return 0, &cli.Error{Code: cli.ExitFindings, Err: errors.New("no resource " + mask.Text(ref.String()) + cli.DidYouMean(ref.String(), titles))}
}
