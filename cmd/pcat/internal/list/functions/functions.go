// Package functions is the command pcat list functions.
package functions

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/language"
	"github.com/pcatdev/pcat/deferred/external"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore/function"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string // names; none for all functions
	Plugins []string // folders
	JSON    cli.JSONFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "functions [NAME...]",
		Short: "List or explain the functions that pcat can call",
		Long: `List the functions that pcat resolve, pcat eval and pcat query can call: name,
effects, source, and one line for each signature. With names, explain the given
functions.

Effects are the actions of a call other than computing a value from its
arguments. Reading files, running commands and using the network need --allow.`,
		Example: `  pcat list functions
  pcat list functions sprintf
  pcat list functions --plugin plugins vault_lookup::lookup
  pcat list functions --jsonl | jq 'select(.effects[0] == "reads files").name'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			world, err := (&language.Flags{}).World(cmd.Context(), streams, &cli.InputFlags{})
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return cli.Words(namesOf(world.Functions))(cmd, args, begin)
		},
	}
	manual.Exits(cmd, cli.ExitBadInput)
	cmd.Flags().StringArrayVar(&opts.Plugins, "plugin", nil, "also list the functions of the plugins in `DIR`")
	opts.JSON.AddFlags(cmd, opts.Streams, "functions")
	return cmd
}

// Function describes one function.
type Function struct {
	Name       string   `json:"name"`
	Signatures []string `json:"signatures"`
	Effects    []string `json:"effects"` // none for a pure function
	Source     string   `json:"source"`
	Sensitive  bool     `json:"handles_sensitive"`
	Doc        string   `json:"doc"`
}

// Run prints the functions.
func Run(ctx context.Context, opts *Options) error {
	world, err := (&language.Flags{}).World(ctx, opts.Streams, &cli.InputFlags{})
	if err != nil {
		return err
	}
	for _, dir := range opts.Plugins {
		if err := addPlugins(world.Functions, dir); err != nil {
			return err
		}
	}
	found, err := find(world.Functions, opts.Args)
	if err != nil {
		return err
	}
	switch {
	case opts.JSON.Given():
		return writeJSON(opts.Streams.Out, found)
	case len(opts.Args) == 0:
		return writeList(opts.Streams, found)
	default:
		return explain(opts.Streams, found)
	}
}

// addPlugins adds the plugins of a folder to known. As in pcat resolve, known functions
// take precedence.
func addPlugins(known *function.Registry, dir string) error {
	plugins, err := external.NewPlugins(dir, external.PluginOptions{})
	if err != nil {
		return cli.Usage("--plugin %s: %w", dir, cli.WithoutPath(err))
	}
	all, err := plugins.All()
	if err != nil {
		return cli.BadInput(dir, "", err)
	}
	for _, f := range all {
		if _, taken := known.Function(f.Name); taken {
			continue
		}
		if err := known.Add(*f); err != nil {
			return cli.BadInput(f.Source, "", err)
		}
	}
	return nil
}

// find returns the named functions, all of them without names.
func find(known *function.Registry, names []string) ([]*function.Function, error) {
	if len(names) == 0 {
		return known.All(), nil
	}
	found := make([]*function.Function, len(names))
	for i, name := range names {
		f, ok := known.Function(function.CanonicalName(name))
		if !ok {
			return nil, cli.Usage("unknown function %q%s\nRun 'pcat list functions' to list all functions.", name, cli.DidYouMean(name, namesOf(known)))
		}
		found[i] = f
	}
	return found, nil
}

func namesOf(known *function.Registry) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range known.All() {
			if !yield(f.Name) {
				return
			}
		}
	}
}

func signatures(f *function.Function) []string {
	texts := []string{}
	for _, s := range f.Signatures() {
		text := f.Name + s.String()
		if s.Return != nil {
			text += " >> " + s.Return.String()
		}
		texts = append(texts, text)
	}
	return texts
}

func writeJSON(w io.Writer, found []*function.Function) error {
	for _, f := range found {
		effects := []string{}
		if f.Effects != 0 {
			effects = strings.Split(f.Effects.String(), ", ")
		}
		if err := terminal.Encode(w, Function{f.Name, signatures(f), effects, f.Source, f.HandlesSensitive, f.Doc}); err != nil {
			return err
		}
	}
	return nil
}

// writeList prints a line for each signature. The first line of a function has its name,
// effects and source.
func writeList(streams *cli.IOStreams, found []*function.Function) error {
	var table cli.Table
	table.Head("NAME", "EFFECTS", "SOURCE", "SIGNATURES")
	for _, f := range found {
		name, effects, source := f.Name, f.Effects.String(), f.Source
		for _, s := range signatures(f) {
			table.Add(name, effects, source, s)
			name, effects, source = "", "", ""
		}
	}
	return streams.Print(&table)
}

func explain(s *cli.IOStreams, found []*function.Function) error {
	var b strings.Builder
	for i, f := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n\n%s\n\n", strings.Join(signatures(f), "\n"), strings.TrimSpace(f.Doc))
		fmt.Fprintf(&b, "effects    %s%s\n", f.Effects, permission(f.Effects))
		fmt.Fprintf(&b, "source     %s\n", f.Source)
		fmt.Fprintf(&b, "sensitive  %s\n", secrets(f))
	}
	_, err := io.WriteString(s.Out, s.Fit(terminal.Text(b.String())))
	return err
}

func permission(e function.Effects) string {
	if flags := language.Permissions(e); flags != "" {
		return "; needs " + flags
	}
	return ""
}

func secrets(f *function.Function) string {
	if f.HandlesSensitive {
		return "accepts Sensitive arguments"
	}
	return "does not handle Sensitive; pcat resolve passes the secret and makes the result Sensitive"
}
