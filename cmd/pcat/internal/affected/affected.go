// Package affected is the command pcat affected, which finds the nodes that a change of a
// control repository can affect.
package affected

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Options are the inputs of one run.
type Options struct {
	Streams  *cli.IOStreams
	Node     string // the argument; empty for all nodes
	Range    string // OLD..NEW
	NameOnly bool
	JSON     cli.JSONFlags
	Jobs     cli.JobFlags
	Remote   remote.Flags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "affected --ref OLD..NEW [CERTNAME]",
		Short: "Find the nodes whose catalogs a commit can change",
		Long: `List the nodes whose catalogs can differ between two refs of a control
repository, and the reasons: changed files that the compilation of OLD used or
looked for. A node that is not listed has equal catalogs in both refs, or fails
as before.

Puppet compiles OLD once and records the files that each node uses. The records
are kept, so the next run compiles only nodes whose files have changed since.
NEW is not compiled. To compile it for the listed nodes, run pcat diff --compile
OLD..NEW --affected.

Recorded files are manifests, data, templates, functions, types, module files
that resources copy, and any other file that Ruby reads. If the compilation runs
a program, the node is always listed. Functions that depend on anything else,
such as the time or a network, are not recognized.`,
		Example: `  pcat affected --ref main..feature
  pcat affected --ref main...
  pcat affected --ref main..feature --name-only
  pcat affected --ref main..feature '?repo=control&facts=puppetdb:'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Node = strings.Join(args, "")
			return Run(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.Range, "ref", "", "compare the refs `OLD..NEW`; OLD...NEW begins at their common commit, and . is the working tree")
	flags.BoolVar(&opts.NameOnly, "name-only", false, "print only the certnames of the affected nodes")
	opts.JSON.AddFlags(cmd, streams, "all nodes with reasons")
	opts.Jobs.AddFlags(flags)
	opts.Remote.AddFlags(cmd)
	manual.Exits(cmd, cli.ExitBadInput)
	return cmd
}

// result is the line of a node in JSON.
type result struct {
	Node     string   `json:"node"`
	Affected bool     `json:"affected"`
	Failed   bool     `json:"failed"`
	Reasons  []reason `json:"reasons"`
}

type reason struct {
	File   string `json:"file,omitempty"`
	Change string `json:"change"`
}

// Run prints the affected nodes.
func Run(ctx context.Context, opts *Options) error {
	if opts.Range == "" {
		return cli.Usage("missing --ref OLD..NEW; for example: pcat affected --ref main..feature")
	}
	if opts.NameOnly && opts.JSON.Given() {
		return cli.Usage("--name-only and --json cannot be used together")
	}
	old, new, err := remote.ParseRange("ref", opts.Range)
	if err != nil {
		return err
	}
	a, err := remote.ParseNode(opts.Node)
	if err != nil {
		return err
	}
	if err := opts.Jobs.Check(); err != nil {
		return err
	}
	if a.Ref != "" {
		return cli.Usage("%s: --ref names the refs", opts.Node)
	}
	from, to, err := opts.Remote.Compilers(ctx, opts.Streams, a, old, new)
	if err != nil {
		return err
	}
	nodes := []string{a.Node}
	if a.Node == "" {
		if nodes, err = from.Nodes(ctx); err != nil {
			return cli.BadRemote(a.String(), err)
		}
	}
	return opts.list(ctx, nodes, from, to)
}

// list prints the nodes in order.
func (opts *Options) list(ctx context.Context, nodes []string, from, to *compile.Compiler) error {
	from.Expect(len(nodes))
	sources := make([]cli.Source, len(nodes))
	for i, node := range nodes {
		sources[i] = cli.Source{Name: node}
	}
	var mu sync.Mutex
	affected, failed, unknown := 0, 0, 0
	err := opts.Jobs.Run(ctx, opts.Streams.Out, sources, func(ctx context.Context, src cli.Source, out io.Writer) error {
		effect, err := from.Affects(ctx, src.Name, to)
		if err != nil {
			mu.Lock()
			unknown++
			mu.Unlock()
			return cli.BadRemote(compile.Scheme+":"+src.Name, err)
		}
		mu.Lock()
		if len(effect.Reasons) > 0 {
			affected++
		} else if effect.Failed {
			failed++
		}
		mu.Unlock()
		return opts.write(out, src.Name, effect)
	})
	if opts.NameOnly || opts.JSON.Given() {
		return err
	}
	text := fmt.Sprintf("%d of %d nodes affected", affected, len(nodes))
	if failed > 0 {
		text += fmt.Sprintf(" · do not compile, as before: %d", failed)
	}
	if unknown > 0 {
		text += fmt.Sprintf(" · not examined: %d", unknown)
	}
	_, writeErr := fmt.Fprintln(opts.Streams.Out, text)
	return errors.Join(err, writeErr)
}

// write prints a node, if it is affected or for JSON.
func (opts *Options) write(out io.Writer, node string, effect compile.Effect) error {
	if opts.JSON.Given() {
		r := result{Node: node, Affected: len(effect.Reasons) > 0, Failed: effect.Failed, Reasons: []reason{}}
		for _, e := range effect.Reasons {
			r.Reasons = append(r.Reasons, reason{e.Path, string(e.Change)})
		}
		var line bytes.Buffer
		if err := terminal.Encode(&line, r); err != nil {
			return err
		}
		_, err := line.WriteTo(out)
		return err
	}
	if len(effect.Reasons) == 0 {
		return nil
	}
	text := node
	if !opts.NameOnly {
		text += "  " + describe(effect.Reasons)
	}
	_, err := io.WriteString(out, terminal.Sprintf("%s\n", text))
	return err
}

// describe returns the first reasons.
func describe(reasons []compile.Reason) string {
	const most = 3
	var all []string
	for _, r := range reasons[:min(len(reasons), most)] {
		all = append(all, sentence(r))
	}
	text := strings.Join(all, ", ")
	if more := len(reasons) - most; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

func sentence(r compile.Reason) string {
	switch r.Change {
	case compile.Unknown:
		return "its compilation ran a program, or ended early, so that the used files are unknown"
	case compile.Inputs:
		return "the facts or the settings differ"
	case compile.Names:
		return r.Path + " lists other files"
	default:
		return r.Path + " " + string(r.Change)
	}
}
