// Package man is the command pcat man, which writes the manual pages.
package man

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Root    *cobra.Command
	Command []string // the words of the command to write about; none is pcat itself
	Dir     string   // write a page for every command here instead

	Markdown bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Generate the manual pages",
		Long: `Write the manual page of pcat, or of one command, to standard output. With
--dir, write a page for each command. With --markdown, the pages are Markdown.`,
		Example: `  pcat man | man -l -
  pcat man version | man -l -
  pcat man --dir /usr/local/share/man/man1`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			about, _, err := cmd.Root().Find(args)
			if err != nil {
				about = cmd.Root()
			}
			return cli.Words(cli.Commands(about))(cmd, args, begin)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Root, opts.Command = cmd.Root(), args
			return Run(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&opts.Dir, "dir", "", "write all pages to `DIR`, created if missing")
	cmd.Flags().BoolVar(&opts.Markdown, "markdown", false, "write Markdown instead of the macros of man")
	cli.CompleteFlag(cmd, "dir")
	return cmd
}

// Run writes the pages.
func Run(ctx context.Context, opts *Options) error {
	if opts.Dir != "" {
		if len(opts.Command) > 0 {
			return cli.Usage("--dir writes all pages; omit %q", opts.Command[0])
		}
		if err := os.MkdirAll(opts.Dir, 0o755); err != nil { //nolint:gosec // manual pages are for everybody
			return &cli.Error{Code: cli.ExitInternal, File: opts.Dir, Err: fmt.Errorf("cannot create the directory: %w", cli.WithoutPath(err))}
		}
		return writeAll(ctx, opts, opts.Root)
	}
	cmd, rest, err := opts.Root.Find(opts.Command)
	if err != nil || len(rest) > 0 {
		missing := opts.Command[len(opts.Command)-len(rest)]
		return cli.Usage("unknown command %q%s", missing, cli.DidYouMean(missing, cli.Commands(cmd)))
	}
	_, err = io.WriteString(opts.Streams.Out, opts.page(cmd))
	return err
}

// page returns the page of a command in the form that was asked for.
func (opts *Options) page(cmd *cobra.Command) string {
	if opts.Markdown {
		return manual.Markdown(cmd, cli.Statuses())
	}
	return manual.Page(cmd, cli.Statuses())
}

// extension returns the extension of a file with a page.
func (opts *Options) extension() string {
	if opts.Markdown {
		return ".md"
	}
	return ".1"
}

// writeAll writes the pages of cmd and of the commands below it.
func writeAll(ctx context.Context, opts *Options, cmd *cobra.Command) error {
	out := cli.OutputFlags{File: filepath.Join(opts.Dir, manual.Name(cmd)+opts.extension())}
	err := out.Write(ctx, opts.Streams, nil, func(w io.Writer) error {
		_, err := io.WriteString(w, opts.page(cmd))
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if err := writeAll(ctx, opts, c); err != nil {
			return err
		}
	}
	return nil
}
