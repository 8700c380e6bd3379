package root

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/internal/manual"
)

// helpCmd is the command pcat help.
func helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show help for a command, or for " + remote.Topic + " other than files",
		GroupID: groupAbout,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			names := append(slices.Collect(cli.Commands(cmd.Root())), remote.Topic)
			return cli.Words(slices.Values(names))(cmd, args, begin)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == remote.Topic {
				_, err := fmt.Fprint(cmd.OutOrStdout(), remote.About())
				return err
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(about, args[len(args)-len(rest)])
			}
			return about.Help()
		},
	}
}

// setHelp makes help start with the purpose of a command and examples, followed by the
// flags. cobra cannot return errors of help, so they are stored in failed: help that cannot
// be written, or help for an unknown command.
func setHelp(cmd *cobra.Command, s *cli.IOStreams, failed *error) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if about := cmd.Flags().Args(); !cmd.HasParent() && len(about) > 0 {
			*failed = noCommand(cmd, about[0])
			return
		}
		w := cmd.OutOrStdout()
		_, *failed = fmt.Fprint(w, manual.Help(cmd, s.Columns(w), cli.Statuses()))
	})
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.ErrOrStderr()
		_, err := fmt.Fprint(w, manual.Help(cmd, s.Columns(w), cli.Statuses()))
		return err
	})
}
