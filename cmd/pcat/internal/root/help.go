package root

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// helpCmd is the command pcat help.
func helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show help for a command",
		GroupID: groupAbout,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			return cli.Words(cli.Commands(cmd.Root()))(cmd, args, begin)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(about, args[len(args)-len(rest)])
			}
			return about.Help()
		},
	}
}

// setHelp makes help begin with what a command is for and with examples: who reads it wants to
// type something now. The flags come after.
func setHelp(cmd *cobra.Command, s *cli.IOStreams) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if _, err := fmt.Fprint(cmd.OutOrStdout(), helpText(cmd)); err != nil {
			s.Log.Debug("help was not read", "cause", err)
		}
	})
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(cmd.ErrOrStderr(), helpText(cmd))
		return err
	})
}

func helpText(cmd *cobra.Command) string {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	sections := []string{strings.TrimSpace(about)}
	add := func(title, body string) {
		if body = strings.TrimRight(body, "\n "); body != "" {
			sections = append(sections, title+":\n"+body)
		}
	}
	add("Examples", cmd.Example)
	add("Usage", usageLines(cmd))
	for _, g := range cmd.Groups() {
		add(g.Title, commandList(cmd, g.ID))
	}
	if len(cmd.Groups()) == 0 {
		add("Commands", commandList(cmd, ""))
	}
	add("Flags", flagUsages(cmd.LocalFlags()))
	add("Flags of every command", flagUsages(cmd.InheritedFlags()))
	if !cmd.HasParent() {
		add("Exit codes", exitCodes())
	}
	return strings.Join(sections, "\n\n") + "\n"
}

// flagUsages lists flags. A flag that is counted takes nothing, whatever the library prints behind it.
func flagUsages(flags *pflag.FlagSet) string {
	return strings.Replace(flags.FlagUsages(), "--verbose count", "--verbose      ", 1)
}

func usageLines(cmd *cobra.Command) string {
	group := "  " + cmd.CommandPath() + " COMMAND"
	switch {
	case !cmd.HasAvailableSubCommands():
		return "  " + cmd.UseLine()
	case cmd.UseLine() != cmd.CommandPath(): // it takes arguments of its own
		return "  " + cmd.UseLine() + "\n" + group
	default:
		return group
	}
}

func commandList(cmd *cobra.Command, group string) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if c.GroupID == group && c.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short)
		}
	}
	return b.String()
}

func exitCodes() string {
	var b strings.Builder
	for code := cli.ExitDone; code <= cli.ExitInternal; code++ {
		fmt.Fprintf(&b, "  %d  %s\n", code, code)
	}
	return b.String()
}
