package graph

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
)

// WhyOptions are the inputs of one run.
type WhyOptions struct {
	Streams *cli.IOStreams
	Args    []string
	Read    document.ReadFlags
	Depth   int
	JSON    cli.JSONFlags

	Location document.LocationFlags
}

// NewWhyCmd returns the command pcat why.
func NewWhyCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &WhyOptions{Streams: streams}
	cmd := &cobra.Command{
		Use:   "why FILE... REFERENCE",
		Short: "Show the resources before and after a resource, and its refreshes",
		Long: `Show the relationships of one resource as indented text: the classes that
contain it, the resources that are applied before and after it, with the reason
for each, the resources whose change would refresh it, and the resources that
its change would refresh.

Equal answers of several catalogs are printed once, with the names of the nodes.

REFERENCE is Type[title], as in pcat show, or a unique title. An alias or a name
also works. If a catalog does not contain the resource, the exit code is 1.
Declared secrets, secrets that pcat audit finds, and copies of both are masked
in titles.`,
		Example: `  pcat why catalog.json 'Service[nginx]'
  pcat why catalog.json 'File[/etc/nginx/nginx.conf]' --depth 1
  pcat why catalogs 'Service[nginx]'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return RunWhy(cmd.Context(), opts)
		},
	}
	opts.Read.AddFlags(cmd)
	opts.Read.AddMaskFlag(cmd)
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	opts.Location.AddFlags(cmd)
	cmd.Flags().IntVar(&opts.Depth, "depth", 3, "follow at most `N` relationships")
	opts.JSON.AddFlags(cmd, streams, "relationships, by node")
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// answer is the answer of one node for programs.
type answer struct {
	File string `json:"file"`
	Node string `json:"node"`
	draw.Answer
}

// RunWhy shows the relations of a resource.
func RunWhy(ctx context.Context, opts *WhyOptions) error {
	if len(opts.Args) == 0 {
		return cli.Usage("missing the resource; for example: pcat why catalog.json 'File[/etc/motd]'")
	}
	if opts.Depth < 1 {
		return cli.Usage("--depth %d: use a number from 1", opts.Depth)
	}
	last := len(opts.Args) - 1
	if last > 0 && document.IsTarget(opts.Args[0]) && !document.IsTarget(opts.Args[last]) {
		return cli.Usage("name the resource last: pcat why %s '%s'", opts.Args[last], opts.Args[0])
	}
	if last == 0 && !document.IsTarget(opts.Args[0]) && opts.Read.Files.FilesFrom == "" {
		return cli.Usage("%q is not a resource; write it as 'Type[title]', for example: pcat why catalog.json 'File[/etc/motd]'", opts.Args[0])
	}
	of, err := resource(opts.Args[last])
	if err != nil {
		return err
	}
	if err := errors.Join(opts.Read.Check(), opts.Location.Check()); err != nil {
		return err
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, opts.Args[:last])
	if err != nil {
		return err
	}
	o := draw.WhyOptions{Depth: opts.Depth, Color: opts.Streams.Color(), Locator: opts.Location.Locator(opts.Streams, &opts.Read, !opts.JSON.Given())}
	var all fleet[string]
	err = each(ctx, &opts.Read, sources, io.Discard, "", &all.nodes, func(s *subject, out io.Writer) error {
		node, err := find(s.graph, of, s.mask)
		if err != nil {
			all.miss(s.node, err)
			return nil
		}
		var text strings.Builder
		to := io.MultiWriter(&text, out) // out is searched for secrets
		if opts.JSON.Given() {
			n := all.nodes[s.node]
			err = terminal.Encode(to, answer{n.file, n.name, draw.AnswerOf(s.graph, node, s.mask, o)})
		} else {
			err = draw.Why(to, s.graph, node, s.mask, o)
		}
		all.answers.add(text.String(), s.node, text.String())
		return err
	})
	if ctx.Err() != nil {
		return err
	}
	if opts.JSON.Given() {
		return errors.Join(err, all.failures(), writeEach(opts.Streams.Out, &all))
	}
	return errors.Join(err, all.failures(), writeAnswers(opts.Streams.Out, &all))
}

// writeEach writes the answers, which name their nodes.
func writeEach(w io.Writer, all *fleet[string]) error {
	for _, a := range all.answers.list {
		if _, err := io.WriteString(w, a.value); err != nil {
			return err
		}
	}
	return nil
}

// writeAnswers writes different answers; of several nodes with their names, and a total.
func writeAnswers(w io.Writer, all *fleet[string]) error {
	b := bufio.NewWriter(w) // its errors persist until Flush
	masked := false
	for _, a := range all.answers.sorted() {
		if len(all.nodes) > 1 {
			_, _ = b.WriteString(terminal.Line(all.on(a.nodes)) + "\n")
		}
		_, _ = b.WriteString(a.value)
		if len(all.nodes) > 1 {
			_ = b.WriteByte('\n')
		}
		masked = masked || len(a.nodes) > 1 && document.IsMasked(a.value)
	}
	err := all.total(func(text string) error {
		_, err := b.WriteString(text + "\n")
		return err
	})
	if masked {
		_, _ = b.WriteString(document.NotCompared + "\n")
	}
	return errors.Join(err, b.Flush())
}
