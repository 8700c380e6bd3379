package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/internal/terminal"
)

// defaultColumns is the width of help that is not printed to a terminal.
const defaultColumns = 80

// Help returns the help of cmd in lines of at most columns characters; 0 means [defaultColumns].
func Help(cmd *cobra.Command, columns int, statuses Statuses) string {
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
	for _, g := range flagGroups(cmd.LocalFlags()) {
		add(g.title, flagUsages(g.flags, columns))
	}
	add("Global flags", flagUsages(cmd.InheritedFlags(), columns))
	if !cmd.HasParent() {
		add("Exit codes", exitCodes(statuses, columns))
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

func exitCodes(statuses Statuses, columns int) string {
	var b strings.Builder
	for code, meaning := range statuses {
		fmt.Fprintf(&b, "  %d  %s\n", code, terminal.Wrap(meaning, "     ", columns))
	}
	return b.String()
}

// groupKey is the annotation of a flag with the title of its group.
const groupKey = "group"

// Group lists the named flags of a command under a title of their own in help.
func Group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, groupKey, []string{title}); err != nil {
			panic(err) //nolint:forbidigo // the flag does not exist
		}
	}
}

// flagGroup is a list of flags with a title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// flagGroups returns the groups of flags, in the order of their first flags. The flags of no
// group are one, too.
func flagGroups(all *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	all.VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if own := f.Annotations[groupKey]; len(own) > 0 {
			title = own[0]
		}
		i := slices.IndexFunc(groups, func(g flagGroup) bool { return g.title == title })
		if i < 0 {
			i = len(groups)
			groups = append(groups, flagGroup{title, pflag.NewFlagSet("", pflag.ContinueOnError)})
			groups[i].flags.SortFlags = all.SortFlags
		}
		groups[i].flags.AddFlag(f)
	})
	return groups
}
