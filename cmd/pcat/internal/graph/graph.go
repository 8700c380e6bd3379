// Package graph contains the commands pcat graph and pcat why.
package graph

import (
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/manual"
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
	JSON     cli.JSONReport // for the format json
	What     string
	Collapse string
	Diff     bool
	View     draw.Options
	Location document.LocationFlags

	drawn draw.Format    // of --format
	of    *locate.Target // of the argument after the files; nil for none
}

// NewCmd returns the command pcat graph.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "graph FILE... [REFERENCE]",
		Short: "Draw the relationships of a catalog, as a page or for programs",
		Long: `Print the graph of a catalog: the order of resources, their containment, or the
refreshes between them. REFERENCE selects the part around a resource, and
--cycles selects only dependency cycles. With --collapse class, a class is one
node. REFERENCE is Type[title], as in pcat show, or a unique title.

The page of --format html is one self-contained file with a picture of the whole
catalog, a search, paths between resources, and a table. It begins with the
refreshes, from configuration to service.

Equal graphs of several catalogs are drawn once, with the names of the nodes.
JSON has one document per catalog.

With --diff, the arguments are an old and a new catalog. The graph shows the new
catalog and the removed resources: added resources are green, removed resources
red, and changed resources yellow. pcat diff --help describes the differences
that count.

Stages and Class[Settings] appear only if they have relationships, or with
--internal. Declared secrets, secrets that pcat audit finds, and copies of both
are masked in titles.`,
		Example: `  pcat graph catalog.json -o graph.html
  pcat graph catalog.json -o graph.svg --collapse class
  pcat graph catalog.json 'Service[nginx]' --up --depth 3 --format mermaid
  pcat graph --diff old.json new.json -o changes.html
  pcat graph catalog.json --cycles`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&opts.Format, "format", "", "`FORMAT` of the graph: "+strings.Join(draw.Names(), ", ")+"; default: from the extension of -o, otherwise "+draw.Names()[0])
	opts.JSON.AddFlags(flags, false)
	flags.StringVar(&opts.What, "what", "", "`KIND` of arrows: "+strings.Join(kinds, ", ")+"; default: both for html and svg, otherwise relations")
	flags.BoolVar(&opts.Diff, "diff", false, "compare two catalogs, OLD and NEW")
	flags.IntVar(&opts.View.Depth, "depth", 0, "with REFERENCE: follow at most `N` arrows; 0 for any number")
	flags.BoolVar(&opts.View.Up, "up", false, "with REFERENCE: only resources that are applied before it")
	flags.BoolVar(&opts.View.Down, "down", false, "with REFERENCE: only resources that are applied after it")
	flags.StringVar(&opts.Collapse, "collapse", string(draw.CollapseNone), "draw one node for each `CONTAINER`: "+strings.Join(collapses, ", "))
	flags.BoolVar(&opts.View.Internal, "internal", false, "include stages and Class[Settings]")
	flags.BoolVar(&opts.View.Cycles, "cycles", false, "only the resources of dependency cycles")
	opts.Location.AddFlags(cmd)
	opts.Output.AddFileFlag(flags)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	cli.CompleteFlag(cmd, "format", draw.Names()...)
	cli.CompleteFlag(cmd, "what", kinds...)
	cli.CompleteFlag(cmd, "collapse", collapses...)
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

var (
	kinds     = []string{string(draw.Relations), string(draw.Containment), string(draw.Refreshes), string(draw.Both)}
	collapses = []string{string(draw.CollapseClass), string(draw.CollapseDefine), string(draw.CollapseNone)}
)

// format returns the format of --format or --json, or else that of the extension of the output.
func (opts *Options) format() (draw.Format, error) {
	format, err := opts.JSON.Format(opts.Format, "")
	if err != nil {
		return draw.Format{}, err
	}
	formats := cli.ReportFormats(draw.Formats(), func(f draw.Format) cli.ReportFormat { return cli.ReportFormat{Name: f.Name, Extensions: f.Extensions} })
	if format == "" {
		if format, _ = cli.FormatOfFile(formats, opts.Output.File); format == "" {
			format = draw.Names()[0]
		}
	}
	i := slices.Index(draw.Names(), format)
	if i < 0 {
		return draw.Format{}, cli.Usage("--format: unknown format %q; use one of %s", format, strings.Join(draw.Names(), ", "))
	}
	cli.WarnOfExtension(opts.Streams, formats, &cli.ReportOutput{OutputFlags: opts.Output, Format: format})
	return draw.Formats()[i], nil
}

