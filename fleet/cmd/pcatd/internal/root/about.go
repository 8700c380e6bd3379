package root

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

func completionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Generate a shell completion script",
		Long: `Generate a script that completes the commands and flags of pcatd. SHELL is bash,
zsh, fish or powershell.`,
		Example:   `  source <(pcatd completion bash)`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if len(args) != 1 {
				return errors.New("name the shell: bash, zsh, fish or powershell")
			}
			switch args[0] {
			case "bash":
				return cmd.Root().GenBashCompletionV2(w, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(w)
			case "fish":
				return cmd.Root().GenFishCompletion(w, true)
			case "powershell":
				return cmd.Root().GenPowerShellCompletionWithDesc(w)
			}
			return fmt.Errorf("unknown shell %q: use bash, zsh, fish or powershell", args[0])
		},
	}
}

func manCmd() *cobra.Command {
	var dir string
	var markdown bool
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Generate the manual pages",
		Long: `Write the manual page of pcatd, or of one command, to standard output. With
--dir, write a page for each command. With --markdown, the pages are Markdown.`,
		Example: `  pcatd man | man -l -
  pcatd man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			page, extension := manual.Page, ".1"
			if markdown {
				page, extension = manual.Markdown, ".md"
			}
			about, rest, err := cmd.Root().Find(args)
			switch {
			case err != nil || len(rest) > 0:
				return unknown(cmd.Root(), args)
			case dir == "":
				_, err := io.WriteString(cmd.OutOrStdout(), page(about, statuses()))
				return err
			case len(args) > 0:
				return errors.New("--dir writes all pages: leave out the command")
			}
			if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for everybody
				return err
			}
			return each(cmd.Root(), func(c *cobra.Command) error {
				return os.WriteFile(filepath.Join(dir, manual.Name(c)+extension), []byte(page(c, statuses())), 0o644) //nolint:gosec // as above
			})
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages to `DIR`, created if missing")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "write Markdown instead of the macros of man")
	return cmd
}

// each visits a command and the ones below it.
func each(cmd *cobra.Command, visit func(*cobra.Command) error) error {
	if err := visit(cmd); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if err := each(c, visit); err != nil {
			return err
		}
	}
	return nil
}
