// Package completion is the command pcat completion, which writes a script that lets a shell
// complete the words of a pcat command line.
package completion

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Root    *cobra.Command
	Shell   string
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Generate a shell completion script",
		Long: `Generate a script that completes the commands and flags of pcat. SHELL is bash,
zsh, fish or powershell. The script for bash needs the package bash-completion.`,
		Example: `  source <(pcat completion bash)
  pcat completion bash > /etc/bash_completion.d/pcat
  pcat completion zsh > "${fpath[1]}/_pcat"
  pcat completion fish > ~/.config/fish/completions/pcat.fish
  pcat completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Root, opts.Shell = cmd.Root(), args[0]
			return Run(cmd.Context(), opts)
		},
	}
}

// Run writes the script to standard output.
func Run(ctx context.Context, opts *Options) error {
	generate, err := generator(opts.Root, opts.Shell)
	if err != nil {
		return err
	}
	return new(cli.OutputFlags).Write(ctx, opts.Streams, nil, generate)
}

func generator(root *cobra.Command, shell string) (func(io.Writer) error, error) {
	switch shell {
	case "bash":
		return func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, nil
	case "zsh":
		return func(w io.Writer) error { return writeZsh(w, root) }, nil
	case "fish":
		return func(w io.Writer) error { return root.GenFishCompletion(w, true) }, nil
	case "powershell":
		return root.GenPowerShellCompletionWithDesc, nil
	default:
		return nil, cli.Usage("unknown shell %q; use bash, zsh, fish or powershell", shell)
	}
}

// writeZsh writes the script for zsh. It completes a pattern, which zsh asks before a name:
// zsh has a completion for an old program called pcat, whose name replaces that of every
// other function, wherever it is installed.
func writeZsh(w io.Writer, root *cobra.Command) error {
	var b bytes.Buffer
	if err := root.GenZshCompletion(&b); err != nil {
		return err
	}
	script := b.Bytes()
	for _, edit := range [][2]string{
		{"#compdef pcat\n", "#compdef -p pcat\n"},
		{"\n_pcat()\n{\n", "\n_pcat()\n{\n    _compskip=all # not also the old program\n"},
	} {
		if bytes.Count(script, []byte(edit[0])) != 1 {
			return errors.New("unexpected script for zsh")
		}
		script = bytes.Replace(script, []byte(edit[0]), []byte(edit[1]), 1)
	}
	_, err := w.Write(script)
	return err
}