func (opts *Options) check() error {
	var err error
	if opts.drawn, err = opts.format(); err != nil {
		return err
	}
	if err := opts.split(); err != nil {
		return err
	}
	switch {
	case opts.What != "" && !slices.Contains(kinds, opts.What):
		return cli.Usage("--what: unknown kind %q; use one of %s", opts.What, strings.Join(kinds, ", "))
	case !slices.Contains(collapses, opts.Collapse):
		return cli.Usage("--collapse: unknown container %q; use one of %s", opts.Collapse, strings.Join(collapses, ", "))
	case opts.View.Depth < 0:
		return cli.Usage("--depth %d: the number cannot be negative", opts.View.Depth)
	case opts.of == nil && (opts.View.Depth > 0 || opts.View.Up || opts.View.Down):
		return cli.Usage("--depth, --up and --down need a resource: pcat graph FILE 'Type[title]'")
	case opts.drawn.Name == "html" && opts.Output.File == "" && opts.Streams.OutTerminal:
		return cli.Usage("not writing a page to the terminal; use -o FILE, or -o - to write it anyway")
	case !opts.Output.ToStdout() && slices.Contains(opts.Args, opts.Output.File):
		return cli.Usage("%s is both input and output", opts.Output.File)
	case opts.Diff && len(opts.Args) != 2:
		return cli.Usage("--diff needs two catalogs: pcat graph --diff OLD NEW")
	case opts.Diff && opts.Args[0] == cli.Stdin && opts.Args[1] == cli.Stdin:
		return cli.Usage("only one of OLD and NEW can be -")
	}
	return errors.Join(opts.Read.Check(), opts.Location.Check())
}

// split divides the arguments into files and a reference.
func (opts *Options) split() error {
	files, targets := opts.Read.References(opts.Args)
	const compared = 2
	if opts.Diff && len(opts.Args) >= compared {
		files, targets = opts.Args[:compared], nil
		for _, arg := range opts.Args[compared:] {
			targets = append(targets, document.Reference(arg))
		}
	}
	switch {
	case len(targets) > 1:
		return cli.Usage("%s and %s: name one resource", targets[0], targets[1])
	case len(targets) == 1:
		of, err := resource(targets[0].String())
		if err != nil {
			return err
		}
		opts.of = &of
	}
	opts.Args = files
	return nil
}

// Run draws the graph of each input.
func Run(ctx context.Context, opts *Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	opts.View.What, opts.View.Collapse = draw.What(opts.What), draw.Collapse(opts.Collapse)
	opts.View.Locator = opts.Location.Locator(opts.Streams, &opts.Read, false)
	if opts.What == "" && (opts.drawn.Name == "html" || opts.drawn.Name == "svg") {
		opts.View.What = draw.Both
	}
	var missing error
	err := opts.Output.Write(ctx, opts.Streams, nil, func(w io.Writer) (err error) {
		if opts.Diff {
			return opts.compare(ctx, w)
		}
		missing, err = opts.draw(ctx, w)
		return err
	})
	return errors.Join(err, missing)
}

// draw draws the graph of each input. Equal ones are drawn once, except as JSON. missing is the
// error of the nodes without the resource of --of, if others have it: these are drawn.
func (opts *Options) draw(ctx context.Context, w io.Writer) (missing, err error) {
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, opts.Args)
	if err != nil {
		return nil, err
	}
	var all fleet[*drawing]
	err = each(ctx, &opts.Read, sources, w, opts.wire(), &all.nodes, func(s *subject, out io.Writer) error {
		v, err := opts.selected(s.graph, s.mask)
		if err != nil {
			all.miss(s.node, err)
			return nil
		}
		if opts.drawn.Name == "json" {
			v.Name = s.mask.Text(s.catalog.Name())
			return opts.write(out, v)
		}
		key, err := v.Key()
		all.answers.add(key, s.node, &drawing{v, s.mask, s.document.Name})
		return err
	})
	if ctx.Err() != nil {
		return nil, err
	}
	missing = all.failures()
	if all.without() == len(all.nodes) {
		return nil, errors.Join(err, missing)
	}
	return missing, errors.Join(err, opts.drawAll(w, &all))
}

// drawing is a graph to draw, and the first document that has it. It does not keep the catalog.
type drawing struct {
	view     *draw.View
	mask     *sensitive.Redactor
	document string
}

