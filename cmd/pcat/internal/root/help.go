package root

import (
	"fmt"
	"slices"
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

// setHelp makes help start with the purpose of a command and examples, followed by the flags. cobra cannot return errors
// of help, so they are stored in failed: help that cannot be written, or help for an unknown command.
func setHelp(cmd *cobra.Command, s *cli.IOStreams, failed *error) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if about := cmd.Flags().Args(); !cmd.HasParent() && len(about) > 0 {
			*failed = noCommand(cmd, about[0])
			return
		}
		w := cmd.OutOrStdout()
		_, *failed = fmt.Fprint(w, helpText(cmd, s.Columns(w)))
	})
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.ErrOrStderr()
		_, err := fmt.Fprint(w, helpText(cmd, s.Columns(w)))
		return err
	})
}

// defaultColumns is the width of help that is not printed to a terminal.
const defaultColumns = 80

// helpText returns the help of cmd in lines of at most columns characters; 0 means [defaultColumns].
func helpText(cmd *cobra.Command, columns int) string {
	if columns == 0 {
		columns = defaultColumns
	}
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	sections := []string{wrapped(strings.TrimSpace(about), columns)}
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
	add("Flags", flagUsages(cmd.LocalFlags(), columns))
	add("Global flags", flagUsages(cmd.InheritedFlags(), columns))
	if !cmd.HasParent() {
		add("Exit codes", exitCodes())
	}
	return strings.Join(sections, "\n\n") + "\n"
}

// flagUsages lists flags. It removes the argument that pflag prints for a counted flag.
func flagUsages(flags *pflag.FlagSet, columns int) string {
	return strings.Replace(flags.FlagUsagesWrapped(columns), "--verbose count", "--verbose      ", 1)
}

// wrapped rewraps paragraphs if a line is too long. Indented lines stay unchanged.
func wrapped(text string, columns int) string {
	if columns == 0 || !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return len(line) > columns }) {
		return text
	}
	var b strings.Builder
	at := 0 // how much of the line is written
	for line := range strings.Lines(text) {
		if line == "\n" || line[0] == ' ' {
			if at > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
			at = 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			switch {
			case at == 0:
			case at+1+len(word) > columns:
				b.WriteByte('\n')
				at = 0
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += len(word)
		}
	}
	return b.String()
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
