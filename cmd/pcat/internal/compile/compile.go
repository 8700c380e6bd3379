// Package compile is the command pcat compile, which prepares the compilation of catalogs.
package compile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/compile/config"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/internal/terminal"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Remote  remote.Flags
	Address string
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "compile [ADDRESS]",
		Short: "Show the settings for compiling catalogs of a repository",
		Long: `Show the repository, the facts and the Puppet that compile: addresses use, and
list missing parts. This command compiles nothing; other commands do, such as

  pcat audit 'compile:?ref=feature'
  pcat diff --compile main..feature

The default ADDRESS is compile:, the working tree. See "pcat help sources".

The exit code is 3 if something is missing.`,
		Example: `  pcat compile
  pcat compile init
  pcat compile 'compile:?ref=feature&facts=puppetdb:'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Address = compile.Scheme + ":"
			if len(args) > 0 {
				opts.Address = args[0]
			}
			return Run(cmd.Context(), opts)
		},
	}
	opts.Remote.AddFlags(cmd)
	manual.Exits(cmd, cli.ExitBadInput)
	cmd.AddCommand(newInitCmd(streams))
	return cmd
}

// Run prints the settings that were found.
func Run(ctx context.Context, opts *Options) error {
	a, err := compile.ParseAddress(opts.Address)
	if err != nil {
		return cli.Usage("%w", err)
	}
	client := func() (*source.Client, error) {
		client, _, err := opts.Remote.Client(opts.Streams)
		return client, err
	}
	found, err := opts.Remote.Compile.Settings(opts.Streams, client, a)
	if err != nil {
		return err
	}
	var b strings.Builder
	const margin = "               "
	columns := opts.Streams.Columns(opts.Streams.Out)
	line := func(name, text string) {
		fmt.Fprintf(&b, "%-*s%s\n", len(margin), name, terminal.Wrap(text, margin, columns))
	}
	line("configuration", cmp.Or(found.Config, "none; `pcat compile init` writes "+config.Name))
	line("repository", cmp.Or(found.Repo, "of the working directory"))
	line("ref", cmp.Or(a.Ref, "the working tree"))
	missing := describeFacts(ctx, found.Facts, line)
	if found.Facts == nil {
		found.Options.Facts = compile.FilesFacts(".") // for the rest
	}
	if err := describeCompiler(ctx, found.Options, line); err != nil {
		line("missing", err.Error())
		missing = true
	}
	if _, err := io.WriteString(opts.Streams.Out, b.String()); err != nil {
		return err
	}
	if missing {
		return cli.Exit(cli.ExitBadInput)
	}
	return nil
}

// describeCompiler prints the environment and the Puppet that compiles it. It fails if a part of them is missing.
func describeCompiler(ctx context.Context, o compile.Options, line func(name, text string)) (err error) {
	c, err := compile.New(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, c.Close()) }()
	if c.Dir() != "" {
		line("environment", "in the directory "+c.Dir())
	}
	puppet, err := c.Puppet(ctx)
	if err == nil {
		line("puppet", terminal.Line(puppet))
	}
	return err
}

// describeFacts prints where the facts come from, and reports whether they are missing.
func describeFacts(ctx context.Context, facts compile.FactSource, line func(name, text string)) (missing bool) {
	if facts == nil {
		line("missing", "facts: none of "+strings.Join(remote.FactFolders(), ", ")+" is there; write CERTNAME.json for each node with `facter --json`, or use facts=puppetdb:")
		return true
	}
	nodes, err := facts.Nodes(ctx)
	if err != nil {
		line("missing", err.Error())
		return true
	}
	line("facts", fmt.Sprintf("%v, nodes: %d", facts, len(nodes)))
	return false
}

func newInitCmd(streams *cli.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a configuration for the compilation of catalogs",
		Long: `Write ` + config.Name + ` to a directory, by default the current one, with all
keys as comments, and with the directory of facts if one is found. An existing
file is kept.`,
		Example: `  pcat compile init
  pcat compile init control-repo/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return initialize(streams, dir)
		},
	}
	manual.Files(cmd, manual.Fact{Name: config.Name, Meaning: "the configuration, written to DIR if it does not exist"})
	return cmd
}

// initialize writes the configuration unless it exists.
func initialize(s *cli.IOStreams, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return cli.Usage("%s: no such directory", dir)
	}
	facts := ""
	for _, folder := range remote.FactFolders() {
		if info, err := os.Stat(filepath.Join(dir, folder)); err == nil && info.IsDir() && facts == "" {
			facts = folder
		}
	}
	file := filepath.Join(dir, config.Name)
	err := cli.CreateFile(file, config.Example(facts), 0o644)
	if errors.Is(err, fs.ErrExist) {
		_, err = io.WriteString(s.Out, file+": exists, not changed\n")
		return err
	}
	if err != nil {
		return err
	}
	text := file + ": written\n"
	if facts == "" {
		text += "No directory with facts was found: name one in the file.\n"
	}
	_, err = io.WriteString(s.Out, text+"Next: pcat compile\n")
	return err
}