// drawAll draws different graphs.
func (opts *Options) drawAll(w io.Writer, all *fleet[*drawing]) error {
	if n := len(all.answers.list); opts.drawn.Single && n > 1 {
		return cli.Usage("--format %s draws one graph, but there are %d different ones on %s; name one file", opts.drawn.Name, n, document.Counted(len(all.nodes), "node"))
	}
	for _, a := range all.answers.sorted() {
		d := a.value
		d.view.Name, d.view.Version = all.title(a.nodes), cli.Release()
		guard := document.Guard(d.mask, w, opts.wire())
		err := errors.Join(opts.heading(guard, all, a.nodes), opts.write(guard, d.view), guard.Close())
		if err != nil {
			return document.Leak(d.document, err)
		}
		opts.Read.WarnFound(opts.Streams.Log, d.mask.ShowsFound())
	}
	return all.total(func(text string) error { return opts.drawn.Comment(w, text) })
}

// heading names the nodes of a graph if there are several nodes.
func (opts *Options) heading(w io.Writer, all *fleet[*drawing], nodes []int) error {
	if len(all.nodes) == 1 {
		return nil
	}
	return opts.drawn.Comment(w, all.on(nodes))
}

// selected returns the part of a graph that the flags select.
func (opts *Options) selected(g *graph.Graph, mask *sensitive.Redactor) (*draw.View, error) {
	o := opts.View
	if opts.of != nil {
		node, err := find(g, *opts.of, mask)
		if err != nil {
			return nil, err
		}
		o.Of, o.Around = node, true
	}
	return draw.Select(g, mask, o), nil
}

func (opts *Options) write(out io.Writer, v *draw.View) error {
	err := draw.Write(out, opts.drawn.Name, v)
	if errors.Is(err, draw.ErrSize) {
		return cli.Usage("%w; name a resource and --depth N, --collapse class, or --format html", err)
	}
	return err
}

// wire returns the syntax of the output for the guard of secrets.
func (opts *Options) wire() string {
	if opts.drawn.Name == "json" {
		return "json"
	}
	return ""
}

// subject is a catalog with its graph, and its number in the nodes of a run.
type subject struct {
	catalog  *catalog.Catalog
	graph    *graph.Graph
	mask     *sensitive.Redactor
	document *document.Document
	node     int
}

// each adds the catalogs of the sources to nodes, and calls do for each with a guarded output
// to an io.Writer.
func each(
	ctx context.Context, read *document.ReadFlags, sources []cli.Source, to io.Writer, wire string, nodes *[]node,
	do func(s *subject, out io.Writer) error,
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
				*nodes = append(*nodes, node{mask.Text(c.Name()), mask.Text(doc.Name)})
				if err := do(&subject{c, g, mask, doc, len(*nodes) - 1}, out); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// resource returns the reference of a resource that an argument is.
func resource(arg string) (locate.Target, error) {
	t := document.Reference(arg)
	switch {
	case len(t.Path()) > 0 && len(t.Refs(slices.Values([]string(nil)))) == 0:
		return t, cli.Usage("%s is a location in a resource; name the resource: '%s'", arg, t.Ref())
	case t.IsBare() && strings.Contains(arg, "["):
		return t, cli.Usage("%q is not a resource; write it as 'Type[title]', for example 'File[/etc/motd]'", arg)
	}
	return t, nil
}

// find returns the node of a resource. The error suggests another one.
func find(g *graph.Graph, of locate.Target, mask *sensitive.Redactor) (int, error) {
	types := map[string]bool{}
	for i := range g.Len() {
		types[puppet.TypeName(g.Node(i).Ref.Type)] = true
	}
	var nodes []int
	for _, ref := range of.Refs(maps.Keys(types)) {
		node, ok := g.Find(ref)
		switch {
		case ok && !of.IsBare():
			return node, nil
		case ok && !slices.Contains(nodes, node):
			nodes = append(nodes, node)
		}
	}
	masked := func(ref catalog.Ref) string {
		return mask.Location(catalog.Location{Ref: ref}).Ref.String()
	}
	switch {
	case len(nodes) == 1:
		return nodes[0], nil
	case len(nodes) > 1:
		var refs []string
		for _, i := range slices.Sorted(slices.Values(nodes)) {
			refs = append(refs, masked(g.Node(i).Ref))
		}
		return 0, document.Ambiguous(mask.Text(of.String()), "the catalog", refs)
	}
	near, err := locate.Near(func() iter.Seq2[catalog.Part, error] {
		return func(yield func(catalog.Part, error) bool) {
			for i := range g.Len() {
				if r := g.Node(i).Resource; r != nil && !yield(catalog.Part{Kind: catalog.PartResource, Resource: r}, nil) {
					return
				}
			}
		}
	}, of)
	var refs []string
	for _, ref := range near.Refs {
		refs = append(refs, masked(ref))
	}
	text := "no resource " + mask.Text(of.Name())
	if len(refs) > 0 {
		text += "; did you mean " + strings.Join(refs, " or ") + "?"
	}
	return 0, errors.Join(err, errors.New(text))
}
